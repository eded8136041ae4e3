"""The confidence in a fact: its decay, its growth by recall, and the time until it has faded (T2, T4)."""

from math import exp, log
from typing import Final

_EXPONENT: Final = 0.8
_STEP: Final = 0.05
_SLOWNESS: Final = 20.0


def decayed_confidence(confidence: float, decay_rate: float, days: float) -> float:
    """`c · e^(-λ · d^0.8)`, 0 to 1: a stretched exponential (Kohlrausch), which fades more slowly the longer it lasts.

    `confidence` c is the stored one, `decay_rate` λ is 0 for what does not decay, `days` d are those since the last
    access (if never accessed, since creation). Negative days count as 0.
    """
    return float(confidence * exp(-decay_rate * max(0.0, days) ** _EXPONENT))


def confidence_after_recall(confidence: float, access_count: int) -> float:
    """The stored confidence, 0 to 1, after a recall: `c + 0.05 · ln(1 + n / 20)`, 1 at most, where `access_count` n
    counts this recall too (T4).
    """
    return min(1.0, confidence + _STEP * log(1 + access_count / _SLOWNESS))


def days_until_faded(confidence: float, decay_rate: float, threshold: float) -> float | None:
    """Days after the last access until `confidence` (0 to 1) has decayed to `threshold`; None if it never does.

    The inverse of `decayed_confidence`: `((ln c − ln θ) / λ)^(1/0.8)`, with λ the `decay_rate`.
    """
    if confidence <= threshold:
        return 0.0
    if decay_rate <= 0 or threshold <= 0:
        return None
    return float((log(confidence / threshold) / decay_rate) ** (1 / _EXPONENT))
