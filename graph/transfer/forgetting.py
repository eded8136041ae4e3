"""Forgets many memories at once, and deletes them permanently (W12, M13): first a plan, which changes nothing, then an
act.

An act is an item of the queue. It is carried out in batches, each an idempotent transaction, so that another worker can
resume an interrupted act. The memories that an act forgot can be restored together until they are purged. A purge
leaves counts, ids and the hashes by which an import recognises purged memories.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import Conflict, InvalidInput, NotFound
from hippograph.graph.ids import new_id, only_id
from hippograph.graph.jobs.queue import Claim, Queue
from hippograph.graph.model import START, Report, Viewer
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.people.people import name_token
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.transfer.erasure import LISTED, relink
from hippograph.graph.writing.purged import import_id, statement_key
from hippograph.nlp.text import slug

log = logging.getLogger(__name__)

MOST_PLANNED: Final = 100_000
"""Maximum number of memories that one plan may select."""
MOST_IDS: Final = 1_000
PLAN_LASTS: Final = timedelta(days=1)
"""Maximum age at which a plan can be carried out or purged."""
EXAMPLES: Final = 10
_PLANS: Final = 10
"""Maximum number of plans of one person that are kept without being carried out; older ones are deleted."""
_LOOKED_AT: Final = 2_000
_AT_ONCE: Final = 500
_PAUSE_S: Final = 0.1
_ANYTHING: Final = Filters(statuses=())


class ForgettingStatus(StrEnum):
    """The status of an act of forgetting."""

    PLANNED = "planned"
    FORGETTING = "forgetting"
    FORGOTTEN = "forgotten"
    UNDOING = "undoing"
    UNDONE = "undone"
    PURGING = "purging"
    PURGED = "purged"


_Status = ForgettingStatus
_DONE: Final = {
    _Status.FORGETTING: _Status.FORGOTTEN,
    _Status.UNDOING: _Status.UNDONE,
    _Status.PURGING: _Status.PURGED,
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of the viewer's own memories are to be forgotten: those that match all of `chats` (where they were
    learned), `imported` (the name of an import) and `filters`, or else those of `ids`. An empty value matches all.
    `given_up` includes memories that are no longer believed (corrected, forgotten, expired), which can only be purged;
    `ids` may name such memories without it.
    """

    filters: Filters = _ANYTHING
    chats: tuple[str, ...] = ()
    imported: str | None = None
    ids: tuple[str, ...] = ()
    given_up: bool = False

    def __post_init__(self) -> None:
        """Raises `InvalidInput` for a selection of everything, ids together with other criteria, and too many ids."""
        narrowed = bool(self.chats or self.imported or self.filters not in (_ANYTHING, Filters()))
        if not narrowed and not self.ids:
            raise InvalidInput(
                "say which memories: their ids, or a chat, a session, a stretch of time, an import or a tag"
            )
        if narrowed and self.ids:
            raise InvalidInput("give either ids of memories, or what they have in common")
        if len(self.ids) > MOST_IDS:
            raise InvalidInput(f"up to {MOST_IDS} memories by their ids; {len(self.ids)} were given")

    def asked(self) -> list[str]:
        """The criteria in words, one item for each value; of ids the first `EXAMPLES`."""
        named = {"chat": self.chats, "import": [self.imported] if self.imported else [], "memory": self.ids[:EXAMPLES]}
        words = [f"{name} {value}" for name, values in named.items() for value in values]
        for name, value in asdict(self.filters).items():
            if value != getattr(_ANYTHING, name) and (name, value) != ("statuses", ("active",)):
                shown = value if isinstance(value, tuple | list) else (value,)
                words += [f"{name} {each.isoformat() if isinstance(each, datetime) else each}" for each in shown]
        return [*words, *(["given up"] if self.given_up else [])]


