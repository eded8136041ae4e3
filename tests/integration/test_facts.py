import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.access.labels import LABEL_TERMS
from hippograph.graph.database import Transaction
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, NO_END, ChatKind, Sensitivity, Times, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.facts import Score
from tests.integration.conftest import LONG_AGO

LIVES = {"aspect": "lives_in"}
REPEATED = "Maya loves hiking in the mountains", "Maya loves hiking in mountains"
"""The same in other words: their vectors are nearer than they have to be (a cosine of 0.95) by far."""

WAITING_S = 0.3
"""Long enough to get as far as a lock; were it too short, nothing would fail that should not."""


async def remember(scene: Any, who: Any, content: str, *, chat: Any = None, for_chat: bool = False, **more: Any) -> str:
    """One fact; the id of the memory that holds it."""
    [stored] = await scene.service.facts.remember(
        Viewer(who.id, chat and chat.id), [Fact(content, **more)], for_chat=for_chat
    )
    return str(stored.memory_id)


async def seen(scene: Any, who: Any, ids: list[str], times: Times | None = None) -> list[str]:
    """What of these somebody may see, in their words, in the order given."""
    found = await scene.service.browsing.memories(Viewer(who.id), ids, times)
    return [found[memory].content for memory in ids if memory in found]


# --- writing ---


@pytest.mark.parametrize("more", [{"aspect": "a" * 9_000}, {"value": "a" * 40_000}, {"valid_from": NO_END}])
async def test_what_no_key_can_hold_is_refused(scene: Any, more: dict[str, Any]) -> None:
    """An aspect has the length of a name, a value that of a statement, and nothing begins at the end of time."""
    with pytest.raises(InvalidInput):
        await remember(scene, scene.maya, "Maya lives in Ljubljana", **more)


async def test_a_fact_is_remembered_with_all_that_is_said_of_it(scene, drain, raw) -> None:
    """It belongs to who says it, is about them, has its marks, its kind and its key, and is found by its meaning."""
    memory_id = await remember(
        scene, scene.maya, "Maya lives in Ljubljana", kind="identity", tags=("home",), importance=2, **LIVES
    )
    assert 2 == await drain()
    [row] = await raw(
        "MATCH (m:Semantic {id: $id})-[r:ABOUT]->(p) RETURN m {.*} AS m, r.primary AS primary, p.id AS about",
        id=memory_id,
    )
    expected = (scene.maya.id, True, "profile|person|maya_lindqvist|fact|lives_in", "profile", 2, scene.maya.id, "")
    memory = row["m"]
    assert expected == (
        row["about"],
        row["primary"],
        memory["memory_key"],
        memory["category"],
        memory["importance"],
        memory["owner_id"],
        memory["chat_id"],
    )
    page = await scene.service.search.search(Viewer(scene.maya.id), "where is her home?")
    assert [memory_id] == [result.memory.id for result in page.results]
    assert [] == await scene.service.doctor.examine()


async def test_what_a_fact_claims_is_read_off_its_words(scene, raw) -> None:
    """Without an aspect: what somebody said before of the same matter ends with it, and their words stay."""
    before = await remember(scene, scene.maya, "I live in Graz")
    after = await remember(scene, scene.maya, "The user lives in Oslo")
    assert [] == await seen(scene, scene.maya, [before])
    assert ["The user lives in Oslo"] == await seen(scene, scene.maya, [after])
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.memory_key AS key, m.frame AS frame", id=after)
    assert {"key": "profile|person|maya_lindqvist|fact|lives_in", "frame": "home"} == row
    [again] = await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Maya lives in Oslo")])
    assert again.confirmed


async def test_whom_a_fact_is_about_is_read_off_its_words(scene, raw) -> None:
    """Whom its words name, where the one who says it knows them; what is said of whom it is about stays."""
    named = await remember(scene, scene.maya, "Ben works at Siemens", chat=scene.group)
    given = await remember(scene, scene.maya, "Ben lives in Lund", about=(scene.maya.id,))
    rows = await raw(
        "MATCH (m:Memory)-[:ABOUT]->(p) WHERE m.id IN $ids RETURN m.id AS id, p.id AS about, m.frame AS frame",
        ids=[named, given],
    )
    found = {row["id"]: (row["about"], row["frame"]) for row in rows}
    assert {named: (scene.ben.id, "work"), given: (scene.maya.id, None)} == found


KNOWN = """
MATCH (m:Memory {id: $id})
RETURN m.frame AS frame, [(m)-[about:ABOUT]->(e) | e.key] AS about, [(m)-[:MENTIONS]->(e) | e.key] AS names,
       [(a)-[r:RELATED_TO]->(b) WHERE m.id IN r.evidence | [a.key, r.predicate, b.key]] AS relations
"""


@pytest.mark.parametrize(
    ("words", "frame", "about", "relation"),
    [
        (
            "Priya works at Lindenhof",
            "work",
            ["person:priya"],
            ["person:priya", "works_at", "organization:lindenhof"],
        ),
        ("My sister Ana lives in Porto", "home", ["person:ana"], ["person:ana", "lives_in", "place:porto"]),
        (
            "I have a cat named Luna",
            "pet",
            ["person:maya_lindqvist"],
            ["person:maya_lindqvist", "owns", "concept:luna"],
        ),
    ],
)
async def test_whom_and_what_a_fact_names_is_made_and_related(scene, drain, raw, words, frame, about, relation) -> None:
    """Nobody knew them: they are there, of the type that the frame says, with what they are to each other."""
    memory_id = await remember(scene, scene.maya, words)
    await drain()
    [row] = await raw(KNOWN, id=memory_id)
    assert (frame, about) == (row["frame"], row["about"])
    assert relation in row["relations"]
    assert relation[2] in row["names"]


async def test_a_fact_and_talk_mean_the_same(scene, learn, raw) -> None:
    """Where somebody is told to work, by a fact, is where they are said to have been, in talk."""
    await remember(scene, scene.maya, "Peter Novak works at Hawthorne Labs", chat=scene.private)
    await scene.say("I had lunch at Hawthorne Labs with Peter Novak", chat=scene.private, at=scene.minutes(0))
    await learn()
    rows = await raw("MATCH (e:Entity) WHERE e.key CONTAINS 'hawthorne' OR e.key CONTAINS 'novak' RETURN e.key AS key")
    assert {"organization:hawthorne_labs", "person:peter_novak"} == {row["key"] for row in rows}


