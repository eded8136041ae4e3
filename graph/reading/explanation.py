"""Why a memory is believed: the turns it follows from, the memories it superseded or that superseded it, those that
contradict it, and the entities that it is about or mentions.
"""

from dataclasses import dataclass
from datetime import datetime

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import NotFound
from hippograph.graph.model import NO_END, Entity, Sensitivity, Viewer
from hippograph.graph.people.entities import known_entities


@dataclass(frozen=True, slots=True)
class Wording:
    """An earlier wording of a memory: the time until which it stood, and the id of the person who changed it."""

    content: str
    until: datetime
    changed_by: str


@dataclass(frozen=True, slots=True)
class Step:
    """A memory as one step of an explanation; None means that there is no such value.

    It held from `valid_from` to `valid_until`; `ended_at` is when the store learned of that end. It was believed from
    `created_at` to `retired_at`; `retired_by` is the reason (`corrected`, `forgotten`, `expired`, …).
    """

    memory_id: str
    content: str
    speaker_name: str | None
    source: str
    sensitivity: Sensitivity
    event_time: datetime
    created_at: datetime
    valid_from: datetime
    valid_until: datetime | None
    ended_at: datetime | None
    retired_at: datetime | None
    retired_by: str | None
    changed_by: str | None
    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A memory's copy in a group, since when it is there, and the group's title while the owner takes part in it."""

    chat_id: str
    title: str | None
    memory_id: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Explanation:
    """Explanation of a memory. `chain` holds the memories that supersede one another, itself included, by valid time;
    `sources` the turns it follows from; `contradictions` the memories that contradict it; `entities` those that it is
    about or mentions, by key. `shares` are the owner's shares with groups, the latest first; empty for others.
    """

    chain: tuple[Step, ...]
    sources: tuple[Step, ...]
    contradictions: tuple[Step, ...]
    entities: tuple[Entity, ...]
    shares: tuple[Share, ...] = ()


class Explaining:
    """Explains memories."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def explain(self, viewer: Viewer, memory_id: str) -> Explanation:
        """The explanation of a memory, also of one that is no longer believed, as far as the viewer may see each part.

        Raises `NotFound` if the viewer may see no such memory.
        """
        rows = await self._database.run("fact/explain", id=memory_id, **read_params(viewer, None, self._clock))
        parts: dict[str, list[Step]] = {}
        for row in rows:
            parts.setdefault(row["part"], []).append(_step(row["step"]))
        chain = tuple(parts.get("chain", ()))
        if memory_id not in {step.memory_id for step in chain}:
            raise NotFound(f"there is no memory {memory_id}")
        linked = {ref for row in rows if row["step"]["id"] == memory_id for ref in row["step"]["entities"]}
        known = await known_entities(self._database, self._clock, viewer, linked)
        params = read_params(viewer, None, self._clock)
        shares = await self._database.run("fact/shares", id=memory_id, **params)
        return Explanation(
            chain,
            tuple(parts.get("source", ())),
            tuple(parts.get("contradiction", ())),
            tuple(sorted(known.values(), key=lambda entity: entity.key)),
            tuple(Share(row["chat_id"], row["title"], row["memory_id"], row["since"]) for row in shares),
        )


def _step(node: Row) -> Step:
    return Step(
        memory_id=node["id"],
        content=node["content"],
        speaker_name=node["speaker_name"],
        source=node["source"],
        sensitivity=Sensitivity(node["sensitivity"]),
        event_time=node["event_time"],
        created_at=node["created_at"],
        valid_from=node["valid_from"],
        valid_until=_end(node["valid_until"]),
        ended_at=_end(node["ended_at"]),
        retired_at=_end(node["retired_at"]),
        retired_by=node["retired_by"],
        changed_by=node["changed_by"],
        wordings=tuple(
            Wording(wording["content"], wording["changed_at"], wording["changed_by"]) for wording in node["wordings"]
        ),
    )


def _end(moment: datetime) -> datetime | None:
    return None if moment == NO_END else moment
