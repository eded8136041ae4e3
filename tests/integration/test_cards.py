"""Entity cards and timelines, for a search and for one entity (R7, M15)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.context.timeline import Stretch
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import Sensitivity, Times, Viewer
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import statements_of

WORKS = {"aspect": "works_at"}


async def remember(scene: Any, who: Any, content: str, **more: Any) -> str:
    """Stores a fact of a person's own, by default about Ben, and returns the id of its memory."""
    about = more.pop("about", (scene.ben.key,))
    [stored] = await scene.service.facts.remember(Viewer(who.id), [Fact(content, about=about, **more)])
    return str(stored.memory_id)


def texts(cards: Any) -> list[str]:
    """The texts of the cards."""
    return [card.text for card in cards]


async def test_a_found_memory_brings_the_cards_of_what_it_names(scene) -> None:
    """A card holds at most three significant facts about the entity: pinned ones first, then by importance, then the
    newest. Facts that are not significant are left out.
    """
    found = await remember(scene, scene.maya, "Ben likes tea")
    for day, importance in enumerate((2, 3, 2, 2), start=1):
        await remember(
            scene,
            scene.maya,
            f"Ben fact {day}",
            importance=importance,
            event_time=datetime(2024, 5, day, tzinfo=UTC),
        )
    pinned = await remember(scene, scene.maya, "Ben plays chess", importance=0)
    await scene.service.facts.pin(Viewer(scene.maya.id), pinned)
    cards = await scene.service.cards.of_found(Viewer(scene.maya.id), [found])
    assert ["[person:ben_okafor]: Ben plays chess; Ben fact 2; Ben fact 4"] == texts(cards)


async def test_no_card_is_empty(scene) -> None:
    """A search returns no card for an entity without significant facts."""
    found = await remember(scene, scene.maya, "Ben likes tea")
    assert [] == await scene.service.cards.of_found(Viewer(scene.maya.id), [found])


async def test_a_card_that_is_asked_for_shows_other_facts(scene, ask) -> None:
    """The card of a requested entity without significant facts has its most important and newest facts, at most three,
    and no turns.
    """
    me = scene.service.local_user
    for day in (1, 2, 3, 4):
        await remember(scene, me, f"Ben fact {day}", importance=day == 1, event_time=datetime(2024, 5, day, tzinfo=UTC))
    await scene.say("Ben was here", by=me)
    answer = await ask("query Card($key: String!) { entityCard(key: $key) { text } }", key=scene.ben.key)
    assert f"[{scene.ben.key}]: Ben fact 1; Ben fact 4; Ben fact 3" == answer["data"]["entityCard"]["text"]


async def test_a_card_with_a_significant_fact_shows_no_others(scene) -> None:
    """The card of an entity with a significant fact leaves out the others."""
    await remember(scene, scene.maya, "Ben likes tea")
    await remember(scene, scene.maya, "Ben is a doctor", importance=2)
    cards = await scene.service.cards.cards(Viewer(scene.maya.id), [scene.ben.key])
    assert ["[person:ben_okafor]: Ben is a doctor"] == texts(cards.values())


async def test_what_is_about_somebody_comes_before_what_names_them(scene, drain) -> None:
    """On a card, facts about the entity precede more important facts about others that only name it."""
    await remember(scene, scene.maya, "Maya and Ben adopted a dog", about=(scene.maya.key,), importance=3)
    await remember(scene, scene.maya, "Ben is a doctor", importance=2)
    await drain()
    cards = await scene.service.cards.cards(Viewer(scene.maya.id), [scene.ben.key])
    assert ["[person:ben_okafor]: Ben is a doctor; Maya and Ben adopted a dog"] == texts(cards.values())


async def test_what_somebody_reports_of_others_is_not_on_their_card(scene, drain) -> None:
    """A fact in which Ben reports something about Maya is on her card only, although it names him."""
    for content in ("Ben says that Maya likes sushi", 'Ben: "she [Maya] sings in a choir"', "Ben gave Maya a medal"):
        await remember(scene, scene.ben, content, about=(scene.maya.key,), importance=2)
    await drain()
    cards = await scene.service.cards.cards(Viewer(scene.ben.id), [scene.ben.key, scene.maya.key])
    assert "[person:ben_okafor]: Ben gave Maya a medal" == cards[scene.ben.key].text
    assert 3 == len(cards[scene.maya.key].facts)