async def test_a_relation_ends_with_the_fact_that_says_it(scene, raw) -> None:
    """Who is told to live elsewhere lives no longer there."""
    await remember(scene, scene.maya, "Priya lives in Graz")
    await remember(scene, scene.maya, "Priya lives in Porto")
    rows = await raw(
        "MATCH (:Entity {key: 'person:priya'})-[r:RELATED_TO]->(b) RETURN b.key AS key, r.valid_until = $end AS holds",
        end=NO_END,
    )
    assert {"place:graz": False, "place:porto": True} == {row["key"]: row["holds"] for row in rows}


async def test_what_has_ended_ends_what_was_remembered(scene) -> None:
    """Who no longer lives somewhere does not live there."""
    before = await remember(scene, scene.maya, "I live in Graz")
    await remember(scene, scene.maya, "I no longer live in Graz")
    assert [] == await seen(scene, scene.maya, [before])


async def test_what_members_tell_their_group_of_themselves_lives_side_by_side(scene) -> None:
    """Where one of a group lives is not where another does."""
    one = await remember(scene, scene.maya, "I live in Graz", chat=scene.group, for_chat=True)
    other = await remember(scene, scene.ben, "I live in Lund", chat=scene.group, for_chat=True)
    found = await scene.service.memories.load(Viewer(scene.maya.id, scene.group.id), [one, other])
    assert {one, other} == set(found)


async def test_a_group_fact_belongs_to_the_group(scene) -> None:
    """Its members see it there and nowhere else; without a chat, or in a private one, there is no group."""
    memory_id = await remember(scene, scene.ben, "The bakery closes in May", chat=scene.group, for_chat=True)
    found = await scene.service.memories.load(Viewer(scene.maya.id, scene.group.id), [memory_id])
    assert {memory_id} == set(found)
    assert {} == await scene.service.memories.load(Viewer(scene.maya.id), [memory_id])
    with pytest.raises(InvalidInput, match="say in which one"):
        await remember(scene, scene.ben, "x", for_chat=True)
    with pytest.raises(NotFound):
        await remember(scene, scene.maya, "x", chat=scene.private, for_chat=True)
    with pytest.raises(NotFound):
        await remember(scene, scene.ben, "x", chat=scene.private)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "rumour"},
        {"category": "misc"},
        {"importance": 4},
        {"confidence": 1.5},
        {"aspect": "--"},
        {"content": "  "},
        {"ttl": timedelta()},
        {"source": "conversation"},
    ],
)
async def test_what_is_wrong_is_refused_and_nothing_is_written(scene, raw, wrong: dict[str, Any]) -> None:
    """A bad fact takes all facts of the call with it, with a message that says what to do."""
    facts = [Fact("Maya bakes"), Fact(**{"content": "Maya sings", **wrong})]
    with pytest.raises(InvalidInput):
        await scene.service.facts.remember(Viewer(scene.maya.id), facts)
    assert [{"n": 0}] == await raw("MATCH (m:Semantic) RETURN count(m) AS n")


async def test_whom_nobody_knows_is_not_found(scene, raw) -> None:
    """A fact about somebody unknown, or from a turn one may not see, is refused."""
    hidden = await scene.say("My secret", chat=scene.private)
    for wrong in ({"about": ("person:nobody",)}, {"evidence": (hidden.memory_id,)}):
        with pytest.raises(NotFound):
            await remember(scene, scene.ben, "Something is so", **wrong)
    assert [{"n": 0}] == await raw("MATCH (m:Semantic) RETURN count(m) AS n")


async def test_who_has_no_account_is_known_in_their_chats(scene) -> None:
    """To who takes part there, and to nobody else."""
    people = scene.service.people
    zed = await people.create_person(INTERNAL, "Zed Quill")
    members = [Member(person.id, LONG_AGO) for person in (scene.maya, zed)]
    await people.create_chat(INTERNAL, ChatKind.GROUP, "Choir", members)
    await remember(scene, scene.maya, "Zed sings", about=(zed.key,))
    with pytest.raises(NotFound):
        await remember(scene, scene.ben, "Zed sings", about=(zed.key,))


# --- keys ---


async def test_a_new_value_ends_the_old_one(scene) -> None:
    """What changed in the world holds for its time: the old value until the change, the new one from then on (W5)."""
    old = await remember(scene, scene.maya, "Maya lives in Graz", valid_from=scene.minutes(0), **LIVES)
    new = await remember(scene, scene.maya, "Maya lives in Ljubljana", valid_from=scene.minutes(60), **LIVES)
    assert ["Maya lives in Ljubljana"] == await seen(scene, scene.maya, [old, new])
    now = scene.service.clock()
    assert ["Maya lives in Graz"] == await seen(scene, scene.maya, [old, new], Times(scene.minutes(30), now))


async def test_the_same_value_confirms(scene, raw) -> None:
    """Said again, a fact is surer and not there twice; other aspects stand beside it."""
    one = await remember(scene, scene.maya, "Maya likes tea", confidence=0.5, fact_type="preference", aspect="drink")
    stored = await scene.service.facts.remember(
        Viewer(scene.maya.id), [Fact("maya likes TEA!", fact_type="preference", aspect="drink")]
    )
    assert [(one, True)] == [(s.memory_id, s.confirmed) for s in stored]
    other = await remember(scene, scene.maya, "Maya likes dark mode", fact_type="preference", aspect="screen")
    assert {one, other} == {row["id"] for row in await raw("MATCH (m:Semantic) RETURN m.id AS id")}
    assert [{"c": 0.75}] == await raw("MATCH (m:Semantic {id: $id}) RETURN m.confidence AS c", id=one)


async def test_without_an_aspect_only_the_same_words_are_a_repetition(scene) -> None:
    """Two statements without an aspect live side by side, unless they say the same."""
    one = await remember(scene, scene.maya, "The key is under the mat")
    assert one == await remember(scene, scene.maya, "the key is under the mat.")
    assert one != await remember(scene, scene.maya, "The key is under the pot")


async def test_writers_at_once_leave_one_live_memory(scene, raw) -> None:
    """Of eight who write one key at once none fails, and one memory of it is live."""
    facts = [f"Maya lives in city {n}" for n in range(8)]
    ids = await asyncio.gather(*(remember(scene, scene.maya, fact, **LIVES) for fact in facts))
    assert 8 == len(set(ids))
    assert 1 == len(await seen(scene, scene.maya, list(ids)))
    [row] = await raw("MATCH (m:Semantic) WHERE m.live_key IS NOT NULL RETURN collect(m.id) AS live")
    assert 1 == len(row["live"])
    same = await asyncio.gather(*(remember(scene, scene.ben, "Ben lives in Graz", **LIVES) for _ in range(8)))
    assert 1 == len(set(same))


