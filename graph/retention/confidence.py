"""On which day a fact has faded (T2)."""

from math import log
from typing import Final

_EXPONENT: Final = 0.8


def days_until_faded(confidence: float, decay_rate: float, threshold: float) -> float | None:
    """How many days after the last access `confidence` (0 to 1) has decayed to `threshold`; None when it never has.

    `((ln c − ln θ) / λ)^(1/0.8)`, with λ the `decay_rate`: the inverse of `c · e^(-λ · d^0.8)`, a stretched exponential
    (Kohlrausch), which fades more slowly the longer it lasts (`cypher/fragments/present_confidence.cypher`).
    """
    if confidence <= threshold:
        return 0.0
    if decay_rate <= 0 or threshold <= 0:
        return None
    return float((log(confidence / threshold) / decay_rate) ** (1 / _EXPONENT))
