"""Moving to another embedding model: it fills the second vector slot while the first serves queries, then replaces it
(M12).
"""

from datetime import UTC, datetime

import pytest

from hippograph.api.models.query_models import embedder_of
from hippograph.graph.errors import SchemaMismatch
from hippograph.graph.knowledge import reembedding
from hippograph.graph.knowledge.reembedding import Reembedding
from hippograph.graph.schema import VectorSlot, answering_slot, declare_indexes, drop_vector_indexes
from hippograph.nlp.embedding.embedder import Embedder

DIMENSIONS = 128


@pytest.fixture(scope="module")
def smaller(settings) -> Embedder:
    """The run's embedding model with vectors cut to `DIMENSIONS`, which the graph treats as another model."""
    found = embedder_of(settings.model_copy(update={"embedding_dimensions": DIMENSIONS}))
    assert found is not None
    return found


@pytest.fixture
async def moving(scene, smaller, raw, settings):
    """A `Reembedding` to the smaller vectors; afterwards the slots are restored."""
    database, clock = scene.service.database, scene.service.clock
    yield Reembedding(database, clock, smaller, analyzer=settings.fulltext_analyzer)
    await drop_vector_indexes(database, VectorSlot("b", smaller.model, DIMENSIONS))
    await raw("MATCH (s:EmbeddingSlot {slot: 'b'}) DELETE s")
    await raw("MATCH (s:EmbeddingSlot {slot: 'a'}) SET s.state = 'active'")
    await declare_indexes(database, scene.service.slot, settings.fulltext_analyzer)


async def _lacking(raw, slot: str) -> int:
    [row] = await raw(
        f"MATCH (n:Memory) WHERE coalesce(size(n.embedding_{slot}), 0) <> $size OR n.embedding_tokens_{slot} IS NULL "
        "RETURN count(n) AS lacking",
        size=DIMENSIONS,
    )
    return int(row["lacking"])


async def test_the_second_slot_is_filled_and_answers(scene, moving, smaller, raw, drain, settings):
    """After a run all memories have vectors in the second slot, its index answers, and it is the active slot. Opening
    with the old model raises an error that names `hippograph reembed`. A second run has nothing to do.
    """
    service = scene.service
    for number in range(5):
        await scene.say(f"Number {number}: the ferry to Split leaves at noon.", at=scene.minutes(number))
    await drain()
    steps = []
    slot = await moving.run(lambda done, total, what: steps.append((done, total)))
    assert slot == VectorSlot("b", smaller.model, DIMENSIONS)
    assert await _lacking(raw, "b") == 0
    assert steps[-1][0] == steps[-1][1]
    # The running service uses the old slot until it is restarted.
    page = await service.search.search(scene.viewer(), "When does the boat leave?")
    assert any("ferry" in result.memory.content for result in page.results)
    [found] = await raw(
        "CYPHER 25 MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_vector_b FOR $vector LIMIT 5) SCORE AS score "
        "RETURN collect(m.content) AS contents",
        vector=smaller.embed_query("When does the boat leave?").vector,
    )
    assert any("ferry" in content for content in found["contents"])
    now = datetime.now(UTC)
    assert await answering_slot(service.database, lambda: now, smaller.model, DIMENSIONS) == slot
    with pytest.raises(SchemaMismatch, match="hippograph reembed"):
        await answering_slot(service.database, lambda: now, smaller.model, service.slot.dimensions)
    assert await moving.run() is None


async def test_a_move_that_was_broken_off_goes_on_where_it_was(scene, moving, smaller, raw, drain, monkeypatch):
    """A run that is interrupted at its second batch of two leaves the old slot active and keeps the vectors of the
    first. The next run embeds only what is missing and activates the new slot.
    """
    monkeypatch.setattr(reembedding, "_AT_ONCE", 2)
    for number in range(3):
        await scene.say(f"Turn {number} about rowing.", at=scene.minutes(number))
    await drain()
    written = []
    embed = smaller.embed_documents

    def dies(texts):
        if written:
            raise KeyboardInterrupt
        return writes(texts)

    def writes(texts):
        written.append(len(texts))
        return embed(texts)

    with monkeypatch.context() as patch:
        patch.setattr(smaller, "embed_documents", dies)
        with pytest.raises(KeyboardInterrupt):
            await moving.run()
    assert [2] == written
    [active] = await raw("MATCH (s:EmbeddingSlot {state: 'active'}) RETURN s.slot AS slot")
    assert active["slot"] == "a"
    assert await _lacking(raw, "b") == 1
    steps = []
    monkeypatch.setattr(smaller, "embed_documents", writes)
    slot = await moving.run(lambda done, total, what: steps.append((done, total)))
    assert slot is not None
    assert (3, 3) == steps[-1]
    assert [2, 1] == written
    assert await _lacking(raw, "b") == 0


async def test_what_is_reworded_meanwhile_is_embedded_anew(scene, moving, raw, drain, smaller):
    """A memory whose content changes after it was embedded gets a new vector in the next run, since the slow path marks
    the old one as missing.
    """
    turn = await scene.say("The meeting is on Monday.", at=scene.minutes(0))
    await drain()
    assert await moving.run() is not None
    await raw("MATCH (s:EmbeddingSlot) SET s.state = CASE s.slot WHEN 'a' THEN 'active' ELSE 'filling' END")
    await raw(
        "MATCH (m:Memory {id: $id}) SET m.content = 'The meeting is on Friday.', m:Pending, m.job = 'enrich', "
        "m.due_at = datetime(), m.attempts = 0",
        id=turn.memory_id,
    )
    await drain()
    [before] = await raw("MATCH (m:Memory {id: $id}) RETURN m.embedding_b AS vector", id=turn.memory_id)
    assert await moving.run() is not None
    [after] = await raw("MATCH (m:Memory {id: $id}) RETURN m.embedding_b AS vector", id=turn.memory_id)
    assert before["vector"] != after["vector"]
