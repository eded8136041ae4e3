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
"""A fact and a paraphrase of it. Their cosine similarity is well above the threshold for folding, 0.95."""

WAITING_S = 0.3
"""Time for a task to reach a lock, in seconds. If it were too short, no test would fail wrongly."""


async def remember(scene: Any, who: Any, content: str, *, chat: Any = None, for_chat: bool = False, **more: Any) -> str:
    """Stores one fact and returns the id of its memory."""
    [stored] = await scene.service.facts.remember(
        Viewer(who.id, chat and chat.id), [Fact(content, **more)], for_chat=for_chat
    )
    return str(stored.memory_id)


async def seen(scene: Any, who: Any, ids: list[str], times: Times | None = None) -> list[str]:
    """Returns the contents of those of these memories that `who` may see, in the order given."""
    found = await scene.service.browsing.memories(Viewer(who.id), ids, times)
    return [found[memory].content for memory in ids if memory in found]


# --- writing ---


@pytest.mark.parametrize("more", [{"aspect": "a" * 9_000}, {"value": "a" * 40_000}, {"valid_from": NO_END}])
async def test_what_no_key_can_hold_is_refused(scene: Any, more: dict[str, Any]) -> None:
    """An aspect longer than a name, a value longer than a statement, and a start at the end of time are refused."""
    with pytest.raises(InvalidInput):
        await remember(scene, scene.maya, "Maya lives in Ljubljana", **more)


async def test_a_fact_is_remembered_with_all_that_is_said_of_it(scene, drain, raw) -> None:
    """A stored fact has its owner, subject, key, category and importance, and search finds it by its meaning."""
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
    """Without an aspect, key and frame are inferred from the words: a new home replaces the earlier one, the words are
    stored unchanged, and the same home in other words confirms the fact.
    """
    before = await remember(scene, scene.maya, "I live in Graz")
    after = await remember(scene, scene.maya, "The user lives in Oslo")
    assert [] == await seen(scene, scene.maya, [before])
    assert ["The user lives in Oslo"] == await seen(scene, scene.maya, [after])
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.memory_key AS key, m.frame AS frame", id=after)
    assert {"key": "profile|person|maya_lindqvist|fact|lives_in", "frame": "home"} == row
    [again] = await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Maya lives in Oslo")])
    assert again.confirmed


async def test_whom_a_fact_is_about_is_read_off_its_words(scene, raw) -> None:
    """The subject of a fact is the person its words name, if the writer knows them. A subject that is given is kept,
    even if the words name another person.
    """
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
    """Unknown people and things that a fact names are created, with the types that its frame implies, and related."""
    memory_id = await remember(scene, scene.maya, words)
    await drain()
    [row] = await raw(KNOWN, id=memory_id)
    assert (frame, about) == (row["frame"], row["about"])
    assert relation in row["relations"]
    assert relation[2] in row["names"]


async def test_a_subject_has_the_name_that_is_in_the_words(scene, drain, raw) -> None:
    """Each of several facts about one person that are stored together has the name that its own words use."""
    await remember(scene, scene.maya, "Robert Lindholm lives in Oslo")
    await drain()
    facts = [Fact("Robert Lindholm works at Siemens"), Fact("Bob Lindholm is vegetarian")]
    await scene.service.facts.remember(Viewer(scene.maya.id), facts)
    rows = await raw(
        "MATCH (m:Memory)-[about:ABOUT]->(e) RETURN m.content AS content, about.name AS name, e.key AS key, "
        "e.canonical_name AS canonical ORDER BY m.created_at, m.content"
    )
    key = {"key": "person:robert_lindholm", "canonical": "Robert Lindholm"}
    assert [
        {"content": "Robert Lindholm lives in Oslo", "name": "Robert Lindholm", **key},
        {"content": "Bob Lindholm is vegetarian", "name": "Bob Lindholm", **key},
        {"content": "Robert Lindholm works at Siemens", "name": "Robert Lindholm", **key},
    ] == rows


async def test_a_fact_and_talk_mean_the_same(scene, learn, raw) -> None:
    """Talk that names the person and the organization of a fact is linked to these; no second entity is created."""
    await remember(scene, scene.maya, "Peter Novak works at Hawthorne Labs", chat=scene.private)
    await scene.say("I had lunch at Hawthorne Labs with Peter Novak", chat=scene.private, at=scene.minutes(0))
    await learn()
    rows = await raw("MATCH (e:Entity) WHERE e.key CONTAINS 'hawthorne' OR e.key CONTAINS 'novak' RETURN e.key AS key")
    assert {"organization:hawthorne_labs", "person:peter_novak"} == {row["key"] for row in rows}