@asynccontextmanager
async def holding(scene: Any, statement: str, **params: Any) -> AsyncIterator[None]:
    """What the statement writes is locked, and counts as written later than what others ask for inside: they wait."""
    locked, go = asyncio.Event(), asyncio.Event()

    async def work(transaction: Transaction) -> None:
        await transaction.run(statement, now=scene.service.clock() + timedelta(minutes=1), **params)
        locked.set()
        await go.wait()

    holder = asyncio.create_task(scene.service.database.transaction(statement, work))
    await locked.wait()
    try:
        yield
        await asyncio.sleep(WAITING_S)
    finally:
        go.set()
        await holder


async def test_who_waits_for_a_writer_finds_what_they_wrote(scene) -> None:
    """What was retired while one waited for the lock is not ended, and so told anew, once more."""
    days = {
        name: scene.service.clock() - timedelta(days=ago) for name, ago in {"Ptuj": 3, "Graz": 2, "Zadar": 1}.items()
    }
    for place in ("Ptuj", "Zadar"):
        await remember(scene, scene.maya, f"Maya lives in {place}", valid_from=days[place], **LIVES)
    locked = {"locked_chat": "", "locked_entities": [scene.maya.id]}
    async with holding(scene, "fact/lock", place="", items=0, apart=0, most_waiting=None, **locked):
        both = [
            asyncio.create_task(remember(scene, scene.maya, f"Maya lives in {place}", valid_from=days["Graz"], **LIVES))
            for place in ("Graz", "Celje")
        ]
    await asyncio.gather(*both)
    times = Times(days["Ptuj"], scene.service.clock())
    page = await scene.service.browsing.memories_about(Viewer(scene.maya.id), [scene.maya.id], times=times)
    assert ["Maya lives in Ptuj"] == [listed.item.content for listed in page.items]


async def test_what_is_told_anew_was_heard_by_those_who_were_there_at_first(scene) -> None:
    """Who joined since does not hear of it in private because an end was moved, and so a memory recorded again."""
    days = [scene.service.clock() - timedelta(days=ago) for ago in (3, 2, 1)]
    about = {"about": (scene.ben.key,), "sensitivity": Sensitivity.PUBLIC, "portable": True, **LIVES}

    async def tell(place: str, day: int) -> str:
        return await remember(
            scene, scene.maya, f"Ben lives in {place}", chat=scene.group, valid_from=days[day], **about
        )

    await tell("Ptuj", 0)
    await tell("Zadar", 2)
    late = await scene.service.people.create_person(INTERNAL, "Late")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, late.id)
    await tell("Graz", 1)
    for who, heard in ((scene.ben, ["Ben lives in Ptuj"]), (late, [])):
        times = Times(days[0], scene.service.clock())
        page = await scene.service.browsing.memories_about(Viewer(who.id), [scene.ben.id], times=times)
        assert heard == [listed.item.content for listed in page.items]


@pytest.mark.parametrize("change", ["correct", "update", "forget", "pin", "confirm", "reinforce", "mark"])
async def test_what_is_told_anew_meanwhile_is_not_changed_under_its_old_id(scene, change) -> None:
    """The change would be lost: who waited hears that the memory is gone, and can look again."""
    memory_id = await remember(scene, scene.maya, "Maya lives in Ptuj", **LIVES)
    facts, viewer = scene.service.facts, Viewer(scene.maya.id)
    rows = [{"id": memory_id, "new_id": new_id(), "valid_until": scene.service.clock() + timedelta(days=1)}]
    async with holding(scene, "fact/change_end", rows=rows, no_end=NO_END):
        if change == "mark":
            asked = scene.service.labels.set_sensitivity(viewer, memory_id, Sensitivity.SENSITIVE)
        else:
            words = ("Maya lives in Graz",) if change in ("correct", "update") else ()
            asked = getattr(facts, change)(viewer, memory_id, *words)
        task = asyncio.create_task(asked)
    with pytest.raises(NotFound):
        await task


# --- oneself and hearsay ---


async def test_ones_own_word_stands_in_the_place_of_hearsay(scene, raw) -> None:
    """Who may see what somebody says of themselves sees it in place of what others told; who may not, the hearsay."""
    told = await remember(scene, scene.maya, "Ben hates fish", about=(scene.ben.key,), aspect="food", chat=scene.group)
    assert ["Ben hates fish"] == await seen(scene, scene.ben, [told])
    own = await remember(scene, scene.ben, "I love fish", aspect="food", sensitivity=Sensitivity.SENSITIVE)
    await raw("MATCH (m:Memory) WHERE m.category IS NOT NULL SET m.seen = true")
    assert ["Ben hates fish"] == await seen(scene, scene.maya, [told, own])
    # The key's category is another for oneself; what is compared is one aspect of one person.
    assert ["I love fish"] == await seen(scene, scene.ben, [told, own])
    later = await remember(scene, scene.maya, "Ben really hates fish", about=(scene.ben.key,), aspect="food")
    assert ["I love fish"] == await seen(scene, scene.ben, [told, own, later])


async def test_hearsay_of_different_people_stays(scene, raw) -> None:
    """In one group two people who disagree about a third are both kept, joined as contradicting."""
    about = {"about": (scene.service.local_user.key,), "aspect": "food", "chat": scene.group, "for_chat": True}
    one = await remember(scene, scene.maya, "They hate fish", **about)
    two = await remember(scene, scene.ben, "They love fish", **about)
    [row] = await raw("MATCH (a)-[:CONTRADICTS]->(b) RETURN a.id AS a, b.id AS b")
    assert (two, one) == (row["a"], row["b"])
    found = await scene.service.memories.load(Viewer(scene.maya.id, scene.group.id), [one, two])
    assert {one, two} == set(found)


# --- changing ---


async def test_a_correction_was_never_so(scene) -> None:
    """What was corrected holds at no time any more; what was known before stays known as it was (M14)."""
    old = await remember(scene, scene.maya, "Maya lives in Linz", valid_from=scene.minutes(0), **LIVES)
    before = scene.service.clock()
    new = await scene.service.facts.correct(Viewer(scene.maya.id), old, "Maya lives in Graz")
    now = scene.service.clock()
    assert ["Maya lives in Graz"] == await seen(scene, scene.maya, [old, new], Times(scene.minutes(1), now))
    assert ["Maya lives in Linz"] == await seen(scene, scene.maya, [old, new], Times(scene.minutes(1), before))


