import asyncio
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.graph.errors import DatabaseTimedOut
from hippograph.graph.jobs.queue import LEASE, MAX_ATTEMPTS, Backlog
from hippograph.graph.jobs.runner import Runner
from hippograph.graph.knowledge.enrichment import Enrichment
from hippograph.graph.knowledge.entity_resolution.entity_linking import decide
from hippograph.graph.knowledge.entity_resolution.mentions import resolve
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.retrieval.fusion import FULL_TEXT
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.writing.recording import Turn
from hippograph.nlp.embedding.embedder import Embedding
from hippograph.nlp.names.recognition import Name
from tests.integration.conftest import statements_of

DIMENSIONS = 384


class Reader:
    """A fake embedder with one fixed vector. It records the texts it reads, and raises if one contains `unreadable`."""

    has_tokens = True
    max_tokens = 512

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """A vector for each text."""
        if any("unreadable" in text for text in texts):
            raise ValueError("this cannot be read")
        self.read += texts
        return [Embedding([1.0] + [0.0] * (DIMENSIONS - 1), tokens="") for _ in texts]


class NoNames:
    """A fake name finder that finds no names, and raises if a text contains `unreadable`."""

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """No names."""
        if any("unreadable" in text for text in texts):
            raise RuntimeError("stumbled")
        return [[] for _ in texts]


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    """A pool of two threads in which the models run."""
    with ThreadPoolExecutor(2) as pool:
        yield pool


@pytest.fixture
def worker(service: Service, executor: ThreadPoolExecutor) -> Any:
    """Returns a function that makes enrichment workers on the service's graph."""
    slot = service.enrichment._slot

    def make(reader: Any = None, *, names: Any = None, batch_size: int = 16, **changes: Any) -> Enrichment:
        options = {"embedder": reader or Reader(), "slot": slot, "name_finder": names, **changes}
        return Enrichment(service.database, service.clock, executor=executor, batch_size=batch_size, **options)

    return make


async def mentions(raw: Any, memory_id: str) -> set[str]:
    """Returns the keys of the entities that a memory mentions."""
    rows = await raw("MATCH (:Memory {id: $id})-[:MENTIONS]->(e) RETURN e.key AS key", id=memory_id)
    return {row["key"] for row in rows}


# --- the queue ---


async def test_what_is_recorded_waits_and_then_is_done(scene, drain, raw) -> None:
    """A new memory is pending. Afterwards it has its vector, the name of the model, and no properties of the queue."""
    stored = await scene.say("The bread is from the Kornblume.")
    assert Backlog(1, 0, 0, {}) == await scene.service.enrichment.queue.backlog()
    assert 2 == await drain()  # the memory, then the Kornblume
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m {.*} AS m, m:Pending AS pending", id=stored.memory_id)
    memory = row["m"]
    assert (False, DIMENSIONS) == (row["pending"], len(memory["embedding_a"]))
    assert scene.service.settings.embedding_model == memory["embedding_model_a"]
    assert set() == {"job", "due_at", "worker", "attempts", "failure"} & set(memory)
    assert Backlog(0, 0, 0, {}) == await scene.service.enrichment.queue.backlog()


async def test_several_workers_do_each_memory_once(scene, worker) -> None:
    """Four concurrent workers read each memory exactly once."""
    turns = [Turn(f"message {n}", scene.maya.id, scene.minutes(n / 100)) for n in range(300)]
    await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)
    reader = Reader()

    async def work(path: Enrichment) -> int:
        total = 0
        while done := await path.step():
            total += done
        return total

    done = await asyncio.gather(*(work(worker(reader, batch_size=7)) for _ in range(4)))
    assert 300 == sum(done)
    assert sorted(f"Maya Lindqvist 4 March 2024: message {n}" for n in range(300)) == sorted(reader.read)
    assert 0 == (await scene.service.enrichment.queue.backlog()).waiting


