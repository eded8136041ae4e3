"""The pages below /memory over HTTP: what they show, to whom, and what their forms change (A4)."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from hippograph.api.service import Service
from hippograph.api.viewer import Credentials
from hippograph.api.web.http import create_app
from hippograph.api.web.rate_limit import RateLimit
from hippograph.graph.database import Database
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact

OURS = "http://localhost:8000"
SECRET = "gh" + "p_a8fk2lmq9xzr4tnwa8fk2lmq9xzr4tnwa8fk"
HIDDEN = "My diary is hidden behind the clock"
HOSTILE = (
    '<script>window.hit = 1</script>"\'><img src=x onerror="window.hit=1"> \u202edesrever\u2066 {{ 7 * 7 }} '
    + "w" * 400
)

Visitor = Callable[[Service], AbstractAsyncContextManager[httpx.AsyncClient]]


@asynccontextmanager
async def visitor(service: Service, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that acts as a browser: it keeps cookies and sends an origin, but does not follow redirects."""
    transport = httpx.ASGITransport(create_app(service))
    async with httpx.AsyncClient(transport=transport, base_url=OURS, headers={"origin": OURS, **headers}) as client:
        yield client


@pytest.fixture
async def page(scene: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of the local user."""
    async with visitor(scene.service) as client:
        yield client


@pytest.fixture
def guarded(scene: Any) -> Service:
    """The service with credentials required."""
    service: Service = scene.service
    return replace(service, authenticator=Credentials(service.people, service.api_keys, None))


async def remember(scene: Any, content: str, by: str | None = None, **more: Any) -> str:
    """Stores a fact of the person `by`, by default the local user, and returns the id of its memory."""
    [stored] = await scene.service.facts.remember(Viewer(by or scene.me), [Fact(content, **more)])
    return str(stored.memory_id)


async def maya_key(scene: Any) -> str:
    """Creates an account for Maya and returns an API key of it."""
    await scene.service.people.create_person(INTERNAL, "Maya", user_id="maya", person_id=scene.maya.id)
    return str((await scene.service.api_keys.create("maya", "a test"))[1])


def pages(memory_id: str, key: str = "person:tester") -> list[str]:
    """The addresses of the pages that show memories; `key` is the entity of the entity page and the timeline."""
    return [
        "/memory",
        "/memory?q=tea+diary+clock",
        "/memory/me",
        "/memory/me?show=facts",
        "/memory/me?show=all",
        "/memory/people",
        f"/memory/entity?key={key}",
        f"/memory/timeline?key={key}",
        "/memory/weak",
        "/memory/merges",
        f"/memory/item/{memory_id}",
        "/memory/invitations",
    ]


# --- what is there, and for whom ---


async def test_every_page_answers_under_a_strict_policy(page: httpx.AsyncClient, scene: Any) -> None:
    """No page loads from or sends to other hosts, runs a script other than our files, or is cached by the browser."""
    for path in pages(await remember(scene, "I prefer tea")):
        answer = await page.get(path)
        assert (200, path) == (answer.status_code, path)
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert {"default-src 'none'", "script-src 'self'", "form-action 'self'"} <= set(policy.split("; "))
        assert ("no-store", "same-origin") == (answer.headers["cache-control"], answer.headers["referrer-policy"])
        assert not re.search(r"<script(?! src=\"/memory/static/)|\son\w+=|\sstyle=|https?://", answer.text)


async def test_pages_are_looked_at_within_a_space(page: httpx.AsyncClient, scene: Any, drain: Any) -> None:
    """Chats are shown with their spaces. Within a space, pages show its memories and those of no space. A space of
    another person, and a chat together with a space that is not its own, answer 404.
    """
    service, me = scene.service, Viewer(scene.me)
    otters, whales = [await service.spaces.create(me, name) for name in ("Otters", "Whales")]
    theirs = await service.spaces.create(Viewer(scene.maya.id), "Secret")
    chat = await service.people.create_chat(me, ChatKind.PRIVATE, "Kick-off", [Member(scene.me)])
    await service.spaces.move_chat(me, chat.id, otters.id)
    await scene.say("Deploys are on Fridays, drink tea.", chat=chat, by=service.local_user)
    await service.facts.remember(me.within(whales.id), [Fact("I count whales with tea")])
    await remember(scene, "I prefer tea")
    await drain()
    every = (await page.get("/memory?q=tea")).text
    assert "Kick-off (private, Otters)" in every
    assert "<bdi>Kick-off</bdi>, <bdi>Otters</bdi>" in every
    assert "Secret" not in every
    assert {"Fridays", "whales", "prefer"} == {word for word in ("Fridays", "whales", "prefer") if word in every}
    for path in (f"/memory?q=tea&space={otters.id}", f"/memory/me?show=all&space={otters.id}"):
        within = (await page.get(path)).text
        assert {"Fridays", "prefer"} == {word for word in ("Fridays", "whales", "prefer") if word in within}
        assert f"space={otters.id}" in within  # the links stay in the space
    assert 404 == (await page.get(f"/memory?q=tea&space={theirs.id}")).status_code
    for space, status in ((otters.id, 200), (whales.id, 404)):  # the chat is in the first space
        assert status == (await page.get(f"/memory?q=tea&chat={chat.id}&space={space}")).status_code


async def test_a_hidden_memory_is_on_no_page(page: httpx.AsyncClient, guarded: Service, scene: Any, drain: Any) -> None:
    """Maya's private and sensitive memories are on none of the local user's pages, and on her own."""
    turn = await scene.say(f"{HIDDEN}.", chat=scene.private, by=scene.maya)
    await remember(scene, HIDDEN, by=scene.maya.id, about=(scene.maya.key,), sensitivity=Sensitivity.SENSITIVE)
    mine = await remember(scene, "I prefer tea")
    await drain()
    shown = [(await page.get(path)).text for path in pages(mine)]
    shown += [(await page.get(path)).text for path in pages(mine, scene.maya.key)]
    assert not [text for text in shown if "diary is hidden" in text]
    async with visitor(guarded, authorization=f"Bearer {await maya_key(scene)}") as hers:
        own = [(await hers.get(path)).text for path in pages(turn.memory_id, scene.maya.key)]
    assert {True} == {"diary is hidden" in own[at] for at in (0, 1, 2, 3, 4, 6, 7, 10)}


async def test_what_is_hidden_and_what_is_not_there_answer_alike(page: httpx.AsyncClient, scene: Any) -> None:
    """The id of another person's memory or chat gets the same 404 response as an id that does not exist."""
    hidden = (await scene.say(HIDDEN, chat=scene.private, by=scene.maya)).memory_id
    for path in ("/memory/item/{}", "/memory?chat={}&q=tea", "/memory/me?chat={}"):
        answers = [await page.get(path.format(each)) for each in (hidden, scene.private.id, new_id(), "x'y\"<z>")]
        assert {(404, answers[0].text)} == {(answer.status_code, answer.text) for answer in answers}
    for path in ("/memory?persona={}", "/memory/entity?key={}", "/memory/timeline?key={}"):
        answers = [await page.get(path.format(each)) for each in (hidden, new_id())]
        assert {(404, answers[0].text)} == {(answer.status_code, answer.text) for answer in answers}


async def test_nobody_changes_what_they_may_not_see(page: httpx.AsyncClient, scene: Any) -> None:
    """A form for another person's memory gets the same 404 response as for a missing one, and changes nothing."""
    hidden = (await scene.say(HIDDEN, chat=scene.private, by=scene.maya)).memory_id
    for change in ("forget", "confirm", "pin", "unpin", "correct", "sensitivity", "share", "unshare"):
        form = {"content": "It was never so", "sensitivity": "public"}
        answers = [await page.post(f"/memory/item/{each}/{change}", data=form) for each in (hidden, new_id())]
        assert {(404, answers[0].text)} == {(answer.status_code, answer.text) for answer in answers}
    held = await scene.service.memories.held(Viewer(scene.maya.id), hidden)
    assert (HIDDEN, False) == (held.content, held.pinned)


async def test_many_are_planned_forgotten_and_brought_back(page: httpx.AsyncClient, scene: Any) -> None:
    """The form leads to a plan with examples, which can be carried out and undone. Without a selection it is refused
    (400), and so is a purge after the undo (409).
    """
    await remember(scene, "I like zorblatt tea", by=scene.me)
    refused = await page.post("/memory/forgotten/plan", data={"after": ""})
    assert (400, True) == (refused.status_code, "say which memories" in refused.text)
    planned = await page.post("/memory/forgotten/plan", data={"after": "2020-01-01"})
    assert 303 == planned.status_code
    shown = await page.get(planned.headers["location"])
    assert "I like zorblatt tea" in shown.text
    [plan] = (await scene.service.forgettings.all(scene.service.viewer())).items
    for path, words in (("carry-out", "Forgotten"), ("undo", "Taken back")):
        answer = await page.post(f"/memory/forgotten/{path}", data={"id": plan.item.id})
        assert 303 == answer.status_code
        assert words in (await page.get(answer.headers["location"])).text
    again = await page.post("/memory/forgotten/purge", data={"id": plan.item.id})
    assert 409 == again.status_code


async def test_no_parameter_says_who_looks(page: httpx.AsyncClient, scene: Any) -> None:
    """Query parameters that name another person do not change the viewer."""
    await remember(scene, "Maya collects clocks", by=scene.maya.id)
    claims = f"viewer={scene.maya.id}&person_id={scene.maya.id}&user=maya&as=maya"
    assert "collects clocks" not in (await page.get(f"/memory/me?show=all&{claims}")).text


async def test_a_chat_is_chosen_among_ones_own(page: httpx.AsyncClient, scene: Any) -> None:
    """With a chat chosen, search and timeline show its memories, and links keep the choice. Chats of others are not
    offered.
    """
    await scene.say("The tea is in the blue tin.")
    text = (await page.get("/memory", params={"q": "Where is the tea?", "chat": scene.group.id})).text
    assert "blue tin" in text
    assert f"/memory/me?chat={scene.group.id}" in text
    assert "Maya and Atlas" not in text
    said = await page.get("/memory/timeline", params={"of": "chat", "chat": scene.group.id})
    assert "blue tin" in said.text


# --- untrusted words ---


async def test_words_of_memories_are_only_words(page: httpx.AsyncClient, scene: Any, drain: Any) -> None:
    """Markup, quotes and template syntax in memories, chat titles and queries are rendered as text on every page."""
    memory_id = await remember(scene, HOSTILE, about=("person:tester",), importance=3, confidence=0.25)
    await scene.service.facts.pin(scene.service.viewer(), memory_id)
    await scene.service.people.create_chat(scene.viewer(), scene.private.kind, HOSTILE[:90], [Member(scene.me)])
    await drain()
    paths = [*pages(memory_id), f"/memory?q={HOSTILE}", f"/memory/item/{memory_id}?back={HOSTILE}&done={HOSTILE}"]
    for path in paths:
        answer = await page.get(path)
        if answer.headers["content-type"] == "application/json":
            continue
        assert "<script>window" not in answer.text, path
        assert "<img" not in answer.text, path
        assert "49 " not in answer.text, path
        assert "\u202e" not in re.findall(r"<title>(.*)</title>", answer.text + "<title></title>")[0]
    shown = unescape((await page.get(f"/memory/item/{memory_id}")).text)
    assert HOSTILE in shown


# --- search ---


@pytest.mark.embedding_ranked
async def test_results_say_why_they_are_there(page: httpx.AsyncClient, scene: Any, drain: Any) -> None:
    """A result shows its rank in each list and how the question was read; an earlier fact also shows when it ended."""
    await remember(scene, "I work at Deltaroute", aspect="works_at", valid_from=datetime(2026, 1, 15, tzinfo=UTC))
    await remember(scene, "I work at Brightwater", aspect="works_at", valid_from=datetime(2026, 3, 1, tzinfo=UTC))
    await drain()
    now = (await page.get("/memory", params={"q": "Where do I work?"})).text
    assert "Brightwater" in now
    assert "Deltaroute" not in now
    assert "by its words: number 1" in now
    assert re.search(r"by its meaning: number 1, \d+% alike", now)
    assert "Read as:" in now
    then = (await page.get("/memory", params={"q": "Where do I work?", "as_of": "2026-02-01"})).text
    assert "Deltaroute" in then
    assert "until 1 March 2026" in then
    assert "Brightwater" not in then


async def test_more_results_are_a_page_away(page: httpx.AsyncClient, scene: Any) -> None:
    """A link leads from the first ten results to the rest, without repetition."""
    for number in range(12):
        await remember(scene, f"Jar {number} holds green tea")
    first = (await page.get("/memory?q=green+tea")).text
    further = unescape(re.findall(r'class="button" href="([^"]+)">Show more', first)[0])
    second = (await page.get(further)).text
    seen = [set(re.findall(r"Jar \d+ holds", text)) for text in (first, second)]
    assert (10, 2, set()) == (len(seen[0]), len(seen[1]), seen[0] & seen[1])


async def test_looking_recalls_nothing(page: httpx.AsyncClient, scene: Any, raw: Any) -> None:
    """Viewing pages does not count as a recall: the access count of the memory stays 0."""
    memory_id = await remember(scene, "I prefer tea", importance=3)
    for path in pages(memory_id):
        await page.get(path)
    await scene.service.recall.flush()
    assert [{"count": 0}] == await raw("MATCH (m:Memory {id: $id}) RETURN m.access_count AS count", id=memory_id)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/memory?q=tea&after=nonsense", 400),
        ("/memory?q=tea&as_of=someday", 400),
        ("/memory/timeline?day=99999999999999999999", 400),
        ("/memory/timeline?day=-1", 400),
        ("/memory/weak?after=x", 400),
        ("/memory/me?show=nothing", 404),
        ("/memory/entity", 404),
        ("/memory/nowhere", 404),
        ("/memory?q=" + "x" * 10_001, 400),
    ],
)
async def test_bad_input_is_told_on_a_page(page: httpx.AsyncClient, path: str, status: int) -> None:
    """Invalid input gets an error page with its status and a link back to /memory."""
    answer = await page.get(path)
    assert status == answer.status_code
    assert "That did not work" in answer.text
    assert 'href="/memory"' in answer.text