async def test_a_relation_ends_with_the_fact_that_says_it(scene, raw) -> None:
    """When a new fact replaces an old one, the relation that only the old one states ends."""
    await remember(scene, scene.maya, "Priya lives in Graz")
    await remember(scene, scene.maya, "Priya lives in Porto")
    rows = await raw(
        "MATCH (:Entity {key: 'person:priya'})-[r:RELATED_TO]->(b) RETURN b.key AS key, r.valid_until = $end AS holds",
        end=NO_END,
    )
    assert {"place:graz": False, "place:porto": True} == {row["key"]: row["holds"] for row in rows}


async def test_what_has_ended_ends_what_was_remembered(scene) -> None:
    """A fact which says that something no longer holds ends the fact that said so."""
    before = await remember(scene, scene.maya, "I live in Graz")
    await remember(scene, scene.maya, "I no longer live in Graz")
    assert [] == await seen(scene, scene.maya, [before])


async def test_what_members_tell_their_group_of_themselves_lives_side_by_side(scene) -> None:
    """What a member tells the group of themselves does not replace a fact of the same kind from another member."""
    one = await remember(scene, scene.maya, "I live in Graz", chat=scene.group, for_chat=True)
    other = await remember(scene, scene.ben, "I live in Lund", chat=scene.group, for_chat=True)
    found = await scene.service.memories.load(Viewer(scene.maya.id, scene.group.id), [one, other])
    assert {one, other} == set(found)


async def test_a_group_fact_belongs_to_the_group(scene) -> None:
    """Members see a fact of their group in that group only. Without a chat, in a private chat, and in a chat in which
    the writer does not take part, the write is refused.
    """
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
    """One invalid fact makes the whole call fail, and no fact of the call is written."""
    facts = [Fact("Maya bakes"), Fact(**{"content": "Maya sings", **wrong})]
    with pytest.raises(InvalidInput):
        await scene.service.facts.remember(Viewer(scene.maya.id), facts)
    assert [{"n": 0}] == await raw("MATCH (m:Semantic) RETURN count(m) AS n")


async def test_whom_nobody_knows_is_not_found(scene, raw) -> None:
    """A fact about an unknown person, or with evidence that the writer may not see, is refused and not written."""
    hidden = await scene.say("My secret", chat=scene.private)
    for wrong in ({"about": ("person:nobody",)}, {"evidence": (hidden.memory_id,)}):
        with pytest.raises(NotFound):
            await remember(scene, scene.ben, "Something is so", **wrong)
    assert [{"n": 0}] == await raw("MATCH (m:Semantic) RETURN count(m) AS n")


async def test_who_has_no_account_is_known_in_their_chats(scene) -> None:
    """A person without an account can be the subject of a fact only for writers who share a chat with them."""
    people = scene.service.people
    zed = await people.create_person(INTERNAL, "Zed Quill")
    members = [Member(person.id, LONG_AGO) for person in (scene.maya, zed)]
    await people.create_chat(INTERNAL, ChatKind.GROUP, "Choir", members)
    await remember(scene, scene.maya, "Zed sings", about=(zed.key,))
    with pytest.raises(NotFound):
        await remember(scene, scene.ben, "Zed sings", about=(zed.key,))


# --- keys ---


async def test_a_new_value_ends_the_old_one(scene) -> None:
    """A new value ends the old one: the old value is valid until the change, the new one from then on (W5)."""
    old = await remember(scene, scene.maya, "Maya lives in Graz", valid_from=scene.minutes(0), **LIVES)
    new = await remember(scene, scene.maya, "Maya lives in Ljubljana", valid_from=scene.minutes(60), **LIVES)
    assert ["Maya lives in Ljubljana"] == await seen(scene, scene.maya, [old, new])
    now = scene.service.clock()
    assert ["Maya lives in Graz"] == await seen(scene, scene.maya, [old, new], Times(scene.minutes(30), now))


