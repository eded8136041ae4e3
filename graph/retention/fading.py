"""When a fact fades: the day on which its confidence, as `graph.retention.confidence` has it, reaches the end (T2)."""

from math import log
from typing import Final

_INVERSE: Final = 1 / 0.8
"""Of the exponent of time in `decayed_confidence`."""


def days_until_faded(confidence: float, decay_rate: float, threshold: float) -> float | None:
    """How many days after the last access `confidence` (0 to 1) has decayed to `threshold`; None when it never has.

    The inverse of `decayed_confidence`: `((ln c − ln θ) / λ)^(1/0.8)`, with λ the `decay_rate`.
    """
    if confidence <= threshold:
        return 0.0
    if decay_rate <= 0 or threshold <= 0:
        return None
    return float((log(confidence / threshold) / decay_rate) ** _INVERSE)
