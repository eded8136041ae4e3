"""Strength of a memory: importance times retention, by the forgetting curve (T1).

Source: H. Ebbinghaus, Über das Gedächtnis (1885), in the exponential form `R = e^(-t/S)` of P. Woźniak, Two components
of long-term memory (Acta Neurobiologiae Experimentalis 55, 1995), where the stability S grows with each recall.
"""

from math import exp
from typing import Final

STRONG_EMOTION: Final = 0.7
SOME_EMOTION: Final = 0.5


def retention(days: float, stability: float) -> float:
    """The share that is left, 0 to 1, so many days after the last access (if never accessed, after creation), by
    `R(t) = e^(-t/S)`. `stability` S is the number of days after which 1/e is left. Negative days count as 0.
    """
    return exp(-max(0.0, days) / stability)


def strength(importance: float, days: float, stability: float) -> float:
    """`importance × R(t)`, 0 to 3 as the importance is."""
    return importance * retention(days, stability)


def first_stability(emotion: float | None) -> float:
    """The stability, in days, of a memory that was never recalled; it is greater for emotional memories. `emotion` is
    the intensity, 0 to 1; None if unknown.
    """
    if emotion is None or emotion <= SOME_EMOTION:
        return 1.0
    return 10.0 if emotion > STRONG_EMOTION else 5.0


def stability_after_recall(stability: float, *, growth: float, most: float) -> float:
    """The stability after a recall: `growth` times as many days, at most `most`. A stability above `most` stays."""
    return max(stability, min(most, stability * growth))
