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
    """An embedder of one fixed vector that counts what it read and cannot read what says `unreadable`."""

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
    """A name finder that stumbles over what says `unreadable`, and finds nothing elsewhere."""

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """No names."""
        if any("unreadable" in text for text in texts):
            raise RuntimeError("stumbled")
        return [[] for _ in texts]


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    """A thread for what reads."""
    with ThreadPoolExecutor(2) as pool:
        yield pool


@pytest.fixture
def worker(service: Service, executor: ThreadPoolExecutor) -> Any:
    """Makes workers on the service's graph."""
    slot = service.enrichment._slot

    def make(reader: Any = None, *, names: Any = None, batch_size: int = 16, **changes: Any) -> Enrichment:
        options = {"embedder": reader or Reader(), "slot": slot, "name_finder": names, **changes}
        return Enrichment(service.database, service.clock, executor=executor, batch_size=batch_size, **options)

    return make


async def mentions(raw: Any, memory_id: str) -> set[str]:
    """The keys of what a memory mentions."""
    rows = await raw("MATCH (:Memory {id: $id})-[:MENTIONS]->(e) RETURN e.key AS key", id=memory_id)
    return {row["key"] for row in rows}


# --- the queue ---


async def test_what_is_recorded_waits_and_then_is_done(scene, drain, raw) -> None:
    """A new memory is marked as pending; afterwards it has its vector, names its model, and nothing of the queue."""
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
    """Four workers at once read every memory, and none twice."""
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
    """Workers that run take up what is recorded while they run, and end when told to."""
    stop, reader = asyncio.Event(), Reader()
    running = [asyncio.create_task(Runner([worker(reader)]).run(stop)) for _ in range(2)]
    for number in range(20):
        await scene.say(f"message {number}", at=scene.minutes(number))
    while (backlog := await scene.service.enrichment.queue.backlog()).waiting:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(0.02)
    stop.set()
    await asyncio.gather(*running)
    assert (Backlog(0, 0, 0, {}), 20) == (backlog, len(reader.read))


async def test_an_idle_worker_asks_for_all_jobs_at_once(scene, service, worker) -> None:
    """Where nothing is due no job asks by itself; what comes meanwhile is found."""

    async def until(statement: str, times: int) -> None:
        while ran[statement] < times:  # noqa: ASYNC110  # nothing tells of it
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
    """What a worker claimed and never finished is left alone during its lease and done by another afterwards."""
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
    """A slow worker whose memory another has claimed since does not write over it."""
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
    """In a batch with one bad text the others are done; it is kept with its reason, and tried again later."""
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
    """When what a name means cannot be worked out, the others of its batch are written, and it is counted."""

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
    """A name finder that finds what is written with a capital behind the first word."""

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """The names of each text, as those of persons."""
        return [
            [Name(match[0], "Person", *match.span()) for match in re.finditer(r"(?<= )[A-Z][a-z]+", text)]
            for text in texts
        ]


async def test_names_are_compared_off_the_loop(scene, worker, monkeypatch) -> None:
    """What a name means is worked out in the executor: the loop's thread compares none."""
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
    """What took too long together is written in halves; what takes too long alone is tried again, however often."""
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
    """A memory that keeps failing is tried six times with pauses that double, then put aside and found by doctor."""
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
    """What was put aside goes back to the queue when told, from its first try on, and is done when it can be."""
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
    """When names cannot be found the memory is tried again: nothing is half done."""
    stored = await scene.say("this is unreadable")
    path = worker(Forgetful(), names=NoNames())
    await path.step()
    assert (("RuntimeError: stumbled"), 1) == (
        await reason(scene, stored.memory_id),
        (await path.queue.backlog()).waiting,
    )


class Forgetful(Reader):
    """An embedder that reads everything."""

    def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """A vector for each text, whatever it says."""
        return super().embed_documents(["…"] * len(texts))


async def reason(scene: Any, memory_id: str) -> str:
    """Why a memory failed."""
    [row] = await scene.service.database.run("queue/counts", jobs=["enrich"], now=scene.service.clock())
    assert 1 == row["trying_again"], memory_id
    async with scene.service.database._driver.session() as session:
        result = await session.run("MATCH (m:Memory {id: $id}) RETURN m.failure AS failure", id=memory_id)
        record = await result.single()
        return str(record["failure"])


async def test_how_stirred_a_turn_is_is_noted(scene, drain, raw) -> None:
    """From 0 to 1; what is there already stays."""
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
    """Memories without a vector in no queue are reported by doctor and put back by `requeue_lost`."""
    stored = await scene.say("The bread is from the Kornblume.")
    await drain()
    await raw(f"MATCH (m:Memory) {broken}")
    [finding] = await scene.service.doctor.examine()
    assert (1, (stored.memory_id,)) == (finding.count, finding.examples)
    assert 1 == await scene.service.enrichment.requeue_lost()
    assert 1 == await drain()
    assert [] == await scene.service.doctor.examine()