async def test_a_new_wording_keeps_the_earlier_one(scene) -> None:
    """Reworded in place, a memory is read in the wording of the time that is asked for."""
    memory_id = await remember(scene, scene.maya, "Maya bakes bred", aspect="hobby")
    first = scene.service.clock()
    await scene.service.facts.update(Viewer(scene.maya.id), memory_id, "Maya bakes bread")
    second = scene.service.clock()
    await scene.service.facts.update(Viewer(scene.maya.id), memory_id, "Maya bakes rye bread")
    for at, expected in ((first, "Maya bakes bred"), (second, "Maya bakes bread"), (None, "Maya bakes rye bread")):
        times = Times(scene.service.clock(), at) if at else None
        assert [expected] == await seen(scene, scene.maya, [memory_id], times)


async def test_what_is_forgotten_is_gone_from_now_on(scene) -> None:
    """A forgotten fact is in no read but one of what was known before, and its key is free again."""
    memory_id = await remember(scene, scene.maya, "Maya likes tea", aspect="drink")
    before = scene.service.clock()
    await scene.service.facts.forget(Viewer(scene.maya.id), memory_id)
    assert [] == await seen(scene, scene.maya, [memory_id])
    assert ["Maya likes tea"] == await seen(scene, scene.maya, [memory_id], Times(before, before))
    assert memory_id != await remember(scene, scene.maya, "Maya likes tea", aspect="drink")
    with pytest.raises(NotFound):
        await scene.service.facts.forget(Viewer(scene.maya.id), memory_id)


async def test_what_runs_out_is_gone_unless_it_is_pinned_or_certain(scene, clock) -> None:
    """An observation lasts three days; pinned or confirmed it lasts; unpinned it has the lifetime that it had."""
    observations = [
        await remember(scene, scene.maya, f"The oven makes noise {n}", kind="observation") for n in range(3)
    ]
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    await facts.pin(maya, observations[1])
    await facts.confirm(maya, observations[2])
    clock.advance(timedelta(days=4))
    assert ["The oven makes noise 1", "The oven makes noise 2"] == await seen(scene, scene.maya, observations)
    await facts.pin(maya, observations[1], pinned=False)
    assert ["The oven makes noise 2"] == await seen(scene, scene.maya, observations)


async def test_importance_grows_when_said_on_several_days(scene, clock) -> None:
    """Said again on three days it counts at least 1, on seven 2; pinned 3, unpinned what it was (W9)."""
    memory_id = await remember(scene, scene.maya, "Maya walks to work", aspect="way", importance=0)
    grown = []
    for _ in range(7):
        clock.advance(timedelta(days=1))
        await remember(scene, scene.maya, "Maya walks to work", aspect="way")
        found = await scene.service.browsing.memories(Viewer(scene.maya.id), [memory_id])
        grown.append(found[memory_id].importance)
    assert [0, 0, 1, 1, 1, 1, 2] == grown
    await scene.service.facts.pin(Viewer(scene.maya.id), memory_id)
    assert 3 == (await scene.service.browsing.memories(Viewer(scene.maya.id), [memory_id]))[memory_id].importance


async def test_scores_go_up_and_down(scene) -> None:
    """Reinforcing adds 3, demoting takes 1 (T5)."""
    memory_id = await remember(scene, scene.maya, "Maya walks to work")
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    assert [Score(3, True), Score(6, True), Score(5, True)] == [
        await facts.reinforce(maya, memory_id),
        await facts.reinforce(maya, memory_id),
        await facts.demote(maya, memory_id),
    ]


async def test_only_who_may_changes_a_fact(scene) -> None:
    """Whom it is about may confirm, pin and see it, but not reword it; who cannot see it learns nothing (P4)."""
    memory_id = await remember(scene, scene.maya, "Ben sings well", about=(scene.ben.key,), chat=scene.group)
    facts, ben, eve = scene.service.facts, Viewer(scene.ben.id), Viewer(scene.me)
    await facts.confirm(ben, memory_id)
    await facts.pin(ben, memory_id)
    for refused in (
        facts.forget(ben, memory_id),
        facts.correct(ben, memory_id, "x"),
        facts.update(ben, memory_id, "x"),
    ):
        with pytest.raises(NotAllowed):
            await refused
    own = await remember(scene, scene.maya, "I sing badly")
    # What is public, and of use elsewhere, is shown in any group.
    await scene.service.labels.set_sensitivity(Viewer(scene.maya.id), own, Sensitivity.PERSONAL)
    for absent in (
        facts.forget(eve, own),
        facts.pin(eve, own),
        facts.reinforce(eve, own),
        facts.correct(eve, own, "x"),
        facts.update(eve, own, "x"),
        facts.confirm(eve, own),
    ):
        with pytest.raises(NotFound, match=f"there is no memory {own}"):
            await absent


async def test_a_turn_is_not_reworded_and_words_are_not_doubled(scene) -> None:
    """A turn stays as it was said; a correction that is remembered already is a conflict and changes nothing."""
    turn = await scene.say("I live in Graz")
    one, two = [await remember(scene, scene.maya, text) for text in ("The mat is red", "The mat is blue")]
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    for reworded in (facts.correct(maya, turn.memory_id, "x"), facts.update(maya, turn.memory_id, "x")):
        with pytest.raises(InvalidInput):
            await reworded
    for doubled in (facts.correct(maya, one, "the mat is BLUE"), facts.update(maya, one, "the mat is BLUE")):
        with pytest.raises(Conflict):
            await doubled
    assert ["The mat is red", "The mat is blue"] == await seen(scene, scene.maya, [one, two])


async def test_a_new_users_profile_is_old_data(scene) -> None:
    """What is known of a new user from elsewhere is theirs, public to nobody else, and marked as seeded."""
    stored = await scene.service.facts.seed_profile(
        Viewer(scene.ben.id), [Fact("Ben works as a baker", aspect="works_as")]
    )
    found = await scene.service.browsing.memories(Viewer(scene.ben.id), [stored[0].memory_id])
    assert ("seeded_profile", "profile") == (found[stored[0].memory_id].source, found[stored[0].memory_id].category)


# --- secrets and reasons ---


async def test_a_secret_is_refused_and_not_repeated(scene, raw) -> None:
    """A fact that holds a password is not stored, by whatever door, and the error does not say it again (W8)."""
    memory_id = await remember(scene, scene.maya, "The router is in the hall")
    facts, maya, secret = scene.service.facts, Viewer(scene.maya.id), "my password is tr0ub4dor&3"
    for refused in (
        facts.remember(maya, [Fact(secret)]),
        facts.remember(maya, [Fact("The router", aspect="password", value=secret)]),
        facts.correct(maya, memory_id, secret),
        facts.update(maya, memory_id, secret),
    ):
        with pytest.raises(InvalidInput, match="take it out") as error:
            await refused
        assert "tr0ub4dor" not in str(error.value)
    assert [] == await raw("MATCH (n) WHERE any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS 'tr0ub4dor') RETURN n")