async def test_running_workers_finish_what_comes_meanwhile(scene, worker) -> None:
    """Running workers process memories that are recorded meanwhile, and end when they are stopped."""
    stop, reader = asyncio.Event(), Reader()
    running = [asyncio.create_task(Runner([worker(reader)]).run(stop)) for _ in range(2)]
    for number in range(20):
        await scene.say(f"message {number}", at=scene.minutes(number))
    while (backlog := await scene.service.enrichment.queue.backlog()).waiting:  # noqa: ASYNC110  # no event to wait for
        await asyncio.sleep(0.02)
    stop.set()
    await asyncio.gather(*running)
    assert (Backlog(0, 0, 0, {}), 20) == (backlog, len(reader.read))


async def test_an_idle_worker_asks_for_all_jobs_at_once(scene, service, worker) -> None:
    """While nothing is due, one query asks for all jobs and no job claims; a turn recorded meanwhile is enriched."""

    async def until(statement: str, times: int) -> None:
        while ran[statement] < times:  # noqa: ASYNC110  # no event to wait for
            await asyncio.sleep(0.02)

    stop, jobs = asyncio.Event(), [worker(), service.consolidation, service.conflicts]
    with statements_of(service) as ran:
        running = asyncio.create_task(Runner(jobs).run(stop))
        await until("queue/due", 3)
        assert 2 * len(jobs) == ran["queue/claim"]
        await scene.say("message")
        await until("enrichment/complete_memories.a", 1)
        stop.set()
        await running
    assert Backlog(0, 0, 0, {}) == await service.enrichment.queue.backlog()


async def test_a_crash_after_the_claim_loses_nothing(scene, worker, database, clock) -> None:
    """A memory that a worker claimed and never finished is processed by another worker once the lease has ended."""
    await scene.say("The bread is from the Kornblume.")
    clock.stop()
    other = worker()
    claimed = await other.queue.claim(10)
    assert (1, 0) == (len(claimed.items), await other.step())
    clock.advance(LEASE - timedelta(seconds=5))
    assert 0 == await other.step()
    clock.advance(timedelta(seconds=6))
    assert 1 == await other.step()
    assert 0 == (await other.queue.backlog()).waiting


async def test_who_lost_its_lease_writes_nothing(scene, worker, database, clock, raw) -> None:
    """A worker that lost its lease to another does not overwrite what the other wrote."""
    stored = await scene.say("The bread is from the Kornblume.")
    slow = await scene.service.enrichment.queue.claim(10)
    clock.advance(2 * LEASE)
    await worker().step()
    late = [{"id": stored.memory_id, "vector": [9.0] * DIMENSIONS, "names": []}]
    assert [] == await database.run(
        "enrichment/complete_memories.a", rows=late, worker=slow.worker, model="slow", now=clock()
    )
    [row] = await raw("MATCH (m:Memory) RETURN m.embedding_a[0] AS first, m.embedding_model_a AS model")
    assert {"first": 1.0, "model": scene.service.settings.embedding_model} == row


# --- failures ---


async def test_a_failure_costs_only_itself(scene, worker, clock, raw) -> None:
    """In a batch with one unreadable text, the others are done. That one stays queued with the reason."""
    clock.stop()
    await scene.say("one")
    await scene.say("this is unreadable")
    await scene.say("two")
    path = worker()
    assert 3 == await path.step()
    assert Backlog(1, 1, 0, {}) == await path.queue.backlog()
    [row] = await raw("MATCH (m:Memory&Pending) RETURN m.content AS content, m.failure AS failure")
    assert {"content": "this is unreadable", "failure": "ValueError: this cannot be read"} == row
    assert 0 == await path.step()


async def test_a_name_that_cannot_be_looked_up_costs_only_its_memory(scene, worker, raw, monkeypatch) -> None:
    """If resolving a name fails, its memory stays queued with the reason; the rest of the batch is written."""

    async def stumbling(database: Any, executor: Any, names: Any) -> Any:
        if any("cursed" in name.text.lower() for name in names):
            raise ValueError("what a name!")
        return await resolve(database, executor, names)

    monkeypatch.setattr("hippograph.graph.knowledge.enrichment.resolve", stumbling)
    for text in ("fine one", "the cursed Cursed", "fine two"):
        await scene.say(text)

    class Cursed(NoNames):
        def find(self, texts: Sequence[str]) -> list[list[Name]]:
            return [[Name("Cursed", "Person", 4, 10)] if "Cursed" in text else [] for text in texts]

    slow = worker(Reader(), names=Cursed())
    while await slow.step():
        pass
    [row] = await raw("MATCH (m:Memory&Pending) RETURN m.content AS content, m.failure AS failure")
    assert {"content": "the cursed Cursed", "failure": "ValueError: what a name!"} == row