async def test_the_same_value_confirms(scene, raw) -> None:
    """Repeating a value confirms the fact and raises its confidence. A fact with another aspect is stored too."""
    one = await remember(scene, scene.maya, "Maya likes tea", confidence=0.5, fact_type="preference", aspect="drink")
    stored = await scene.service.facts.remember(
        Viewer(scene.maya.id), [Fact("maya likes TEA!", fact_type="preference", aspect="drink")]
    )
    assert [(one, True)] == [(s.memory_id, s.confirmed) for s in stored]
    other = await remember(scene, scene.maya, "Maya likes dark mode", fact_type="preference", aspect="screen")
    assert {one, other} == {row["id"] for row in await raw("MATCH (m:Semantic) RETURN m.id AS id")}
    assert [{"c": 0.75}] == await raw("MATCH (m:Semantic {id: $id}) RETURN m.confidence AS c", id=one)


async def test_without_an_aspect_only_the_same_words_are_a_repetition(scene) -> None:
    """Facts without an aspect are one memory if they differ only in case and punctuation, else separate memories."""
    one = await remember(scene, scene.maya, "The key is under the mat")
    assert one == await remember(scene, scene.maya, "the key is under the mat.")
    assert one != await remember(scene, scene.maya, "The key is under the pot")


async def test_writers_at_once_leave_one_live_memory(scene, raw) -> None:
    """Eight concurrent writes of one key all succeed and leave one live memory; eight of one fact store it once."""
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
    """Runs the statement in a transaction that stays open until the block has ended, with a clock one minute ahead.
    Writes that are started in the block wait for its locks, and its changes are later than their requests.
    """
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
    """A writer that waited for the lock reads what the writer before it stored. Two concurrent facts that both end an
    earlier one therefore store it anew only once.
    """
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
    """A memory that is stored anew because its end moved stays hidden from a person who joined the chat after the
    memory was first told.
    """
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
    """A change by an id that a concurrent write replaces raises `NotFound`. Otherwise the change would be lost; so the
    caller can look again.
    """
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
    """A person's own statement replaces hearsay for viewers who may see the statement, also hearsay that comes later.
    Other viewers still see the hearsay.
    """
    told = await remember(scene, scene.maya, "Ben hates fish", about=(scene.ben.key,), aspect="food", chat=scene.group)
    assert ["Ben hates fish"] == await seen(scene, scene.ben, [told])
    own = await remember(scene, scene.ben, "I love fish", aspect="food", sensitivity=Sensitivity.SENSITIVE)
    await raw("MATCH (m:Memory) WHERE m.category IS NOT NULL SET m.seen = true")
    assert ["Ben hates fish"] == await seen(scene, scene.maya, [told, own])
    # The keys differ in their category; own word and hearsay are compared by aspect and subject.
    assert ["I love fish"] == await seen(scene, scene.ben, [told, own])
    later = await remember(scene, scene.maya, "Ben really hates fish", about=(scene.ben.key,), aspect="food")
    assert ["I love fish"] == await seen(scene, scene.ben, [told, own, later])


async def test_hearsay_of_different_people_stays(scene, raw) -> None:
    """Contradicting facts of two group members about a third person are both kept, the later linked to the earlier by
    `CONTRADICTS`.
    """
    about = {"about": (scene.service.local_user.key,), "aspect": "food", "chat": scene.group, "for_chat": True}
    one = await remember(scene, scene.maya, "They hate fish", **about)
    two = await remember(scene, scene.ben, "They love fish", **about)
    [row] = await raw("MATCH (a)-[:CONTRADICTS]->(b) RETURN a.id AS a, b.id AS b")
    assert (two, one) == (row["a"], row["b"])
    found = await scene.service.memories.load(Viewer(scene.maya.id, scene.group.id), [one, two])
    assert {one, two} == set(found)


# --- changing ---


async def test_a_correction_was_never_so(scene) -> None:
    """A corrected fact is valid at no time any more; reads as of before the correction still return it (M14)."""
    old = await remember(scene, scene.maya, "Maya lives in Linz", valid_from=scene.minutes(0), **LIVES)
    before = scene.service.clock()
    new = await scene.service.facts.correct(Viewer(scene.maya.id), old, "Maya lives in Graz")
    now = scene.service.clock()
    assert ["Maya lives in Graz"] == await seen(scene, scene.maya, [old, new], Times(scene.minutes(1), now))
    assert ["Maya lives in Linz"] == await seen(scene, scene.maya, [old, new], Times(scene.minutes(1), before))


