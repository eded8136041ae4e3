import itertools
import json
import math
from typing import get_args

import numpy as np
import pytest

from api.bench.extraction import Kind
from nlp.extraction.relevance import (
    FEATURES,
    SHARE,
    SHARE_OF_WHOM,
    TAUGHT,
    Features,
    Judge,
    Seen,
    Verdict,
    confidence,
    judge,
)
from nlp.models.logistic_regression import BIAS, weighed
from scripts.teach_encoder import teach
from scripts.train_extraction import examples, lessons, taught

FELT = Features(
    worth={BIAS: -1.0, "word=hate": 2.0},
    kinds={"fact": {BIAS: 0.0}, "preference": {BIAS: -1.0, "word=hate": 3.0}},
    about={BIAS: -1.0, "subject": 3.0, "speaker": 0.5},
)


class Nothing:
    """Reads nothing from the vectors, but that what is worth it is so by two."""

    def vectors(self, ids):
        """As long as they may be."""
        return np.ones((len(ids), 2), dtype=np.float32)

    def opinion(self, piece, options):
        """The same of all."""
        assert (4,) == piece.shape
        assert 2 == options.shape[1]
        return 2.0, np.zeros(2), np.zeros(len(options))


def _seen(*features: str, groups: int = 2) -> Seen:
    """A piece has two groups of tokens, a name one."""
    return Seen(set(features), ((1,),) * groups)


FELT_ALONE = Judge(FELT, Nothing())


def _judged(piece: Seen, **options: Seen) -> Verdict:
    return FELT_ALONE.verdict(np.ones((3, 2), dtype=np.float32), piece, options)


MAYA, BEN = _seen("speaker", groups=1), _seen("subject", groups=1)


def test_the_order_of_what_is_seen_changes_nothing() -> None:
    """Not even the last digit, which decides where a weight more or less is all there is."""
    weights = {BIAS: -0.3, "one": 0.1, "two": 0.2, "three": 1e16, "four": -1e16}
    orders = itertools.permutations(["one", "two", "three", "four"])
    assert {weighed(weights, order) for order in orders} == {weighed(weights, ["one", "two", "three", "four"])}


def test_a_decision_is_a_sum() -> None:
    """Of the weights of what is seen, where what was never seen before says nothing, and of what the encoder reads."""
    assert pytest.approx(1.0) == weighed(FELT.worth, {"word=hate", "word=xyzzy"})
    odds = (1 - SHARE) * 1.0 + SHARE * 2.0
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(_judged(_seen("word=hate"), Maya=MAYA).worth)
    pieces = [_seen("word=hate"), _seen("word=go")]
    assert ["preference", "fact"] == [FELT_ALONE.kind(each, _judged(each, Maya=MAYA)) for each in pieces]


def test_one_of_all_is_whom_it_is_about() -> None:
    """The probabilities of all options are 1 together."""
    verdict = _judged(_seen(), Maya=MAYA, Ben=BEN)
    assert "Ben" == verdict.subject
    assert 1 / (1 + math.exp(-(1 - SHARE_OF_WHOM) * 2.5)) == pytest.approx(verdict.sure)
    alone = _judged(_seen(), Maya=MAYA)
    assert ("Maya", pytest.approx(1.0)) == (alone.subject, alone.sure)


def test_confidence_grows_with_both() -> None:
    """That it is worth it, and whom it is about."""
    assert confidence(0.5, 0.9) < confidence(0.9, 0.9) < confidence(0.9, 1.0) < 1
    assert confidence(0.9, 0.5) < confidence(0.9, 0.9)


def test_what_was_taught_knows_every_kind(root, extractor) -> None:
    """The weights that come with the package, and the layers that read with them."""
    [first, *_] = examples(extractor, root / "tests/benchmark/extraction/dev4.jsonl")
    features = Features(**json.loads((TAUGHT / FEATURES).read_text("utf-8")))
    assert set(get_args(Kind)) == set(features.kinds)
    assert all(BIAS in weights for weights in (features.worth, features.about, *features.kinds.values()))
    vectors = judge().read(first.framed)
    assert (len(first.framed.ids), 384) == vectors.shape
    verdict = judge().verdict(vectors, first.seen, first.subjects)
    assert 0 < verdict.worth < 1
    assert verdict.subject in first.subjects


class Blind:
    """Reads nothing at all."""

    def __init__(self, kinds: int) -> None:
        self.kinds = kinds

    def vectors(self, ids):
        """As long as they may be."""
        return np.zeros((len(ids), 384), dtype=np.float32)

    def opinion(self, piece, options):
        """The same of all."""
        return 0.0, np.zeros(self.kinds), np.zeros(len(options))


def test_teaching_tells_what_is_worth_it(root, extractor) -> None:
    """Learned from one labelled set, another one is judged far better than by chance, by either opinion alone."""
    labelled = root / "tests/benchmark/extraction"
    learned = list(examples(extractor, labelled / "dev3.jsonl"))
    unseen = list(examples(extractor, labelled / "dev4.jsonl"))[::3]
    features = taught(learned)
    nothing = Features({BIAS: 0.0}, {name: {BIAS: 0.0} for name in features.kinds}, {BIAS: 0.0})
    for one in (Judge(features, Blind(len(features.kinds))), Judge(nothing, teach(lessons(learned), epochs=1))):
        judged = [(one.verdict(one.read(each.framed), each.seen, each.subjects), each) for each in unseen]
        worth = [verdict.worth for verdict, each in judged if each.label is not None]
        rest = [verdict.worth for verdict, each in judged if each.label is None]
        ahead = sum(more > less for more in worth for less in rest)
        assert ahead > 0.7 * len(worth) * len(rest)
        about = [(verdict, each) for verdict, each in judged if any(map(each.right, each.subjects))]
        right = sum(each.right(verdict.subject) for verdict, each in about)
        assert right > 0.4 * len(about)  # of five whom it may be about