class OneName(NoNames):
    """A name finder that takes each capitalized word after the first word for the name of a person."""

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """Returns the names in each text."""
        return [
            [Name(match[0], "Person", *match.span()) for match in re.finditer(r"(?<= )[A-Z][a-z]+", text)]
            for text in texts
        ]


async def test_names_are_compared_off_the_loop(scene, worker, monkeypatch) -> None:
    """Names are compared in the executor, never in the thread of the event loop."""
    threads = set()

    def noted(*given: Any) -> Any:
        threads.add(threading.get_ident())
        return decide(*given)

    monkeypatch.setattr("hippograph.graph.knowledge.entity_resolution.mentions.decide", noted)
    path = worker(Reader(), names=OneName())
    for text in ("I met Makesh", "I met Mukesh"):
        await scene.say(text)
        while await path.step():
            pass
    assert threads
    assert threading.get_ident() not in threads


async def test_a_batch_that_runs_out_of_time_is_written_in_parts(scene, worker, clock, raw, monkeypatch) -> None:
    """A batch that times out is written in halves. A memory that times out alone is retried without a limit."""
    busy = [True]

    async def slow(database: Any, executor: Any, names: Any) -> Any:
        if busy and any(name.text == "Makesh" for name in names):
            raise DatabaseTimedOut("busy")
        return await resolve(database, executor, names)

    monkeypatch.setattr("hippograph.graph.knowledge.enrichment.resolve", slow)
    for text in ("I met Makesh", "nobody", "I met Vera", "nobody else"):
        await scene.say(text)
    path = worker(Reader(), names=OneName())
    for _ in range(MAX_ATTEMPTS + 2):
        await path.step()
        clock.advance(timedelta(minutes=10))
    waiting = await raw("MATCH (m:Memory&Pending) RETURN m.content AS content, m.failure AS failure")
    assert [{"content": "I met Makesh", "failure": "DatabaseTimedOut: busy"}] == waiting
    busy.clear()
    while await path.step():
        pass
    assert Backlog(0, 0, 0, {}) == await path.queue.backlog()


async def test_pauses_grow_and_end(scene, worker, clock, raw) -> None:
    """A memory that keeps failing is tried six times with pauses that double, then given up and reported by doctor."""
    clock.stop()
    await scene.say("this is unreadable")
    path, pauses = worker(), []
    for _ in range(MAX_ATTEMPTS - 1):
        before = clock()
        assert 1 == await path.step()
        [row] = await raw("MATCH (m:Memory&Pending) RETURN m.due_at AS due")
        pause = row["due"] - before
        pauses.append(round(pause.total_seconds()))
        assert 0 == await path.step()
        clock.advance(pause + timedelta(seconds=1))
    assert [5, 10, 20, 40, 80] == pauses
    assert 1 == await path.step()
    assert Backlog(0, 0, 1, {"ValueError: this cannot be read": 1}) == await path.queue.backlog()
    clock.advance(timedelta(days=30))
    assert 0 == await path.step()
    [finding] = await scene.service.doctor.examine()
    assert (1, ("1x ValueError: this cannot be read",)) == (finding.count, finding.examples)
    assert "--retry-failed" in finding.mend


async def test_what_failed_can_be_tried_again(scene, worker, clock) -> None:
    """`retry_failed` requeues a memory that was given up, with its attempts reset; it is done once it can be read."""
    await scene.say("this is unreadable")
    path = worker()
    for _ in range(MAX_ATTEMPTS):
        await path.step()
        clock.advance(timedelta(minutes=10))
    assert (0, 1) == ((await path.queue.backlog()).waiting, await path.queue.retry_failed())
    assert 1 == (await path.queue.backlog()).waiting
    await path.step()
    assert 1 == (await path.queue.backlog()).trying_again

    class Forgiving(Reader):
        def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
            return super().embed_documents([text.replace("unreadable", "") for text in texts])

    clock.advance(timedelta(minutes=10))
    assert 1 == await worker(Forgiving()).step()
    assert Backlog(0, 0, 0, {}) == await path.queue.backlog()
    assert 0 == await path.queue.retry_failed()
    assert [] == await scene.service.doctor.examine()


