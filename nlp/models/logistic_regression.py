"""Weights that were learned, of what is seen in a text: a logistic regression as it is used."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

BIAS: Final = ""
"""The feature that is always there."""


def weighed(weights: Mapping[str, float], features: Iterable[str]) -> float:
    """The log-odds that features are worth: the same to the last digit in whatever order they come."""
    return math.fsum([weights[BIAS], *(weights.get(each, 0.0) for each in features)])