async def test_a_secret_in_a_turn_is_taken_out_and_counted(scene, raw) -> None:
    """Of a turn the secret alone is replaced; the answer and the counts say so (W8)."""
    stored = await scene.say("The wifi password is tr0ub4dor&3, and dinner is at eight.")
    assert 1 == stored.secrets_removed
    found = await scene.service.memories.load(scene.viewer(), [stored.memory_id])
    assert "The wifi password is [secret removed], and dinner is at eight." == found[stored.memory_id].content
    assert 1 == (await scene.service.stats.counts(Viewer(scene.maya.id))).secrets_removed
    assert [] == await raw("MATCH (n) WHERE any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS 'tr0ub4dor') RETURN n")


UPDATE = """
mutation Update($input: WordsInput!) {
  updateMemory(input: $input) { ... on FactPayload { memory { content tags } } ... on Error { code } }
}
"""


async def test_tags_of_a_memory_are_changed(ask, scene) -> None:
    """Other tags take the place of those a memory has, and filters find it by them; its words stay."""
    me = scene.service.local_user
    memory_id = await remember(scene, me, "I bake bread", tags=("food", "old"))
    given = {"memoryId": global_id("Memory", memory_id), "tags": ["food", "weekend"]}
    changed = {"memory": {"content": "I bake bread", "tags": ["food", "weekend"]}}
    assert {"updateMemory": changed} == (await ask(UPDATE, input=given))["data"]
    found = {}
    for tag in ("old", "weekend"):
        page = await scene.service.search.search(Viewer(me.id), "bread", filters=Filters(tags=(tag,)))
        found[tag] = [result.memory.id for result in page.results]
    assert {"old": [], "weekend": [memory_id]} == found
    [step] = (await scene.service.explaining.explain(Viewer(me.id), memory_id)).chain
    assert () == step.wordings


async def test_words_and_tags_change_together(ask, scene) -> None:
    """Words and tags are changed by one request; without either there is nothing to change."""
    memory_id = global_id("Memory", await remember(scene, scene.service.local_user, "I bake bread"))
    answer = await ask(UPDATE, input={"memoryId": memory_id, "content": "I bake rye bread", "tags": ["food"]})
    assert {"memory": {"content": "I bake rye bread", "tags": ["food"]}} == answer["data"]["updateMemory"]
    assert {"code": "INVALID_INPUT"} == (await ask(UPDATE, input={"memoryId": memory_id}))["data"]["updateMemory"]


async def test_only_whoever_may_reword_a_memory_tags_it(scene) -> None:
    """Whom a memory is about may see it; only its owner, or a member of its chat, gives it tags."""
    fact = Fact("Ben bakes bread", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC, portable=True)
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id), [fact])
    with pytest.raises(NotAllowed):
        await scene.service.facts.update(Viewer(scene.ben.id), stored.memory_id, tags=["food"])


async def test_an_explanation_names_entities(ask, scene, drain) -> None:
    """What a memory is about or names is told, by key."""
    memory_id = await remember(scene, scene.service.local_user, "Ben flew to Lisbon", about=(scene.ben.key,))
    await drain()
    document = "query Why($id: ID!) { explain(memoryId: $id) { entities { key } } }"
    answer = await ask(document, id=global_id("Memory", memory_id))
    assert [{"key": scene.ben.key}, {"key": "place:lisbon"}] == answer["data"]["explain"]["entities"]


EXPLAIN = """
query Why($id: ID!) {
  explain(memoryId: $id) {
    chain { content retiredBy wordings { content } }
    sources { content }
    contradictions { content }
  }
}
"""


async def test_why_something_is_believed(ask, scene) -> None:
    """Its sources, what it replaced and why, its earlier wordings; of what the viewer may not see, nothing (R10)."""
    me = scene.service.local_user
    turn = await scene.say("I moved to Graz", by=me)
    old = await remember(scene, me, "I live in Linz", valid_from=scene.minutes(0), **LIVES)
    await scene.service.facts.update(Viewer(me.id), old, "I live in Linz, by the river")
    wrong = await remember(
        scene, me, "I live in Gratz", valid_from=scene.minutes(60), evidence=(turn.memory_id,), **LIVES
    )
    right = await scene.service.facts.correct(Viewer(me.id), wrong, "I live in Graz")
    answer = (await ask(EXPLAIN, id=global_id("Memory", right)))["data"]["explain"]
    assert {
        "chain": [
            {
                "content": "I live in Linz, by the river",
                "retiredBy": None,
                "wordings": [{"content": "I live in Linz"}],
            },
            {"content": "I live in Gratz", "retiredBy": "CORRECTED", "wordings": []},
            {"content": "I live in Graz", "retiredBy": None, "wordings": []},
        ],
        "sources": [{"content": "I moved to Graz"}],
        "contradictions": [],
    } == answer
    hers = await remember(scene, scene.maya, "I live in Ljubljana", sensitivity=Sensitivity.SENSITIVE, **LIVES)
    [error] = (await ask(EXPLAIN, id=global_id("Memory", hers)))["errors"]
    assert ("NOT_FOUND", f"there is no memory {hers}") == (error["extensions"]["code"], error["message"])


REMEMBER = """
mutation Remember($fact: FactInput!, $chat: ID, $scope: FactScope! = PERSONAL) {
  rememberFact(input: {fact: $fact, chatId: $chat, scope: $scope}) {
    __typename
    ... on RememberFactPayload { confirmed memory { id content sensitivity pinned importance score } }
    ... on Error { message }
  }
}
"""
CHANGE = """
mutation Change($id: ID!) {
  pin(input: {memoryId: $id}) { ... on FactPayload { memory { pinned importance } } }
  reinforce(input: {memoryId: $id}) { ... on ScorePayload { score memory { score } } }
  demote(input: {memoryId: $id}) { ... on ScorePayload { score memory { score } } }
  unpin(input: {memoryId: $id}) { ... on FactPayload { memory { pinned importance } } }
  confirmFact(input: {memoryId: $id}) { ... on FactPayload { memory { confidence } } }
  updateMemory(input: {memoryId: $id, content: "I like green tea"}) { ... on FactPayload { memory { content } } }
  correctFact(input: {memoryId: $id, content: "I like black tea"}) { ... on FactPayload { memory { content } } }
  forget(input: {memoryId: $id}) { __typename }
}
"""