async def test_a_name_finder_that_stumbles_is_a_failure_too(scene, worker) -> None:
    """If the name finder fails, the memory stays queued with the reason, although it could be embedded."""
    stored = await scene.say("this is unreadable")
    path = worker(Forgetful(), names=NoNames())
    await path.step()
    assert (("RuntimeError: stumbled"), 1) == (
        await reason(scene, stored.memory_id),
        (await path.queue.backlog()).waiting,
    )


class Forgetful(Reader):
    """An embedder that can read every text."""

    def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """A vector for each text, whatever it contains."""
        return super().embed_documents(["…"] * len(texts))


async def reason(scene: Any, memory_id: str) -> str:
    """Returns the reason why a memory failed. Asserts that exactly one item waits for a retry."""
    [row] = await scene.service.database.run("queue/counts", jobs=["enrich"], now=scene.service.clock())
    assert 1 == row["trying_again"], memory_id
    async with scene.service.database._driver.session() as session:
        result = await session.run("MATCH (m:Memory {id: $id}) RETURN m.failure AS failure", id=memory_id)
        record = await result.single()
        return str(record["failure"])


async def test_how_stirred_a_turn_is_is_noted(scene, drain, raw) -> None:
    """Enrichment stores the emotional intensity of a turn, 0 to 1. A value that is there already is kept."""
    for text in ("The bread is from the Kornblume.", "I am SO happy!!! We won!!!", "I HATE this!!!"):
        await scene.say(text)
    await raw("MATCH (m:Memory {content: 'I HATE this!!!'}) SET m.emotion_intensity = 0.25")
    await drain()
    rows = await raw("MATCH (m:Episodic) RETURN m.content AS content, m.emotion_intensity AS emotion ORDER BY content")
    calm, stirred = (next(r["emotion"] for r in rows if r["content"].startswith(s)) for s in ("The", "I am"))
    assert calm < 0.2 < 0.7 < stirred <= 1
    assert 0.25 == next(r["emotion"] for r in rows if r["content"].startswith("I HATE"))


@pytest.mark.parametrize(
    "broken",
    ["REMOVE m.embedding_a, m.embedding_model_a", "REMOVE m.embedding_model_a", "SET m.embedding_model_a = 'another'"],
)
async def test_what_lacks_a_vector_is_found_and_queued(scene, drain, raw, broken) -> None:
    """A memory that is not queued and lacks a vector of the current model is reported by doctor, and `requeue_lost`
    requeues it.
    """
    stored = await scene.say("The bread is from the Kornblume.")
    await drain()
    await raw(f"MATCH (m:Memory) {broken}")
    [finding] = await scene.service.doctor.examine()
    assert (1, (stored.memory_id,)) == (finding.count, finding.examples)
    assert 1 == await scene.service.enrichment.requeue_lost()
    assert 1 == await drain()
    assert [] == await scene.service.doctor.examine()


async def test_entities_get_the_sounds_of_their_names(scene, drain, worker, raw) -> None:
    """People and entities named in a turn get sound keys and no vector. An entity without sound keys is reported by
    doctor, and `requeue_lost` requeues it.
    """
    await scene.say("I moved from Graz to Ljubljana last week.")
    reader = Reader()
    while await worker(reader, names=scene.service.enrichment._name_finder).step():
        pass
    assert ["I moved from Graz to Ljubljana last week."] == [text.partition(": ")[2] for text in reader.read]
    found = await raw("MATCH (e:Entity) WHERE size(e.sounds) > 0 RETURN e.key AS key, e.embedding_a AS vector")
    people = {scene.maya.key, scene.ben.key, scene.service.local_user.key}
    assert dict.fromkeys([*people, "place:graz", "place:ljubljana"]) == {row["key"]: row["vector"] for row in found}
    await raw("MATCH (e:Place {key: 'place:graz'}) REMOVE e.sounds")
    [finding] = await scene.service.doctor.examine()
    assert (1, True) == (finding.count, finding.what.endswith("entities without sounds, in no queue"))
    assert 1 == await scene.service.enrichment.requeue_lost()
    assert 1 == await drain()
    assert [] == await scene.service.doctor.examine()