async def test_what_grew_important_is_on_the_card(scene, raw) -> None:
    """Cards use the grown importance if it is higher than the original one (W9)."""
    found = await remember(scene, scene.maya, "Ben likes tea", importance=0)
    await raw("MATCH (m:Memory {id: $id}) SET m.grown_importance = 2", id=found)
    assert ["[person:ben_okafor]: Ben likes tea"] == texts(
        await scene.service.cards.of_found(Viewer(scene.maya.id), [found])
    )


async def test_a_hidden_memory_is_on_no_card_and_leads_to_none(scene) -> None:
    """A memory that the viewer may not see is on no card, and no card comes of it."""
    labels = {"sensitivity": Sensitivity.SENSITIVE, "portable": True}
    secret = await remember(scene, scene.maya, "Ben is in therapy", importance=3, **labels)
    await scene.service.facts.pin(Viewer(scene.ben.id), secret)
    ben = await scene.service.cards.of_found(Viewer(scene.ben.id), [secret])
    assert ["[person:ben_okafor]: Maya Lindqvist says: Ben is in therapy"] == texts(ben)
    assert [] == await scene.service.cards.of_found(Viewer(scene.maya.id), [secret])


async def test_all_cards_of_a_search_are_one_statement(scene) -> None:
    """The cards of all found entities are read with one statement."""
    found = [
        await remember(scene, scene.maya, f"{person.canonical_name} matters", about=(person.key,), importance=2)
        for person in (scene.ben, scene.maya)
    ]
    with statements_of(scene.service) as ran:
        assert 2 == len(await scene.service.cards.of_found(Viewer(scene.maya.id), found))
    assert {"entity/cards": 1} == ran


async def test_a_card_is_as_it_was_known_then(scene, clock) -> None:
    """A card at earlier times of a read has the fact that held then."""
    await remember(scene, scene.maya, "Ben works at Siemens", importance=2, **WORKS)
    before = clock()
    clock.advance(timedelta(days=1))
    await remember(scene, scene.maya, "Ben works at Bosch", importance=2, **WORKS)
    key, viewer = scene.ben.key, Viewer(scene.maya.id)
    assert "[person:ben_okafor]: Ben works at Bosch" == (await scene.service.cards.cards(viewer, [key]))[key].text
    then = await scene.service.cards.cards(viewer, [key], Times(before, before))
    assert "[person:ben_okafor]: Ben works at Siemens" == then[key].text


async def test_a_timeline_is_in_the_order_of_time(scene) -> None:
    """A timeline lists the earliest memory first, and its pages neither repeat nor skip any."""
    days = [datetime(2024, month, 1, tzinfo=UTC) for month in (6, 2, 4)]
    for day in days:
        await remember(scene, scene.maya, f"Ben in {day:%B}", event_time=day)
    viewer, key, seen, after = Viewer(scene.maya.id), scene.ben.key, list[str](), None
    while True:
        page = (await scene.service.timelines.of_entities(viewer, {key: after}, first=1))[key]
        seen += [listed.item.content for listed in page.items]
        if not page.has_next:
            break
        after = page.items[-1].cursor
    assert ["Ben in February", "Ben in April", "Ben in June"] == seen


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (datetime(2024, 3, 31, tzinfo=UTC), datetime(2024, 4, 2, tzinfo=UTC), {"in March"}),
        (datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 3, 2, tzinfo=UTC), {"in March", "on the first"}),
        (datetime(2024, 2, 1, tzinfo=UTC), datetime(2024, 3, 1, tzinfo=UTC), set()),
        (datetime(2024, 4, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC), set()),
    ],
)
async def test_a_period_takes_what_overlaps_it(
    scene, raw, since: datetime, until: datetime, expected: set[str]
) -> None:
    """A period includes memories whose time overlaps it; one dated to a month overlaps each day of it. The end of a
    period is exclusive.
    """
    first = datetime(2024, 3, 1, tzinfo=UTC)
    await remember(scene, scene.maya, "on the first", event_time=first)
    month = await remember(scene, scene.maya, "in March", event_time=first)
    await raw(
        "MATCH (m:Memory {id: $id}) SET m.event_until = datetime('2024-04-01') - duration({microseconds: 1})", id=month
    )
    pages = await scene.service.timelines.of_entities(
        Viewer(scene.maya.id), {scene.ben.key: None}, stretch=Stretch(since, until)
    )
    assert expected == {listed.item.content for listed in pages[scene.ben.key].items}


