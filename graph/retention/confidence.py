"""How the confidence in a fact decays (T2)."""

from math import exp
from typing import Final

_EXPONENT: Final = 0.8


def decayed_confidence(confidence: float, decay_rate: float, days: float) -> float:
    """`c · e^(-λ · d^0.8)`, 0 to 1: a stretched exponential (Kohlrausch), which fades more slowly the longer it lasts.

    `confidence` c is the stored one, `decay_rate` λ is 0 for what does not decay, `days` d are those since the last
    access (never accessed: since creation); a time before it counts as the access.
    """
    return float(confidence * exp(-decay_rate * max(0.0, days) ** _EXPONENT))