async def test_a_database_that_is_away_is_told_without_its_address(page: httpx.AsyncClient) -> None:
    """While the database is unavailable, a page answers 503 without the address of the database."""
    with patch.object(Database, "run", side_effect=DatabaseUnavailable("bolt://10.0.0.7:7687 refused")):
        answer = await page.get("/memory")
    assert (503, False) == (answer.status_code, "10.0.0.7" in answer.text)
    assert "Try again in a moment" in answer.text


# --- one memory, one person, the timeline ---


async def test_a_memory_tells_where_it_is_from(page: httpx.AsyncClient, scene: Any) -> None:
    """The page of a fact shows its evidence, the speaker of that, and the fact that it superseded."""
    turn = await scene.say("I moved to Graz in spring.", by=scene.ben)
    old = await remember(scene, "Ben lives in Linz", about=(scene.ben.key,), aspect="lives_in", value="Linz")
    new = await remember(
        scene,
        "Ben lives in Graz",
        about=(scene.ben.key,),
        aspect="lives_in",
        value="Graz",
        evidence=(turn.memory_id,),
    )
    text = (await page.get(f"/memory/item/{new}")).text
    assert "I moved to Graz in spring." in text
    assert f"/memory/item/{turn.memory_id}" in text
    assert f"/memory/item/{old}" in text
    assert "Ben lives in Linz" in text
    assert "Ben Okafor" in text
    card = (await page.get("/memory/entity", params={"key": scene.ben.key})).text
    assert "Ben lives in Graz" in card