# --- names ---


async def test_names_become_entities_of_their_type(scene, drain, raw) -> None:
    """A new name becomes an entity with a key; a later mention of the name is linked to the same entity."""
    one = await scene.say("I moved from Graz to Ljubljana last week.")
    two = await scene.say("She still lives in Graz, I think.")
    await drain()
    assert {"place:graz", "place:ljubljana"} == await mentions(raw, one.memory_id)
    assert {"place:graz"} == await mentions(raw, two.memory_id)
    [row] = await raw("MATCH (e:Entity:Place {key: 'place:graz'}) RETURN e.canonical_name AS name, e.names AS names")
    assert ("Graz", 1) == (row["name"], len(row["names"]))
    assert [] == await scene.service.doctor.examine()


async def test_a_handle_is_its_person(scene, drain, raw) -> None:
    """`@maya` is linked to the person with that username. A handle that nobody has creates no entity."""
    known = await scene.say("please ask @maya and @nobody about the bread", by=scene.ben)
    await drain()
    assert {scene.maya.key} == await mentions(raw, known.memory_id)


async def test_a_full_name_is_its_person(scene, drain, raw) -> None:
    """A full name is linked to the person who has it, and no person is created."""
    stored = await scene.say("Yesterday Ben Okafor told me that he will come.")
    await drain()
    assert {scene.ben.key} == await mentions(raw, stored.memory_id)
    rows = await raw("MATCH (p:Person) RETURN p.key AS key")
    assert {scene.maya.key, scene.ben.key, scene.service.local_user.key} == {row["key"] for row in rows}


@pytest.mark.parametrize("alias", [None, "Okapi"])
async def test_a_first_name_is_who_takes_part(scene, drain, raw, alias: str | None) -> None:
    """A first name is linked to the only participant of the chat who has it, even if he also has an alias. In her
    private chat Maya means him too, since she met him in the group. In a group without him, and for a speaker who never
    met him, the name is not linked to him.
    """
    people = scene.service.people
    if alias:
        await people.add_alias(Viewer(scene.ben.id), scene.ben.id, alias)
    vera, uma = [await people.create_person(INTERNAL, name) for name in ("Vera Marsh", "Uma Rao")]
    both = [Member(person.id) for person in (scene.maya, vera)]
    group = await people.create_chat(INTERNAL, ChatKind.GROUP, "Choir", both)
    alone = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Uma", [Member(uma.id)])
    said = "Yesterday Ben told me that he will come."
    await scene.say("Hello.")
    here, private = await scene.say(said), await scene.say(said, chat=scene.private)
    elsewhere = await scene.say(said, chat=group)
    stranger = await scene.say(said, chat=alone, by=uma)
    await drain()
    for turn in (here, private):
        assert {scene.ben.key} == await mentions(raw, turn.memory_id)
    for turn in (elsewhere, stranger):
        assert scene.ben.key not in await mentions(raw, turn.memory_id)


async def test_the_assistant_is_no_entity(scene, drain, raw) -> None:
    """The name of the persona is no mention in talk with that persona. In talk with another persona it is one."""
    for persona in (scene.atlas, await scene.service.people.create_persona(INTERNAL, "Iris")):
        turn = Turn("Good morning, Atlas.", scene.maya.id)
        await scene.service.recorder.record(scene.viewer(), scene.private.id, [turn], persona.id)
    await drain()
    named = await raw("MATCH (m:Memory)-[:MENTIONS]->(e) RETURN e.canonical_name AS name, count(m) AS memories")
    assert [{"name": "Atlas", "memories": 1}] == named


async def test_a_first_name_that_two_share_is_nobody(scene, drain, raw) -> None:
    """A first name that two participants share is linked to neither and creates no third person. Said by one of the
    two, it is linked to the other.
    """
    people = scene.service.people
    other = await people.create_person(INTERNAL, "Ben Weber")
    await people.join_chat(scene.viewer(), scene.group.id, other.id)
    said = "Yesterday Ben told me that he will come."
    by_maya, by_ben = await scene.say(said), await scene.say(said, by=scene.ben)
    await drain()
    assert set() == await mentions(raw, by_maya.memory_id)
    assert {other.key} == await mentions(raw, by_ben.memory_id)


