"""A text that is too long for the embedding model is found by each of its parts (R11)."""

from typing import Any

import pytest

from hippograph.graph.model import Viewer
from hippograph.graph.writing.fact import Fact
from hippograph.nlp.embedding.parts import PART_TOKENS, part_spans

TOPICS = (
    "The bakery opens its oven before dawn and sells rye loaves to the dockers",
    "Our choir rehearses a mass by Dvořák in the old customs house",
    "The tram line to the airport is being rebuilt with wider platforms",
    "Cucumbers want more water than tomatoes once the nights are warm",
    "The museum lends paintings to hospitals for half a year",
    "A loose chain wears out the sprockets of a bicycle within months",
    "The printer in the office takes only paper that was stored dry",
    "Bees leave the hive when it is warmer than twelve degrees",
    "Our accountant wants the receipts of travel before the tenth",
    "The ferry company counts bicycles as luggage in winter",
)
NEEDLE = "The spare key of the boathouse hangs behind the blue lifejackets."
QUESTION = "Where is the boathouse key kept?"


def long_text(place: float, length: int = 24_000) -> str:
    """Returns paragraphs on many topics, about `length` characters, with `NEEDLE` at `place` (0 to 1)."""
    sentences, number = list[str](), 0
    while sum(map(len, sentences)) < length:
        end = "\n\n" if number % 5 == 4 else " "
        sentences.append(f"{TOPICS[number * 7 % len(TOPICS)]}, as note {number} of the minutes says.{end}")
        number += 1
    sentences.insert(round(place * len(sentences)), f"{NEEDLE} ")
    return "".join(sentences).strip()


async def _parts(raw: Any) -> list[dict[str, Any]]:
    return list(await raw("MATCH (m:Memory)-[part:HAS_PART]->(m) RETURN m.id AS id, properties(part) AS part"))


@pytest.mark.embedding_ranked
@pytest.mark.parametrize("place", [0.0, 0.5, 1.0])
async def test_an_answer_is_found_wherever_it_stands(scene, drain, place: float) -> None:
    """A long text is found wherever the answer stands; the result has the matching part, and a context quotes it."""
    said = await scene.say(long_text(place), at=scene.minutes(0), chat=scene.private)
    for number, topic in enumerate(TOPICS):
        await scene.say(f"{topic}.", at=scene.minutes(1 + number), chat=scene.private)
    await drain()
    viewer = scene.viewer(scene.maya, scene.private)
    [best, *_] = (await scene.service.search.search(viewer, QUESTION)).results
    assert said.memory_id == best.memory.id
    assert NEEDLE in best.passage.text
    assert best.passage.text == best.memory.content[best.passage.start : best.passage.end]
    assert best.excerpt == f"… {best.passage.text} …"
    context = await scene.service.contexts.context(viewer, QUESTION)
    assert NEEDLE in context.text


async def test_the_parts_are_the_text(service) -> None:
    """Parts are in order, with only white space between them, and within `PART_TOKENS`; a short text has none."""
    text = long_text(0.3) + "x" * 5_000
    spans = part_spans(service.embedder, "Maya Lindqvist, 4 March 2024", text)
    assert all(service.embedder.count_tokens(text[start:end]) <= PART_TOKENS for start, end in spans)
    ends = [0, *(end for _, end in spans)]
    assert all(not text[before:start].strip() for before, (start, _) in zip(ends, spans, strict=False))
    assert spans[-1][1] == len(text)
    assert [] == part_spans(service.embedder, "", "A word. " * 100)
    assert part_spans(service.embedder, "", "A word. " * 200)


async def test_a_part_is_under_the_rule_of_the_whole(scene, drain, raw) -> None:
    """A viewer who may not see a text does not find it by its parts. The doctor reports a part with another scope than
    its text.
    """
    service = scene.service
    said = await scene.say(long_text(1.0), at=scene.minutes(0), chat=scene.private)
    await drain()
    page = await service.search.search(Viewer(scene.ben.id), QUESTION)
    assert [] == page.results
    assert {said.memory_id} == {row["id"] for row in await _parts(raw)}
    assert [] == [each for each in await service.doctor.examine() if "index entries" in each.what]
    await raw("MATCH (m:Memory)-[part:HAS_PART]->(m) SET part.scope = 'elsewhere'")
    assert [each for each in await service.doctor.examine() if said.memory_id in each.examples]


async def test_what_is_missing_is_filled(scene, drain, raw) -> None:
    """A long text whose parts are missing, such as one of an older graph, is requeued; a short text is not."""
    await scene.say(long_text(1.0), at=scene.minutes(0))
    await scene.say("Short.", at=scene.minutes(1))
    await drain()
    assert 0 == await scene.service.enrichment.requeue_lost()
    before = len(await _parts(raw))
    await raw("MATCH (m:Memory)-[part:HAS_PART]->(m) DELETE part")
    assert 1 == await scene.service.enrichment.requeue_lost()
    await drain()
    assert before == len(await _parts(raw)) > 10
    await raw("MATCH (m:Memory)-[part:HAS_PART]->(m) DELETE part REMOVE m.embedding_parts_a, m.embedding_parts_b")
    assert 1 == await scene.service.enrichment.requeue_lost()


async def test_parts_go_with_the_words(scene, drain, raw) -> None:
    """Updating a fact deletes the parts of its former text; a short new text gets none."""
    service, viewer = scene.service, Viewer(scene.maya.id)
    [fact] = await service.facts.remember(viewer, [Fact(long_text(0.5, 5_000))])
    await drain()
    assert await _parts(raw)
    await service.facts.update(viewer, fact.memory_id, "The boathouse has a new lock.")
    assert [] == await _parts(raw)
    await drain()
    assert [] == await _parts(raw)
