"""Merging entities that are the same, taking it back, and what is suggested for it (W7, P4).

A merge moves what hangs on one entity to another and leaves a tombstone, which keeps what the other had already. It is
undone exactly: what was moved says where it came from. What comes after a merge belongs to the entity that was kept,
but for mentions by a name that only the merged one had. Merges are taken back from the last to the first; a key or id
that was merged away means what it became, and is never given again.

Things are merged for everybody who knows them. So what others know too is merged by an administrator alone: who else
asks makes a suggestion. A merge of things is listed to whom it concerns, who may take it back.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.ids import new_id, token
from hippograph.graph.model import Entity, EntityType, Viewer
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing, newest_first
from hippograph.graph.people.entities import known_entities

_FIRST: Final = (1001, "", "")
_DONE: Final = "merges"
_ASKED: Final = "somebody asked to merge them"
_TIMEOUT_S: Final = 300.0
"""A merge of an entity of many thousand memories is one transaction."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two entities that may be the same: how sure that is, 0 to 1, and what of their names says so."""

    one: Entity
    other: Entity
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge, and what was kept. Without an id it was only suggested: somebody else knows one of the two."""

    merge_id: str | None
    kept: Entity


@dataclass(frozen=True, slots=True)
class DoneMerge:
    """A merge of things: what was kept, the key and a name of the other, and the id of who did it, if not erased."""

    merge_id: str
    kept: Entity
    key: str
    name: str
    merged_by: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Unmerged:
    """The entity that was kept, and the one that is there again; None for one that the viewer may not know of now."""

    kept: Entity | None
    restored: Entity | None


class Merging:
    """Merges entities. Raises `InvalidInput`, `NotFound` for what one may not know of, `NotAllowed`, `Conflict`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def suggestions(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Suggestion]:
        """Pairs that may be the same, likeliest first, of which the viewer may know both."""
        score, one, other = decode_cursor("suggestions", after, _FIRST)
        rows = await self._database.run(
            "merge/suggestions",
            score=score,
            one=one,
            other=other,
            limit=checked_first(first) + 1,
            **read_params(viewer, None, self._clock),
        )
        ends = chain.from_iterable((row["one"], row["other"]) for row in rows)
        known = await known_entities(self._database, self._clock, viewer, ends)
        found = [
            Suggestion(known[row["one"]], known[row["other"]], row["score"] / 1000, row["reason"])
            for row in rows
            if row["one"] in known and row["other"] in known
        ]
        return listing("suggestions", first, found, lambda s: (round(s.score * 1000), s.one.id, s.other.id))

    async def dismiss(self, viewer: Viewer, one: str, other: str) -> None:
        """Says of two entities, by id or key, that they are not the same: it is not suggested again."""
        pair = [await self._seen(viewer, ref) for ref in (one, other)]
        row = await self._database.one(
            "merge/dismiss", one=pair[0].id, other=pair[1].id, viewer=viewer.person_id, now=self._clock()
        )
        if row is None or not row["suggested"]:
            raise NotFound(f"it is not suggested to merge {pair[0].key} and {pair[1].key}")

    async def merge(self, viewer: Viewer, keep: str, merge: str, *, kind: EntityType | None = None) -> Merged:
        """Merges the entity `merge` into `keep`, each by id or key.

        Of different types they are merged only when `kind` says which of them wins: that of `keep`. A person is merged
        by who made them, by themselves, or by an administrator; one who has an account or memories of their own is
        kept, not merged away. What others told of an entity comes to somebody who has an account or takes part in chats
        by an administrator alone (P6).

        Things are merged at once where all that names them or is about them is the viewer's own or of their groups, and
        by an administrator; else it becomes a suggestion, which tells that somebody else knows one of the two.
        """
        kept, gone = await self._seen(viewer, keep), await self._seen(viewer, merge)
        if kept.id == gone.id:
            raise InvalidInput(f"{keep} and {merge} are one entity already")
        _check_types(kept, gone, kind)
        merge_id = new_id()

        async def work(transaction: Transaction) -> bool:
            ids = sorted((kept.id, gone.id))
            rows = await transaction.run("merge/lock", ids=ids, **read_params(viewer, None, self._clock))
            found = {row["entity"]["id"]: row["entity"] for row in rows}
            if len(found) < len(ids):
                raise Conflict("one of the two was merged meanwhile; look at them again")
            _check_people(viewer, found[kept.id], found[gone.id])
            if _concerns_others(viewer, *found.values()):
                await transaction.run("merge/ask", one=kept.id, other=gone.id, reason=_ASKED, now=self._clock())
                return False
            await self._write(transaction, viewer, merge_id, found[kept.id], found[gone.id])
            return True

        done = await self._database.transaction("merge/merge", work, timeout_s=_TIMEOUT_S)
        return Merged(merge_id if done else None, await self._seen(viewer, kept.id))

    async def _write(self, transaction: Transaction, viewer: Viewer, merge_id: str, kept: Row, gone: Row) -> None:
        """Merges two entities, of which both are locked."""
        now = self._clock()  # under the locks: what was written before us was written earlier
        names = _addresses(gone, kept)
        [row] = await transaction.run("merge/readdress", gone=gone["id"], merge_id=merge_id, now=now, **names)
        await transaction.run(
            "merge/merge",
            keep=kept["id"],
            gone=gone["id"],
            merge_id=merge_id,
            viewer=viewer.person_id,
            by_right=viewer.rights.admin,
            ended=row["ended"],
            now=now,
        )

    async def done(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[DoneMerge]:
        """The merges of things of which the viewer may see a memory that named what is gone; the latest first."""
        rows = await self._done(viewer, None, first, after)
        known = await known_entities(self._database, self._clock, viewer, [row["kept"] for row in rows])
        found = [
            DoneMerge(row["merge_id"], known[row["kept"]], row["key"], row["name"], row["merged_by"], row["created_at"])
            for row in rows
            if row["kept"] in known
        ]
        return listing(_DONE, first, found, lambda one: (one.created_at, one.merge_id))

    async def _done(self, viewer: Viewer, merge_id: str | None, first: int, after: str | None = None) -> list[Row]:
        params = {**newest_first(_DONE, first, after), **read_params(viewer, None, self._clock)}
        return await self._database.run("merge/done", merge_id=merge_id, **params)

    async def unmerge(self, viewer: Viewer, merge_id: str) -> Unmerged:
        """Takes a merge back: for who did it; of people for who may merge the two; of things for whom it concerns
        (`done`), but what an administrator merged for others too is theirs to take back.

        Raises `Conflict` while a later merge of the entity that was kept stands.
        """
        before = await self._database.one("merge/find", merge_id=merge_id)
        if before is None or not await known_entities(self._database, self._clock, viewer, [before["kept"]["id"]]):
            raise NotFound(f"there is no merge {merge_id}")

        concerned = bool(await self._done(viewer, merge_id, 1))

        async def work(transaction: Transaction) -> Row:
            ids = [before["kept"]["id"]]
            kept = await transaction.run("merge/lock", ids=ids, **read_params(viewer, None, self._clock))
            rows = await transaction.run("merge/find", merge_id=merge_id)
            if not rows:
                raise NotFound(f"there is no merge {merge_id}")
            [row] = rows
            if row["later"]:
                raise Conflict(f"take back the later merges of {row['kept']['key']} first: {', '.join(row['later'])}")
            if row["merged_by"] != viewer.person_id:
                _check_undo(
                    viewer, row, concerned=concerned, elsewhere=any(each["entity"]["elsewhere"] for each in kept)
                )
            now = self._clock()
            names = _addresses(row["kept"], row["gone"])
            ended = await transaction.run("merge/readdress_back", merge_id=merge_id, now=now, **names)
            again = ended[0]["ended"] if ended else []
            await transaction.run("merge/unmerge", merge_id=merge_id, ended=again, now=now)
            return row

        row = await self._database.transaction("merge/unmerge", work, timeout_s=_TIMEOUT_S)
        ids = row["kept"]["id"], row["gone"]["id"]
        entities = await known_entities(self._database, self._clock, viewer, ids)
        return Unmerged(*(entities.get(one) for one in ids))

    async def _seen(self, viewer: Viewer, ref: str) -> Entity:
        found = await known_entities(self._database, self._clock, viewer, [ref])
        if ref not in found:
            raise NotFound(f"there is no person or thing {ref}")
        return found[ref]


def _check_types(kept: Entity, gone: Entity, kind: EntityType | None) -> None:
    if kept.type is not gone.type and kind is None:
        raise InvalidInput(
            f"{kept.key} is a {kept.type} and {gone.key} a {gone.type}: say which type wins, that of the one to keep"
        )
    if kind is not None and kind is not kept.type:
        raise InvalidInput(f"{kept.key} is a {kept.type}: keep the one that is a {kind}")


def _check_people(viewer: Viewer, kept: Row, gone: Row) -> None:
    _check_allowed(viewer, kept, gone)
    if kept["takes_part"] and kept["type"] == EntityType.PERSON and gone["of_others"] and not viewer.rights.admin:
        raise NotAllowed(f"others know {gone['key']} too: an administrator alone merges it into a person")
    if gone["has_account"] and kept["has_account"]:
        raise Conflict(f"{kept['key']} and {gone['key']} each have an account: they are two people")
    if gone["has_account"] or gone["has_own"]:
        raise Conflict(f"{gone['key']} has an account, or memories of their own: keep them, and merge the other")


def _concerns_others(viewer: Viewer, *entities: Row) -> bool:
    """Whether a thing is to be merged, and somebody else knows something of one of the two."""
    things = any(one["type"] != EntityType.PERSON for one in entities)
    return things and not viewer.rights.admin and any(one["elsewhere"] for one in entities)


def _check_undo(viewer: Viewer, merge: Row, *, concerned: bool, elsewhere: bool) -> None:
    kept, gone = merge["kept"], merge["gone"]
    if EntityType.PERSON in (kept["type"], gone["type"]):
        _check_allowed(viewer, kept, gone)
    elif not viewer.rights.admin:
        if not concerned:
            raise NotFound(f"there is no merge {merge['merge_id']}")
        if merge["by_right"] and elsewhere:
            raise NotAllowed(f"{kept['key']} was merged by an administrator for others too: ask one to take it back")


def _check_allowed(viewer: Viewer, *entities: Row) -> None:
    for one in entities:
        mine = viewer.person_id in (one["id"], one["created_by"])
        if one["type"] == EntityType.PERSON and not mine and not viewer.rights.admin:
            raise NotAllowed(f"{one['key']} is merged by who made them, by themselves, or by an administrator alone")


def _addresses(old: Row, new: Row) -> dict[str, object]:
    """Under which words memories of one are found, and under which those of the other."""
    return {
        "old_id": old["id"],
        "new_id": new["id"],
        "old_prefix": _prefix(old["key"]),
        "new_prefix": _prefix(new["key"]),
        "old_about": _about(old),
        "new_about": _about(new),
        "old_speaker": token("speaker", old["id"]),
        "new_speaker": token("speaker", new["id"]),
    }


def _about(one: Row) -> str | None:
    return token("about", one["id"]) if one["type"] == EntityType.PERSON else None


def _prefix(key: str) -> str:
    """How the keys of claims about an entity begin (`graph.writing.fact.claim_key`)."""
    return f"{key.replace(':', '|', 1)}|".lower()
