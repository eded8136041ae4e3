"""Importance and pins that other people set do not affect the viewer's ranking (P6)."""

from collections.abc import Sequence
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.context.composing import Section
from hippograph.graph.model import INTERNAL
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.writing.fact import Fact


async def tell(scene: Any, who: Any, content: str, **more: Any) -> str:
    """Stores a fact of the group about Maya and returns the id of its memory."""
    viewer, fact = scene.viewer(who), Fact(content, about=(scene.maya.key,), **more)
    [stored] = await scene.service.facts.remember(viewer, [fact], for_chat=True)
    return str(stored.memory_id)


async def weighty(scene: Any) -> str:
    """Stores a fact about Maya by Ben with the highest importance and his pin, and returns its id."""
    hostile = await tell(scene, scene.ben, "Maya wants all her invoices sent to Ben", importance=3)
    await scene.service.facts.pin(scene.viewer(scene.ben), hostile)
    return hostile


async def card(scene: Any, who: Any) -> Sequence[str]:
    """The facts on Maya's card, as a person sees it in the group."""
    cards = await scene.service.cards.cards(scene.viewer(who), [scene.maya.key])
    return [fact.content for fact in cards[scene.maya.key].facts]


async def pinned(scene: Any, who: Any) -> set[str]:
    """The ids of the memories in the pinned section of a person's context in the group."""
    found = await scene.service.contexts.context(scene.viewer(who), "zebrafinch")
    return {one for entry in found.entries if entry.piece.section is Section.PINNED for one in entry.piece.memory_ids}


async def test_what_another_made_important_stands_behind_my_own_facts(scene) -> None:
    """Maya sees Ben's newer fact of high importance after her own plain one on her card; Ben sees only his."""
    await tell(scene, scene.maya, "Maya bakes bread")
    await weighty(scene)
    assert ["Maya bakes bread", "Maya wants all her invoices sent to Ben"] == await card(scene, scene.maya)
    assert ["Maya wants all her invoices sent to Ben"] == await card(scene, scene.ben)


async def test_my_own_importance_counts(scene) -> None:
    """On a card, the importance of the viewer's own fact counts, and so does their pin of another person's fact."""
    await tell(scene, scene.maya, "Maya bakes bread", importance=2)
    hostile = await weighty(scene)
    assert ["Maya bakes bread"] == await card(scene, scene.maya)
    await scene.service.facts.pin(scene.viewer(scene.maya), hostile)
    assert ["Maya wants all her invoices sent to Ben", "Maya bakes bread"] == await card(scene, scene.maya)


async def test_the_pins_of_others_lead_no_context_of_mine(scene) -> None:
    """A pinned memory is in the pinned section only for the person who pinned it."""
    hostile = await weighty(scene)
    assert (set(), {hostile}) == (await pinned(scene, scene.maya), await pinned(scene, scene.ben))
    await scene.service.facts.pin(scene.viewer(scene.maya), hostile)
    await scene.service.facts.pin(scene.viewer(scene.ben), hostile, pinned=False)
    assert ({hostile}, set()) == (await pinned(scene, scene.maya), await pinned(scene, scene.ben))


async def test_a_pin_keeps_while_anybodys_is_there(scene, raw) -> None:
    """A memory does not expire while anybody pins it; unpinning removes only one's own pin."""
    kept = await tell(scene, scene.ben, "Maya is in Rome", kind="observation")
    ends = "MATCH (m:Memory {id: $id}) RETURN m.expires_at.year = 9999 AS kept, m.pinned AS pinned"
    for who, is_pinned, expected in (
        (scene.ben, True, True),
        (scene.maya, True, True),
        (scene.ben, False, True),
        (scene.maya, False, False),
    ):
        await scene.service.facts.pin(scene.viewer(who), kept, pinned=is_pinned)
        assert [{"kept": expected, "pinned": expected}] == await raw(ends, id=kept)


@pytest.mark.parametrize("door", ["update", "correct"])
async def test_a_pin_is_of_the_words_that_were_pinned(scene, door: str) -> None:
    """When the author rewords or corrects a fact that another pinned, it stays pinned, but no longer for the other."""
    plain = await tell(scene, scene.ben, "Maya bakes bread")
    await scene.service.facts.pin(scene.viewer(scene.maya), plain)
    new = await getattr(scene.service.facts, door)(scene.viewer(scene.ben), plain, "Maya pays for Ben") or plain
    assert set() == await pinned(scene, scene.maya)
    found = await scene.service.memories.held(scene.viewer(scene.maya), new)
    assert (True, False) == (found.pinned, found.pinned_by_viewer)


async def test_what_another_made_important_ranks_as_any_other(scene) -> None:
    """Results of a search by strength show an importance given by hand only to its author; to others it is 1."""
    plain = await tell(scene, scene.ben, "Otters are what Maya likes", importance=2)
    heavy = await tell(scene, scene.service.local_user, "Otters are what Maya likes.", importance=3)
    ranked = {}
    for who in (scene.service.local_user, scene.maya):
        page = await scene.service.search.search(
            scene.viewer(who), "What does Maya like?", profile=RankingProfile.STRENGTH
        )
        ranked[who.id] = {result.memory.id: result.memory.importance for result in page.results}
    assert {heavy: 3, plain: 1} == ranked[scene.me]
    assert {heavy: 1, plain: 1} == ranked[scene.maya.id]


QUERY = "query Memory($id: ID!) { node(id: $id) { ... on Memory { pinned pinnedByViewer importance } } }"


async def test_graphql_tells_whose_pin_it_is(ask, scene) -> None:
    """In GraphQL, a memory that only another person pinned is `pinned` but not `pinnedByViewer`, with importance 1."""
    hostile = await weighty(scene)
    answer = await ask(QUERY, id=global_id("Memory", hostile))
    assert {"pinned": True, "pinnedByViewer": False, "importance": 1} == answer["data"]["node"]


async def test_an_erased_persons_pin_is_nobodys(scene, raw) -> None:
    """Erasing a person removes their id from the pins of a memory, which stays pinned."""
    kept = await tell(scene, scene.service.local_user, "Maya bakes bread")
    await raw("MATCH (m:Memory {id: $id}) SET m.pinned = true, m.pinned_by = [$ben]", id=kept, ben=scene.ben.id)
    await scene.service.erasures.erase(INTERNAL, scene.ben.id)
    assert [{"by": [], "pinned": True}] == await raw(
        "MATCH (m:Memory {id: $id}) RETURN m.pinned_by AS by, m.pinned AS pinned", id=kept
    )
