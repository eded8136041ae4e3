"""Reading memories: by id, as far as the viewer may see them, as plain values."""

import json
from collections.abc import Sequence
from datetime import datetime

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.ids import only_id
from hippograph.graph.model import EventPrecision, Memory, MemoryType, Quotation, Sensitivity, SourceRole, Times, Viewer
from hippograph.graph.paging import Listing, listing
from hippograph.graph.zones import wall_clock
from hippograph.nlp.attachments import attachments_in
from hippograph.nlp.extraction.quoting import LONGEST_QUOTATION


class Memories:
    """Reads memories by id."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def load(self, viewer: Viewer, ids: Sequence[str], times: Times | None = None) -> dict[str, Memory]:
        """The memories with these ids that the viewer may see, by id. Hidden and unknown ones alike are absent."""
        rows = await self._database.run("memory/load", ids=list(ids), **request_params(viewer, times, self._clock))
        return {row["memory"]["id"]: memory(row) for row in rows}

    async def held(self, viewer: Viewer, memory_id: str) -> Memory | None:
        """A memory that was just changed, even if it has ended or is not yet valid; None when it is hidden."""
        row = await self._database.one("memory/held", id=memory_id, **read_params(viewer, None, self._clock))
        return memory(row) if row else None

    async def called(self, viewer: Viewer, prefix: str) -> str:
        """The id of the one memory whose id begins with `prefix`, in any chat of the viewer and even if it was retired.

        Raises `NotFound` when there is none, `InvalidInput` when several match.
        """
        rows = await self._database.run(
            "memory/called", prefix=prefix, limit=2, **read_params(viewer, None, self._clock)
        )
        return only_id(rows, prefix, "memory", "memories")


def memories_by_time(name: str, first: int, rows: Sequence[Row]) -> Listing[Memory]:
    """A page of the list `name` from rows sorted by event time; its cursors hold the event time and the id."""
    return listing(name, first, [memory(row) for row in rows], lambda found: (found.event_time, found.id))


def memory(row: Row) -> Memory:
    """A memory from a row of `memory/load`; values that stand for "none" in the graph become None."""
    node = row["memory"]
    return Memory(
        id=node["id"],
        type=MemoryType(node["type"]),
        content=node["wording"],
        owner_id=node["owner_id"] or None,
        chat_id=node["chat_id"] or None,
        learned_in=node["learned_in"] or None,
        persona_id=node["persona_id"] or None,
        session_id=node["session_id"] or None,
        speaker_id=node["speaker_id"] or None,
        speaker_name=node["speaker_name"],
        source=node["source"],
        source_role=SourceRole(node["source_role"]),
        sensitivity=Sensitivity(node["sensitivity"]),
        portable=node["portable"],
        event_time=datetime.fromisoformat(node["event_time"]),
        created_at=datetime.fromisoformat(node["created_at"]),
        valid_from=datetime.fromisoformat(node["valid_from"]),
        # None if the end was not yet known at the time of the read (M14).
        valid_until=datetime.fromisoformat(node["valid_until"]) if node["valid_until"] else None,
        kind=node["kind"] or None,
        category=node["category"] or None,
        tags=tuple(node["tags"]),
        status=node["status"],
        confidence=node["confidence"],
        importance=node["importance"],
        inferred_labels=tuple(node["inferred_labels"]),
        fact_type=node["fact_type"],
        pinned=bool(node["pinned"]),
        pinned_by_viewer=node["pinned_by_viewer"],
        score=node["score"],
        pending=row["pending"],
        entity_keys=tuple(row["entities"]),
        event_precision=EventPrecision(node["event_precision"]),
        quotation=_quotation(node["quotation"]),
        frame=node["frame"] or None,
        origin=node["origin"],
        narrative=node["narrative_id"] or None,
        task=node["task_id"] or None,
        space_id=node["space_id"] or None,
        attributes=json.loads(node["attributes"] or "{}"),
        time_zone=node["time_zone"],
        attachments=attachments_in(node["wording"], node["attachments"]) if node["attachments"] else (),
    )


def _quotation(row: Row | None) -> Quotation | None:
    """The words that a fact was extracted from; a long turn that was not read sentence by sentence is cut."""
    if row is None:
        return None
    text = row["text"] if len(row["text"]) <= LONGEST_QUOTATION else f"{row['text'][: LONGEST_QUOTATION - 1]}…"
    day = wall_clock(datetime.fromisoformat(row["time"]), row["zone"]).date()
    return Quotation(row["speaker"], day, text, row["memory_id"])
