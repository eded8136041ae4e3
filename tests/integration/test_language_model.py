"""The service with a language model: as it is wired itself, against a fake server that answers or fails."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from hippograph.api.models import job_models
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import open_service
from hippograph.graph.jobs.model_uses import ModelUses
from hippograph.graph.knowledge.conflicts import Conflicts
from hippograph.graph.model import NO_END, Viewer
from hippograph.graph.writing.fact import Fact
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.language import load_language
from hippograph.nlp.llm.uses import Use
from tests.conftest import free_port
from tests.integration.conftest import work_off
from tests.llm_server import Answering, Request, Server, answers, completion, http, says, sends

MOVED = "Seit Mai wohne ich in Graz und arbeite bei Brightwater."
SOLD = "Der Vermieter hat unsere Wohnung in Ljubljana verkauft."
LEFT = "Also sind wir mit dem Hund nach Graz gezogen."
LOVES = "Ich liebe Kaffee."
HATES = "Heiße Getränke kann ich nicht ausstehen."
GERMAN = (SOLD, LEFT, MOVED, LOVES, HATES)
FACTS = {
    MOVED: [
        ("home", {"place": {"words": "Graz", "type": "Place"}, "since": {"words": "Seit Mai", "date": "2023-05"}}),
        ("work", {"employer": {"words": "Brightwater", "type": "Organization"}}),
    ],
    LOVES: [("like", {"thing": "Kaffee"})],
    HATES: [("dislike", {"thing": "Heiße Getränke"})],
}

Open = Callable[..., Any]
Told = dict[str, Any]

_load_language = cache(load_language)
"""Loads spaCy's model once for all services of this module."""


def facts(told: Told) -> Told:
    """Returns the findings of a model that understands German: those in `FACTS`."""
    common = {"about": {"name": "Maya Lindqvist", "type": "Person"}, "time": "present", "confidence": 0.9}
    return {
        "findings": [
            {"frame": frame, "turn": turn["turn"], "quotation": turn["said"], "slots": slots, **common}
            for turn in told["turns"]
            for frame, slots in FACTS.get(turn["said"], [])
        ]
    }


def causes(told: Told) -> Told:
    """Returns judgements by which the sale caused the move."""
    return judged(told, lambda earlier, later: SOLD in earlier and LEFT in later)


def conflicts(told: Told) -> Told:
    """Returns judgements by which liking coffee contradicts disliking hot drinks."""
    both = ("Maya likes Kaffee", "Maya dislikes Heiße Getränke")
    return judged(told, lambda earlier, later: all(each in earlier + later for each in both))


def judged(told: Told, so: Callable[[str, str], bool]) -> Told:
    """Returns judgements: confidence 0.9 for the pairs for which `so` is true, 0.1 for the others."""
    return {
        "judgements": [
            {"pair": each["pair"], "confidence": 0.9 if so(each["earlier"], each["later"]) else 0.1}
            for each in told["pairs"]
        ]
    }


def talk_summary(told: Told) -> Told:
    """Returns the same sentence twice for each section of the draft, with a source that names Graz."""
    [number] = [each["number"] for each in told["sources"] if "Graz" in each["text"]][:1]
    sections = dict.fromkeys(each["section"] for each in told["draft"])
    sentence = {"text": "Maya wohnt jetzt in Graz.", "sources": [number]}
    return {"sentences": [{"section": section, **sentence} for section in sections for _ in range(2)]}


def entity_summary(told: Told) -> Told:
    """Returns two sentences that cite the first source; the second is not supported by it."""
    return {
        "sentences": [
            {"text": "Das ist, was man weiß.", "sources": [1]},
            {"text": "Maya wohnt in Wien.", "sources": [1]},
        ]
    }


RIGHT = answers(
    {
        Use.FACTS: facts,
        Use.CAUSES: causes,
        Use.CONFLICTS: conflicts,
        Use.TALK_SUMMARIES: talk_summary,
        Use.ENTITY_SUMMARIES: entity_summary,
    }
)


@pytest.fixture
def with_model(settings: Settings, service: Service, llm_server: Server) -> Open:
    """Returns a function that opens a service as commands do, on the tests' Neo4j, with the fake language model."""
    where = service.connection

    @asynccontextmanager
    async def opened(**more: Any) -> AsyncIterator[Service]:
        own = settings.model_copy(
            update={
                "neo4j_uri": where.uri,
                "neo4j_user": where.user,
                "neo4j_password": SecretStr(where.password),
                "llm_base_url": f"http://127.0.0.1:{llm_server.port}/v1",
                "llm_model": "some-model",
                "entity_enrichment_min_mentions": 1,
                **more,
            }
        )
        with patch.object(job_models, "load_language", _load_language):
            async with open_service(own, clock=service.clock, vectors=False, names=True) as found:
                yield found

    return opened


async def talk(scene: Any, words: tuple[str, ...], start: int = 0) -> None:
    """Maya says these words in her private chat, one turn a minute from minute `start` on; the session is closed."""
    for minute, each in enumerate(words):
        await scene.say(each, at=scene.minutes(start + minute), chat=scene.private)
    await scene.service.sessions.close(scene.viewer(), scene.private.id)