async def test_facts_through_graphql(ask) -> None:
    """Every write of W10 by its mutation, with typed errors."""
    answer = (await ask(REMEMBER, fact={"content": "I like tea", "aspect": "drink"}))["data"]["rememberFact"]
    memory_id = answer["memory"].pop("id")
    expected = {"content": "I like tea", "sensitivity": "PUBLIC", "pinned": False, "importance": 1, "score": 0}
    assert (False, expected) == (answer["confirmed"], answer["memory"])
    changed = (await ask(CHANGE, id=memory_id))["data"]
    assert {
        "pin": {"memory": {"pinned": True, "importance": 3}},
        "reinforce": {"score": 3, "memory": {"score": 3}},
        "demote": {"score": 2, "memory": {"score": 2}},
        "unpin": {"memory": {"pinned": False, "importance": 1}},
        "confirmFact": {"memory": {"confidence": 1.0}},
        "updateMemory": {"memory": {"content": "I like green tea"}},
        "correctFact": {"memory": {"content": "I like black tea"}},
        "forget": {"__typename": "NotFoundError"},
    } == changed
    refused = (await ask(REMEMBER, fact={"content": "x", "aspect": "--"}))["data"]["rememberFact"]
    assert "InvalidInputError" == refused["__typename"]
    document = """mutation Seed($facts: [FactInput!]!) {
      seedProfile(input: {facts: $facts}) { ... on SeedProfilePayload { facts { memory { source } } } }
    }"""
    seeded = (await ask(document, facts=[{"content": "I play the tuba"}]))["data"]["seedProfile"]["facts"]
    assert [{"memory": {"source": "SEEDED_PROFILE"}}] == seeded


async def test_what_is_known_to_have_ended_makes_room(scene, raw) -> None:
    """A fact with an end is not the live one of its key: the next stands beside it, whenever it is told."""
    first, second = scene.minutes(0), scene.minutes(60)
    one = await remember(scene, scene.maya, "I live in Graz", valid_from=first, valid_until=second, **LIVES)
    two = await remember(scene, scene.maya, "I live in Linz", valid_from=scene.minutes(90), **LIVES)
    [row] = await raw("MATCH (m:Memory) WHERE m.live_key IS NOT NULL RETURN collect(m.id) AS live")
    assert [two] == row["live"]
    now = scene.service.clock()
    assert ["I live in Graz"] == await seen(scene, scene.maya, [one, two], Times(scene.minutes(30), now))
    assert [] == await seen(scene, scene.maya, [one, two], Times(scene.minutes(70), now))


# --- said again in other words ---


@pytest.mark.embedding_ranked
async def test_the_same_in_other_words_is_said_again(scene, drain, raw) -> None:
    """The vector tells: the later one is folded into the earlier, which is surer, has one more source, and bears out
    what the later one did.
    """
    turn = await scene.say("I love hiking in the mountains", chat=scene.private)
    first = await remember(scene, scene.maya, REPEATED[0], confidence=0.5)
    await drain()
    later = await remember(scene, scene.maya, REPEATED[1], evidence=(turn.memory_id,))
    related = "MATCH (:Person {id: $id})-[r:RELATED_TO]->() RETURN r.evidence AS evidence"
    await raw(
        "MATCH (a:Person {id: $maya}), (b:Person {id: $ben}) "
        "CREATE (a)-[:RELATED_TO {predicate: 'hikes_with', evidence: [$later]}]->(b)",
        maya=scene.maya.id,
        ben=scene.ben.id,
        later=later,
    )
    await drain()
    assert [{"evidence": [later, first]}] == await raw(related, id=scene.maya.id)
    assert [REPEATED[0]] == await seen(scene, scene.maya, [first, later])
    [row] = await raw(
        "MATCH (m:Memory {id: $id})-[:DERIVED_FROM]->(t) MATCH (m)-[:SUPERSEDES]->(o) "
        "RETURN m.confidence AS sure, m.said_on AS days, t.id AS turn, o {.id, .retired_by} AS old",
        id=first,
    )
    assert (0.75, 1, turn.memory_id) == (row["sure"], len(row["days"]), row["turn"])
    assert {"id": later, "retired_by": "folded"} == row["old"]
    chain = await scene.service.explaining.explain(Viewer(scene.maya.id), later)
    assert {first, later} == {step.memory_id for step in chain.chain}
    assert [] == await scene.service.doctor.examine()


@pytest.mark.parametrize(
    "pair",
    [
        ("Ben gave Maya the keys", "Maya gave Ben the keys"),
        ("The build takes ten minutes before lunch", "The build takes ten minutes after lunch"),
        ("Maya pays 500 euros of rent for the flat in town", "Maya pays 600 euros of rent for the flat in town"),
        ("Maya sings", "The harbour freezes over"),
    ],
)
async def test_what_only_sounds_alike_stays(scene, drain, pair: tuple[str, str]) -> None:
    """Who did it to whom, when and how much tell apart what a vector does not."""
    about = (scene.maya.id, scene.ben.id)
    ids = [await remember(scene, scene.maya, text, about=about) for text in pair]
    await drain()
    assert list(pair) == await seen(scene, scene.maya, ids)


async def test_what_belongs_elsewhere_is_no_repetition(scene, drain) -> None:
    """Another person's words, another place, other marks or another aspect: each stands for itself."""
    first = await remember(scene, scene.maya, REPEATED[0])
    ids = [
        await remember(scene, scene.ben, REPEATED[1], about=(scene.maya.id,)),
        await remember(scene, scene.maya, REPEATED[1], sensitivity=Sensitivity.SENSITIVE),
        await remember(scene, scene.maya, REPEATED[1], aspect="hobby"),
        await remember(scene, scene.maya, REPEATED[1], chat=scene.group, for_chat=True),
    ]
    await drain()
    rows = await scene.service.database.run("enrichment/repetitions.a", ids=ids, least=0.95, now=scene.service.clock())
    assert [] == rows
    assert [REPEATED[0]] == await seen(scene, scene.maya, [first])


# --- marks of what is told ---


@pytest.mark.parametrize("door", ["update", "correct"])
async def test_new_words_are_guessed_anew(scene, drain, door) -> None:
    """What is reworded is as private as its new words sound: a group that read the old ones does not read the new."""
    memory_id = await remember(scene, scene.maya, "I drink tea in the evening")
    changed = await getattr(scene.service.facts, door)(Viewer(scene.maya.id), memory_id, "I was diagnosed with HIV")
    await drain()
    found = await scene.service.memories.held(Viewer(scene.maya.id), changed or memory_id)
    assert (Sensitivity.SENSITIVE, ("sensitivity",)) == (found.sensitivity, found.inferred_labels)
    page = await scene.service.search.search(Viewer(scene.maya.id, scene.group.id), "diagnosed with HIV")
    assert [] == page.results
    assert [] == await scene.service.doctor.examine()