async def test_the_drawing_and_its_list_say_the_same(page: httpx.AsyncClient, scene: Any, drain: Any) -> None:
    """The list beside the graph has the same links with the same ends, in the same order."""
    await remember(scene, "Ben and Maya are cousins", about=(scene.ben.key, scene.maya.key))
    memory_id = await remember(scene, "Ben keeps otters", about=(scene.ben.key,))
    await drain()
    for address in (f"/memory/item/{memory_id}", f"/memory/entity?key={scene.ben.key}"):
        listed = (await page.get(address)).text.split('aria-labelledby="around"')[1]
        graph = json.loads(re.findall(r"data-graph='(.*?)'", listed)[0])
        labels = {node["id"]: node["label"] for node in graph["nodes"]}
        drawn = [(labels[one["source"]], one["label"], labels[one["target"]]) for one in graph["links"]]
        ties = re.findall(r'dir="auto">(.*?)</a> <span class="word">(.*?)</span> <a[^>]*>(.*?)</a>', listed)
        assert drawn == [tuple(map(unescape, tie)) for tie in ties]
        assert len(drawn) >= 2


async def test_the_timeline_is_as_of_a_day(page: httpx.AsyncClient, scene: Any) -> None:
    """The timeline of an earlier day leaves out later facts; with `known`, also facts that were not stored by then."""
    for day, place in ((3, "Linz"), (20, "Graz")):
        moment = datetime(2026, 5, day, tzinfo=UTC)
        await remember(
            scene,
            f"I live in {place}",
            aspect="lives_in",
            value=place,
            event_time=moment,
            valid_from=moment,
        )
    today = (await page.get("/memory/timeline")).text
    assert "I live in Graz" in today
    assert f'min="{datetime(2026, 5, 3, tzinfo=UTC).toordinal()}"' in today
    then = (await page.get("/memory/timeline", params={"day": datetime(2026, 5, 10, tzinfo=UTC).toordinal()})).text
    assert ("I live in Linz" in then, "I live in Graz" in then) == (True, False)
    assert "10 May 2026" in then
    unknown = (await page.get("/memory/timeline", params={"as_of": "2026-05-10", "known": "yes"})).text
    assert "I live in Linz" not in unknown


