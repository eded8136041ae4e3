"""The use of a memory affects its rank for its owner alone (T5), in every profile and across pages (R4, R5)."""

from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.model import Viewer
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.ranking import USE_SHARE, RankingProfile
from hippograph.graph.schema import answering_slot
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import work_off

OTHERS = ("The ladder is in the shed", "Rye bread needs a day to rise", "The train to Graz leaves at noon")
SEARCH = """
query($query: String!, $profile: RankingProfile) {
  search(query: $query, profile: $profile, first: 20, reinforce: false) { nodes { id } }
}
"""


async def alike(scene: Any, count: int = 2) -> list[str]:
    """Stores `count` turns with the same text, hours apart, and others in Maya's private chat. Returns the ids of the
    former, in the order in which a search ranks them.
    """
    for number, content in enumerate(OTHERS):
        await scene.say(content, at=scene.minutes(600 * number), chat=scene.private)
    for number in range(count):
        await scene.say("I feed the otters.", at=scene.minutes(6_000 + 600 * number), chat=scene.private)
    await work_off(scene.service)
    return [each for each, _ in await ranked(scene, Viewer(scene.maya.id))][:count]


async def ranked(scene: Any, viewer: Viewer, profile: RankingProfile | None = None) -> list[tuple[str, float]]:
    """Returns the ids and scores that a search for otters finds, best first."""
    page = await scene.service.search.search(viewer, "the otters that I feed", profile=profile, first=20)
    return [(result.memory.id, result.score) for result in page.results]


def order(found: list[tuple[str, float]]) -> list[str]:
    """Returns the ids alone."""
    return [memory_id for memory_id, _ in found]


# --- use by the owner ---


async def test_what_misled_stands_behind_its_equal_and_what_served_before_it(scene) -> None:
    """In the default profile a demoted memory ranks behind its equal, and a reinforced one before it (part `use`)."""
    first, second = await alike(scene)
    maya, facts = Viewer(scene.maya.id), scene.service.facts
    before = await ranked(scene, maya)
    await facts.demote(maya, first)
    assert [second, first] == order(await ranked(scene, maya))[:2]
    await facts.reinforce(maya, first)
    page = await scene.service.search.search(maya, "the otters that I feed", first=20)
    assert [first, second] == [result.memory.id for result in page.results][:2]
    assert [True, False] == ["use" in result.parts for result in page.results][:2]
    scores = [score for _, score in before]
    assert 0 < page.results[0].parts["use"] < USE_SHARE * (max(scores) - min(scores))


async def test_graphql_ranks_by_it(scene, ask) -> None:
    """Demotion and reinforcement over GraphQL change the order of the next search."""
    me = Viewer(scene.me)
    facts = [Fact(content) for content in ("I feed the otter on Mondays", "I feed the otter on Fridays", *OTHERS)]
    await scene.service.facts.remember(me, facts)
    await work_off(scene.service)

    async def found() -> list[str]:
        answer = await ask(SEARCH, query="When do I feed the otter?")
        return [node["id"] for node in answer["data"]["search"]["nodes"]]

    first, second, *_ = await found()
    for _ in range(3):
        answer = await ask(
            "mutation($id: ID!) { demote(input: {memoryId: $id}) { ... on ScorePayload { counts } } }", id=first
        )
        assert answer["data"]["demote"]["counts"]
    assert [second, first] == (await found())[:2]
    for _ in range(3):
        await ask(
            "mutation($id: ID!) { reinforce(input: {memoryId: $id}) { ... on ScorePayload { counts } } }", id=first
        )
    assert [first, second] == (await found())[:2]


async def test_no_use_outweighs_a_clear_difference(scene) -> None:
    """A memory that matches much worse stays behind, however often it is reinforced and a better one demoted."""
    first, second = await alike(scene)
    maya = Viewer(scene.maya.id)
    before = await ranked(scene, maya)
    other = order(before)[-1]
    for _ in range(20):
        await scene.service.facts.reinforce(maya, other)
        await scene.service.facts.demote(maya, first)
    assert [second, first] == order(await ranked(scene, maya))[:2]