async def test_a_new_wording_keeps_the_earlier_one(scene) -> None:
    """A reworded memory is read in the wording of the time as of which it is read."""
    memory_id = await remember(scene, scene.maya, "Maya bakes bred", aspect="hobby")
    first = scene.service.clock()
    await scene.service.facts.update(Viewer(scene.maya.id), memory_id, "Maya bakes bread")
    second = scene.service.clock()
    await scene.service.facts.update(Viewer(scene.maya.id), memory_id, "Maya bakes rye bread")
    for at, expected in ((first, "Maya bakes bred"), (second, "Maya bakes bread"), (None, "Maya bakes rye bread")):
        times = Times(scene.service.clock(), at) if at else None
        assert [expected] == await seen(scene, scene.maya, [memory_id], times)


async def test_what_is_forgotten_is_gone_from_now_on(scene) -> None:
    """A forgotten fact is returned only by reads as of an earlier time, its key is free again, and it cannot be
    forgotten twice.
    """
    memory_id = await remember(scene, scene.maya, "Maya likes tea", aspect="drink")
    before = scene.service.clock()
    await scene.service.facts.forget(Viewer(scene.maya.id), memory_id)
    assert [] == await seen(scene, scene.maya, [memory_id])
    assert ["Maya likes tea"] == await seen(scene, scene.maya, [memory_id], Times(before, before))
    assert memory_id != await remember(scene, scene.maya, "Maya likes tea", aspect="drink")
    with pytest.raises(NotFound):
        await scene.service.facts.forget(Viewer(scene.maya.id), memory_id)


async def test_what_runs_out_is_gone_unless_it_is_pinned_or_certain(scene, clock) -> None:
    """An observation expires after three days unless it is pinned or confirmed; unpinned, it has its former expiry."""
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
    """A fact that is repeated on three days has an importance of at least 1, on seven days 2, and pinned 3 (W9)."""
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
    """Reinforcing adds 3 to the score, demoting subtracts 1 (T5)."""
    memory_id = await remember(scene, scene.maya, "Maya walks to work")
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    assert [Score(3, True), Score(6, True), Score(5, True)] == [
        await facts.reinforce(maya, memory_id),
        await facts.reinforce(maya, memory_id),
        await facts.demote(maya, memory_id),
    ]


async def test_only_who_may_changes_a_fact(scene) -> None:
    """The subject of a fact may confirm and pin it, but not forget, correct or reword it. For a viewer who may not see
    it, every change raises `NotFound` (P4).
    """
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
    # A public, portable fact is visible in any group.
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
    """A turn cannot be corrected or reworded. New words that another memory already has are a conflict and change
    nothing.
    """
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
    """A fact of a seeded profile has the source `seeded_profile` and the category `profile`, and its user sees it."""
    stored = await scene.service.facts.seed_profile(
        Viewer(scene.ben.id), [Fact("Ben works as a baker", aspect="works_as")]
    )
    found = await scene.service.browsing.memories(Viewer(scene.ben.id), [stored[0].memory_id])
    assert ("seeded_profile", "profile") == (found[stored[0].memory_id].source, found[stored[0].memory_id].category)


# --- secrets and reasons ---


async def test_a_secret_is_refused_and_not_repeated(scene, raw) -> None:
    """A fact that holds a password is refused by each method that writes facts. It is stored nowhere, and the error
    does not repeat it (W8).
    """
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
    """Only the secret in a turn is replaced. It is stored nowhere; the result and the statistics count it (W8)."""
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
    """New tags replace those of a memory, and filters find it by them. Its words stay, without an earlier wording."""
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
    """One request changes words and tags; a request with neither is invalid."""
    memory_id = global_id("Memory", await remember(scene, scene.service.local_user, "I bake bread"))
    answer = await ask(UPDATE, input={"memoryId": memory_id, "content": "I bake rye bread", "tags": ["food"]})
    assert {"memory": {"content": "I bake rye bread", "tags": ["food"]}} == answer["data"]["updateMemory"]
    assert {"code": "INVALID_INPUT"} == (await ask(UPDATE, input={"memoryId": memory_id}))["data"]["updateMemory"]


async def test_only_whoever_may_reword_a_memory_tags_it(scene) -> None:
    """The subject of a memory may not change its tags."""
    fact = Fact("Ben bakes bread", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC, portable=True)
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id), [fact])
    with pytest.raises(NotAllowed):
        await scene.service.facts.update(Viewer(scene.ben.id), stored.memory_id, tags=["food"])