# --- changes ---


async def test_a_correction_leads_to_what_holds_now(page: httpx.AsyncClient, scene: Any) -> None:
    """A correction redirects to the page of the new fact, which mentions the correction; the old fact is shown as no
    longer believed.
    """
    old = await remember(scene, "I prefer tea")
    answer = await page.post(f"/memory/item/{old}/correct", data={"content": "I prefer coffee\r\nwithout milk"})
    assert 303 == answer.status_code
    told = await page.get(answer.headers["location"])
    assert "I prefer coffee\nwithout milk" in told.text
    assert "Corrected." in told.text
    assert "corrected on" in told.text
    gone = await page.get(f"/memory/item/{old}")
    assert "Not believed any more:" in gone.text


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "text"), ("   ", "text"), (f"My key is {SECRET}", "holds a secret"), ("x" * 40_000, "long")],
)
async def test_a_correction_that_cannot_be_is_told_beside_the_form(
    page: httpx.AsyncClient, scene: Any, content: str, words: str
) -> None:
    """An invalid correction writes nothing; the form keeps the text entered, and the page shows the reason."""
    memory_id = await remember(scene, "I prefer tea")
    answer = await page.post(f"/memory/item/{memory_id}/correct", data={"content": content})
    assert 400 == answer.status_code
    assert "Nothing was changed." in answer.text
    assert content.strip() in unescape(answer.text)
    held = await scene.service.memories.held(scene.service.viewer(), memory_id)
    assert "I prefer tea" == held.content


