"""Extraction of facts from sessions, their consolidation, and later changes to the facts (W2–W4, M11)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from hippograph import cypher
from hippograph.graph.errors import NotFound
from hippograph.graph.jobs.queue import LEASE, MAX_ATTEMPTS
from hippograph.graph.knowledge.consolidation import Consolidation
from hippograph.graph.model import NO_END, Sensitivity, Viewer
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.recording import Turn
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.protocol import Dialogue, Extraction
from hippograph.nlp.llm.endpoint import Endpoint
from hippograph.nlp.llm.extractor import FallbackExtractor, LlmExtractor
from tests.llm_server import Answering, Server, http, says, sends
from tests.neo4j_servers import db_hits, driver_of

FOUND = """
MATCH (m:Memory)-[from:DERIVED_FROM]->(turn:Episodic) WHERE m.retired_at.year = 9999
RETURN m.content AS content, m {.*} AS memory, turn {.*} AS turn, from {.*} AS link,
       COLLECT { MATCH (m)-[a:ABOUT]->(e) RETURN e.key ORDER BY a.primary DESC, e.key } AS about
ORDER BY turn.event_time, m.content
"""
EVERYTHING = """
MATCH (n) WHERE NOT n:Lock AND NOT n:EntityProfile AND NOT n:SummaryRequest
OPTIONAL MATCH (n)-[r]->(o)
WITH n, type(r) + ' ' + coalesce(o.id, '') AS link ORDER BY link
RETURN n.id AS id, labels(n) AS labels, n {.*, lock: null, consolidated_at: null, conflicts_at: null} AS node,
       collect(link) AS links ORDER BY id, labels
"""


def another(service: Any, extractor: Any, private: Sensitivity = Sensitivity.PERSONAL) -> Consolidation:
    """Returns another consolidation worker on the same graph, with the given extractor."""
    fact_writer = FactWriter(service.clock, lifetimes={}, decay_rate=0.1)
    return Consolidation(
        service.database,
        service.clock,
        fact_writer,
        extractor=extractor,
        executor=ThreadPoolExecutor(1),
        threshold=0.7,
        private_sensitivity=private,
        least_mentions=3,
        rolling_turns=4,
        spine_messages=20,
    )


WAITING = """
UNWIND range(1, $sessions) AS number
CREATE (s:Session:Pending {id: 's' + number, job: 'consolidate', attempts: 0, worker: 'w', chat_id: 'c',
                           ended_at: datetime('2024-01-01'),
                           due_at: datetime('2024-01-01') + duration({minutes: number})})
