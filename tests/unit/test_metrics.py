import random

import pytest

from benchmarks.quality.metrics import mean, measures, percentile, session_recall

OURS_TO_RANX = {
    "recall@2": "recall@2",
    "recall@5": "recall@5",
    "recall@10": "recall@10",
    "recall@25": "recall@25",
    "hit@5": "hit_rate@5",
    "mrr": "mrr",
    "ndcg@10": "ndcg@10",
}


def test_measures_are_those_of_ranx(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 300 random rankings the mean of every measure agrees with ranx; all@10 is 1 exactly where recall@10 is 1."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # compiling would take a minute; without it the test takes a moment
    from ranx import Qrels, Run, evaluate

    chance = random.Random(7)
    rankings, evidence = {}, {}
    for question in range(300):
        items = [f"d{n}" for n in range(60)]
        chance.shuffle(items)
        rankings[f"q{question}"] = items[: chance.choice([1, 3, 10, 40])]
        evidence[f"q{question}"] = frozenset(chance.sample(items, chance.choice([1, 2, 5, 12])))
    ours = [measures([[each] for each in rankings[q]], evidence[q]) for q in rankings]
    run = Run({q: {d: float(-place) for place, d in enumerate(ranking)} for q, ranking in rankings.items()})
    qrels = Qrels({q: dict.fromkeys(found, 1) for q, found in evidence.items()})
    theirs = evaluate(qrels, run, list(OURS_TO_RANX.values()), make_comparable=True)
    measured = mean(ours)
    assert {name: pytest.approx(theirs[other]) for name, other in OURS_TO_RANX.items()} == {
        name: measured[name] for name in OURS_TO_RANX
    }
    assert [float(each["recall@10"] == 1) for each in ours] == [each["all@10"] for each in ours]


def test_nothing_found_measures_nothing() -> None:
    """For an empty ranking every measure is 0."""
    assert {0.0} == set(measures([], frozenset({"a"})).values())


def test_all_found_first_measures_one() -> None:
    """If all evidence is at the first ranks, every measure is 1."""
    assert {1.0} == set(measures(["a", "b", "c"], frozenset({"a", "b"})).values())


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.5, 5), (0.9, 9), (0.95, 10), (0.99, 10), (1.0, 10)])
def test_percentile_is_the_nearest_rank(share: float, expected: float) -> None:
    """`percentile` returns the nearest-rank percentile of values in any order."""
    assert expected == percentile([10, 1, 9, 2, 8, 3, 7, 4, 6, 5], share)


def test_a_session_is_found_with_its_first_turn() -> None:
    """Sessions are ranked by the first of their turns; a result with several turns counts for the sessions of all."""
    sessions = {"a1": "a", "a2": "a", "b1": "b", "c1": "c"}
    ranking = [["a1"], ["a2"], ["c1", "b1"]]
    assert [0.5, 0.5, 1.0] == [session_recall(ranking, frozenset({"a2", "b1"}), sessions, k) for k in (1, 2, 3)]