async def test_what_may_only_be_seen_is_not_changed(guarded: Service, scene: Any) -> None:
    """Maya may see Ben's fact about her and mark its sensitivity; a correction is refused on its page with 403."""
    memory_id = await remember(scene, "Maya likes tea", by=scene.ben.id, about=(scene.maya.key,), portable=True)
    async with visitor(guarded, authorization=f"Bearer {await maya_key(scene)}") as hers:
        answer = await hers.post(f"/memory/item/{memory_id}/correct", data={"content": "Maya likes coffee"})
        marked = await hers.post(f"/memory/item/{memory_id}/sensitivity", data={"sensitivity": "personal"})
    assert 403 == answer.status_code
    assert "you may see this memory, but not correct it" in answer.text
    assert 303 == marked.status_code


async def test_a_memory_is_forgotten(page: httpx.AsyncClient, scene: Any) -> None:
    """A forgotten memory is no longer found, and the form redirects to the results from which it was opened."""
    memory_id = await remember(scene, "I prefer tea")
    form = {"back": "/memory?q=tea"}
    answer = await page.post(f"/memory/item/{memory_id}/forget", data=form)
    assert (303, "/memory?q=tea&done=forgotten") == (answer.status_code, answer.headers["location"])
    told = (await page.get(answer.headers["location"])).text
    assert "Forgotten." in told
    assert "I prefer tea" not in told


@pytest.mark.parametrize("back", ["https://evil.example", "//evil.example", "/memory\\@evil", "/memoryx", "/memory/\n"])
async def test_nobody_is_led_elsewhere(page: httpx.AsyncClient, scene: Any, back: str) -> None:
    """A form ignores a `back` address that is not one of these pages."""
    memory_id = await remember(scene, "I prefer tea")
    answer = await page.post(f"/memory/item/{memory_id}/forget", data={"back": back})
    assert "/memory?done=forgotten" == answer.headers["location"]


async def test_a_memory_is_confirmed_pinned_and_marked(page: httpx.AsyncClient, scene: Any) -> None:
    """Confirm, pin, unpin and sensitivity change the memory and show a notice; an unknown sensitivity is refused."""
    memory_id = await remember(scene, "I prefer tea", confidence=0.5)

    async def press(change: str, **form: str) -> tuple[str, Any]:
        answer = await page.post(f"/memory/item/{memory_id}/{change}", data={"back": "", **form})
        assert 303 == answer.status_code
        shown = (await page.get(answer.headers["location"])).text
        notice = re.findall(r'role="status">(\w+)', shown)[0]
        return notice, await scene.service.memories.held(scene.service.viewer(), memory_id)

    notice, held = await press("confirm")
    assert ("Confirmed", 1.0) == (notice, held.confidence)
    notice, held = await press("pin")
    assert ("Pinned", True) == (notice, held.pinned)
    notice, held = await press("unpin")
    assert ("Unpinned", False) == (notice, held.pinned)
    notice, held = await press("sensitivity", sensitivity="sensitive")
    assert ("Saved", "sensitive") == (notice, held.sensitivity)
    odd = await page.post(f"/memory/item/{memory_id}/sensitivity", data={"sensitivity": "secret"})
    assert 400 == odd.status_code


async def test_what_fades_has_its_day(page: httpx.AsyncClient, scene: Any, clock: Any) -> None:
    """A weak fact is listed with the day on which it fades; after a confirmation it is no longer listed."""
    memory_id = await remember(scene, "I prefer tea")
    clock.advance(timedelta(days=30))
    [weak] = (await scene.service.weak_facts.weak(scene.service.viewer())).items
    text = (await page.get("/memory/weak")).text
    assert f"gone on <strong>{weak.item.fades_at.strftime('%-d %B %Y')}</strong>" in text
    answer = await page.post(f"/memory/item/{memory_id}/confirm", data={"back": "/memory/weak"})
    assert "/memory/weak?done=confirmed" == answer.headers["location"]
    assert "Nothing is fading" in (await page.get("/memory/weak")).text


@pytest.mark.parametrize("path", ["/memory/me?show=all", "/memory/weak"])
async def test_a_page_from_which_all_was_forgotten_shows_the_first(
    page: httpx.AsyncClient, scene: Any, clock: Any, path: str
) -> None:
    """After the last memory on a later page of a list is forgotten, the form leads to the first page."""
    for number in range(21):
        await remember(scene, f"Jar {number} holds green tea")
    clock.advance(timedelta(days=30))
    first = (await page.get(path)).text
    further = unescape(re.findall(r'class="button" href="([^"]+)">Show more', first)[0])
    [last] = set(re.findall(r'href="/memory/item/([0-9a-f]{32})', (await page.get(further)).text))
    answer = await page.post(f"/memory/item/{last}/forget", data={"back": further})
    shown = (await page.get(answer.headers["location"])).text
    assert "Forgotten." in shown
    jars = [set(re.findall(r"Jar \d+ holds", text)) for text in (first, shown)]
    assert (20, jars[0]) == (len(jars[1]), jars[1])