async def test_the_timeline_of_a_chat_is_what_was_said_there(scene) -> None:
    """Members of a chat see its turns in order, page by page; for others the timeline is empty."""
    for minute, words in enumerate(("one", "two", "three")):
        await scene.say(words, at=scene.minutes(minute))
    timelines, chat = scene.service.timelines, scene.group.id
    page = await timelines.of_chat(Viewer(scene.ben.id), chat, first=2)
    assert (["one", "two"], True) == ([listed.item.content for listed in page.items], page.has_next)
    page = await timelines.of_chat(Viewer(scene.ben.id), chat, first=2, after=page.items[-1].cursor)
    assert (["three"], False) == ([listed.item.content for listed in page.items], page.has_next)
    await scene.say("only mine", chat=scene.private)
    assert [] == (await timelines.of_chat(Viewer(scene.ben.id), scene.private.id)).items


async def test_a_cursor_of_another_timeline_is_refused(scene) -> None:
    """A cursor from the timeline of another entity raises `InvalidInput`."""
    await remember(scene, scene.maya, "Ben likes tea")
    pages = await scene.service.timelines.of_entities(Viewer(scene.maya.id), {scene.ben.key: None})
    cursor = pages[scene.ben.key].items[0].cursor
    with pytest.raises(InvalidInput, match="another list"):
        await scene.service.timelines.of_entities(Viewer(scene.maya.id), {scene.maya.key: cursor})


async def test_cards_of_a_search_in_graphql_do_not_add_statements(scene, ask) -> None:
    """Cards with their summaries, relations and timelines take as many statements for two entities as for one."""
    document = """
    query Ask($chat: ID!) { search(query: "matters", chatId: $chat) { cards {
      text mentions entity { key } summary { content } facts { content }
      relations { nodes { predicate evidence { content } } } timeline { nodes { content } }
    } } }
    """
    me = scene.service.local_user
    group = global_id("Chat", scene.group.id)
    taken = []
    for person in (scene.ben, scene.maya):
        await remember(scene, me, f"{person.canonical_name} matters", about=(person.key,), importance=2)
        with statements_of(scene.service) as ran:
            answer = await ask(document, chat=group)
        assert "errors" not in answer, answer
        taken.append((len(answer["data"]["search"]["cards"]), ran.total()))
    [(one, few), (two, many)] = taken
    assert (1, 2, few) == (one, two, many)


async def test_a_card_is_asked_for_at_another_time(scene, ask, clock) -> None:
    """`entityCard` with its parts, and `node`, answer as of the two times that are given."""
    me = scene.service.local_user
    old = await remember(scene, me, "Ben works at Siemens", importance=2, **WORKS)
    then = clock().isoformat()
    clock.advance(timedelta(days=1))
    await remember(scene, me, "Ben works at Bosch", importance=2, **WORKS)
    document = """
    query Ask($then: DateTime, $id: ID!) {
      entityCard(key: "person:ben_okafor", asOf: $then, knownAt: $then) {
        text mentions timeline { nodes { content } }
      }
      node(id: $id, asOf: $then, knownAt: $then) { id }
    }
    """
    answer = await ask(document, then=then, id=global_id("Memory", old))
    expected = {
        "text": "[person:ben_okafor]: Ben works at Siemens",
        "mentions": 1,
        "timeline": {"nodes": [{"content": "Ben works at Siemens"}]},
    }
    assert {"entityCard": expected, "node": {"id": global_id("Memory", old)}} == answer["data"]
    today = (await ask(document, then=None, id=global_id("Memory", old)))["data"]
    assert (None, "[person:ben_okafor]: Ben works at Bosch") == (today["node"], today["entityCard"]["text"])


async def test_a_timeline_is_asked_for_by_key_or_chat(scene, ask) -> None:
    """`timeline` takes the key of an entity or a chat. Without either it is an error, and for an unknown key it is
    null.
    """
    await scene.say("hello", at=scene.minutes(0))
    await remember(scene, scene.service.local_user, "Ben likes tea")
    document = "query Ask($key: String, $chat: ID) { timeline(key: $key, chatId: $chat) { nodes { content } } }"
    of_ben = await ask(document, key="person:ben_okafor")
    assert {"nodes": [{"content": "Ben likes tea"}]} == of_ben["data"]["timeline"]
    of_chat = await ask(document, chat=global_id("Chat", scene.group.id))
    assert {"nodes": [{"content": "hello"}]} == of_chat["data"]["timeline"]
    assert "say of what" in (await ask(document))["errors"][0]["message"]
    assert None is (await ask(document, key="person:nobody"))["data"]["timeline"]
