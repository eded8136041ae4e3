"""Turns that say what holds no longer, and what holds in its place (R4). Pure functions; the database tells which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hippograph.graph.retrieval.fusion import APART, Fused, in_order

Reason = Literal["ended", "corrected", "forgotten"]


@dataclass(frozen=True, slots=True)
class Outdated:
    """That what was found in a turn has ended since, was corrected or forgotten, and when; and the id of the memory
    that holds in its place, None when there is none that the viewer may see.
    """

    reason: Reason
    since: datetime
    holds: str | None


def holding_first(
    ranking: Sequence[Fused], outdated: Mapping[str, Outdated], evidence: Mapping[str, Sequence[str]]
) -> list[Fused]:
    """The ranking with each outdated turn behind what holds in its place, which is raised to stand right before it.

    `evidence` are the turns in which facts were found. What holds is a result itself, or one of its turns stands for
    it; what was not found is not put in, since a search has its own candidates (P1).
    """
    items = {item.id: item for item in ranking}
    for turn in ranking:
        found = outdated.get(turn.id)
        if found is None or found.holds is None:
            continue
        standing = [each for each in (found.holds, *evidence.get(found.holds, ())) if each in items and each != turn.id]
        gap = items[turn.id].score - items[standing[0]].score + APART if standing else 0.0
        if gap > 0:
            items[standing[0]] = items[standing[0]].plus("holds_now", gap)
    return in_order(items.values())
