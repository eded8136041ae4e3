"""Properties of ranking profiles and forgetting curves (R5, T1, T2)."""

from math import exp

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippograph.graph.retention.confidence import decayed_confidence
from hippograph.graph.retention.strength import first_stability, retention, stability_after_recall, strength
from hippograph.graph.retrieval.fusion import FULL_TEXT, VECTOR, Candidate, Fused, Hit
from hippograph.graph.retrieval.ranking import (
    MOST_BLENDED,
    USE_SHARE,
    Traits,
    blended_ranking,
    hebbian_ranking,
    hebbian_score,
    recency,
    strength_ranking,
    use_ranking,
)

DAYS = st.floats(0, 10_000)
traits = st.builds(
    Traits,
    importance=st.sampled_from([0, 1, 2, 3]),
    stability=st.floats(1, 365),
    score=st.integers(-20, 20),
    idle=DAYS,
    since_hit=DAYS,
    age=st.floats(-100, 10_000),
    entities=st.frozensets(st.sampled_from("abc")),
)


@st.composite
def pools(draw: st.DrawFn) -> tuple[list[Fused], dict[str, Candidate], dict[str, Traits]]:
    """A fused ranking, its candidates by id, and their traits by id."""
    scores = draw(st.lists(st.floats(0, 100, allow_subnormal=False), min_size=1, max_size=70))
    candidates, ranking, known = {}, [], {}
    for number, score in enumerate(sorted(scores, reverse=True)):
        name = f"m{number:03}"
        cosine = draw(st.floats(-1, 1))
        hits = {FULL_TEXT: Hit(number + 1, score), VECTOR: Hit(number + 1, cosine)}
        candidates[name] = Candidate(name, hits, cosine=cosine)
        ranking.append(Fused.of(candidates[name], {"rrf": score}))
        known[name] = draw(traits)
    return ranking, candidates, known


def order(ranking: list[Fused]) -> list[str]:
    """Returns the ids, best first."""
    return [item.id for item in ranking]


# --- forgetting ---


def test_by_hand() -> None:
    """Retention, strength and stability equal values computed by hand; after S days of stability S, 1/e is left."""
    assert pytest.approx(exp(-1)) == retention(5, 5)
    assert pytest.approx(2 * exp(-1)) == strength(2, 5, 5)
    assert [1.0, 1.0, 5.0, 5.0, 10.0] == [first_stability(each) for each in (None, 0.5, 0.51, 0.7, 0.71)]
    assert pytest.approx(1.5) == stability_after_recall(1, growth=1.5, most=365)
    assert 365 == stability_after_recall(300, growth=1.5, most=365)


def test_what_was_sure_fades_on_day_71() -> None:
    """A confidence of 1 with λ = 0.1 is below 0.05 after 71 days and not after 70, as in the example of the
    specification.
    """
    assert decayed_confidence(1, 0.1, 70) >= 0.05 > decayed_confidence(1, 0.1, 71)


@given(DAYS, DAYS, st.floats(1, 365))
def test_time_only_weakens_and_stability_only_helps(day: float, later: float, stability: float) -> None:
    """Retention is between 0 and 1, never grows with time, and never shrinks with stability. Confidence never grows
    with time.
    """
    assume(day <= later)
    assert 0 <= retention(later, stability) <= retention(day, stability) <= 1
    assert retention(day, stability) <= retention(day, stability * 1.5)
    assert decayed_confidence(0.8, 0.1, later) <= decayed_confidence(0.8, 0.1, day) <= 0.8


@given(st.floats(-1000, 0), st.floats(1, 365))
def test_a_clock_that_runs_behind_forgets_nothing(days: float, stability: float) -> None:
    """A time before the last access counts as the time of the access: nothing has decayed."""
    assert 1 == retention(days, stability)
    assert 0.5 == decayed_confidence(0.5, 0.1, days)


# --- profiles ---


@given(pools())
def test_use_moves_nothing_across_a_clear_difference(pool) -> None:
    """Use moves each score by at most `USE_SHARE` of the spread, so that memories more than twice as far apart keep
    their order. All memories are kept.
    """
    ranking, _, known = pool
    before = {item.id: item.score for item in ranking}
    used = use_ranking(ranking, {each: traits.score for each, traits in known.items()})
    assert sorted(order(ranking)) == sorted(order(used))
    spread = max(before.values()) - min(before.values())
    clear = 2 * USE_SHARE * (spread if spread > 1e-9 else 1)
    for place, item in enumerate(used):
        assert abs(item.score - before[item.id]) <= clear / 2 + 1e-9
        assert all(before[later.id] - before[item.id] <= clear + 1e-9 for later in used[place + 1 :])