async def test_entities_get_the_sounds_of_their_names(scene, drain, worker, raw) -> None:
    """The slow path tells how people and what a turn names sound, and embeds none of them; what lacks it is mended."""
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
    """A name nobody has becomes an entity with a key; said again it is the same one."""
    one = await scene.say("I moved from Graz to Ljubljana last week.")
    two = await scene.say("She still lives in Graz, I think.")
    await drain()
    assert {"place:graz", "place:ljubljana"} == await mentions(raw, one.memory_id)
    assert {"place:graz"} == await mentions(raw, two.memory_id)
    [row] = await raw("MATCH (e:Entity:Place {key: 'place:graz'}) RETURN e.canonical_name AS name, e.names AS names")
    assert ("Graz", 1) == (row["name"], len(row["names"]))
    assert [] == await scene.service.doctor.examine()


async def test_a_handle_is_its_person(scene, drain, raw) -> None:
    """`@maya` is whoever has that username; a handle that nobody has makes nobody."""
    known = await scene.say("please ask @maya and @nobody about the bread", by=scene.ben)
    await drain()
    assert {scene.maya.key} == await mentions(raw, known.memory_id)


async def test_a_full_name_is_its_person(scene, drain, raw) -> None:
    """A name said in full, in any case, is the person who has it, and no new one."""
    stored = await scene.say("Yesterday Ben Okafor told me that he will come.")
    await drain()
    assert {scene.ben.key} == await mentions(raw, stored.memory_id)
    rows = await raw("MATCH (p:Person) RETURN p.key AS key")
    assert {scene.maya.key, scene.ben.key, scene.service.local_user.key} == {row["key"] for row in rows}


@pytest.mark.parametrize("alias", [None, "Okapi"])
async def test_a_first_name_is_who_takes_part(scene, drain, raw, alias: str | None) -> None:
    """A first name in a chat is the one participant who goes by it, and alone with the assistant too, whatever else he
    calls himself. In another chat it is somebody else, though one of them knows him.
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
    """Whoever speaks to the persona by its name names nobody else; to another persona's it is a name like others."""
    for persona in (scene.atlas, await scene.service.people.create_persona(INTERNAL, "Iris")):
        turn = Turn("Good morning, Atlas.", scene.maya.id)
        await scene.service.recorder.record(scene.viewer(), scene.private.id, [turn], persona.id)
    await drain()
    named = await raw("MATCH (m:Memory)-[:MENTIONS]->(e) RETURN e.canonical_name AS name, count(m) AS memories")
    assert [{"name": "Atlas", "memories": 1}] == named


async def test_a_first_name_that_two_share_is_nobody(scene, drain, raw) -> None:
    """Who is meant is not guessed, and makes no third. Said by one of the two it is the other."""
    people = scene.service.people
    other = await people.create_person(INTERNAL, "Ben Weber")
    await people.join_chat(scene.viewer(), scene.group.id, other.id)
    said = "Yesterday Ben told me that he will come."
    by_maya, by_ben = await scene.say(said), await scene.say(said, by=scene.ben)
    await drain()
    assert set() == await mentions(raw, by_maya.memory_id)
    assert {other.key} == await mentions(raw, by_ben.memory_id)


async def test_family_of_the_name_of_one_who_takes_part_is_not_that_one(scene, drain, raw) -> None:
    """Nor a second of that name: what is told of the daughter names nobody."""
    daughter = await scene.say("My younger daughter Maya told me that she will come.", by=scene.ben)
    wife = await scene.say("My wife Maya told me that she will come.", by=scene.ben)
    await drain()
    assert set() == await mentions(raw, daughter.memory_id)
    assert {scene.maya.key} == await mentions(raw, wife.memory_id)


async def test_among_namesakes_the_one_who_takes_part_is_meant(scene, drain, raw) -> None:
    """Of two persons of one name the participant of the chat is meant, though the other came first."""
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
    """Whom the first batch makes findable, the second finds, though it was read sooner."""
    second_read = threading.Event()

    class SlowAtFirst:
        def find(self, texts: Sequence[str]) -> list[list[Name]]:
            if "hello" in texts:
                assert second_read.wait(10)
                time.sleep(1)  # in which the second could be written, if it did not wait
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
    """Four workers that meet the same new name at once make one entity of it."""

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
    """Without an embedder the queue is worked off all the same, and a search answers by words alone."""
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