WITH s UNWIND range(1, $turns) AS turn
CREATE (:Memory:Episodic {id: s.id + ' ' + turn, session_id: s.id, turn: turn})-[:IN_SESSION]->(s)
"""


@pytest.mark.parametrize("statement", ["queue/claim", "consolidation/ready"])
@pytest.mark.parametrize(("sessions", "turns"), [(2, 2_000), (2_000, 2)])
async def test_a_claim_costs_the_same_however_much_waits(
    service, sessions: int, turns: int, statement: str, raw
) -> None:
    """The database hits of a claim do not grow with the number of waiting sessions or of their turns, save for 10 %."""
    claiming, where, costs = cypher.load()[statement], service.connection, []
    now = service.clock()
    params = {"job": "consolidate", "worker": "w", "now": now, "later": now, "lease_until": now, "no_end": NO_END}
    params |= {"ids": ["s1", "s2"], "limit": 2}
    async with (
        driver_of(where) as driver,
        driver.session() as session,
    ):
        for more in ({"sessions": 2, "turns": 2}, {"sessions": sessions, "turns": turns}):
            await raw("MATCH (n:Session|Memory) DETACH DELETE n")
            await raw(WAITING, **more)
            await raw("CALL db.awaitIndexes(300)")
            async with await session.begin_transaction() as transaction:
                result = await transaction.run(f"PROFILE {claiming.text}", claiming.arguments(params))
                summary = await result.consume()
                await transaction.rollback()
            costs.append(db_hits(summary.profile))
    few, many = costs
    assert many <= few * 1.1


async def contents(raw: Any) -> list[str]:
    """Returns the texts of the extracted facts that are not retired, once for each turn they were found in."""
    return [row["content"] for row in await raw(FOUND)]


# --- what is extracted ---


async def test_what_is_said_is_a_fact_within_seconds(scene, learn, raw) -> None:
    """A statement in an open session becomes a fact with its evidence, subject, key, times, confidence and scope."""
    said = await scene.say("Lars works at Siemens.")
    assert 1 == await learn()
    [row] = await raw(FOUND)
    memory, turn = row["memory"], row["turn"]
    assert (said.memory_id, ["person:lars"]) == (turn["id"], row["about"])
    assert ("semantic", "knowledge", "fact", "people|person|lars|fact|works_at", "extraction") == tuple(
        memory[name] for name in ("type", "kind", "fact_type", "memory_key", "source")
    )
    assert (scene.group.id, "", scene.maya.id) == (memory["chat_id"], memory["owner_id"], memory["speaker_id"])
    assert (turn["event_time"], turn["created_at"]) == (memory["valid_from"], memory["learned_at"])
    assert memory["created_at"] > turn["created_at"]
    assert memory["confidence"] >= 0.7
    assert [1.0, memory["confidence"]] == [row["link"][name] for name in ("weight", "confidence")]
    assert [] == await scene.service.doctor.examine()


@pytest.mark.embedding_ranked
async def test_what_was_said_in_private_is_ones_own(scene, learn, raw) -> None:
    """A fact from a private chat has its speaker as owner, and no chat. The owner's search finds the fact or its turn;
    other people's searches find neither.
    """
    turn = await scene.say("I am allergic to peanuts.", chat=scene.private)
    await learn()
    [row] = await raw(FOUND)
    memory = row["memory"]
    assert (scene.maya.id, "", "sensitive") == tuple(memory[name] for name in ("owner_id", "chat_id", "sensitivity"))
    assert ["person:maya_lindqvist"] == row["about"]
    for who, chat, expected in ((scene.maya, None, True), (scene.ben, None, False), (scene.ben, scene.group, False)):
        page = await scene.service.search.search(Viewer(who.id, chat and chat.id), "peanuts allergy")
        found = {result.memory.id for result in page.results}
        assert expected == bool({memory["id"], turn.memory_id} & found)


async def test_who_joined_since_does_not_hear_of_it_in_private(scene, learn, raw) -> None:
    """A fact is visible to those who were in the chat when it was told. Somebody who joined before it was extracted
    does not see it outside the chat.
    """
    await scene.say("Ben lives in Graz.")
    late = await scene.service.people.create_person(scene.viewer(), "Late Comer")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, late.id)
    await learn()
    [row] = await raw(FOUND)
    loaded = scene.service.memories.load
    assert set() == set(await loaded(Viewer(late.id), [row["memory"]["id"]]))
    assert {row["memory"]["id"]} == set(await loaded(Viewer(scene.ben.id), [row["memory"]["id"]]))


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Graz?",
        "If I lived in Graz, I would cycle to work.",
        "thanks, you are the best!",
        "lol",
        "Вчера я переехал в Грац и работаю в школе.",
        "昨天我搬到了格拉茨。",
        "🎉🎉🎉",
    ],
)
async def test_small_talk_and_other_languages_give_nothing(scene, learn, raw, text) -> None:
    """Questions, suppositions, small talk and other languages give no fact; their session neither waits nor fails."""
    await scene.say(text)
    await learn()
    progress = await scene.service.consolidation.progress()
    assert ([], 0, 0, 0) == (await contents(raw), progress.waiting, progress.failed, progress.statements)


async def test_what_is_dropped_is_counted(scene, learn) -> None:
    """Statements that were found but dropped are counted by reason in the progress."""
    await scene.say("I live in Oslo. Just kidding!")
    await learn()
    progress = await scene.service.consolidation.progress()
    assert (1, 0) == (progress.sessions, progress.statements)
    assert sum(progress.dropped.values()) >= 1


async def test_what_people_are_to_each_other_is_noted_with_its_evidence(scene, learn, raw) -> None:
    """An extracted relation links two entities and has the memories that state it as evidence."""
    await scene.say("My brother Lars is a baker. Lars works at Siemens.")
    await learn()
    rows = await raw(
        "MATCH (a)-[r:RELATED_TO]->(b) RETURN a.key AS a, r.predicate AS is, b.key AS b, "
        "COLLECT { UNWIND r.evidence AS id MATCH (m:Memory {id: id}) RETURN m.content } AS because ORDER BY is"
    )
    assert [
        {"a": "person:lars", "is": "brother_of", "b": scene.maya.key, "because": ["Lars is Maya's brother"]},
        {"a": "person:lars", "is": "works_at", "b": "organization:siemens", "because": ["Lars works at Siemens"]},
    ] == rows


RELATIONS = """
query Relations($key: String!, $chat: ID, $first: Int = 20, $after: String) {
  entityCard(key: $key, chatId: $chat) {
    relations(first: $first, after: $after) {
      nodes { source { key } predicate target { key } evidence { content } }
      pageInfo { hasNextPage endCursor }
    }
  }
}
"""


async def test_a_card_tells_what_an_entity_is_to_others(ask, scene, learn) -> None:
    """The card of either entity of a relation lists it with its evidence, page by page."""
    await scene.say("My brother Lars is a baker. Lars works at Siemens.")
    await learn()
    brother = {
        "source": {"key": "person:lars"},
        "predicate": "brother_of",
        "target": {"key": scene.maya.key},
        "evidence": [{"content": "Lars is Maya's brother"}],
    }
    works = {
        "source": {"key": "person:lars"},
        "predicate": "works_at",
        "target": {"key": "organization:siemens"},
        "evidence": [{"content": "Lars works at Siemens"}],
    }
    for key, expected in (("person:lars", [brother, works]), (scene.maya.key, [brother]), (scene.ben.key, [])):
        answer = await ask(RELATIONS, key=key)
        assert expected == answer["data"]["entityCard"]["relations"]["nodes"]
    first = (await ask(RELATIONS, key="person:lars", first=1))["data"]["entityCard"]["relations"]
    assert ([brother], True) == (first["nodes"], first["pageInfo"]["hasNextPage"])
    rest = await ask(RELATIONS, key="person:lars", first=1, after=first["pageInfo"]["endCursor"])
    assert [works] == rest["data"]["entityCard"]["relations"]["nodes"]


async def test_who_may_not_see_what_says_so_sees_no_relation(ask, scene, learn, raw) -> None:
    """A relation is shown with the evidence that the viewer may see, and not at all if there is none."""
    await scene.say("Lars works at Siemens.")
    await scene.say("Lars works at Siemens. Lars lives in Graz.", chat=scene.private)
    await learn()
    assert [["organization:siemens", 2], ["place:graz", 1]] == await related(raw)
    cards = scene.service.cards
    for viewer, expected in (
        (Viewer(scene.maya.id), {"organization:siemens": 2, "place:graz": 1}),
        (Viewer(scene.ben.id), {"organization:siemens": 1}),
        (Viewer(scene.ben.id, scene.private.id), {}),
    ):
        page = (await cards.relations(viewer, {"person:lars": None}))["person:lars"]
        assert expected == {listed.item.target.key: len(listed.item.evidence) for listed in page.items}
    answer = await ask(RELATIONS, key="person:lars")
    told = [(one["target"]["key"], len(one["evidence"])) for one in answer["data"]["entityCard"]["relations"]["nodes"]]
    assert [("organization:siemens", 1)] == told


async def related(raw: Any) -> list[list[Any]]:
    """Returns the key of the target of each relation in the graph, and the number of memories in its evidence."""
    rows = await raw("MATCH ()-[r:RELATED_TO]->(b) RETURN b.key AS key, size(r.evidence) AS said ORDER BY key")
    return [[row["key"], row["said"]] for row in rows]


async def test_causes_join_facts_and_turns(scene, learn, raw) -> None:
    """The word "so" links two facts of one turn as cause and effect, "that's why" links two turns; both with
    confidence 0.7.
    """
    await scene.say("Ben works at Siemens, so Ben lives in Graz.", at=scene.minutes(0))
    await scene.say("The bridge is closed until May.", at=scene.minutes(1))
    await scene.say("That's why I take the tram to work.", by=scene.ben, at=scene.minutes(2))
    await learn()
    rows = await raw("MATCH (a)-[r:CAUSAL]->(b) RETURN a.content AS a, r.confidence AS c, b.content AS b ORDER BY a")
    assert [
        {"a": "Ben works at Siemens", "c": 0.7, "b": "Ben lives in Graz"},
        {"a": "The bridge is closed until May.", "c": 0.7, "b": "That's why I take the tram to work."},
    ] == rows


async def test_a_popular_entity_makes_no_clique(scene, learn, raw) -> None:
    """A memory has at most 12 links to memories that share an entity, however many memories name that entity."""
    for number in range(40):
        await scene.say(f"Priya Raman called about ticket {number}.", at=scene.minutes(number / 2))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    rows = await raw("MATCH (m:Memory)-[r:ENTITY]-() RETURN m.id AS id, count(r) AS degree")
    assert len(rows) >= 40
    assert max(row["degree"] for row in rows) <= 12


# --- consolidation ---


async def test_consolidating_again_changes_nothing(scene, learn, raw) -> None:
    """A session that ended is consolidated once; consolidating it again on request leaves the graph unchanged."""
    await scene.say("My brother Lars works at Siemens because he loves trains.", at=scene.minutes(0))
    await scene.say("I moved to Graz.", by=scene.ben, at=scene.minutes(1))
    await learn()
    assert 0 == (await scene.service.consolidation.progress()).consolidated
    session = await scene.service.sessions.close(scene.viewer(), scene.group.id)
    assert 1 == await learn()
    assert 1 == (await scene.service.consolidation.progress()).consolidated
    before = await raw(EVERYTHING)
    for _ in range(2):
        await scene.service.consolidation.ask(scene.viewer(), session.id)
        assert 1 == await learn()
    assert before == await raw(EVERYTHING)


async def test_a_late_message_revises_what_was_found(scene, learn, raw) -> None:
    """A fact that is not found any more when the whole session is read, after a late message, is retired as corrected.
    It stays in the graph.
    """
    await scene.say("My brother Lars is a baker.", at=scene.minutes(0))
    await scene.say("He lives in Oslo.", at=scene.minutes(2))
    await learn()
    assert "Lars lives in Oslo" in await contents(raw)
    await scene.say("And my brother Tom is a nurse.", at=scene.minutes(1))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    found = await contents(raw)
    assert "Lars lives in Oslo" not in found
    [row] = await raw("MATCH (m:Memory {content: 'Lars lives in Oslo'}) RETURN m.retired_by AS by, m.live_key AS live")
    assert {"by": "corrected", "live": None} == row


@pytest.mark.parametrize("later", [False, True], ids=["nothing since", "another value since"])
async def test_what_ended_because_of_a_misreading_holds_again(scene, learn, raw, later) -> None:
    """When a misread fact is retired, the fact that it had ended holds again, until the next value if there is one.
    The version that had ended stays in the graph as corrected (M14).
    """
    await scene.say("Lars lives in Bergen.", at=scene.minutes(0))
    await scene.say("My brother Lars is a baker.", at=scene.minutes(60))
    await scene.say("He lives in Oslo.", at=scene.minutes(62))
    await learn()
    if later:
        await scene.say("Lars lives in Rome.", at=scene.minutes(200))
        await learn()
    places = (
        "MATCH (m:Semantic) WHERE m.content STARTS WITH 'Lars lives in' AND m.retired_at.year = 9999 "
        "RETURN m.id AS id, m.content AS content, m.valid_until.year = 9999 AS still, m.live_key IS NOT NULL AS live, "
        "m.ended_at.year = 9999 AS open, m.valid_until AS until ORDER BY m.valid_from"
    )
    assert "Lars lives in Oslo" in [row["content"] for row in await raw(places)]
    await scene.say("And my brother Tom is a nurse.", at=scene.minutes(61))
    [misread] = await raw("MATCH (turn:Episodic {content: 'He lives in Oslo.'}) RETURN turn.session_id AS id")
    await scene.service.consolidation.ask(scene.viewer(), misread["id"])
    await learn()
    bergen, *rest = await raw(places)
    assert ["Lars lives in Rome"] * later == [row["content"] for row in rest]
    assert ("Lars lives in Bergen", *[not later] * 3) == tuple(
        bergen[key] for key in ("content", "still", "live", "open")
    )
    assert not later or bergen["until"] == scene.minutes(200)
    known = await raw("MATCH (m:Semantic {content: 'Lars lives in Bergen'}) RETURN m.retired_by AS by ORDER BY by")
    assert [{"by": "corrected"}, {"by": None}] == known
    borne_out = (
        "MATCH (:Entity {key: 'person:lars'})-[r:RELATED_TO {predicate: 'lives_in'}]->(:Entity {key: 'place:bergen'}) "
        "RETURN $id IN r.evidence AS told"
    )
    assert [{"told": True}] == await raw(borne_out, id=bergen["id"])
    assert [] == await scene.service.doctor.examine()


async def test_a_new_session_consolidates_the_one_before(scene, learn) -> None:
    """A session is consolidated as a whole once a later message has opened a new session."""
    await scene.say("Ben lives in Graz.", at=scene.minutes(0))
    await scene.say("Good morning!", at=scene.minutes(60))
    await learn()
    progress = await scene.service.consolidation.progress()
    assert (2, 1, 0) == (progress.sessions, progress.consolidated, progress.waiting)


async def test_what_was_left_out_is_queued(scene, learn, drain, raw) -> None:
    """A session that ended while there was no extractor is queued once by `queue_left`, and then consolidated."""
    await scene.say("Ben lives in Graz.")
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    off = another(scene.service, None)
    await drain()
    scene.service.clock.advance(timedelta(seconds=2))
    assert 1 == await off.step()
    progress = await off.progress()
    assert (0, 0) == (progress.waiting, progress.consolidated)
    assert 1 == await scene.service.consolidation.queue_left()
    assert 0 == await scene.service.consolidation.queue_left()
    await learn()
    assert ["Ben lives in Graz"] == await contents(raw)


async def test_who_does_not_take_part_cannot_ask(scene, learn) -> None:
    """A participant may ask for a session; others get `NotFound`, as for one that does not exist."""
    said = await scene.say("I live in Graz.", chat=scene.private)
    for viewer, session in ((Viewer(scene.ben.id), said.session_id), (Viewer(scene.maya.id), "none such")):
        with pytest.raises(NotFound):
            await scene.service.consolidation.ask(viewer, session)
    assert said.session_id == (await scene.service.consolidation.ask(Viewer(scene.maya.id), said.session_id)).id


# --- changes by people, and their effect on facts ---


async def test_what_was_forgotten_or_corrected_is_not_brought_back(scene, learn, raw) -> None:
    """A fact that somebody forgot or corrected is not extracted again when its session is consolidated again."""
    said = await scene.say("Ben works at Siemens. Ben lives in Graz.")
    await learn()
    ids = {row["content"]: row["memory"]["id"] for row in await raw(FOUND)}
    viewer = scene.viewer(scene.ben)
    await scene.service.facts.forget(viewer, ids["Ben lives in Graz"])
    await scene.service.facts.correct(viewer, ids["Ben works at Siemens"], "Ben works at Bosch", value="Bosch")
    for _ in range(2):
        await scene.service.consolidation.ask(viewer, said.session_id)
        await learn()
        assert ["Ben works at Bosch"] == await contents(raw)


async def test_with_a_turn_goes_what_was_found_in_it_alone(scene, learn, raw) -> None:
    """Forgetting a turn retires the facts found in it alone; facts with other evidence and pinned ones stay."""
    gone = await scene.say("Ben comes from Porto. Ben lives in Oslo. Ben works at Siemens.", at=scene.minutes(0))
    await scene.say("Ben lives in Oslo.", at=scene.minutes(1))
    await learn()
    ids = {row["content"]: row["memory"]["id"] for row in await raw(FOUND)}
    assert "Ben comes from Porto" in ids
    await scene.service.facts.pin(scene.viewer(scene.maya), ids["Ben works at Siemens"])
    await scene.service.facts.forget(scene.viewer(), gone.memory_id)
    loaded = await scene.service.memories.load(scene.viewer(), list(ids.values()))
    assert {"Ben lives in Oslo", "Ben works at Siemens"} == {memory.content for memory in loaded.values()}
    assert [] == await scene.service.doctor.examine()


async def test_what_was_found_in_a_turn_is_at_least_as_private(scene, learn, raw) -> None:
    """A fact gets the labels set on its turn, whether they were set before the extraction or after it."""
    for order in ("after", "before"):
        said = await scene.say(f"Ben works at {'Siemens' if order == 'after' else 'Bosch'}.")
        if order == "after":
            await learn()
        await scene.service.labels.set_sensitivity(scene.viewer(scene.maya), said.memory_id, Sensitivity.SENSITIVE)
        await scene.service.labels.set_portable(scene.viewer(scene.maya), said.memory_id, False)
        await learn()
    rows = await raw(FOUND)
    assert [("sensitive", False)] * 2 == [(r["memory"]["sensitivity"], r["memory"]["portable"]) for r in rows]
    assert [] == await scene.service.doctor.examine()


@pytest.mark.parametrize(("told", "expected"), [(Sensitivity.PERSONAL, "personal"), (Sensitivity.PUBLIC, "public")])
async def test_what_was_said_in_private_is_personal_at_least(scene, drain, raw, told, expected) -> None:
    """A fact from a private chat gets the sensitivity of the setting; the same fact from a group is public."""
    for chat in (scene.private, scene.group):
        await scene.say("Lars works at Siemens.", chat=chat)
    await drain()
    scene.service.clock.advance(timedelta(seconds=2))
    await another(scene.service, scene.service.consolidation._extractor, private=told).step()
    rows = {row["memory"]["owner_id"]: row["memory"]["sensitivity"] for row in await raw(FOUND)}
    assert {scene.maya.id: expected, "": "public"} == rows


async def test_what_an_owner_says_of_a_fact_holds(scene, learn, raw) -> None:
    """A fact from a private chat that its owner made public stays public when its turn is made sensitive, and when it
    is said again.
    """
    said = await scene.say("Lars works at Siemens.", chat=scene.private, at=scene.minutes(0))
    await learn()
    [row] = await raw(FOUND)
    maya = Viewer(scene.maya.id)
    await scene.service.labels.set_sensitivity(maya, row["memory"]["id"], Sensitivity.PUBLIC)
    await scene.service.labels.set_sensitivity(maya, said.memory_id, Sensitivity.SENSITIVE)
    await scene.say("Lars works at Siemens.", chat=scene.private, at=scene.minutes(60))
    await learn()
    assert ["public", "public"] == [row["memory"]["sensitivity"] for row in await raw(FOUND)]


async def test_a_guess_about_a_turn_is_one_about_its_facts(scene, learn, raw) -> None:
    """A sensitivity inferred for a turn applies to its facts as inferred, though their own words are not sensitive."""
    await scene.say("Bruno votes for the far right, and Bruno lives in Graz.")
    await learn()
    rows = await raw(FOUND)
    assert {"sensitive"} == {row["turn"]["sensitivity"] for row in rows}
    assert "Bruno lives in Graz" in [row["memory"]["content"] for row in rows]
    assert {("sensitive", "sensitivity")} == {
        (row["memory"]["sensitivity"], *row["memory"]["inferred_labels"]) for row in rows
    }


async def test_a_fact_follows_the_evidence_that_still_stands(scene, learn, raw) -> None:
    """A fact is as public as its most public evidence. When that turn is forgotten or made sensitive, the remaining
    turns decide.
    """
    turns = []
    for number in range(3):
        turns.append((await scene.say("Ben works at Siemens.", at=scene.minutes(60 * number))).memory_id)
        if number == 0:
            await scene.service.labels.set_sensitivity(scene.viewer(scene.maya), turns[0], Sensitivity.SENSITIVE)
        await learn()

    async def marks() -> set[str]:
        return {row["memory"]["sensitivity"] for row in await raw(FOUND)}

    assert {"public"} == await marks()
    await scene.service.facts.forget(scene.viewer(scene.maya), turns[1])
    assert {"public"} == await marks()
    await scene.service.labels.set_sensitivity(scene.viewer(scene.maya), turns[2], Sensitivity.PERSONAL)
    assert {"personal"} == await marks()
    await scene.service.facts.forget(scene.viewer(scene.maya), turns[2])
    assert {"sensitive"} == await marks()
    assert [] == await scene.service.doctor.examine()


async def test_writers_at_once_leave_a_fact_as_private_as_its_evidence(scene, learn, raw) -> None:
    """When two writers forget the two public turns of a fact at once, it becomes as sensitive as the third turn."""
    turns = [(await scene.say("Ben works at Siemens.", at=scene.minutes(60 * number))).memory_id for number in range(3)]
    await scene.service.labels.set_sensitivity(scene.viewer(scene.maya), turns[0], Sensitivity.SENSITIVE)
    await learn()
    await asyncio.gather(*(scene.service.facts.forget(scene.viewer(scene.maya), turn) for turn in turns[1:]))
    [row] = await raw("MATCH (m:Memory)-[:DERIVED_FROM]->() RETURN DISTINCT m.sensitivity AS mark")
    assert "sensitive" == row["mark"]


async def test_what_a_revised_turn_no_longer_says_is_no_evidence(scene, learn, raw) -> None:
    """A misread public turn makes a fact public. When it is read correctly, only the other, sensitive turn counts."""
    private = await scene.say("Lars lives in Oslo.", at=scene.minutes(-60))
    await scene.service.labels.set_sensitivity(scene.viewer(scene.maya), private.memory_id, Sensitivity.SENSITIVE)
    await scene.say("My brother Lars is a baker.", at=scene.minutes(0))
    await scene.say("He lives in Oslo.", at=scene.minutes(2))
    await learn()
    living = "MATCH (m:Memory {content: 'Lars lives in Oslo'}) RETURN m.sensitivity AS mark"
    assert [{"mark": "public"}] == await raw(living)
    await scene.say("And my brother Tom is a nurse.", at=scene.minutes(1))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    assert [{"mark": "sensitive"}] == await raw(living)


async def test_said_again_it_is_one_fact_with_more_evidence(scene, learn, raw) -> None:
    """A fact that the same person says again in another session stays one memory, with two turns as evidence and a
    higher confidence.
    """
    await scene.say("Ben lives in Graz.", at=scene.minutes(0))
    await learn()
    [first] = await raw(FOUND)
    await scene.say("Ben lives in Graz.")
    await learn()
    rows = await raw(FOUND)
    assert [first["memory"]["id"]] * 2 == [row["memory"]["id"] for row in rows]
    assert rows[0]["memory"]["confidence"] > first["memory"]["confidence"]


async def test_a_change_in_the_world_ends_what_held(scene, learn, raw) -> None:
    """A later value of the same aspect supersedes the earlier one, which ends when the later one begins."""
    await scene.say("Ben lives in Graz.", at=scene.minutes(0))
    await scene.say("Ben lives in Oslo.", at=scene.minutes(60))
    await learn()
    rows = await raw(
        "MATCH (new:Memory)-[:SUPERSEDES]->(old:Memory) RETURN new.content AS new, old.content AS old, "
        "old.valid_until = new.valid_from AS meet"
    )
    assert [{"new": "Ben lives in Oslo", "old": "Ben lives in Graz", "meet": True}] == rows


# --- ends, failures and concurrency ---


class Failing:
    """An extractor that fails on a dialogue with the word "crash", as a bad model would."""

    repeatable = True

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Returns what `inner` extracts. Raises `RuntimeError` for a dialogue with "crash"."""
        if any("crash" in turn.text for turn in dialogue.turns):
            raise RuntimeError("no idea")
        extraction: Extraction = await self.inner.extract(dialogue)
        return extraction


