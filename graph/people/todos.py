"""Todos (S7, M10): commitments, habits, threads and frictions of a person with a persona, open until done or dropped.

They are added by hand here, or extracted from turns (`graph.knowledge.todo_extraction`). An extracted todo is shown as
long as the viewer may see a memory in which it was found (M15). Nobody else sees a person's todos.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.checks import checked_moment, checked_name
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import NotFound
from hippograph.graph.ids import new_id, only_id
from hippograph.graph.model import Viewer
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.people.people import check_persona
from hippograph.graph.stretches import ended, precision_of

MAX_CONTENT: Final = 500


class TodoKind(StrEnum):
    """Kind of a todo: what a person promised, does regularly, left open, or is bothered by."""

    COMMITMENT = "commitment"
    HABIT = "habit"
    THREAD = "thread"
    FRICTION = "friction"


class TodoStatus(StrEnum):
    """Whether a todo is still open, was done, or was dropped."""

    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"


class TodoStanding(StrEnum):
    """Whether the due time of an open todo lies ahead, is now or today, or is over."""

    UPCOMING = "upcoming"
    DUE = "due"
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Todo:
    """A todo. `due_at` is the moment, or the start of the day, for which it is set. `memory_ids` are the memories in
    which it was found. `standing` is None unless it is open and has a due time.
    """

    id: str
    kind: TodoKind
    content: str
    status: TodoStatus
    due_at: datetime | None
    standing: TodoStanding | None
    persona_id: str | None
    memory_ids: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None


class Todos:
    """Sets, lists and closes the todos of the viewer with the viewer's persona."""

    def __init__(self, database: Database, clock: Clock, *, refuse_identifiers: bool = False) -> None:
        self._database = database
        self._clock = clock
        self._refuse_identifiers = refuse_identifiers

    async def add(self, viewer: Viewer, kind: TodoKind, content: str, *, due_at: datetime | None = None) -> Todo:
        """Adds a todo by hand. A `due_at` of midnight means the whole day. Raises `InvalidInput`, and `NotFound` for a
        persona or a viewer that does not exist.
        """
        content = checked_name(content, identifiers=self._refuse_identifiers, limit=MAX_CONTENT)
        due = None if due_at is None else checked_moment(due_at)
        row = await self._database.one(
            "todo/add",
            id=new_id(),
            kind=kind.value,
            content=content,
            due_at=due,
            due_until=due and ended(due, precision_of(due)),
            **request_params(viewer, None, self._clock),
        )
        if row is None or not row["persona_known"]:
            raise NotFound("there is no such persona" if row else f"there is no person {viewer.person_id}")
        return _todo(row["todo"])

    async def all(
        self,
        viewer: Viewer,
        *,
        statuses: Sequence[TodoStatus] = (TodoStatus.OPEN,),
        kinds: Sequence[TodoKind] = tuple(TodoKind),
        overdue: bool = False,
        first: int = 20,
        after: str | None = None,
    ) -> Listing[Todo]:
        """The todos of some statuses and kinds, newest first; with `overdue` only those whose due time is over. A
        viewer with all personas gets the todos of all. Open appointments whose day is over are left out.

        Raises `InvalidInput` for a page size out of range or a cursor of another list, `NotFound` for an unknown
        persona.
        """
        await check_persona(self._database, viewer.persona_id)
        rows = await self._database.run(
            "todo/list",
            persona=viewer.persona_id or "",
            every_persona=viewer.every_persona,
            statuses=[status.value for status in statuses],
            kinds=[kind.value for kind in kinds],
            overdue=overdue,
            **newest_first("todos", first, after),
            **read_params(viewer, None, self._clock),
        )
        found = [_todo(row["todo"]) for row in rows]
        return listing("todos", first, found, lambda todo: (todo.created_at, todo.id))

    async def open_here(self, viewer: Viewer, most: int) -> list[Todo]:
        """At most `most` open todos that may be shown in the viewer's current chat, or outside any. The earliest due
        come first, those without a due time last.
        """
        rows = await self._database.run("todo/here", limit=most, **request_params(viewer, None, self._clock))
        return [_todo(row["todo"]) for row in rows]

    async def called(self, viewer: Viewer, prefix: str) -> str:
        """The id of the viewer's todo with this id prefix. Raises `NotFound`, and `InvalidInput` if several match."""
        rows = await self._database.run("todo/called", prefix=prefix, limit=2, **read_params(viewer, None, self._clock))
        return only_id(rows, prefix, "todo", "todos")

    async def set_status(self, viewer: Viewer, todo_id: str, status: TodoStatus) -> Todo:
        """Reopens, completes or drops a todo. Raises `NotFound`."""
        row = await self._database.one(
            "todo/set_status", id=todo_id, status=status.value, **read_params(viewer, None, self._clock)
        )
        if row is None:
            raise NotFound(f"there is no todo {todo_id}")
        return _todo(row["todo"])


def _todo(row: Row) -> Todo:
    return Todo(
        id=row["id"],
        kind=TodoKind(row["kind"]),
        content=row["content"],
        status=TodoStatus(row["status"]),
        due_at=row.get("due_at"),
        standing=_standing(row),
        persona_id=row["persona_id"] or None,
        memory_ids=tuple(row["sources"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        closed_at=row.get("closed_at"),
    )


def _standing(row: Row) -> TodoStanding | None:
    due = row.get("due_at")
    if due is None or row["status"] != TodoStatus.OPEN:
        return None
    if row["clock"] < due:
        return TodoStanding.UPCOMING
    return TodoStanding.DUE if row["clock"] <= row["due_until"] else TodoStanding.OVERDUE
