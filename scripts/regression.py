"""What the scripts that teach have in common: the labelled talk they learn from, and how weights are found."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from hippograph.nlp.models.logistic_regression import BIAS

SETS: Final = Path(__file__).parents[1] / "tests/benchmark/extraction"
FEWEST: Final = 4
"""A feature that is seen less often teaches nothing."""


def teaching_sets() -> list[Path]:
    """The files of labelled talk that are not held out."""
    return sorted(file for file in SETS.glob("*.jsonl") if not file.stem.startswith("heldout"))


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression: the inverse of the `strength` of regularisation (L2), the `least` weight that is kept, and
    to how many `places`.
    """

    strength: float
    least: float
    places: int

    def weights(
        self, seen: Sequence[Collection[str]], right: Iterable[bool], counting: Sequence[float] | None = None
    ) -> dict[str, float]:
        """What each feature says for being right, by examples `counting` for so much."""
        counted = Counter(each for features in seen for each in features)
        vectorizer = DictVectorizer()
        table = vectorizer.fit_transform(
            [{each: 1.0 for each in features if counted[each] >= FEWEST} for features in seen]
        )
        model = LogisticRegression(C=self.strength, max_iter=2_000).fit(table, list(right), sample_weight=counting)
        named = zip(vectorizer.get_feature_names_out(), model.coef_[0].tolist(), strict=True)
        kept = {str(name): round(weight, self.places) for name, weight in sorted(named) if abs(weight) > self.least}
        return {BIAS: round(float(model.intercept_[0]), self.places), **kept}