ENDED = [
    ("I have a dog called Rex.", "My dog Rex died.", {"Maya had a dog, Rex"}),
    (
        "I work at Brightwater.",
        "I don't work at Brightwater any more, I'm at NASA now.",
        {"Maya worked at Brightwater", "Maya works at NASA"},
    ),
    ("I have a dog called Rex.", "If my dog Rex died I would cry.", {"Maya has a dog, Rex"}),
]


@pytest.mark.parametrize(("before", "said", "holds"), ENDED)
async def test_what_is_said_to_be_over_ends(scene, learn, before: str, said: str, holds: set[str]) -> None:
    """A fact about a pet or a job ends when somebody says that it is over; a mere supposition does not end it."""
    for minute, words in enumerate((before, said)):
        await scene.say(words, at=scene.minutes(minute), chat=scene.private)
        await learn()
    card = (await scene.service.cards.cards(Viewer(scene.maya.id), [scene.maya.key]))[scene.maya.key]
    assert holds == {fact.content for fact in card.facts}


async def test_what_is_not_ready_holds_up_nothing(service, clock, raw) -> None:
    """Ended sessions whose turns still wait for their names are postponed by a second, which counts as no attempt. The
    sessions behind them are claimed meanwhile.
    """
    clock.stop()
    await raw(
        "UNWIND range(1, 70) AS n "
        "CREATE (s:Session:Pending {id: 's' + n, job: 'consolidate', attempts: 0, ended_at: $now, "
        "                           due_at: $now + duration({seconds: n})}) "
        "FOREACH (late IN CASE WHEN n < 61 THEN [s] ELSE [] END | "
        "  CREATE (late)<-[:IN_SESSION]-(:Memory:Pending {id: 'm' + n, session_id: late.id}))",
        now=clock(),
    )
    clock.advance(timedelta(minutes=2))

    async def claimed() -> list[str]:
        claim = await service.consolidation.queue.claim(32)
        return await service.consolidation.queue.ready(claim, "consolidation/ready")

    assert [] == await claimed()
    assert ["s61", "s62", "s63", "s64"] == await claimed()
    assert ["s65", "s66", "s67", "s68", "s69", "s70"] == await claimed()
    await raw("MATCH (m:Memory {id: 'm1'}) REMOVE m:Pending")
    assert [] == await claimed()
    clock.advance(timedelta(seconds=1))
    assert ["s1"] == [*await claimed(), *await claimed()]
    [row] = await raw("MATCH (s:Session {id: 's60'}) RETURN s.attempts AS attempts, s.worker AS worker")
    assert {"attempts": 0, "worker": None} == row