@dataclass(frozen=True, slots=True)
class Forgetting:
    """An act of forgetting, or the plan of one. `asked` holds the criteria in words. `counts` are the numbers of
    planned memories by type; `found_in_them` counts facts that rest on these memories alone, `given_up` memories that
    are no longer believed. `examples` are ids of the first planned memories. `done` is the number of memories processed
    so far by the operation under way. `failed` means that workers gave up; an administrator can have it retried.
    `finished_at` is None for a plan, and while the act is under way.
    """

    id: str
    status: ForgettingStatus
    asked: tuple[str, ...]
    counts: dict[str, int]
    requested_at: datetime
    examples: tuple[str, ...] = ()
    done: int = 0
    finished_at: datetime | None = None
    failed: bool = field(default=False, compare=False)

    @property
    def selected(self) -> int:
        """The number of planned memories, without the facts that are found in them."""
        return sum(count for kind, count in self.counts.items() if kind != "found_in_them")

    @property
    def under_way(self) -> bool:
        """Whether a worker is carrying it out, or will."""
        return self.status in _DONE and not self.failed


class Forgettings:
    """Plans, carries out, undoes and purges acts of forgetting. Viewers have access only to their own."""

    name = "forget"

    def __init__(self, database: Database, clock: Clock) -> None:
        self.queue = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._going_on: set[asyncio.Task[int]] = set()

    async def plan(self, viewer: Viewer, selection: Selection) -> Forgetting:
        """Stores a plan of what would be forgotten and returns it; no memory is changed. It expires after `PLAN_LASTS`.

        Raises `InvalidInput` for more than `MOST_PLANNED` memories, and `NotFound` if the person does not exist.
        """
        made = new_id()
        reading = read_params(viewer, None, self._clock)
        row = await self._database.one(
            "forgetting/plan", forgetting_id=made, asked=selection.asked(), most=_PLANS - 1, **_who(reading)
        )
        if row is None:
            raise NotFound(f"there is no person {viewer.person_id}")
        for scope in [""] if selection.ids else row["scopes"]:
            await self._select(made, scope, selection, reading)
        await self._database.run("forgetting/count_found", forgetting_id=made, **reading)
        return await self.of(viewer, made)

    async def of(self, viewer: Viewer, forgetting_id: str) -> Forgetting:
        """The present state of an act or plan. Raises `NotFound`, also if it is somebody else's."""
        rows = await self._listed(viewer, forgetting_id, 1)
        if not rows:
            raise _unknown(forgetting_id)
        return rows[0]

    async def all(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Forgetting]:
        """The viewer's acts and plans, the latest first. Raises `InvalidInput` for an invalid page."""
        found = await self._listed(viewer, None, first, after)
        return listing("forgettings", first, found, lambda one: (one.requested_at, one.id))

    async def _listed(
        self, viewer: Viewer, forgetting_id: str | None, first: int, after: str | None = None
    ) -> list[Forgetting]:
        page = newest_first("forgettings", first, after)
        rows = await self._database.run("forgetting/list", forgetting_id=forgetting_id, viewer=viewer.person_id, **page)
        return [_forgetting(row["forgetting"]) for row in rows]

    async def called(self, viewer: Viewer, prefix: str) -> str:
        """The id of the viewer's act with this prefix. Raises `NotFound`, and `InvalidInput` if several ids have it."""
        rows = await self._database.run("forgetting/called", prefix=prefix, limit=2, viewer=viewer.person_id)
        return only_id(rows, prefix, "plan of forgetting", "plans of forgetting")

    async def carry_out(self, viewer: Viewer, forgetting_id: str) -> Forgetting:
        """Queues a plan: the planned memories and the facts that rest on them alone will be forgotten, but no memories
        recorded after the plan. Raises `NotFound`, and `Conflict` if it is no longer a plan.
        """
        return await self._go(viewer, forgetting_id, [_Status.PLANNED], _Status.FORGETTING)

    async def undo(self, viewer: Viewer, forgetting_id: str) -> Forgetting:
        """Queues the restoring of what an act forgot. Raises `NotFound`, and `Conflict` if nothing is forgotten."""
        return await self._go(viewer, forgetting_id, [_Status.FORGOTTEN], _Status.UNDOING)

    async def purge(self, viewer: Viewer, forgetting_id: str) -> Forgetting:
        """Queues a purge: it permanently deletes what an act forgot, or a plan selects, with texts, vectors, earlier
        wordings and all that was derived from it alone. Raises `NotFound`, and `Conflict` if nothing is left to purge.
        """
        return await self._go(viewer, forgetting_id, [_Status.PLANNED, _Status.FORGOTTEN], _Status.PURGING)

    async def finished(
        self, viewer: Viewer, forgetting_id: str, *, within_s: float | None = None, report: Report | None = None
    ) -> Forgetting:
        """Waits until an act is no longer under way, at most `within_s` seconds (None: no limit). Returns its state.

        Meanwhile it works on the queue itself, in case no worker does.
        """
        ends = None if within_s is None else time.monotonic() + within_s
        working = asyncio.create_task(self.step())
        try:
            while True:
                found = await self.of(viewer, forgetting_id)
                if report:
                    report(found.done, max(found.selected, found.done), found.status.value)
                if not found.under_way or (ends is not None and time.monotonic() > ends):
                    return found
                if working.done() and working.result() == 0:
                    await asyncio.sleep(_PAUSE_S)
                if working.done():
                    working = asyncio.create_task(self.step())
                await asyncio.wait([working], timeout=_PAUSE_S)
        finally:
            if within_s is None:
                await asyncio.shield(working)
            else:
                self._let_go_on(working)

    def _let_go_on(self, working: asyncio.Task[int]) -> None:
        """Lets the work go on without its caller. If it fails, another worker takes it over."""
        self._going_on.add(working)
        working.add_done_callback(self._ended)

    def _ended(self, working: asyncio.Task[int]) -> None:
        self._going_on.discard(working)
        if not working.cancelled() and (error := working.exception()):
            log.warning("an act of forgetting waits for a worker: %s", error)

    async def step(self) -> int:
        """Claims a waiting act and carries it out. Returns the number of acts claimed, 0 or 1."""
        return await self.queue.work_off(1, self._work, held=True)

    async def _select(self, plan: str, scope: str, selection: Selection, reading: Row) -> None:
        """Adds the selected memories of a scope (an owner or a group) to the plan, page by page.

        Raises `InvalidInput`, and deletes the plan, if it has more than `MOST_PLANNED` memories.
        """
        person, position = str(reading["viewer"]), (START, "")
        while True:
            row = await self._database.one(
                "forgetting/select",
                forgetting_id=plan,
                scope=scope,
                from_time=position[0],
                from_id=position[1],
                ids=list(selection.ids),
                chats=list(selection.chats),
                import_id=import_id(person, selection.imported) if selection.imported else None,
                given_up=selection.given_up,
                shown=EXAMPLES,
                limit=_LOOKED_AT,
                **selection.filters.params(),
                **reading,
            )
            if row is None:
                return
            if row["planned"] > MOST_PLANNED:
                await self._database.run("forgetting/drop", forgetting_id=plan, viewer=person)
                raise InvalidInput(f"that is more than {MOST_PLANNED} memories: plan a part of it, such as a year")
            if selection.ids or row["looked"] < _LOOKED_AT:
                return
            position = (row["time"], row["id"])

    async def _go(
        self, viewer: Viewer, forgetting_id: str, before: Sequence[ForgettingStatus], doing: ForgettingStatus
    ) -> Forgetting:
        now = self._clock()
        row = await self._database.one(
            "forgetting/request",
            forgetting_id=forgetting_id,
            before=[status.value for status in before],
            doing=doing.value,
            since=now - PLAN_LASTS,
            viewer=viewer.person_id,
            now=now,
        )
        if row is None:
            raise _unknown(forgetting_id)
        if not row["asked_for"] and row["status"] != doing.value:
            raise Conflict(_refusal(row["status"], doing))
        return await self.of(viewer, forgetting_id)

    async def _work(self, forgetting_id: str, claim: Claim) -> None:
        held = {"erasure_id": forgetting_id, "worker": claim.worker}
        row = await self._database.one("forgetting/begin", **held)
        if row is None:
            return
        status = ForgettingStatus(row["status"])
        if status is _Status.UNDOING:
            await self._batches("forgetting/undo", held)
        else:
            # A purge forgets first, so that nothing new is derived from the memories meanwhile.
            await self._batches("forgetting/forget", {**held, "viewer": row["person_id"]})
        if status is _Status.PURGING:
            await self._purge(held, row["person_id"])
        await self._database.run("forgetting/finish", **held, status=_DONE[status].value, now=self._clock())

    async def _batches(self, statement: str, params: Row) -> None:
        """Runs a statement until nothing is left for it to process."""
        more = True
        while more:
            row = await self._database.one(statement, **params, limit=_AT_ONCE, now=self._clock())
            more = row is not None and row["taken"] > 0

    async def _purge(self, held: Row, person_id: str) -> None:
        while await self._database.transaction("forgetting/purge", self._purging(held, person_id)):
            pass
        row = await self._database.one("forgetting/begin", **held)
        await relink(self._database, held, row["chats"] if row else [], self._clock())

    def _purging(self, held: Row, person_id: str) -> Callable[[Transaction], Awaitable[int]]:
        """Returns a transaction that deletes a batch of memories, stores their hashes, and removes names that only they
        gave to entities. The transaction returns the number of deleted memories.
        """

        async def purge(transaction: Transaction) -> int:
            now = self._clock()
            rows = await transaction.run("forgetting/purge", **held, limit=_AT_ONCE, listed=0, ids=[], now=now)
            if not rows:
                return 0
            [row] = rows
            keys = {*row["keys"], *(statement_key(person_id, content) for content in row["statements"])}
            if keys:
                await transaction.run("forgetting/keep_keys", keys=sorted(keys), viewer=person_id, now=now)
            if renamed := [new for each in row["named"] if (new := _without_lost_names(each))]:
                await transaction.run("erasure/rename_entities", **held, rows=renamed, listed=LISTED, now=now)
            return int(row["deleted"])

        return purge