async def contents(raw: Any) -> list[str]:
    """Returns the contents of the current facts that were found in turns, sorted."""
    rows = await raw(
        "MATCH (m:Memory)-[:DERIVED_FROM]->(:Episodic) WHERE NOT m:Summary AND m.retired_at = $no_end "
        "RETURN DISTINCT m.content AS content ORDER BY content",
        no_end=NO_END,
    )
    return [row["content"] for row in rows]


async def linked(raw: Any, type_: str) -> list[tuple[str, str]]:
    """Returns the contents at both ends of each relationship of a type."""
    rows = await raw(f"MATCH (a)-[:{type_}]->(b) RETURN a.content AS a, b.content AS b")
    return [(row["a"], row["b"]) for row in rows]


async def summaries(raw: Any, label: str) -> list[str]:
    """Returns the contents of the current summaries with a label, sorted."""
    rows = await raw(
        f"MATCH (s:{label}) WHERE s.retired_at = $no_end RETURN s.content AS content ORDER BY content", no_end=NO_END
    )
    return [row["content"] for row in rows]


async def test_a_german_session_becomes_knowledge(scene, raw, llm_server, with_model) -> None:
    """A German session yields facts with frames, a cause, a contradiction and summaries, and each use is counted."""
    llm_server.answering = RIGHT
    await talk(scene, GERMAN)
    async with with_model() as own:
        await work_off(own)
        progress, uses = await own.consolidation.progress(), await own.model_uses.counts()
        card = (await own.cards.cards(Viewer(scene.maya.id), [scene.maya.key]))[scene.maya.key]
        assert [] == await own.doctor.examine()
    assert [
        "Maya dislikes Heiße Getränke",
        "Maya likes Kaffee",
        "Maya lives in Graz (since May 2023)",
        "Maya works at Brightwater",
    ] == await contents(raw)
    claims = await raw("MATCH (m:Memory) WHERE m.frame IS NOT NULL RETURN m.claim_key AS key, m.value_key AS value")
    assert {"lives_in": "graz", "works_at": "brightwater"} == {
        row["key"].rpartition("|")[2]: row["value"] for row in claims if "_in" in row["key"] or "_at" in row["key"]
    }
    assert any("Graz" in each for each in card.items)
    assert [(SOLD, LEFT)] == await linked(raw, "CAUSAL")
    [clash] = await linked(raw, "CONTRADICTS")
    assert {"Maya likes Kaffee", "Maya dislikes Heiße Getränke"} == set(clash)
    assert ["Maya wohnt jetzt in Graz."] == await summaries(raw, "SessionSummary")
    assert {"Das ist, was man weiß."} == set(await summaries(raw, "EntitySummary"))
    assert ({}, 0) == (dict(progress.dropped), progress.owed)
    assert set(Use) == {use.name for use in uses}
    assert all(use.asked == use.answered > 0 and not use.fails for use in uses)


@pytest.mark.parametrize("limits", [{"facts": 0, "causes": 0}, {"talk_summaries": 0}])
async def test_a_use_without_a_budget_is_left_out(
    scene, llm_server, with_model, settings: Settings, limits: dict[str, int]
) -> None:
    """The model is never asked for a use with a budget of 0, and no session waits for it."""
    llm_server.answering = RIGHT
    await talk(scene, GERMAN)
    async with with_model(llm_daily_calls={**settings.llm_daily_calls, **{Use(use): 0 for use in limits}}) as own:
        await work_off(own)
        assert 0 == (await own.consolidation.progress()).owed
    asked = {request["response_format"]["json_schema"]["name"] for request in llm_server.requests}
    assert set(limits).isdisjoint(asked)
    assert asked


