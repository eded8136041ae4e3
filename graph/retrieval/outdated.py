"""Turns that state something outdated, and the memories that hold instead (R4). Pure functions, without a database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hippograph.graph.retrieval.fusion import APART, Fused, in_order

Reason = Literal["ended", "corrected", "forgotten"]


@dataclass(frozen=True, slots=True)
class Outdated:
    """Why a fact found in a turn no longer holds, and since when. `holds` is the id of the memory that holds in its
    place; None when there is none that the viewer may see.
    """

    reason: Reason
    since: datetime
    holds: str | None


def holding_first(
    ranking: Sequence[Fused], outdated: Mapping[str, Outdated], evidence: Mapping[str, Sequence[str]]
) -> list[Fused]:
    """The ranking, with what holds now raised to right before each outdated turn that would precede it.

    `evidence` maps each fact to the turns it was found in. If the memory that holds is no result itself, the best of
    its turns is raised instead. A memory that was not found is not added, since a search has its own candidates (P1).
    """
    items = {item.id: item for item in ranking}
    for turn in ranking:
        found = outdated.get(turn.id)
        if found is None or found.holds is None:
            continue
        held = (found.holds,) if found.holds in items else evidence.get(found.holds, ())
        standing = [items[each] for each in held if each in items and each != turn.id]
        if not standing:
            continue
        best = max(standing, key=lambda item: item.score)
        gap = items[turn.id].score - best.score + APART
        if gap > 0:
            items[best.id] = best.plus("holds_now", gap)
    return in_order(items.values())