def _without_lost_names(row: Row) -> Row | None:
    """An entity without the names that no memory gives any more (`lost`); None if nothing about it changes."""
    lost = set(row["lost"])
    gone = {name_token(name) for name in lost}
    aliases = [alias for alias in row["aliases"] if alias.lower() not in lost]
    canonical, called = row["canonical_name"], row["called"]
    kind, _, ref = row["key"].partition(":")
    if canonical.lower() in lost:
        canonical, called = max([*aliases, *row["left"]], key=len, default="[name removed]"), None
        aliases = [alias for alias in aliases if alias != canonical]
    if ref.split("-")[0] in {slug(name) for name in lost}:
        ref = f"{slug(canonical)}-{row['id']}"
    if (canonical, aliases, f"{kind}:{ref}") == (row["canonical_name"], row["aliases"], row["key"]):
        return None
    return {
        "id": row["id"],
        "key": f"{kind}:{ref}",
        "ref": ref,
        "called": called,
        "texts": {"canonical_name": canonical, "aliases": aliases},
        "names": list(dict.fromkeys([name_token(canonical), *(one for one in row["names"] if one not in gone)])),
        "links": [],
    }


def _who(reading: Row) -> Row:
    return {"viewer": reading["viewer"], "now": reading["now"]}


def _refusal(status: str, doing: ForgettingStatus) -> str:
    """Why an act in this status cannot be carried out or undone."""
    if doing is not ForgettingStatus.UNDOING:
        return f"this is {status} already: make a plan anew"
    planned = status == ForgettingStatus.PLANNED
    return "this is only a plan: nothing was forgotten" if planned else f"this is {status} already"


def _unknown(forgetting_id: str) -> NotFound:
    return NotFound(f"there is no plan of forgetting {forgetting_id}; one ends after a day")


def _forgetting(row: Row) -> Forgetting:
    return Forgetting(
        row["id"],
        ForgettingStatus(row["status"]),
        tuple(row["asked"]),
        dict(row["counts"]),
        row["requested_at"],
        tuple(row["examples"]),
        row["done"],
        row["finished_at"],
        row["failed"],
    )
