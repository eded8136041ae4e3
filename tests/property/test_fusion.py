import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hippograph.graph.retrieval.fusion import (
    FULL_TEXT,
    TITLE_HOP,
    VECTOR,
    Candidate,
    Fused,
    Hit,
    Link,
    collapse_evidence,
    context_fusion,
    deeper,
    reciprocal_rank_fusion,
)

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Settings without time limits, since the time to generate an example depends on the machine."""

scores = st.floats(-50, 50, allow_nan=False)
hits = st.dictionaries(st.sampled_from([FULL_TEXT, VECTOR]), st.builds(Hit, st.integers(1, 100), scores), max_size=2)
turns = st.one_of(st.none(), st.integers(1, 12))


@st.composite
def pools(draw: st.DrawFn) -> list[Candidate]:
    """Candidates as a search might return them: the position of a turn is unique in its session."""
    found, places = [], set()
    for number in range(draw(st.integers(0, 14))):
        session, turn = draw(st.sampled_from(["s", "t"])), draw(turns)
        turn = None if (session, turn) in places else turn
        places.add((session, turn))
        # A candidate that is not a turn may be a fact, extracted from turns of which some are candidates.
        said = st.sampled_from([*(other.id for other in found if other.turn is not None), "elsewhere"])
        evidence = draw(st.lists(said, max_size=3, unique=True)) if turn is None else []
        found.append(
            Candidate(
                id=f"m{number}",
                hits=draw(hits),
                cosine=draw(st.one_of(st.none(), st.floats(-1, 1))),
                session=session,
                turn=turn,
                words=draw(st.integers(1, 400)),
                by_asker=draw(st.booleans()),
                by_named=draw(st.booleans()),
                by_assistant=draw(st.booleans()),
                asks=draw(st.booleans()),
                evidence=tuple(evidence),
            )
        )
    return found


@st.composite
def linked_pools(draw: st.DrawFn) -> list[Candidate]:
    """Candidates with links between them."""
    pool = draw(pools())
    sources = st.lists(st.sampled_from([candidate.id for candidate in pool] or ["nobody"]), max_size=3)
    return [replace(candidate, links={TITLE_HOP: Link(1, dict.fromkeys(draw(sources), 1.0))}) for candidate in pool]


@UNHURRIED
@given(pool=linked_pools(), seed=st.integers())
def test_the_order_of_the_lists_makes_no_difference(pool: list[Candidate], seed: int) -> None:
    """The order of the candidates does not affect the ranking, beyond rounding in `context_fusion`."""
    shuffled = random.Random(seed).sample(pool, len(pool))
    one = {item.id: pytest.approx(item.score, abs=1e-9) for item in context_fusion(pool)}
    two = {item.id: item.score for item in context_fusion(shuffled)}
    assert one == two
    ranked = [reciprocal_rank_fusion(each, k=60, weights={}) for each in (pool, shuffled)]
    assert ranked[0] == ranked[1]


def presets(pool: list[Candidate]) -> list[list[Fused]]:
    """Returns the ranking of the candidates by each method of fusion."""
    return [context_fusion(pool), reciprocal_rank_fusion(pool, k=60, weights={})]


def assert_well_ranked(ranking: list[Fused]) -> None:
    """Asserts that the parts add up to the scores, the order is by descending score, and ids are unique."""
    assert [sum(item.parts.values()) for item in ranking] == [item.score for item in ranking]
    assert sorted((item.score for item in ranking), reverse=True) == [item.score for item in ranking]
    assert len(ranking) == len({item.id for item in ranking})


@UNHURRIED
@given(pool=linked_pools())
def test_every_score_is_the_sum_of_its_parts(pool: list[Candidate]) -> None:
    """The parts of a result add up to its score exactly, with both methods, also after `collapse_evidence`."""
    for ranking in presets(pool):
        assert_well_ranked(ranking)
        assert_well_ranked(collapse_evidence(ranking, pool))


@UNHURRIED
@given(pool=linked_pools(), size=st.integers(0, 14))
def test_a_deeper_pool_stands_behind(pool: list[Candidate], size: int) -> None:
    """The results that a deeper pool adds keep their order behind the earlier ones, and their parts add up."""
    for ranking, below in zip(presets(pool[:size]), presets(pool), strict=True):
        new = [item for item in below if item.id not in {ranked.id for ranked in ranking}]
        joined = [*ranking, *deeper(ranking, new)]
        assert [item.id for item in (*ranking, *new)] == [item.id for item in joined]
        for item in joined:
            assert sum(item.parts.values()) == item.score
        for one, next_one in pairwise(joined):
            assert one.score >= next_one.score


@UNHURRIED
@given(pool=linked_pools())
def test_only_what_is_listed_or_linked_is_ranked(pool: list[Candidate]) -> None:
    """All candidates of a list are ranked; of the others only those to which one of these links, with the part
    `title_hop`.
    """
    fused = {item.id: item for item in context_fusion(pool)}
    listed = {candidate.id for candidate in pool if candidate.hits}
    assert listed <= set(fused)
    for candidate in pool:
        if candidate.id in set(fused) - listed:
            assert fused[candidate.id].parts[TITLE_HOP] > 0
            assert listed.intersection(candidate.links[TITLE_HOP].seeds)


@UNHURRIED
@given(
    ranks=st.lists(st.dictionaries(st.sampled_from("xyz"), st.integers(1, 500), min_size=1), max_size=20),
    k=st.integers(1, 100),
    weights=st.dictionaries(st.sampled_from("xyz"), st.floats(0, 5)),
)
def test_rrf_is_its_formula(ranks: list[dict[str, int]], k: int, weights: dict[str, float]) -> None:
    """Each RRF score is the sum of `weight / (k + rank)`; results are in order of score, ties in order of id."""
    pool = [Candidate(f"{n:03d}", {name: Hit(rank, 0.0) for name, rank in row.items()}) for n, row in enumerate(ranks)]
    expected = {c.id: sum(weights.get(n, 1.0) / (k + h.rank) for n, h in c.hits.items()) for c in pool}
    fused = reciprocal_rank_fusion(pool, k=k, weights=weights)
    assert expected == {item.id: item.score for item in fused}
    assert sorted(expected, key=lambda name: (-expected[name], name)) == [item.id for item in fused]