async def slowly(request: Request, writer: asyncio.StreamWriter) -> None:
    """Never answers."""
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("answering", "outcome"),
    [
        (None, "failed"),
        (slowly, "timed_out"),
        (says("Zwei mal drei macht vier, widdewiddewitt!"), "invalid"),
        (says({"findings": [7], "judgements": 7, "sentences": {"a": 1}}), "invalid"),
        (sends(http(completion(None, refusal="No."))), "refused"),
        (sends(http(b"{}", "401 Unauthorized")), "failed"),
    ],
)
async def test_without_its_model_the_service_does_it_by_itself(
    scene, raw, llm_server, with_model, caplog: pytest.LogCaptureFixture, answering: Answering | None, outcome: str
) -> None:
    """If the model is down, slow, answers nonsense or refuses, the local methods do its work, and nothing is dropped.
    Each failure is counted, and the first of each use is logged. Sessions that only the model can read wait until it
    answers again.
    """
    port = free_port() if answering is None else llm_server.port
    llm_server.answering = answering or slowly
    await talk(scene, ("I live in Oslo.", "We moved because the rent was too high."))
    await talk(scene, GERMAN, start=120)
    patience = 0.2 if answering is slowly else 60
    async with with_model(llm_base_url=f"http://127.0.0.1:{port}/v1", llm_timeout_s=patience) as own:
        with caplog.at_level(logging.WARNING, "hippograph.graph.jobs.model_uses"):
            await work_off(own)
        progress = await own.consolidation.progress()
        uses = {use.name: use for use in await own.model_uses.counts()}
        findings = [each.what for each in await own.doctor.examine()]
    assert ["Maya lives in Oslo"] == await contents(raw)
    assert (2, {}, 2) == (progress.consolidated, dict(progress.dropped), progress.owed)
    assert {Use.FACTS, Use.CAUSES, Use.TALK_SUMMARIES, Use.ENTITY_SUMMARIES} == set(uses)
    assert all(use.asked == getattr(use, outcome) > 0 and use.fails for use in uses.values())
    assert sorted(uses) == sorted(each.args[0] for each in caplog.records if "fails for" in each.message)
    assert {f"calls of the language model for {use} that failed, the last one too" for use in uses} == set(findings)
    assert 2 == len(await summaries(raw, "SessionSummary"))
    assert ["Maya lives in Oslo."] == list(set(await summaries(raw, "EntitySummary")))
    llm_server.answering = RIGHT
    async with with_model() as own:
        while await own.model_uses.queue_owed():
            await work_off(own)
        assert 0 == (await own.consolidation.progress()).owed
        assert not [each.what for each in await own.doctor.examine() if "facts" in each.what]
    assert {"Maya works at Brightwater", "Maya likes Kaffee"} <= set(await contents(raw))
    assert [(SOLD, LEFT)] == await linked(raw, "CAUSAL")


async def test_a_day_has_a_budget(service: Service, clock: Any) -> None:
    """All processes share the daily budget of a use. Calls that exceed it are refused as a whole, and counted. The next
    day has a new budget.
    """
    one, other = (ModelUses(service.database, clock, {Use.CAUSES: 3}) for _ in range(2))
    await one.spend(Use.CAUSES, 2)
    with pytest.raises(LlmFailed, match="budget"):
        await other.spend(Use.CAUSES, 2)
    await other.spend(Use.CAUSES, 1)
    [use] = await one.counts()
    assert (3, 1, 0) == (use.spent_today, use.over_budget, use.asked)
    clock.advance(timedelta(days=1))
    await other.spend(Use.CAUSES, 3)


async def test_it_is_told_to_who_watches(scene, ask, client, llm_server, with_model) -> None:
    """An administrator reads the counts of each use by GraphQL, and `/metrics` has the calls and outcomes of all
    processes.
    """
    llm_server.answering = RIGHT
    await talk(scene, GERMAN)
    async with with_model() as own:
        await work_off(own)
    answer = await ask("{ languageModel { use asked answered invalid failure } consolidation { owed } }")
    told = {each["use"]: each for each in answer["data"]["languageModel"]}
    assert set(Use) == set(told)
    assert (told["facts"]["asked"], 0, None) == (
        told["facts"]["answered"],
        told["facts"]["invalid"],
        told["facts"]["failure"],
    )
    found = {
        (sample.name, sample.labels.get("use"), sample.labels.get("outcome")): sample.value
        for family in text_string_to_metric_families((await client.get("/metrics")).text)
        for sample in family.samples
    }
    assert told["causes"]["asked"] == found["hippograph_llm_asked_total", "causes", None]
    assert told["causes"]["answered"] == found["hippograph_llm_outcomes_total", "causes", "answered"]


async def test_contradictions_are_looked_for_once(scene, raw, service: Service, clock: Any) -> None:
    """A session is searched once for contradictions, among facts of one scope about the same entity that share no key.
    Without a judge the session is only taken off the queue.
    """
    seen: list[tuple[str, str]] = []

    class Judge:
        async def judge(self, pairs: Any) -> list[float]:
            seen.extend(pairs)
            return [0.9] * len(pairs)

    for viewer, words in ((scene.maya, "Ben likes tea"), (scene.me, "Ben likes chess")):
        viewer_id = viewer if isinstance(viewer, str) else viewer.id
        await service.facts.remember(Viewer(viewer_id), [Fact(words, about=(scene.ben.key,))])
    await talk(scene, ("Ben lives in Oslo.",))
    await work_off(service)
    for judge, pairs in ((None, 0), (Judge(), 1), (Judge(), 1)):
        await raw(
            "MATCH (s:Session) SET s:Pending, s.job = 'find_conflicts', s.attempts = 0, s.due_at = $now", now=clock()
        )
        if judge is not None and not seen:
            await raw("MATCH (s:Session) REMOVE s.conflicts_at")
        assert 1 == await Conflicts(service.database, clock, slot=service.slot, judge=judge).step()
        assert pairs == len(seen)
        assert [] == await raw("MATCH (s:Session:Pending) RETURN s.id")
    assert ["Ben likes tea"] == [earlier.partition(": ")[2] for earlier, _ in seen]
    assert [("Ben lives in Oslo", "Ben likes tea")] == await linked(raw, "CONTRADICTS")
