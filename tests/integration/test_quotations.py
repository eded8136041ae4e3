"""Quotations: the words that a fact was extracted from, shown with it to those who may see the turn."""

from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.model import Memory, Quotation, Times


async def quoted(scene: Any, raw: Any, statement: str, **times: Any) -> Memory:
    """Returns the fact with this content, as Ben sees it in the group."""
    [row] = await raw("MATCH (m:Semantic {content: $content}) RETURN m.id AS id", content=statement)
    seen = await scene.service.memories.load(scene.viewer(scene.ben), [row["id"]], **times)
    found: Memory = seen[row["id"]]
    return found


async def test_a_fact_shows_the_words_it_was_taken_from(scene, learn, raw) -> None:
    """A fact extracted from a turn has a quotation: speaker, day, the sentence and the turn. Its content stays the
    statement.
    """
    said = await scene.say("Guess what! Lars works at Siemens. It rains here.", at=scene.minutes(0))
    await learn()
    fact = await quoted(scene, raw, "Lars works at Siemens")
    assert (
        Quotation("Maya Lindqvist", scene.minutes(0).date(), "Lars works at Siemens.", said.memory_id) == fact.quotation
    )
    assert "Lars works at Siemens" == fact.content


async def test_words_that_one_may_not_see_are_not_quoted(scene, learn, raw) -> None:
    """A confirmed fact outlives its forgotten turn, and then has no quotation."""
    said = await scene.say("My brother Lars is a baker. Lars lives in Oslo.")
    await learn()
    fact = await quoted(scene, raw, "Lars lives in Oslo")
    me = scene.viewer(scene.maya)
    await scene.service.facts.confirm(me, fact.id)
    await scene.service.facts.forget(me, said.memory_id)
    fact = await quoted(scene, raw, "Lars lives in Oslo")
    assert (None, "Lars lives in Oslo") == (fact.quotation, fact.content)


@pytest.mark.parametrize("how", ["correct", "update"])
async def test_what_somebody_worded_is_no_quotation(scene, learn, raw, clock, how) -> None:
    """A fact that was corrected or updated by hand has no quotation. Read at an earlier time, the former content has
    its quotation.
    """
    await scene.say("My brother Lars is a baker. Lars lives in Oslo.")
    await learn()
    before, fact = clock(), await quoted(scene, raw, "Lars lives in Oslo")
    clock.advance(timedelta(minutes=1))
    await getattr(scene.service.facts, how)(scene.viewer(scene.maya), fact.id, "Lars lives near Oslo")
    clock.advance(timedelta(minutes=1))
    now = await quoted(scene, raw, "Lars lives near Oslo")
    assert (None, "Lars lives near Oslo") == (now.quotation, now.content)
    then = await scene.service.memories.load(scene.viewer(scene.ben), [fact.id], Times(before, before))
    assert (fact.quotation, "Lars lives in Oslo") == (then[fact.id].quotation, then[fact.id].content)


QUOTED = """
query Ask($id: ID!) {
  node(id: $id) { ... on Memory { content frame quotation { speaker day text memoryId } } }
}
"""


async def test_a_memory_has_a_quotation_in_graphql(ask, scene, learn, raw) -> None:
    """GraphQL returns the quotation of a fact with the id of its turn, and the frame that the fact fills."""
    said = await scene.say("My brother Lars is a baker. Lars lives in Oslo.", at=scene.minutes(0))
    await learn()
    fact = await quoted(scene, raw, "Lars lives in Oslo")
    told = (await ask(QUOTED, id=global_id("Memory", fact.id)))["data"]["node"]
    quotation = {"speaker": "Maya Lindqvist", "day": "2024-03-04", "text": "Lars lives in Oslo."}
    turn = {"memoryId": global_id("Memory", said.memory_id)}
    assert {"content": "Lars lives in Oslo", "frame": "home", "quotation": quotation | turn} == told