async def test_duplicates_are_merged_taken_apart_and_dismissed(page: httpx.AsyncClient, scene: Any) -> None:
    """A suggested merge is accepted with the chosen entity kept, undone, and dismissed; a merge into an unknown entity
    answers 404.
    """
    people, me = scene.service.people, scene.service.viewer()
    one = await people.create_person(me, "Robin Hale")
    other = await people.create_person(me, "Robin Hale", person_id=new_id())
    pair = {"one": one.key, "other": other.key}
    assert "Robin Hale" in (await page.get("/memory/merges")).text
    merged = await page.post("/memory/merges/accept", data={**pair, "keep": other.key})
    told = (await page.get(merged.headers["location"])).text
    known = await scene.service.browsing.entities_by(me, [one.key])
    assert ("Merged." in told, other.key) == (True, known[one.key].key)
    merge_id = re.findall(r'name="merge" value="(\w+)"', told)[0]
    apart = await page.post("/memory/merges/undo", data={"merge": merge_id})
    assert "Taken back." in (await page.get(apart.headers["location"])).text
    assert one.key == (await scene.service.browsing.entities_by(me, [one.key]))[one.key].key
    dismissed = await page.post("/memory/merges/dismiss", data=pair)
    assert "Nothing looks like a duplicate." in (await page.get(dismissed.headers["location"])).text
    again = await page.post("/memory/merges/accept", data={**pair, "keep": new_id()})
    assert 404 == again.status_code


async def test_merges_of_things_are_listed_and_taken_back(
    page: httpx.AsyncClient, guarded: Service, scene: Any, raw: Any
) -> None:
    """Merges of things are listed and can be undone. If somebody else knows one of the two things, the merge is only
    suggested, and the page says so.
    """
    keys = ("organization:acme", "organization:apex")
    make = """CREATE (:Entity:Organization {id: $key, key: $key, type: 'organization', canonical_name: $key,
        aliases: [], usernames: [], names: [], first_seen: $now, last_updated: $now, attributes: '{}',
        created_by: $me})"""
    for key in keys:
        await raw(make, key=key, me=scene.me, now=scene.service.clock())
    facts = [Fact(f"I work at {key}", about=(key,)) for key in keys]
    await scene.service.facts.remember(scene.service.viewer(), facts)
    await page.post("/memory/merges/accept", data={"one": keys[0], "other": keys[1], "keep": keys[0]})
    text = (await page.get("/memory/merges")).text
    assert "What was merged" in text
    merge_id = re.findall(r'name="merge" value="(\w+)"', text)[0]
    apart = await page.post("/memory/merges/undo", data={"merge": merge_id})
    assert "Taken back." in (await page.get(apart.headers["location"])).text
    assert "What was merged" not in (await page.get("/memory/merges")).text
    await raw("MATCH (e:Organization) SET e.created_by = $id", id=scene.maya.id)
    key = await maya_key(scene)
    async with visitor(guarded, authorization=f"Bearer {key}") as hers:
        asked = await hers.post("/memory/merges/accept", data={"one": keys[0], "other": keys[1], "keep": keys[0]})
        assert "Nothing was merged" in (await hers.get(asked.headers["location"])).text


async def test_a_merge_that_may_not_be_is_told(guarded: Service, scene: Any) -> None:
    """A merge of people that the viewer may not merge is refused with 403 on the page of suggestions."""
    key = await maya_key(scene)
    async with visitor(guarded, authorization=f"Bearer {key}") as hers:
        pair = {"one": scene.ben.key, "other": "person:tester", "keep": scene.ben.key}
        answer = await hers.post("/memory/merges/accept", data=pair)
    assert (403, True) == (answer.status_code, "Nothing was changed." in answer.text)


async def test_an_invitation_is_accepted_or_declined(guarded: Service, scene: Any) -> None:
    """The page shows the titles of the inviting groups, but not a participant's name. Accepting and declining take
    effect and show a notice; an invitation that was answered gives 404.
    """
    key, members = await maya_key(scene), [Member(scene.ben.id), Member(scene.maya.id)]
    ben, make = Viewer(scene.ben.id), scene.service.people.create_chat
    groups = [await make(ben, ChatKind.GROUP, title, members) for title in ("Otter <b>Club</b>", "Spam")]
    async with visitor(guarded, authorization=f"Bearer {key}") as hers:
        text = (await hers.get("/memory/invitations")).text
        assert ("Otter &lt;b&gt;Club&lt;/b&gt;" in text, "Spam" in text, "Okafor" in text) == (True, True, False)
        for group, door, told in zip(groups, ("accept", "decline"), ("You take part.", "Declined."), strict=True):
            done = await hers.post(f"/memory/invitations/{door}", data={"chat": group.id})
            assert told in (await hers.get(done.headers["location"])).text
        assert "No group invites you." in (await hers.get("/memory/invitations")).text
        again = await hers.post("/memory/invitations/accept", data={"chat": groups[1].id})
    assert 404 == again.status_code
    parts = await scene.service.browsing.chats(Viewer(scene.maya.id))
    assert [True, False] == [group.id in {listed.item.id for listed in parts.items} for group in groups]


