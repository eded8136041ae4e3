"""Logistic regression over named features of a text, with weights that were learned."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

BIAS: Final = ""
"""Name of the feature that is always present."""


def weighed(weights: Mapping[str, float], features: Iterable[str]) -> float:
    """The log-odds of some features; the exact same number in whatever order they come."""
    return math.fsum([weights[BIAS], *(weights.get(each, 0.0) for each in features)])