@pytest.mark.parametrize("whole", ["", "ended", "asked"])
async def test_a_request_while_a_session_is_read_is_not_lost(scene, drain, clock, whole) -> None:
    """A request for a session that is being read is kept: the next step reads the whole session. This also holds if all
    of it is being read already, since it has ended or somebody asked before.
    """
    said = await scene.say("Ben lives in Graz.")
    await drain()
    if whole == "ended":
        await scene.service.sessions.close(scene.viewer(), scene.group.id)
    elif whole == "asked":
        await scene.service.consolidation.ask(scene.viewer(), said.session_id)
    clock.advance(timedelta(seconds=2))
    async with being_read(scene.service) as worker:
        await scene.service.consolidation.ask(scene.viewer(), said.session_id)
    assert 1 == await worker.step()
    progress = await worker.progress()
    assert (1, 0) == (progress.consolidated, progress.waiting)


async def test_a_request_outlasts_a_failure(scene, drain, clock) -> None:
    """After a failure the next try also reads all of an open session that somebody asked for."""
    said = await scene.say("crash, please. Ben lives in Oslo.")
    await drain()
    await scene.service.consolidation.ask(scene.viewer(), said.session_id)
    clock.advance(timedelta(seconds=2))
    assert 1 == await another(scene.service, Failing(scene.service.consolidation._extractor)).step()
    clock.advance(timedelta(minutes=10))
    assert 1 == await scene.service.consolidation.step()
    assert 1 == (await scene.service.consolidation.progress()).consolidated