async def test_anothers_invitation_is_nobody_elses(guarded: Service, scene: Any) -> None:
    """A person neither sees an invitation of somebody else nor can decline it."""
    key = await maya_key(scene)
    await scene.service.people.create_person(INTERNAL, "Ben", user_id="ben", person_id=scene.ben.id)
    members = [Member(scene.maya.id), Member(scene.ben.id)]
    group = await scene.service.people.create_chat(Viewer(scene.maya.id), ChatKind.GROUP, "Otter Club", members)
    async with visitor(guarded, authorization=f"Bearer {key}") as hers:
        assert "Otter Club" not in (await hers.get("/memory/invitations")).text
        refused = await hers.post("/memory/invitations/decline", data={"chat": group.id})
    assert 404 == refused.status_code
    assert 1 == len((await scene.service.invitations.all(Viewer(scene.ben.id))).items)


# --- whose form it is ---


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": OURS}, 303),
        ({"sec-fetch-site": "same-origin"}, 303),
        ({"sec-fetch-site": "same-origin", "origin": "http://localhost:5173"}, 303),  # a proxy changes the host
        ({}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost:3000"}, 403),
        ({"origin": "http://localhost:5173"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": OURS}, 403),
    ],
)
async def test_only_our_own_pages_send_forms(scene: Any, headers: dict[str, str], status: int) -> None:
    """A form of another site's page is refused and changes nothing, even if the site is one of `allowed_origins`."""
    memory_id = await remember(scene, "I prefer tea")
    changes = {"allowed_origins": ("http://localhost:5173",)}
    service = replace(scene.service, settings=scene.service.settings.model_copy(update=changes))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(create_app(service)), base_url=OURS) as client:
        answers = [await client.post(f"/memory/item/{memory_id}/pin", data={"x": "y"}, headers=headers)]
        answers += [await client.post("/memory/sign-out", headers=headers)]
    assert [status, status] == [answer.status_code for answer in answers]
    held = await scene.service.memories.held(scene.service.viewer(), memory_id)
    assert (status == 303) == held.pinned


async def test_what_one_marks_may_be_gone_for_oneself(guarded: Service, scene: Any) -> None:
    """A fact about somebody else that its author marks as sensitive is then hidden from the author: the form
    redirects to the search page instead of to the fact.
    """
    about = {"about": (scene.ben.key,), "portable": True}
    fact = await remember(scene, "Ben is looking for a new job", by=scene.maya.id, **about)
    async with visitor(guarded, authorization=f"Bearer {await maya_key(scene)}") as hers:
        led = await hers.post(f"/memory/item/{fact}/sensitivity", data={"sensitivity": "sensitive"})
        assert (303, True) == (led.status_code, led.headers["location"].startswith("/memory?"))
        shown = await hers.get(led.headers["location"])
        assert 200 == shown.status_code
        assert 404 == (await hers.get(f"/memory/item/{fact}")).status_code
    assert Sensitivity.SENSITIVE == (await scene.service.memories.held(Viewer(scene.ben.id), fact)).sensitivity


async def test_a_timeline_begins_with_time_itself(page: httpx.AsyncClient, scene: Any) -> None:
    """The timeline shows a fact at the earliest time that can be stored."""
    await remember(scene, "The world was made", event_time=datetime(1, 1, 1, tzinfo=UTC), about=("person:tester",))
    assert "The world was made" in (await page.get("/memory/timeline")).text


async def test_a_correction_begins_with_the_statement(page: httpx.AsyncClient, scene: Any) -> None:
    """The text of the correction form is the fact's statement; the words of its evidence are shown beside it."""
    turn = await scene.say("We moved there in spring, it was about time.", by=scene.ben)
    fact = await remember(scene, "Ben lives in Graz", about=(scene.ben.key,), evidence=(turn.memory_id,))
    text = (await page.get(f"/memory/item/{fact}")).text
    assert "it was about time" in text
    assert ["Ben lives in Graz"] == re.findall(r"<textarea[^>]*>(.*?)</textarea>", text)


async def test_only_forms_are_taken(page: httpx.AsyncClient, scene: Any) -> None:
    """A JSON body and a form with too many fields are refused (400); GET on a form's address and an unknown change
    answer 404.
    """
    memory_id = await remember(scene, "I prefer tea")
    address = f"/memory/item/{memory_id}/pin"
    assert 400 == (await page.post(address, json={"a": 1})).status_code
    assert 400 == (await page.post(address, data={f"f{number}": "1" for number in range(30)})).status_code
    assert 404 == (await page.get(address)).status_code
    assert 404 == (await page.post(f"/memory/item/{memory_id}/burn", data={"a": "1"})).status_code