@pytest.mark.parametrize("door", ["update", "correct"])
async def test_a_guess_only_raises(scene, door) -> None:
    """Harmless new words leave a mark as it is; words that sound private raise even one that somebody set."""
    told = await remember(scene, scene.maya, "The parcel is blue", sensitivity=Sensitivity.SENSITIVE, portable=False)
    public = await remember(scene, scene.maya, "The mat is red", sensitivity=Sensitivity.PUBLIC)
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    told = await getattr(facts, door)(maya, told, "The parcel is green") or told
    public = await getattr(facts, door)(maya, public, "I was diagnosed with HIV") or public
    kept, raised = [await scene.service.memories.held(maya, each) for each in (told, public)]
    assert (Sensitivity.SENSITIVE, False, ()) == (kept.sensitivity, kept.portable, kept.inferred_labels)
    assert (Sensitivity.SENSITIVE, ("sensitivity",)) == (raised.sensitivity, raised.inferred_labels)


async def test_marks_that_are_told_again_hold(scene, drain, raw) -> None:
    """Said again with marks, a fact has these from then on, in every index; said again without, it keeps them."""
    memory_id = await remember(scene, scene.maya, "Maya likes tea", aspect="drink")
    await drain()
    for marks in ({"sensitivity": Sensitivity.SENSITIVE, "portable": False}, {}):
        assert memory_id == await remember(scene, scene.maya, "Maya likes tea", aspect="drink", **marks)
        found = await scene.service.memories.held(Viewer(scene.maya.id), memory_id)
        assert (Sensitivity.SENSITIVE, False, ()) == (found.sensitivity, found.portable, found.inferred_labels)
    [row] = await raw("MATCH (m:Memory {id: $id})-[r:ABOUT]->() RETURN r.sensitivity AS s, m.facets AS f", id=memory_id)
    assert ("sensitive", True) == (row["s"], {LABEL_TERMS["sensitive"], LABEL_TERMS["false"]} <= set(row["f"]))
    page = await scene.service.search.search(Viewer(scene.maya.id, scene.group.id), "tea")
    assert [] == page.results
    assert [] == await scene.service.doctor.examine()


async def test_marks_of_anothers_words_are_not_told(scene) -> None:
    """Who says again what somebody else told, with other marks, says it for themselves; the other's marks stay."""
    about = {"about": (scene.service.local_user.key,), "aspect": "food", "chat": scene.group, "for_chat": True}
    one = await remember(scene, scene.maya, "They hate fish", **about)
    two = await remember(scene, scene.ben, "They hate fish", sensitivity=Sensitivity.SENSITIVE, **about)
    found = await scene.service.memories.load(scene.viewer(), [one, two])
    assert [Sensitivity.PUBLIC, Sensitivity.SENSITIVE] == [found[each].sensitivity for each in (one, two)]


async def test_what_rests_on_turns_is_as_private_as_they_are(scene) -> None:
    """A fact with a source is no less private than that, unless somebody says so."""
    turn = await scene.say("Between us: I was diagnosed with HIV", chat=scene.private)
    evidence = (turn.memory_id,)
    guessed = await remember(scene, scene.maya, "Maya carries a small box", evidence=evidence)
    told = await remember(scene, scene.maya, "Maya likes pears", evidence=evidence, sensitivity=Sensitivity.PUBLIC)
    found = [await scene.service.memories.held(Viewer(scene.maya.id), each) for each in (guessed, told)]
    assert [Sensitivity.SENSITIVE, Sensitivity.PUBLIC] == [each.sensitivity for each in found]


# --- what is hidden changes no answer ---


@pytest.mark.parametrize("door", ["update", "correct"])
async def test_words_of_a_hidden_memory_are_free(scene, raw, door) -> None:
    """Whether others keep the same in private does not tell; what the viewer may see is a conflict as ever."""
    group = {"chat": scene.group, "for_chat": True}
    hidden = {"about": (scene.maya.key,), "sensitivity": Sensitivity.SENSITIVE, **group}
    facts, me = scene.service.facts, scene.viewer(scene.ben)
    one = await remember(scene, scene.ben, "Maya sings in a choir", about=(scene.maya.key,), **group)
    await remember(scene, scene.ben, "Maya plays the lute", **hidden)
    await remember(scene, scene.ben, "Maya plays the harp", about=(scene.maya.key,), **group)
    await scene.service.people.leave_chat(scene.viewer(), scene.group.id, scene.maya.id)
    with pytest.raises(Conflict):
        await getattr(facts, door)(me, one, "Maya plays the harp")
    one = await getattr(facts, door)(me, one, "Maya plays the lute") or one
    found = await scene.service.memories.load(me, [one])
    assert "Maya plays the lute" == found[one].content
    rows = await raw(
        "MATCH (m:Memory) WHERE m.live_key IS NOT NULL AND m.retired_at.year = 9999 RETURN m.live_key AS key"
    )
    assert 3 == len({row["key"] for row in rows})
    await facts.update(me, one, "Maya plays the flute")
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.live_key AS key, m.claim_key AS claim", id=one)
    assert row["key"] == f"{scene.group.id}||{row['claim']}|{scene.ben.id}"


