import math
from typing import get_args

import numpy as np
import pytest

from api.bench.extraction import Kind
from nlp.judge import BIAS, SHARE, SHARE_OF_WHOM, Features, Heads, Reader, Seen, confidence, judge, weighed
from scripts.teach_encoder import teach
from scripts.train_extraction import examples, lessons, taught

FELT = Features(
    worth={BIAS: -1.0, "word=hate": 2.0},
    kinds={"fact": {BIAS: 0.0}, "preference": {BIAS: -1.0, "word=hate": 3.0}},
    about={BIAS: -1.0, "subject": 3.0, "speaker": 0.5},
)


@pytest.fixture
def reader() -> Reader:
    """One whose heads read nothing from the vectors, but that what is worth it is so by two."""
    nothing = {name: [np.zeros((4, 2)), np.zeros(2)] for name in ("kinds", "piece")}
    one, two = [np.zeros((4, 3)), np.zeros(3)], [np.zeros((6, 3)), np.zeros(3)]
    last = [np.zeros((3, 1)), np.zeros(1)]
    heads = Heads(
        **nothing,
        worth=[*one, np.zeros((3, 1)), np.full(1, 2.0)],
        somebody=[np.zeros((2, 2)), np.zeros(2)],
        about=[*two, *last],
    )
    return Reader(FELT, heads, ["fact", "preference"], np.ones((3, 2), dtype=np.float32))


def _seen(*features: str, groups: int = 2) -> Seen:
    """A piece has two groups of tokens, a name one."""
    return Seen(set(features), ((1,),) * groups)


def test_a_decision_is_a_sum(reader) -> None:
    """Of the weights of what is seen, where what was never seen before says nothing, and of what the encoder reads."""
    assert pytest.approx(1.0) == weighed(FELT.worth, {"word=hate", "word=xyzzy"})
    odds = (1 - SHARE) * 1.0 + SHARE * 2.0
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(reader.worth_it(_seen("word=hate")))
    assert ["preference", "fact"] == [reader.kind(_seen("word=hate")), reader.kind(_seen("word=go"))]


def test_one_of_all_is_whom_it_is_about(reader) -> None:
    """The probabilities of all options are 1 together."""
    options = {"Maya": _seen("speaker", groups=1), "Ben": _seen("subject", groups=1)}
    name, sure = reader.subject(_seen(), options)
    assert "Ben" == name
    assert 1 / (1 + math.exp(-(1 - SHARE_OF_WHOM) * 2.5)) == pytest.approx(sure)
    assert ("Maya", pytest.approx(1.0)) == reader.subject(_seen(), {"Maya": options["Maya"]})


def test_confidence_grows_with_both() -> None:
    """That it is worth it, and whom it is about."""
    assert confidence(0.5, 0.9) < confidence(0.9, 0.9) < confidence(0.9, 1.0) < 1
    assert confidence(0.9, 0.5) < confidence(0.9, 0.9)


def test_what_was_taught_knows_every_kind(root, extractor) -> None:
    """The weights that come with the package, and the layers that read with them."""
    [first, *_] = examples(extractor, root / "tests/benchmark/extraction/dev4.jsonl")
    read = judge().read(first.framed)
    assert set(get_args(Kind)) == set(read.kinds)
    assert (len(first.framed.ids), 384) == read.vectors.shape
    assert 0 < read.worth_it(first.seen) < 1
    assert all(BIAS in weights for weights in (read.features.worth, read.features.about, *read.features.kinds.values()))


def test_teaching_tells_what_is_worth_it(root, extractor) -> None:
    """Learned from one labelled set, another one is judged far better than by chance, by either reader alone."""
    learned, unseen = (
        list(examples(extractor, root / "tests/benchmark/extraction" / f"{name}.jsonl")) for name in ("dev3", "dev4")
    )
    features, model = taught(learned), teach(lessons(learned), epochs=1)
    heads, names = Heads(**model.heads()), sorted(features.kinds)
    nothing = Features(dict.fromkeys([BIAS], 0.0), {name: {BIAS: 0.0} for name in names}, {BIAS: 0.0})
    flat = Heads(**{name: [layer * 0 for layer in layers] for name, layers in model.heads().items()})
    for told, read in ((features, flat), (nothing, heads)):
        readers = [Reader(told, read, names, model.vectors(each.framed.ids)) for each in unseen]
        judged = [(reader.worth_it(each.seen), each) for reader, each in zip(readers, unseen, strict=True)]
        worth = [chance for chance, each in judged if each.label is not None]
        rest = [chance for chance, each in judged if each.label is None]
        ahead = sum(one > other for one in worth for other in rest)
        assert ahead > 0.7 * len(worth) * len(rest)
        about = [
            (reader, each) for reader, each in zip(readers, unseen, strict=True) if any(map(each.right, each.subjects))
        ]
        right = sum(each.right(reader.subject(each.seen, each.subjects)[0]) for reader, each in about)
        assert right > 0.4 * len(about)  # of five whom it may be about