async def test_what_is_forgotten_while_it_is_read_is_no_fact(scene, drain, clock, raw) -> None:
    """A turn that is forgotten while a worker extracts from it gives no fact; the other turns of the session do."""
    gone = await scene.say("Ben lives in Graz.", at=scene.minutes(0))
    await scene.say("Maya lives in Oslo.", at=scene.minutes(1))
    await drain()
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    clock.advance(timedelta(seconds=2))
    async with being_read(scene.service):
        await scene.service.facts.forget(scene.viewer(scene.maya), gone.memory_id)
    assert [{"words": "Maya lives in Oslo"}] == await raw("MATCH (m:Semantic) RETURN m.content AS words")


class SlowExtractor:
    """An extractor that waits for a test: it sets `begun` when it is called, and goes on when `may_end` is set."""

    repeatable = True

    def __init__(self, inner: Any) -> None:
        self.inner, self.begun, self.may_end = inner, asyncio.Event(), asyncio.Event()

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Returns what `inner` extracts, once `may_end` is set."""
        self.begun.set()
        await self.may_end.wait()
        extraction: Extraction = await self.inner.extract(dialogue)
        return extraction


@asynccontextmanager
async def being_read(service: Any) -> AsyncIterator[Consolidation]:
    """Yields a worker that is extracting from what is due; the extraction goes on when the context closes."""
    slow = SlowExtractor(service.consolidation._extractor)
    worker = another(service, slow)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(worker.step())
        await slow.begun.wait()
        yield worker
        slow.may_end.set()


async def test_what_fails_is_tried_again_counted_and_put_aside(scene, clock, raw) -> None:
    """A session that fails does not stop the others. It is retried, given up after `MAX_ATTEMPTS` and counted with its
    reason; `retry_failed` queues it again.
    """
    clock.stop()
    bad = await scene.say("crash, please. Ben lives in Oslo.", chat=scene.private)
    await scene.say("Ben lives in Graz.")
    worker = another(scene.service, Failing(scene.service.consolidation._extractor))
    clock.advance(timedelta(seconds=2))
    for attempt in range(MAX_ATTEMPTS):
        assert (2 if attempt == 0 else 1) == await worker.step()
        assert 0 == await worker.step()
        clock.advance(timedelta(minutes=10))
    progress = await worker.progress()
    assert (0, 0, 1, {"RuntimeError: no idea": 1}) == (
        progress.waiting,
        progress.trying_again,
        progress.failed,
        dict(progress.reasons),
    )
    assert ["Ben lives in Graz"] == await contents(raw)
    assert 1 == await scene.service.consolidation.queue.retry_failed()
    await scene.service.consolidation.step()
    assert ["Ben lives in Graz", "Ben lives in Oslo"] == sorted(await contents(raw))
    assert 0 == (await worker.progress()).failed
    assert bad.session_id


async def test_a_worker_that_dies_loses_nothing(scene, clock, raw) -> None:
    """A session claimed by a worker that died is consolidated by another when the lease has ended, not before."""
    said = await scene.say("Ben lives in Graz.")
    clock.advance(timedelta(seconds=2))
    claim = await scene.service.consolidation.queue.claim(8)
    assert [said.session_id] == claim.ids
    assert 0 == await scene.service.consolidation.step()
    clock.advance(LEASE)
    assert 1 == await scene.service.consolidation.step()
    assert ["Ben lives in Graz"] == await contents(raw)
    assert 0 == (await scene.service.consolidation.progress()).waiting


class Slow:
    """A language model that waits for a test and then fails. `asked` has an event for each call, to let it go on."""

    repeatable = False

    def __init__(self) -> None:
        self.asked: asyncio.Queue[asyncio.Event] = asyncio.Queue()

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Raises `LlmFailed` once the event of this call is set."""
        answer = asyncio.Event()
        self.asked.put_nowait(answer)
        await answer.wait()
        raise LlmFailed("timeout")