async def test_an_explanation_names_entities(ask, scene, drain) -> None:
    """An explanation has the keys of the entities that a memory is about or mentions."""
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
    """An explanation has the sources of a fact, the facts before it with the reason for their end, and earlier
    wordings. A memory that the viewer may not see is not found (R10).
    """
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
    """Each write of W10 works by its mutation, and refused writes return typed errors."""
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
    """A fact with a known end is not the live one of its key; the next value is stored beside it, and none is
    valid between the two.
    """
    first, second = scene.minutes(0), scene.minutes(60)
    one = await remember(scene, scene.maya, "I live in Graz", valid_from=first, valid_until=second, **LIVES)
    two = await remember(scene, scene.maya, "I live in Linz", valid_from=scene.minutes(90), **LIVES)
    [row] = await raw("MATCH (m:Memory) WHERE m.live_key IS NOT NULL RETURN collect(m.id) AS live")
    assert [two] == row["live"]
    now = scene.service.clock()
    assert ["I live in Graz"] == await seen(scene, scene.maya, [one, two], Times(scene.minutes(30), now))
    assert [] == await seen(scene, scene.maya, [one, two], Times(scene.minutes(70), now))


# --- paraphrases ---


@pytest.mark.embedding_ranked
async def test_the_same_in_other_words_is_said_again(scene, drain, raw) -> None:
    """A paraphrase, recognized by its vector, is folded into the earlier fact. That fact gains confidence and the turn
    of the paraphrase as a source, and becomes evidence of the same relations.
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
    """Facts with similar vectors that differ in who did it to whom, when, or how much are not folded; nor are unrelated
    facts.
    """
    about = (scene.maya.id, scene.ben.id)
    ids = [await remember(scene, scene.maya, text, about=about) for text in pair]
    await drain()
    assert list(pair) == await seen(scene, scene.maya, ids)


async def test_what_belongs_elsewhere_is_no_repetition(scene, drain) -> None:
    """A paraphrase by another person, with another sensitivity or aspect, or in a group is not folded."""
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


# --- labels ---


@pytest.mark.parametrize("door", ["update", "correct"])
async def test_new_words_are_guessed_anew(scene, drain, door) -> None:
    """The labels of a reworded fact are inferred from its new words: if these are sensitive, the group does not find
    it.
    """
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
    """Harmless new words leave the labels as they are; private words raise even a sensitivity that somebody set."""
    told = await remember(scene, scene.maya, "The parcel is blue", sensitivity=Sensitivity.SENSITIVE, portable=False)
    public = await remember(scene, scene.maya, "The mat is red", sensitivity=Sensitivity.PUBLIC)
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    told = await getattr(facts, door)(maya, told, "The parcel is green") or told
    public = await getattr(facts, door)(maya, public, "I was diagnosed with HIV") or public
    kept, raised = [await scene.service.memories.held(maya, each) for each in (told, public)]
    assert (Sensitivity.SENSITIVE, False, ()) == (kept.sensitivity, kept.portable, kept.inferred_labels)
    assert (Sensitivity.SENSITIVE, ("sensitivity",)) == (raised.sensitivity, raised.inferred_labels)


async def test_marks_that_are_told_again_hold(scene, drain, raw) -> None:
    """A repetition with labels sets these on the fact and in its indexes; a repetition without labels keeps them."""
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
    """A person who repeats another's fact with other labels gets a fact of their own; the labels of the other stay."""
    about = {"about": (scene.service.local_user.key,), "aspect": "food", "chat": scene.group, "for_chat": True}
    one = await remember(scene, scene.maya, "They hate fish", **about)
    two = await remember(scene, scene.ben, "They hate fish", sensitivity=Sensitivity.SENSITIVE, **about)
    found = await scene.service.memories.load(scene.viewer(), [one, two])
    assert [Sensitivity.PUBLIC, Sensitivity.SENSITIVE] == [found[each].sensitivity for each in (one, two)]


async def test_what_rests_on_turns_is_as_private_as_they_are(scene) -> None:
    """A fact is at least as sensitive as the turns of its evidence, unless its sensitivity is given."""
    turn = await scene.say("Between us: I was diagnosed with HIV", chat=scene.private)
    evidence = (turn.memory_id,)
    guessed = await remember(scene, scene.maya, "Maya carries a small box", evidence=evidence)
    told = await remember(scene, scene.maya, "Maya likes pears", evidence=evidence, sensitivity=Sensitivity.PUBLIC)
    found = [await scene.service.memories.held(Viewer(scene.maya.id), each) for each in (guessed, told)]
    assert [Sensitivity.SENSITIVE, Sensitivity.PUBLIC] == [each.sensitivity for each in found]


# --- hidden memories change no answer ---