async def test_one_signs_in_with_a_key(guarded: Service, scene: Any) -> None:
    """Without a credential a page redirects to the sign-in form, and signing in with a key redirects back. The key is
    in a cookie for these pages alone, is shown on no page, and is deleted on signing out.
    """
    key = await maya_key(scene)
    async with visitor(guarded) as browser:
        led = await browser.get("/memory/me?show=all")
        assert "set-cookie" not in led.headers
        assert (303, "/memory/sign-in?next=%2Fmemory%2Fme%3Fshow%3Dall") == (led.status_code, led.headers["location"])
        assert 200 == (await browser.get(led.headers["location"])).status_code
        answer = await browser.post("/memory/sign-in", data={"key": f" {key} ", "next": "/memory/me?show=all"})
        assert (303, "/memory/me?show=all") == (answer.status_code, answer.headers["location"])
        kept = answer.headers["set-cookie"].lower()
        assert {"httponly", "samesite=strict", "path=/memory"} <= set(kept.split("; "))
        assert "secure" not in kept
        shown = await browser.get("/memory/me?show=all")
        assert ("Maya" in shown.text, key in shown.text) == (True, False)
        elsewhere = await browser.post("/graphql", json={"query": "{ viewer { person { key } } }"})
        assert 401 == elsewhere.status_code
        out = await browser.post("/memory/sign-out")
        assert 'hippograph_key=""' in out.headers["set-cookie"]
        assert 303 == (await browser.get("/memory/me")).status_code


@pytest.mark.parametrize("key", ["", "nonsense", "hippo_" + "0" * 32 + "_x", "a b", "é", "x" * 5_000])
async def test_a_key_that_opens_nothing_is_told(guarded: Service, key: str) -> None:
    """An invalid or unknown key is refused with a message and sets no cookie; `next` cannot lead to another site."""
    async with visitor(guarded) as browser:
        answer = await browser.post("/memory/sign-in", data={"key": key, "next": "https://evil.example"})
    assert answer.status_code in (400, 401)
    assert "This" in answer.text
    assert "set-cookie" not in answer.headers
    assert "evil.example" not in answer.text


async def test_behind_tls_the_cookie_goes_over_tls_alone(guarded: Service, scene: Any) -> None:
    """With the setting `tls` the cookie of the key is marked as secure."""
    key = await maya_key(scene)
    behind = replace(guarded, settings=guarded.settings.model_copy(update={"tls": True}))
    async with visitor(behind) as browser:
        answer = await browser.post("/memory/sign-in", data={"key": key})
    assert "secure" in answer.headers["set-cookie"].lower().split("; ")


async def test_a_revoked_key_leads_back_to_the_form(guarded: Service, scene: Any) -> None:
    """A cookie with an invalid key is deleted, and the request redirects to the sign-in form."""
    async with visitor(guarded, cookie="hippograph_key=hippo_00_x") as browser:
        answer = await browser.post("/memory/merges/undo", data={"merge": "x"})
    assert (303, "/memory/sign-in?next=%2Fmemory") == (answer.status_code, answer.headers["location"])
    assert "set-cookie" in answer.headers


async def test_a_proxy_may_ask_for_a_password(guarded: Service, scene: Any) -> None:
    """An `Authorization` header of another scheme than Bearer, as for a proxy, is ignored in favour of the cookie."""
    cookie = f"hippograph_key={await maya_key(scene)}"
    async with visitor(guarded, cookie=cookie, authorization="Basic bWF5YTpv") as browser:
        assert 200 == (await browser.get("/memory/me")).status_code


async def test_pages_count_as_requests(guarded: Service, scene: Any) -> None:
    """Above the rate limit of its credential a page answers 429 and says when to try again."""
    limited = replace(guarded, rate_limit=RateLimit("2/minute"))
    async with visitor(limited, authorization=f"Bearer {await maya_key(scene)}") as browser:
        answers = [await browser.get("/memory/people") for _ in range(3)]
    assert [200, 200, 429] == [answer.status_code for answer in answers]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 60
    assert "try again in" in answers[2].text


async def test_pages_are_counted_as_one_address(page: httpx.AsyncClient) -> None:
    """The HTTP metrics count all pages as the path `/memory`; no full path is a label."""
    for path in ("/memory", "/memory/people", "/memory/item/x", "/memoryless"):
        await page.get(path)
    lines = (await page.get("/metrics")).text.splitlines()
    paths = {path for line in lines for path in re.findall(r'^hippograph_http_requests_total{.*path="(.*?)"', line)}
    assert "/memory" in paths
    assert not paths & {"/memory/people", "/memory/item/x", "/memoryless"}


async def test_static_files_are_ours(page: httpx.AsyncClient) -> None:
    """Every static file that an entity's page refers to exists, and browsers revalidate their copies by the etag."""
    found = (await page.get("/memory/entity?key=person:tester")).text
    files = set(re.findall(r'(?:src|href)="(/memory/static/[^"]+)"', found))
    assert {"/memory/static/cytoscape.min.js", "/memory/static/memory.css"} <= files
    for file in files:
        answer = await page.get(file)
        assert (200, "no-cache") == (answer.status_code, answer.headers["cache-control"])
        again = await page.get(file, headers={"if-none-match": answer.headers["etag"]})
        assert 304 == again.status_code