async def test_what_outlasts_its_claim_goes_on_to_nothing_else(scene, drain, clock, raw) -> None:
    """A step whose lease ended during a slow session leaves the next session to the step that has claimed it since.
    Each fact is stored once.
    """
    await scene.say("Ben lives in Graz.", at=scene.minutes(0))
    await scene.say("Ben lives in Oslo.", at=scene.minutes(60))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await drain()
    clock.advance(timedelta(seconds=2))
    slow = Slow()
    worker = another(scene.service, FallbackExtractor(slow, scene.service.consolidation._extractor))
    async with asyncio.TaskGroup() as tasks:
        late = tasks.create_task(worker.step())
        answer = await slow.asked.get()
        clock.advance(LEASE)
        punctual = tasks.create_task(worker.step())
        punctual_answer = await slow.asked.get()
        answer.set()
        assert 2 == await late
        punctual_answer.set()
        (await slow.asked.get()).set()
    assert (2, True) == (punctual.result(), slow.asked.empty())
    assert {"Ben lives in Graz": 1, "Ben lives in Oslo": 1} == Counter(await contents(raw))
    assert 0 == (await worker.queue.backlog()).waiting


async def test_workers_at_once_find_everything_once(scene, drain, clock, raw) -> None:
    """Three workers that run at once, while messages arrive, store each statement as one memory, and miss none."""
    extractor = scene.service.consolidation._extractor
    workers = [another(scene.service, extractor) for _ in range(3)]
    places = ["Graz", "Oslo", "Porto", "Lisbon", "Vienna", "Bergen"]

    async def work(worker: Consolidation) -> None:
        for _ in range(12):
            clock.advance(timedelta(seconds=1))
            await worker.step()

    async def talk() -> None:
        for number, place in enumerate(places):
            await scene.say(f"I live in {place}.", at=scene.minutes(number))
            await asyncio.sleep(0.02)

    await asyncio.gather(talk(), *(work(worker) for worker in workers))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    while (await scene.service.consolidation.queue.backlog()).waiting:
        clock.advance(LEASE)
        await drain()
        await scene.service.consolidation.step()
    found = Counter(await contents(raw))
    assert dict.fromkeys([f"Maya lives in {place}" for place in places], 1) == found
    assert [] == await scene.service.doctor.examine()