async def test_a_hidden_repetition_is_not_told(scene) -> None:
    """Who says again what they may not see themselves hears no more than at first."""
    told = {"about": (scene.ben.key,), "sensitivity": Sensitivity.SENSITIVE, "aspect": "health"}
    answers = [
        (await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Ben is ill", **told)]))[0].confirmed
        for _ in range(2)
    ]
    assert [False, False] == answers


async def test_two_who_word_facts_alike_at_once(scene, raw) -> None:
    """One of them hears of a conflict, and one live memory has the words."""
    ids = [await remember(scene, scene.maya, f"The mat is {colour}") for colour in ("red", "blue", "green", "grey")]
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    done = await asyncio.gather(
        *(facts.update(maya, memory_id, "The mat is black") for memory_id in ids), return_exceptions=True
    )
    assert [Conflict] * 3 == [type(each) for each in done if each is not None]
    [row] = await raw("MATCH (m:Memory {content: 'The mat is black'}) RETURN collect(m.live_key) AS keys")
    assert (1, False) == (len(row["keys"]), row["keys"][0].endswith(tuple(ids)))


# --- what ended, and what is to come ---

ENDED = """
mutation Ended($id: ID!) {
  pin(input: {memoryId: $id}) { ... on FactPayload { memory { content pinned } } }
  unpin(input: {memoryId: $id}) { ... on FactPayload { memory { content pinned } } }
  confirmFact(input: {memoryId: $id}) { ... on FactPayload { memory { content } } }
  setSensitivity(input: {memoryId: $id, sensitivity: PERSONAL}) {
    ... on AccessLabelsPayload { memory { content sensitivity } }
  }
  setPortable(input: {memoryId: $id, portable: false}) { ... on AccessLabelsPayload { memory { content portable } } }
  updateMemory(input: {memoryId: $id, content: "I lived in Graz"}) { ... on FactPayload { memory { content } } }
  correctFact(input: {memoryId: $id, content: "I lived in Linz"}) { ... on FactPayload { memory { content } } }
}
"""


async def test_what_has_ended_is_in_the_answer(ask, scene) -> None:
    """Every change of a fact that holds no longer answers with it."""
    me = scene.service.local_user
    old = await remember(scene, me, "I live in Graz", valid_from=scene.minutes(0), **LIVES)
    await remember(scene, me, "I live in Ptuj", valid_from=scene.minutes(60), **LIVES)
    assert [] == await seen(scene, me, [old])
    assert {
        "pin": {"memory": {"content": "I live in Graz", "pinned": True}},
        "unpin": {"memory": {"content": "I live in Graz", "pinned": False}},
        "confirmFact": {"memory": {"content": "I live in Graz"}},
        "setSensitivity": {"memory": {"content": "I live in Graz", "sensitivity": "PERSONAL"}},
        "setPortable": {"memory": {"content": "I live in Graz", "portable": False}},
        "updateMemory": {"memory": {"content": "I lived in Graz"}},
        "correctFact": {"memory": {"content": "I lived in Linz"}},
    } == (await ask(ENDED, id=global_id("Memory", old)))["data"]


@pytest.mark.parametrize("kind", ["event", "task", "knowledge"])
async def test_what_is_told_of_the_future_is_believed_at_once(ask, scene, kind) -> None:
    """An appointment is there from when it is told; what a caller says begins later is in the answer, and hidden."""
    day = scene.service.clock() + timedelta(days=40)
    fact = {"content": "I see the dentist", "kind": kind.upper(), "eventTime": day.isoformat()}
    answer = (await ask(REMEMBER, fact=fact))["data"]["rememberFact"]
    assert "I see the dentist" == answer["memory"]["content"]
    listed = await scene.service.browsing.memories_about(scene.viewer(chat=None), [scene.me])
    assert [(day, True)] == [(one.item.event_time, one.item.valid_from < day) for one in listed.items]
    later = {"content": "I live on the moon", "validFrom": day.isoformat()}
    answer = (await ask(REMEMBER, fact=later))["data"]["rememberFact"]
    assert "I live on the moon" == answer["memory"]["content"]
    assert 1 == len((await scene.service.browsing.memories_about(scene.viewer(chat=None), [scene.me])).items)


async def test_a_plan_supersedes_nothing_before_its_day(scene, clock) -> None:
    """A change that is told in advance is known at once, and what held goes on until it takes effect."""
    work = {"aspect": "works_at"}
    old = await remember(scene, scene.maya, "I work at Bosch", valid_from=scene.minutes(0), **work)
    now, day = clock(), clock() + timedelta(days=30)
    new = await remember(scene, scene.maya, "I start at Siemens", event_time=day, **work)
    assert ["I work at Bosch", "I start at Siemens"] == await seen(scene, scene.maya, [old, new])
    held = [await scene.service.memories.held(Viewer(scene.maya.id), each) for each in (old, new)]
    assert (day, None) == (held[0].valid_until, held[1].valid_until)
    assert held[1].valid_from >= now
    clock.advance(timedelta(days=31))
    assert ["I start at Siemens"] == await seen(scene, scene.maya, [old, new])


async def test_ones_own_plan_leaves_hearsay_until_its_day(scene, clock) -> None:
    """What somebody is to do one day does not stand in the place of what others tell of them today."""
    about = {"about": (scene.ben.key,), "aspect": "works_at", "chat": scene.group}
    told = await remember(scene, scene.maya, "Ben works at Bosch", **about)
    plan = await remember(
        scene, scene.ben, "I start at Siemens", aspect="works_at", event_time=clock() + timedelta(days=30)
    )
    assert ["Ben works at Bosch", "I start at Siemens"] == await seen(scene, scene.ben, [told, plan])
    clock.advance(timedelta(days=31))
    assert ["I start at Siemens"] == await seen(scene, scene.ben, [told, plan])


async def test_a_lifetime_beyond_the_calendar_is_none(scene) -> None:
    """What is told of the year 9999 runs out at no time."""
    day = datetime(9999, 12, 1, tzinfo=UTC)
    memory_id = await remember(scene, scene.maya, "The sun rises", kind="event", event_time=day, ttl=timedelta(days=90))
    assert ["The sun rises"] == await seen(scene, scene.maya, [memory_id])


async def test_no_chain_goes_through_what_is_hidden(scene, raw) -> None:
    """Behind a memory that somebody may not see, what came before it is no part of the explanation for them."""
    group = {"chat": scene.group, "for_chat": True, "about": (scene.ben.key,)}
    ids = [await remember(scene, scene.ben, "Ben lives in Graz", **group)]
    for words in ("Ben lives in Linz", "Ben lives in Oslo"):
        ids.append(await scene.service.facts.correct(scene.viewer(scene.ben), ids[-1], words))
    hide = "SET m.chat_id = '', m.learned_in = '', m.owner_id = $ben, m.scope = $ben, m.sensitivity = 'sensitive'"
    await raw(f"MATCH (m:Memory {{id: $id}}) {hide}", id=ids[1], ben=scene.ben.id)
    told = {}
    for who in (scene.ben, scene.maya):
        found = await scene.service.explaining.explain(scene.viewer(who), ids[2])
        told[who.id] = {step.memory_id for step in found.chain}
    assert {scene.ben.id: set(ids), scene.maya.id: {ids[2]}} == told


async def test_a_fact_about_a_first_name_of_two_is_kept(scene) -> None:
    """Nobody can tell which of them is meant, so it is stored as it was given."""
    for name in ("Anna Weiss", "Anna Berg"):
        anna = await scene.service.people.create_person(INTERNAL, name)
        await scene.service.people.join_chat(scene.viewer(), scene.group.id, anna.id, since=LONG_AGO)
    stored = await remember(scene, scene.ben, "Anna lives in Graz", chat=scene.group, for_chat=True)
    assert ["Anna lives in Graz"] == await seen(scene, scene.ben, [stored])


async def test_symbols_tell_statements_apart(scene) -> None:
    """C and C++ are two languages."""
    stored = [await remember(scene, scene.ben, f"I know {name}") for name in ("C", "C++", "c")]
    assert stored[0] == stored[2] != stored[1]
