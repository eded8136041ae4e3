import math
from typing import get_args

import pytest

from api.bench.extraction import Kind
from nlp.judge import BIAS, Judge, judge
from scripts.train_extraction import examples, taught

FELT = Judge(
    worth={BIAS: -1.0, "word=hate": 2.0},
    kinds={"fact": {BIAS: 0.0}, "preference": {BIAS: -1.0, "word=hate": 3.0}},
    about={BIAS: -1.0, "subject": 3.0, "speaker": 0.5},
)


def test_a_decision_is_a_sum() -> None:
    """Of the weights of what is seen; what was never seen before says nothing."""
    assert 1 / (1 + math.exp(-1.0)) == pytest.approx(FELT.worth_it({"word=hate", "word=xyzzy"}))
    assert 1 / (1 + math.exp(1.0)) == pytest.approx(FELT.worth_it(set()))
    assert ["preference", "fact"] == [FELT.kind({"word=hate"}), FELT.kind({"word=go"})]
    name, sure = FELT.subject({"Maya": {"speaker"}, "Ben": {"subject"}})
    assert ("Ben", pytest.approx(1 / (1 + math.exp(-2.0)))) == (name, sure)


def test_what_was_taught_knows_every_kind() -> None:
    """The weights that come with the package."""
    assert set(get_args(Kind)) == set(judge().kinds)
    assert all(BIAS in weights for weights in (judge().worth, judge().about, *judge().kinds.values()))


def test_teaching_tells_what_is_worth_it(root, extractor) -> None:
    """Learned from one labelled set, another one is judged far better than by chance."""
    learned, unseen = (
        list(examples(extractor, root / "tests/benchmark/extraction" / f"{name}.jsonl")) for name in ("dev3", "dev4")
    )
    made = taught(learned)
    worth = [made.worth_it(each.seen) for each in unseen if each.label is not None]
    rest = [made.worth_it(each.seen) for each in unseen if each.label is None]
    ahead = sum(one > other for one in worth for other in rest)
    assert ahead > 0.75 * len(worth) * len(rest)
    about = [each for each in unseen if any(each.right(name) for name in each.subjects)]
    assert sum(each.right(made.subject(each.subjects)[0]) for each in about) > 0.7 * len(about)