async def test_hebbian_and_strength_know_their_owners_use(scene, clock) -> None:
    """The owner's reinforcement raises the score in the profile `HEBBIAN`; the owner's recall restores the strength
    that an unused memory loses in `STRENGTH`.
    """
    first, second = await alike(scene)
    clock.stop()
    maya, recall = Viewer(scene.maya.id), scene.service.recall
    hebbian = dict(await ranked(scene, maya, RankingProfile.HEBBIAN))
    await scene.service.facts.reinforce(maya, second)
    assert hebbian[second] < dict(await ranked(scene, maya, RankingProfile.HEBBIAN))[second]
    strength = dict(await ranked(scene, maya, RankingProfile.STRENGTH))
    clock.advance(scene.minutes(60 * 24) - scene.minutes(0))
    recall.note(maya, [second])
    await recall.flush()
    later = dict(await ranked(scene, maya, RankingProfile.STRENGTH))
    assert later[first] < strength[first] - 0.05
    assert pytest.approx(strength[second], abs=0.001) == later[second]


# --- use by others ---


async def used_by(scene: Any, viewer: Viewer, better: str, worse: str, times: int = 5) -> None:
    """Recalls and reinforces the memory `better` for a viewer, and demotes `worse`, `times` times."""
    for _ in range(times):
        scene.service.recall.note(viewer, [better])
        await scene.service.recall.flush()
        await scene.service.facts.reinforce(viewer, better)
        await scene.service.facts.demote(viewer, worse)


@pytest.mark.parametrize("profile", RankingProfile)
async def test_what_a_groups_memory_is_to_one_moves_it_for_nobody(scene, clock, profile: RankingProfile) -> None:
    """A memory of a group has no owner, so Ben's use of it changes neither his results nor Maya's."""
    for number in range(3):
        await scene.say(f"We feed the otters at gate {number}.", at=scene.minutes(number * 600))
    await work_off(scene.service)
    clock.stop()
    viewers = [scene.viewer(scene.maya), scene.viewer(scene.ben)]
    before = [await ranked(scene, viewer, profile) for viewer in viewers]
    best, *_, worst = order(before[0])
    clock.advance(scene.minutes(60) - scene.minutes(0))
    aged = [await ranked(scene, viewer, profile) for viewer in viewers]
    await used_by(scene, scene.viewer(scene.ben), worst, best)
    assert aged == [await ranked(scene, viewer, profile) for viewer in viewers]


@pytest.mark.parametrize("profile", RankingProfile)
async def test_what_others_do_with_my_memory_moves_it_for_neither(scene, clock, profile: RankingProfile) -> None:
    """Ben's use of Maya's facts about him changes the results of neither; Maya's own use does not change his."""
    about = {"about": (scene.ben.key,), "portable": True}
    facts = [Fact(f"Ben feeds the otters at gate {number}", **about) for number in range(3)]
    maya, ben = Viewer(scene.maya.id), Viewer(scene.ben.id)
    await scene.service.facts.remember(maya, facts)
    await work_off(scene.service)
    clock.stop()
    before = [await ranked(scene, viewer, profile) for viewer in (maya, ben)]
    best, *_, worst = order(before[0])
    assert 3 == len(before[0]) == len(before[1])
    await used_by(scene, ben, worst, best)
    assert before == [await ranked(scene, viewer, profile) for viewer in (maya, ben)]
    await used_by(scene, maya, worst, best)
    assert before[1] == await ranked(scene, ben, profile)


async def test_who_does_not_own_it_is_told_that_it_does_not_count(scene, ask, raw) -> None:
    """Reinforcing or demoting a memory that is not the viewer's own returns the score 0 with `counts` false and leaves
    its score unchanged. Only the owner sees the score.
    """
    said = await scene.say("We feed the otters.")
    facts, me, counted = scene.service.facts, scene.viewer(), "MATCH (m:Memory {id: $id}) RETURN m.score AS score"
    answer = await ask(
        "mutation($id: ID!) { reinforce(input: {memoryId: $id}) { ... on ScorePayload { score counts } } }",
        id=global_id("Memory", said.memory_id),
    )
    assert {"score": 0, "counts": False} == answer["data"]["reinforce"]
    assert [{"score": 0}] == await raw(counted, id=said.memory_id)
    [mine] = await facts.remember(me, [Fact("Ben sings well", about=(scene.ben.key,))])
    assert (3, True) == ((score := await facts.reinforce(me, mine.memory_id)).value, score.counts)
    ben = Viewer(scene.ben.id)
    assert (0, False) == ((score := await facts.demote(ben, mine.memory_id)).value, score.counts)
    assert [{"score": 3}] == await raw(counted, id=mine.memory_id)
    seen = [(await scene.service.memories.held(each, mine.memory_id)).score for each in (Viewer(scene.me), ben)]
    assert [3, 0] == seen


