"""Weights of the confidence of facts, learned from readers' verdicts, and tables of precision by confidence."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy
from sklearn.linear_model import LogisticRegression

from hippograph.nlp.frames.extractor import CONFIDENCE, Sort, confidence
from hippograph.nlp.models.logistic_regression import BIAS

REGULARISED: Final = 0.3
OFTEN: Final = 8
"""Minimum number of facts that have a feature for it to get a weight."""
BOUNDS: Final = (0.0, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85)


@dataclass(frozen=True, slots=True)
class Judged:
    """The features (`evidence`) of a fact found in a set, and a reader's verdict: whether it is good, and whether it is
    also worth keeping.
    """

    sort: Sort
    evidence: Mapping[str, float]
    set_name: str
    good: bool
    kept: bool


def weigh(found: Sequence[Judged]) -> dict[str, float]:
    """Returns the weights, by feature, of a logistic regression for whether a fact is good and worth keeping."""
    often = Counter(name for each in found for name in each.evidence)
    names = sorted(name for name, times in often.items() if times >= OFTEN)
    given = numpy.array([[each.evidence.get(name, 0.0) for name in names] for each in found])
    model = LogisticRegression(C=REGULARISED, max_iter=3000).fit(given, [each.kept for each in found])
    weights = dict(zip(names, model.coef_[0].tolist(), strict=True))
    return {BIAS: round(float(model.intercept_[0]), 4)} | {name: round(weight, 4) for name, weight in weights.items()}


def print_table(title: str, found: Sequence[Judged], weighed: Set[str], shown: Set[str]) -> None:
    """Prints how many facts of the sets `shown` are good, and how many are also worth keeping, at or above each minimum
    confidence. The weights for a set are learned from the sets `weighed` without it.
    """
    sure = list[tuple[float, Judged]]()
    for left_out in shown:
        weights = weigh([each for each in found if each.set_name in weighed - {left_out}])
        sure += [(confidence(weights, each.evidence), each) for each in found if each.set_name == left_out]
    for least in BOUNDS:
        some = [each for certain, each in sure if certain >= least]
        good, kept = sum(each.good for each in some), sum(each.kept for each in some)
        print(f"{title}, {least:.2f}: of {len(some)} {good} good, {kept} worth keeping too")


def keep_weights(folder: Path, by: str, weights: Mapping[str, Mapping[str, float]]) -> None:
    """Writes weights by `Sort` under the key `by` (`tagged` or `verified`) into the file in a folder. Other keys of the
    file stay.
    """
    file = folder / CONFIDENCE
    others = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    file.write_text(json.dumps({**others, by: weights}, indent=1) + "\n", "utf-8")