@pytest.mark.parametrize("door", ["update", "correct"])
async def test_words_of_a_hidden_memory_are_free(scene, raw, door) -> None:
    """Rewording a fact to the words of a memory that the viewer may not see succeeds, so that the hidden memory is not
    revealed. The words of a visible memory are a conflict.
    """
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
    """A repetition of a fact that its writer may not see is not reported as confirmed, like the first write."""
    told = {"about": (scene.ben.key,), "sensitivity": Sensitivity.SENSITIVE, "aspect": "health"}
    answers = [
        (await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Ben is ill", **told)]))[0].confirmed
        for _ in range(2)
    ]
    assert [False, False] == answers


async def test_two_who_word_facts_alike_at_once(scene, raw) -> None:
    """Of four concurrent rewordings to the same words one succeeds, and three raise `Conflict`; one memory has the
    words.
    """
    ids = [await remember(scene, scene.maya, f"The mat is {colour}") for colour in ("red", "blue", "green", "grey")]
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    done = await asyncio.gather(
        *(facts.update(maya, memory_id, "The mat is black") for memory_id in ids), return_exceptions=True
    )
    assert [Conflict] * 3 == [type(each) for each in done if each is not None]
    [row] = await raw("MATCH (m:Memory {content: 'The mat is black'}) RETURN collect(m.live_key) AS keys")
    assert (1, False) == (len(row["keys"]), row["keys"][0].endswith(tuple(ids)))


# --- past and future ---

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
    """Each mutation that changes a fact returns it, even if the fact no longer holds."""
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
    """A fact with an event in the future is visible at once. A fact that is only valid from a later day is in the
    answer, and hidden until then.
    """
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
    """A change that is told in advance is visible at once; the old value stays valid until the change takes effect."""
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
    """A person's own plan does not replace hearsay about them before the day on which it takes effect."""
    about = {"about": (scene.ben.key,), "aspect": "works_at", "chat": scene.group}
    told = await remember(scene, scene.maya, "Ben works at Bosch", **about)
    plan = await remember(
        scene, scene.ben, "I start at Siemens", aspect="works_at", event_time=clock() + timedelta(days=30)
    )
    assert ["Ben works at Bosch", "I start at Siemens"] == await seen(scene, scene.ben, [told, plan])
    clock.advance(timedelta(days=31))
    assert ["I start at Siemens"] == await seen(scene, scene.ben, [told, plan])


async def test_a_lifetime_beyond_the_calendar_is_none(scene) -> None:
    """A lifetime that would end after the year 9999 is no error, and the fact is visible."""
    day = datetime(9999, 12, 1, tzinfo=UTC)
    memory_id = await remember(scene, scene.maya, "The sun rises", kind="event", event_time=day, ttl=timedelta(days=90))
    assert ["The sun rises"] == await seen(scene, scene.maya, [memory_id])


async def test_no_chain_goes_through_what_is_hidden(scene, raw) -> None:
    """The chain of an explanation ends at a memory that the viewer may not see; what came before it is left out too."""
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
    """A fact about a first name that two members share is stored as it was given, since either could be meant."""
    for name in ("Anna Weiss", "Anna Berg"):
        anna = await scene.service.people.create_person(INTERNAL, name)
        await scene.service.people.join_chat(scene.viewer(), scene.group.id, anna.id, since=LONG_AGO)
    stored = await remember(scene, scene.ben, "Anna lives in Graz", chat=scene.group, for_chat=True)
    assert ["Anna lives in Graz"] == await seen(scene, scene.ben, [stored])


async def test_symbols_tell_statements_apart(scene) -> None:
    """Facts that differ in symbols (C, C++) are separate; facts that differ in case are one."""
    stored = [await remember(scene, scene.ben, f"I know {name}") for name in ("C", "C++", "c")]
    assert stored[0] == stored[2] != stored[1]


async def test_who_states_something_sensitive_about_another_finds_it(scene) -> None:
    """A sensitive fact about somebody else is found by who states it, if they name no subject. Others don't find it."""
    facts, search = scene.service.facts, scene.service.search
    maya, ben = Viewer(scene.maya.id), Viewer(scene.ben.id)
    await facts.remember(maya, [Fact("Arjun's grandmother Kamala uses a wheelchair")])
    found = [await search.search(who, "Who uses a wheelchair?") for who in (maya, ben)]
    assert ["Arjun's grandmother Kamala uses a wheelchair"] == [each.memory.content for each in found[0].results]
    assert [] == found[1].results