async def test_a_long_session_goes_in_parts(scene, learn, raw) -> None:
    """All 220 turns of a session become evidence, though the facts are stored in batches of 100 turns."""
    places = ["Graz", "Oslo", "Zadar", "Ptuj"]
    turns = [Turn(f"Ben lives in {places[n % 4]}.", scene.maya.id) for n in range(220)]
    await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)
    await learn()
    [row] = await raw("MATCH (:Memory)-[from:DERIVED_FROM]->(turn) RETURN count(DISTINCT turn) AS turns")
    assert 220 == row["turns"]


# --- with a language model ---

SAID = "Graz, that would be it! Anyway. Ben lives in Oslo."
LIKES = {
    "frame": "like",
    "turn": 0,
    "quotation": "Graz, that would be it!",
    "about": {"name": "Ben Okafor", "type": "Person"},
    "time": "present",
    "slots": {"thing": "Graz"},
    "confidence": 0.9,
    "sensitivity": None,
    "portable": False,
}


async def told_by(scene: Any, server: Server, drain: Any, answering: Answering) -> Any:
    """Records `SAID` in a session that ends, consolidates it with a model that answers so, and returns the progress."""
    server.answering = answering
    await scene.say(SAID)
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await drain()
    scene.service.clock.advance(timedelta(seconds=2))
    async with model(scene, server) as worker:
        assert 1 == await worker.step()
        return await worker.progress()


@asynccontextmanager
async def model(scene: Any, server: Server, *, local: bool = True) -> AsyncIterator[Consolidation]:
    """Yields a worker that asks the language model of `server`, with the local extractor as fallback if `local`."""
    endpoint = Endpoint(
        f"http://127.0.0.1:{server.port}/v1",
        "some-model",
        api_key=None,
        timeout_s=600,
        ledger=scene.service.model_uses,
    )
    beside = scene.service.consolidation._extractor if local else None
    yield another(scene.service, FallbackExtractor(LlmExtractor(endpoint), beside))
    await endpoint.close()


