"""What recall and time make of a memory, as formulas that the statements are compared with (T2, T4)."""

from math import exp, log


def decayed_confidence(confidence: float, decay_rate: float, days: float) -> float:
    """`c · e^(-λ · d^0.8)`, 0 to 1: a stretched exponential (Kohlrausch), which fades more slowly the longer it lasts.

    `confidence` c is the stored one, `decay_rate` λ is 0 for what does not decay, `days` d are those since the last
    access (never accessed: since creation); a time before it counts as the access.
    """
    return float(confidence * exp(-decay_rate * max(0.0, days) ** 0.8))


def confidence_after_recall(confidence: float, access_count: int) -> float:
    """The stored confidence, 0 to 1, after a recall: `c + 0.05 · ln(1 + n / 20)`, 1 at most, where `access_count` n
    counts this recall too (T4).
    """
    return min(1.0, confidence + 0.05 * log(1 + access_count / 20))


def stability_after_recall(stability: float, *, growth: float, most: float) -> float:
    """The stability after a recall: `growth` times as many days, and `most` at most. What is above that stays."""
    return max(stability, min(most, stability * growth))