async def test_others_recalls_neither_steady_nor_join_what_is_mine(scene, raw) -> None:
    """A recall by somebody else raises only the access count (T4); the owner's also raises the stability and links the
    memories.
    """
    me, ben, recall = Viewer(scene.me), Viewer(scene.ben.id), scene.service.recall
    facts = [Fact(f"Ben feeds otter {number}", about=(scene.ben.key,), confidence=0.5) for number in range(2)]
    ids = [each.memory_id for each in await scene.service.facts.remember(me, facts)]
    state = """
    MATCH (m:Memory) WHERE m.id IN $ids
    RETURN min(m.stability) AS least, max(m.stability) AS most, min(m.access_count) AS count,
           count { MATCH (a)-[:CO_RECALLED]->(b) } AS joined
    """
    recall.note(ben, ids)
    await recall.flush()
    assert [{"least": 1.0, "most": 1.0, "count": 1, "joined": 0}] == await raw(state, ids=ids)
    recall.note(me, ids)
    await recall.flush()
    assert [{"least": 1.5, "most": 1.5, "count": 2, "joined": 1}] == await raw(state, ids=ids)


# --- pages, contexts, settings ---


@pytest.mark.parametrize("profile", RankingProfile)
async def test_what_is_used_between_two_pages_moves_nothing_on_them(scene, profile: RankingProfile) -> None:
    """A cursor fixes the use of memories at the time of the first page; later use does not change the list (R4)."""
    ids = await alike(scene, 5)
    maya, search = Viewer(scene.maya.id), scene.service.search.search
    await used_by(scene, maya, ids[3], ids[0])
    whole = order(await ranked(scene, maya, profile))
    found, after = [], None
    while True:
        page = await search(maya, "the otters that I feed", profile=profile, first=4, after=after, reinforce=True)
        found += [result.memory.id for result in page.results]
        await scene.service.recall.flush()
        await used_by(scene, maya, whole[-1], whole[2], times=2)
        if not page.has_next:
            break
        after = page.results[-1].cursor
    assert whole == found


async def test_uses_are_bounded(scene, raw) -> None:
    """A memory keeps its latest ten scores and stabilities with their times; its score still counts all uses."""
    me = Viewer(scene.me)
    [stored] = await scene.service.facts.remember(me, [Fact("I feed the otters")])
    for _ in range(12):
        await used_by(scene, me, stored.memory_id, stored.memory_id)
    kept = """
    MATCH (m:Memory {id: $id})
    RETURN m.score AS score, last(m.scores) AS last, last(m.stabilities) = m.stability AS same,
           [kept IN [m.scores, m.scored_at, m.stabilities, m.recalled_at] | size(kept)] AS sizes
    """
    expected = {"score": 120, "last": 120, "same": True, "sizes": [10, 10, 10, 10]}
    assert [expected] == await raw(kept, id=stored.memory_id)


async def test_a_context_ranks_by_the_profile_that_is_named(scene) -> None:
    """A context is ranked by the profile given: with `HEBBIAN` a reinforced memory moves from second to first place."""
    await scene.say("Bread and butter, bread and jam.", at=scene.minutes(0), chat=scene.private)
    served = await scene.say("Some bread was left over from the party.", at=scene.minutes(600), chat=scene.private)
    await work_off(scene.service)
    maya = Viewer(scene.maya.id)
    for _ in range(8):
        await scene.service.facts.reinforce(maya, served.memory_id)

    async def place(profile: RankingProfile | None) -> str | None:
        found = await scene.service.contexts.context(maya, "bread and butter", profile=profile)
        places = {entry.piece.memory_ids: entry.piece.detail for entry in found.entries}
        return places.get((served.memory_id,))

    assert ("2", "1") == (await place(None), await place(RankingProfile.HEBBIAN))


async def test_graphql_takes_a_profile_for_a_context(scene, ask) -> None:
    """The field `context` takes the argument `profile`."""
    await scene.service.facts.remember(Viewer(scene.me), [Fact("I feed the otters")])
    answer = await ask('{ context(query: "otters", profile: HEBBIAN) { text } }')
    assert "I feed the otters" in answer["data"]["context"]["text"]


async def test_one_setting_names_the_profile_of_who_names_none(scene) -> None:
    """A search without a profile uses the default that `make_search` was given."""
    await alike(scene)
    service = scene.service
    slot = await answering_slot(service.database, service.clock, service.embedder.model, service.embedder.dimensions)
    search = make_search(
        service.database,
        service.clock,
        embedder=service.embedder,
        slot=slot,
        executor=None,
        fusion="context",
        rrf_k=60,
        rrf_weights={},
        profile=RankingProfile.HEBBIAN,
    )
    page = await search.search(Viewer(scene.maya.id), "otters")
    assert page.results
    assert all({"hebbian"} == set(result.parts) for result in page.results)