@given(pools())
def test_where_nothing_was_used_nothing_moves(pool) -> None:
    """Without reinforcement scores, or with scores of 0, `use_ranking` returns the same ranking."""
    ranking, _, known = pool
    assert ranking == use_ranking(ranking, dict.fromkeys(known, 0))
    assert ranking == use_ranking(ranking, {})


@pytest.mark.parametrize(("score", "expected"), [(3, ["b", "a"]), (1, ["b", "a"]), (-1, ["a", "b"])])
def test_of_two_equals_the_one_that_served_comes_first(score: int, expected: list[str]) -> None:
    """Of two memories with equal fused scores, a reinforced one ranks first and a demoted one last. The other keeps its
    score.
    """
    ranking = [Fused.of(Candidate(each), {"rrf": 1.0}) for each in ("a", "b")]
    used = use_ranking(ranking, {"b": score})
    assert expected == order(used)
    assert {"rrf": 1.0} == next(item.parts for item in used if item.id == "a")


@given(pools(), st.floats(0, 2))
def test_strength_adds_at_most_its_weight_to_a_relevance_of_0_to_1(pool, weight: float) -> None:
    """The score of the profile `strength` is the sum of a relevance of 0 to 1 and a strength of 0 to the weight. All
    candidates are kept.
    """
    ranking, candidates, known = pool
    ranked = strength_ranking(ranking, candidates, known, importance_weight=weight)
    assert sorted(order(ranking)) == sorted(order(ranked))
    for item in ranked:
        assert 0 <= item.parts["relevance"] <= 1
        assert 0 <= item.parts["strength"] <= weight
        assert pytest.approx(item.parts["relevance"] + item.parts["strength"]) == item.score


@given(pools())
def test_strength_of_no_weight_is_the_order_of_fusion(pool) -> None:
    """With a weight of 0, the profile `strength` keeps the order of fusion, except among scores that scaling makes
    equal.
    """
    ranking, candidates, known = pool
    ranked = {item.id: item.score for item in strength_ranking(ranking, candidates, known, importance_weight=0)}
    in_order = [ranked[item.id] for item in ranking]
    assert sorted(in_order, reverse=True) == in_order


@given(pools())
def test_hebbian_is_the_formula_over_the_full_text_list(pool) -> None:
    """The score of the profile `hebbian` is its formula, divided by the best full-text score."""
    ranking, candidates, known = pool
    best = max(each.hits[FULL_TEXT].score for each in candidates.values()) or 1.0
    for item in hebbian_ranking(ranking, candidates, known):
        bm25, facts = candidates[item.id].hits[FULL_TEXT].score, known[item.id]
        expected = bm25 * exp(0.2 * facts.score) / (1 + 0.01 * facts.since_hit) / best
        assert pytest.approx(expected) == item.score


def test_hebbian_leaves_out_what_no_word_matches() -> None:
    """The profile `hebbian` leaves out candidates that are not in the full-text list."""
    facts = Traits(1, 1.0, 0, 0.0, 0.0, 0.0)
    candidates = {"a": Candidate("a", {FULL_TEXT: Hit(1, 2.0)}), "b": Candidate("b", {VECTOR: Hit(1, 0.9)})}
    ranking = [Fused.of(each, {}) for each in candidates.values()]
    assert ["a"] == order(hebbian_ranking(ranking, candidates, dict.fromkeys(candidates, facts)))


@given(traits, st.floats(0.01, 1), st.integers(1, 5))
def test_what_was_reinforced_comes_sooner(facts: Traits, match: float, more: int) -> None:
    """A higher reinforcement score gives a higher hebbian score."""
    raised = Traits(facts.importance, facts.stability, facts.score + more, facts.idle, facts.since_hit, facts.age)
    assert hebbian_score(match, facts) < hebbian_score(match, raised)


@given(pools())
def test_blended_adds_up_three_shares_of_its_fifty_nearest(pool) -> None:
    """The profile `blended` ranks only the nearest 50 by cosine. Its parts are at most 0.4, 0.3 and 0.3, and the
    similarity is 0.4 times the cosine, at least 0.
    """
    ranking, candidates, known = pool
    ranked = blended_ranking(ranking, candidates, known)
    nearest = sorted(candidates.values(), key=lambda each: (-max(0.0, each.cosine), each.id))[:MOST_BLENDED]
    assert sorted(each.id for each in nearest) == sorted(order(ranked))
    for item in ranked:
        bounds = {"similarity": 0.4, "recency": 0.3, "frequency": 0.3}
        assert all(0 <= item.parts[name] <= most + 1e-9 for name, most in bounds.items())
        assert pytest.approx(0.4 * max(0.0, candidates[item.id].cosine)) == item.parts["similarity"]


def test_half_of_the_recency_is_left_after_two_weeks() -> None:
    """The recency halves every 14 days; what is yet to come has recency 1."""
    assert [1.0, 1.0, 0.5, 0.25] == [recency(days) for days in (-3, 0, 14, 28)]