async def test_a_language_model_reads_whole_sessions(scene, llm_server, drain, raw) -> None:
    """A finding of a language model is stored like one of the local extractor. A finding about somebody whom nobody
    mentioned is dropped and counted.
    """
    invented = {**LIKES, "about": {"name": "Zoe Karlsson", "type": "Person"}}
    progress = await told_by(scene, llm_server, drain, says({"findings": [LIKES, invented]}))
    [found] = await raw(FOUND)
    assert ("Maya says that Ben likes Graz", ["person:ben_okafor"]) == (found["content"], found["about"])
    memory, words = found["memory"], found["link"]["words"]
    assert ("like", False, False, "Graz, that would be it!") == (
        memory["frame"],
        memory["portable"],
        memory["own_portable"],
        words,
    )
    assert (1, {"nobody spoke of them": 1}, 0) == (progress.consolidated, dict(progress.dropped), progress.owed)


async def test_what_a_language_model_says_later_takes_the_place_of_what_it_said(scene, llm_server, drain, raw) -> None:
    """A later fact of the local extractor supersedes one of the language model that fills the same frame."""
    oslo = {"place": {"words": "Oslo", "type": "Place"}}
    home = {**LIKES, "frame": "home", "quotation": "Ben lives in Oslo", "slots": oslo}
    await told_by(scene, llm_server, drain, says({"findings": [home]}))
    await scene.say("Ben lives in Graz.")
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await drain()
    scene.service.clock.advance(timedelta(seconds=2))
    assert 1 == await scene.service.consolidation.step()
    [replaced] = await raw(
        "MATCH (new)-[:SUPERSEDES]->(old) "
        "RETURN new.content AS new, old.content AS old, old.valid_until.year < 9999 AS over"
    )
    assert {"new": "Ben lives in Graz", "old": "Ben lives in Oslo", "over": True} == replaced


async def test_what_a_language_model_found_outlasts_its_bad_days(scene, llm_server, drain, raw) -> None:
    """A session that the model has read is not sent to it again. When it fails on new turns, the facts that it found
    before stay.
    """
    await told_by(scene, llm_server, drain, says({"findings": [LIKES]}))
    [session] = await raw("MATCH (s:Session) RETURN s.id AS id")
    asked = len(llm_server.requests)
    async with model(scene, llm_server) as worker:
        await worker.ask(scene.viewer(), session["id"])
        assert 1 == await worker.step()
        assert asked == len(llm_server.requests)
        llm_server.answering = sends(http(b"{}", "500 Oops"))
        await scene.say("I live in Oslo.", session_id=session["id"])
        await drain()
        scene.service.clock.advance(timedelta(seconds=2))
        assert 1 == await worker.step()
    assert asked < len(llm_server.requests)
    assert {"Maya says that Ben likes Graz", "Maya lives in Oslo"} <= set(await contents(raw))


@pytest.mark.parametrize(
    ("answering", "outcome"),
    [
        (sends(http(b"{}", "500 Oops")), "failed"),
        (says("I cannot do that, sorry."), "invalid"),
        (says({"findings": "DROP"}), "invalid"),
        (sends(b""), "failed"),
    ],
)
async def test_when_it_fails_the_local_extractor_serves(scene, llm_server, drain, raw, answering, outcome) -> None:
    """The local extractor reads a session on which the model fails. The failure is counted, and the session is owed to
    the model, which reads it when it answers again.
    """
    progress = await told_by(scene, llm_server, drain, answering)
    assert ["Ben lives in Oslo"] == await contents(raw)
    assert (1, {}, 1) == (progress.consolidated, dict(progress.dropped), progress.owed)
    [use] = await scene.service.model_uses.counts()
    assert ("facts", 1, 1, True) == (use.name, use.asked, getattr(use, outcome), use.fails)
    llm_server.answering = says({"findings": [LIKES]})
    assert 1 == await scene.service.causal_inference.step()
    scene.service.clock.advance(timedelta(seconds=2))
    await drain()
    assert 1 == await scene.service.conflicts.step()
    assert 1 == await scene.service.model_uses.queue_owed()
    async with model(scene, llm_server) as worker:
        assert 1 == await worker.step()
        assert ["Maya says that Ben likes Graz"] == await contents(raw)
        assert 0 == (await worker.progress()).owed
    assert 0 == await scene.service.model_uses.queue_owed()


async def test_without_a_local_extractor_what_the_model_did_not_read_waits(scene, llm_server, drain, raw) -> None:
    """Without a local extractor, a session on which the model fails gives no fact until the model answers."""
    llm_server.answering = sends(b"")
    await scene.say(SAID)
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await drain()
    scene.service.clock.advance(timedelta(seconds=2))
    async with model(scene, llm_server, local=False) as worker:
        assert 1 == await worker.step()
        assert [] == await contents(raw)
        llm_server.answering = says({"findings": [LIKES]})
        assert 1 == await scene.service.causal_inference.step()
        assert 1 == await scene.service.conflicts.step()
        assert 1 == await scene.service.model_uses.queue_owed()
        assert 1 == await worker.step()
    assert ["Maya says that Ben likes Graz"] == await contents(raw)


async def test_in_a_group_what_is_told_in_confidence_makes_no_fact(scene, llm_server, drain, raw) -> None:
    """In a group, a turn in which the language model finds a secret gives no facts."""
    secret = {**LIKES, "frame": "secret", "slots": {"what": "that would be it"}}
    await told_by(scene, llm_server, drain, says({"findings": [secret, LIKES]}))
    assert [] == await contents(raw)