async def test_family_of_the_name_of_one_who_takes_part_is_not_that_one(scene, drain, raw) -> None:
    """A daughter with the first name of a participant is linked to nobody, and no second person of the name is created.
    A wife of that name is linked to the participant.
    """
    daughter = await scene.say("My younger daughter Maya told me that she will come.", by=scene.ben)
    wife = await scene.say("My wife Maya told me that she will come.", by=scene.ben)
    await drain()
    assert set() == await mentions(raw, daughter.memory_id)
    assert {scene.maya.key} == await mentions(raw, wife.memory_id)


async def test_among_namesakes_the_one_who_takes_part_is_meant(scene, drain, raw) -> None:
    """Of two people with the same full name, the participant of the chat is linked, though the other is older."""
    people = scene.service.people
    second = await people.create_person(INTERNAL, "Ben Okafor")
    since = scene.minutes(-10_000)
    chat = await people.create_chat(
        INTERNAL, ChatKind.GROUP, "Another", [Member(scene.maya.id, since), Member(second.id, since)]
    )
    stored = await scene.say("Yesterday Ben Okafor told me that he will come.", chat=chat)
    await drain()
    assert {second.key} == await mentions(raw, stored.memory_id)


async def test_batches_are_written_in_the_order_of_their_claims(scene, worker, raw) -> None:
    """A second batch that was read sooner is written after the first, whose sound keys make Zora findable for it."""
    second_read = threading.Event()

    class SlowAtFirst:
        def find(self, texts: Sequence[str]) -> list[list[Name]]:
            if "hello" in texts:
                assert second_read.wait(10)
                time.sleep(1)  # time to write the second batch, if it did not wait
            elif "Zora came." in texts:
                second_read.set()
            return [[Name("Zora", "Person", 0, 4)] if "Zora" in text else [] for text in texts]

    zora = await scene.service.people.create_person(INTERNAL, "Zora Blum")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, zora.id)
    await scene.say("hello")
    told = await scene.say("Zora came.", chat=scene.private)
    path = worker(names=SlowAtFirst(), batch_size=2)
    assert [2, 1] == await asyncio.gather(path.step(), path.step())
    assert {zora.key} == await mentions(raw, told.memory_id)


async def test_workers_at_once_make_one_entity(scene, worker, raw) -> None:
    """Four concurrent workers that find the same new name create one entity."""

    class Graz:
        def find(self, texts: Sequence[str]) -> list[list[Name]]:
            return [[Name("Graz", "Place", 0, 4)] for _ in texts]

    turns = [Turn(f"Graz {n}", scene.maya.id, scene.minutes(n / 100)) for n in range(80)]
    await scene.service.recorder.record(scene.viewer(), scene.group.id, turns)
    paths = [worker(names=Graz(), batch_size=10) for _ in range(4)]
    while any(await asyncio.gather(*(path.step() for path in paths))):
        pass
    rows = await raw("MATCH (e:Place)<-[:MENTIONS]-(m:Memory) RETURN e.key AS key, count(m) AS times")
    assert [{"key": "place:graz", "times": 80}] == rows


# --- without models (R11) ---


async def test_without_an_embedder_full_text_answers(scene, worker) -> None:
    """Without an embedder the queue is still worked off, and a search finds memories by full text only."""
    stored = await scene.say("The bread is from the Kornblume.")
    path = worker(embedder=None, slot=None)
    assert (1, 0) == (await path.step(), (await path.queue.backlog()).waiting)
    search = make_search(
        scene.service.database,
        scene.service.clock,
        embedder=None,
        slot=None,
        executor=None,
        fusion="context",
        rrf_k=60,
        rrf_weights={},
    )
    page = await search.search(scene.viewer(), "Where is the bread from?")
    assert [(stored.memory_id, {FULL_TEXT})] == [(result.memory.id, set(result.hits)) for result in page.results]
