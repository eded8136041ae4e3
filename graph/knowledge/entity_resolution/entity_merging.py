"""Merges entities that are the same, undoes merges, and lists suggested ones (W7, P4).

A merge moves the relationships of one entity to another and leaves a tombstone, which keeps those that the other had
already. It can be undone exactly, since moved relationships record their origin. Later additions belong to the kept
entity, except mentions by a name that only the merged one had. Merges are undone from the last to the first. A merged
key or id refers to the entity that it was merged into, and is never assigned again.

Things are merged for everybody who knows them. So things that others know too are merged by administrators only; a
request by anyone else becomes a suggestion. A merge of things is listed to those whom it concerns, who may undo it.
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
"""Timeout of a merge, in seconds; one transaction may change many thousand memories."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two entities that may be the same, with a score (0 to 1) and the reason, mostly how their names are alike."""

    one: Entity
    other: Entity
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge and the kept entity. `merge_id` is None if the merge was only suggested, since somebody else knows one of
    the two.
    """

    merge_id: str | None
    kept: Entity


@dataclass(frozen=True, slots=True)
class DoneMerge:
    """A merge of things: the kept entity, and the key and a name of the other. `merged_by` is the id of the person who
    merged them, None if erased.
    """

    merge_id: str
    kept: Entity
    key: str
    name: str
    merged_by: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Unmerged:
    """The kept and the restored entity after a merge was undone; None for one that the viewer may not know of now."""

    kept: Entity | None
    restored: Entity | None


class Merging:
    """Merges entities. Raises `InvalidInput`, `NotFound` (also for entities that the viewer may not know of),
    `NotAllowed`, and `Conflict`.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def suggestions(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Suggestion]:
        """Returns pairs that may be the same, likeliest first, if the viewer may know of both."""
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
        """Dismisses the suggestion to merge two entities, by id or key. Only a request to merge them makes it again.
        Raises `NotFound` if the merge is not suggested.
        """
        pair = [await self._seen(viewer, ref) for ref in (one, other)]
        row = await self._database.one(
            "merge/dismiss", one=pair[0].id, other=pair[1].id, viewer=viewer.person_id, now=self._clock()
        )
        if row is None or not row["suggested"]:
            raise NotFound(f"it is not suggested to merge {pair[0].key} and {pair[1].key}")

    async def merge(self, viewer: Viewer, keep: str, merge: str, *, kind: EntityType | None = None) -> Merged:
        """Merges the entity `merge` into `keep`, each by id or key.

        Entities of different types are merged only if `kind` confirms the type that wins, that of `keep`. A person may
        be merged by their creator, by themselves, or by an administrator. A person with an account or memories of their
        own cannot be merged away, only kept. An entity that others told of is merged into a person who has an account
        or takes part in chats only by an administrator (P6).

        Things are merged at once by an administrator, or if all memories that mention them or are about them belong to
        the viewer or their groups. Else a suggestion is made, which reveals that somebody else knows one of the two.
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
        """Merges two entities that are both locked."""
        now = self._clock()  # read under the locks, so it is later than all writes before this one
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
        """Returns merges of things, the latest first, if the viewer may see a memory that named the merged entity."""
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
        """Undoes a merge. Whoever merged may undo it. Others may undo a merge of people if they may merge the two, and
        a merge of things if it concerns them (`done`). But if an administrator merged things and others know the kept
        one too, only administrators may undo it.

        Raises `Conflict` while a later merge of the kept entity stands.
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
    """Whether a merge with a thing concerns others: somebody else has memories of one of the entities. Never for
    administrators.
    """
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
    """Returns the ids, key prefixes and index terms of both, to move memories from the old to the new entity."""
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
    """Returns the prefix of the keys of claims about an entity (`graph.writing.fact.claim_key`)."""
    return f"{key.replace(':', '|', 1)}|".lower()
