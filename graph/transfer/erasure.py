"""Erasure of a person (M13): deletes what they said, what they own, and their names, and removes the names from texts
where they took part or were meant. An administrator decides on names in other texts (P6).

An erasure is an item of the queue. Each of its steps is an idempotent transaction, so that another worker can continue
if one was killed. Once all is decided, its record keeps counts and ids, and nothing of the person.
"""

import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict, NotFound
from hippograph.graph.ids import new_id, token
from hippograph.graph.jobs.queue import Claim, Queue
from hippograph.graph.model import INTERNAL, Actor, Viewer, rights_of
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing
from hippograph.graph.transfer.erased_names import Names, PersonNames
from hippograph.graph.transfer.erased_words import Found, Going, confirmed
from hippograph.nlp.privacy.name_removal import longest_parts

LISTED: Final = 10_000
"""Maximum number of ids of removed, and of reworded nodes, in the record of an erasure; the counts include all."""
MOST_UNDECIDED: Final = 100
_AT_ONCE: Final = 500
"""Maximum number of nodes deleted or read in one transaction."""
_LOOKED_FOR: Final = 100
"""Maximum number of names, and of chats, in one full-text query."""
_APART: Final = re.compile(r"[^\w\u0300-\u036f]+")
"""What is between the words of a name; a combining accent belongs to its word."""


@dataclass(frozen=True, slots=True)
class Item:
    """A node that an erasure removed or reworded, by its label and id."""

    kind: str
    id: str

    @classmethod
    def of(cls, text: str) -> "Item":
        """Returns the item for an entry of the record, its label and id with a blank between."""
        return cls(*text.split(" ", 1))


@dataclass(frozen=True, slots=True)
class PlannedPlace:
    """A node whose texts name the person: `words` are pairs of texts, before and after. `undecided` ones change only if
    an administrator confirms it.
    """

    item: Item
    words: tuple[tuple[str, str], ...]
    undecided: bool


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """The result of an erasure, or of a plan of one: `counts` by kind of what was or would be removed.

    The count `reworded` is of texts of others that stay without the person's names. `removed` and `rewritten` list up
    to `LISTED` items each. `undecided` is the number of places left to an administrator, None for anybody else;
    `places`, of a plan, are for administrators too. `finished_at` is None while it is under way. For a plan,
    `finished_at` and `id` are None.
    """

    id: str | None
    others_words: bool
    counts: Mapping[str, int]
    removed: tuple[Item, ...] = ()
    rewritten: tuple[Item, ...] = ()
    undecided: int | None = None
    places: tuple[PlannedPlace, ...] = ()
    requested_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class UndecidedErasure:
    """An erasure that left places to be decided: the names of the person, and the number of places."""

    id: str
    names: tuple[str, ...]
    places: int
    by_admin: bool
    requested_at: datetime


@dataclass(frozen=True, slots=True)
class _Search:
    """The person to erase, and the chats and names by which texts are searched."""

    ids: list[str]
    chats: list[str]
    own_chats: list[str]
    meant_by: list[str]
    going: Going
    others_words: bool

    @property
    def gone(self) -> Row:
        """Query parameters that select the memories deleted with the person."""
        return {"ids": self.ids, "others_words": self.others_words, "meant_by": self.meant_by}


class Erasures:
    """Erases people, for themselves and for administrators."""

    name = "erase"

    def __init__(self, database: Database, clock: Clock) -> None:
        self.queue = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock

    async def plan(self, actor: Actor, person_id: str, *, others_words: bool = True) -> ErasureReceipt:
        """Returns what an erasure would remove; nothing is changed. Raises `NotAllowed` and `NotFound` like `erase`.

        To an administrator who plans it for somebody else, it also tells the texts that would change, and those that
        would be left to be decided.
        """
        ids = await self._ids(actor, person_id)
        by_admin = _by_admin(actor, ids)
        search = await self._search(ids, others_words, by_admin)
        [row] = await self._database.run("erasure/plan", **search.gone)
        gone = frozenset(row["gone"])
        changed, left, places = 0, 0, list[PlannedPlace]()
        async for _, found in self._found(search):
            for each in found:
                if each.id in gone or each.of in gone:
                    continue
                changed += bool(each.words)
                left += each.left is not None
                if by_admin and len(places) < LISTED:
                    places += _planned(each)
        return ErasureReceipt(
            None,
            others_words,
            {**row["counts"], "reworded": changed},
            removed=tuple(Item("Memory", each) for each in row["gone"][:LISTED]),
            undecided=left if by_admin else None,
            places=tuple(places),
        )

    async def erase(
        self, actor: Actor, person_id: str, *, others_words: bool = True, confirm: bool = False
    ) -> ErasureReceipt:
        """Erases a person and returns the receipt; it is unfinished if another worker holds the erasure.

        With `others_words`, memories of others about nobody else are deleted too, if they mean the person by a name
        that somebody else vouched for. Otherwise they stay, without the person's names, as do memories that are also
        about other people. Other texts that name the person are left to an administrator, who may `confirm` at once
        what a plan showed them. Raises `NotAllowed`, `NotFound` for an unknown person, and `Conflict` for the account
        of a service that erases itself, since nobody could use its keys any more.
        """
        if confirm:
            _check_admin(actor)
        ids = await self._ids(actor, person_id)
        if isinstance(actor, Viewer) and actor.person_id in ids:
            await self._check_no_service(ids)
        row = await self._database.one(
            "erasure/request",
            erasure_id=new_id(),
            ids=ids,
            others_words=others_words,
            by_admin=_by_admin(actor, ids),
            now=self._clock(),
        )
        if row is None:
            raise NotFound(f"there is no person {person_id}")
        # If another worker holds it, the receipt says that it is under way.
        await self.step()
        receipt = await self._receipt(row["id"])
        if confirm and receipt.finished_at and receipt.undecided:
            return await self.decide(actor, row["id"], confirm=True)
        return receipt if rights_of(actor).admin else replace(receipt, undecided=None)

    async def undecided(self, actor: Actor) -> list[UndecidedErasure]:
        """Returns the first `MOST_UNDECIDED` erasures that left places to be decided. Raises `NotAllowed`."""
        _check_admin(actor)
        rows = await self._database.run("erasure/undecided", erasure_id=None, limit=MOST_UNDECIDED)
        return [_undecided(row) for row in rows]

    async def undecided_erasure(self, actor: Actor, erasure_id: str) -> UndecidedErasure:
        """Returns an erasure that left places to be decided. Raises `NotFound`, `NotAllowed`."""
        _check_admin(actor)
        return _undecided(await self._undecided_row(erasure_id))

    async def places(
        self, actor: Actor, erasure_id: str, *, first: int = 20, after: str | None = None
    ) -> Listing[PlannedPlace]:
        """Returns a page of the places that an erasure left to be decided, in the order of their ids, with the current
        texts and what these would become. Raises `NotFound`, `NotAllowed`.
        """
        _check_admin(actor)
        [last] = decode_cursor("places", after, ("",))
        row = await self._undecided_row(erasure_id)
        every = Names(tuple(row["full"]), tuple(row["words"]))
        found = await self._database.run(
            "erasure/places", erasure_id=erasure_id, ids=[], after=last, limit=checked_first(first) + 1
        )
        judged = await asyncio.to_thread(_judged, found, partial(confirmed, every=every, refs=frozenset()))
        places = [PlannedPlace(Item(each.kind, each.id), each.words, undecided=True) for each in judged]
        return listing("places", first, places, lambda place: (place.item.id,))

    async def decide(
        self, actor: Actor, erasure_id: str, *, confirm: bool, places: Sequence[str] | None = None
    ) -> ErasureReceipt:
        """Decides on the places that an erasure left. With `confirm` the names are removed from the current texts, at
        all places or at those of the ids `places`; all other places stay as they are. The record of the places and
        names is deleted. Raises `NotFound`, `NotAllowed`.
        """
        _check_admin(actor)
        chosen = {"places": None if places is None else list(places)} if confirm else {}
        statement = "erasure/confirm" if confirm else "erasure/dismiss"
        row = await self._database.one(statement, erasure_id=erasure_id, now=self._clock(), **chosen)
        if row is None:
            raise NotFound(f"there is no erasure {erasure_id} that waits for a decision")
        if confirm:
            await self.step()
        return await self._receipt(erasure_id)

    async def step(self) -> int:
        """Claims and carries out a waiting erasure; returns how many, 0 or 1."""
        return await self.queue.work_off(1, self._work, held=True)

    async def _receipt(self, erasure_id: str) -> ErasureReceipt:
        row = await self._database.one("erasure/receipt", erasure_id=erasure_id)
        if row is None:
            raise NotFound(f"there is no erasure {erasure_id}")
        found = row["receipt"]
        return ErasureReceipt(
            found["id"],
            found["others_words"],
            found["counts"],
            removed=tuple(map(Item.of, found["removed"])),
            rewritten=tuple(map(Item.of, found["rewritten"])),
            undecided=found["undecided"],
            requested_at=found["requested_at"],
            finished_at=found["finished_at"],
        )

    async def _undecided_row(self, erasure_id: str) -> Row:
        row = await self._database.one("erasure/undecided", erasure_id=erasure_id, limit=1)
        if row is None:
            raise NotFound(f"there is no erasure {erasure_id} that waits for a decision")
        return row

    async def _ids(self, actor: Actor, person_id: str) -> list[str]:
        row = await self._database.one("people/same_person", person_id=person_id)
        ids = list(row["ids"]) if row else []
        if actor is not INTERNAL:
            assert isinstance(actor, Viewer)
            # Checked before `NotFound`, since not everybody may know whether a person exists.
            if actor.person_id not in ids:
                actor.rights.require_admin("erase somebody else")
        if not ids:
            raise NotFound(f"there is no person {person_id}")
        return ids

    async def _check_no_service(self, ids: list[str]) -> None:
        row = await self._database.one("credential/of_service", ids=ids, now=self._clock())
        if row is not None:
            raise Conflict(f"this is the account of a service, of the key {row['id']}: revoke it first")

    async def _search(self, ids: list[str], others_words: bool, everywhere: bool) -> _Search:
        """Returns the names of the person, and where to search for them."""
        [row] = await self._database.run("erasure/person", ids=ids)
        names = PersonNames.of(row["named"])
        queries = [f"names:({' '.join(some)})" for some in _batches(names.vouched.tokens)]
        bearers = await self._database.one("erasure/bearers", ids=ids, queries=queries)
        names = names.borne_by_others(bearers["tokens"] if bearers else [])
        refs = _claimed(row["named"])
        meant_by = [text for text in row["meant_by"] if names.vouches_for(text)]
        going = Going(names, everywhere, refs)
        return _Search(ids, row["chats"], row["own_chats"], meant_by, going, others_words)

    async def _work(self, erasure_id: str, claim: Claim) -> None:
        held = {"erasure_id": erasure_id, "worker": claim.worker}
        row = await self._database.one("erasure/begin", **held)
        if row is None:
            return
        if row["confirmed"]:
            await self._finish_plan(held, Names(tuple(row["full"]), tuple(row["words"])))
        else:
            await self._erase(held, await self._search(row["ids"], row["others_words"], row["by_admin"]))

    async def _erase(self, held: Row, search: _Search) -> None:
        gone = {**held, **search.gone, "limit": _AT_ONCE, "listed": LISTED}
        await self._delete_uses(held, search)
        while await self._database.count("erasure/delete_memories", **gone, now=self._clock()):
            pass
        await relink(self._database, held, search.chats, self._clock())
        async for write, found in self._found(search):
            if left := [each.left for each in found if each.left]:
                await self._database.run("erasure/note_places", **held, rows=left, now=self._clock())
            await write(held, found, search.ids, [])
        await self._delete_uses(held, search)  # those recorded meanwhile
        every = search.going.names.every
        await self._database.run(
            "erasure/finish",
            **held,
            ids=search.ids,
            full=list(every.full),
            words=list(every.words),
            listed=LISTED,
            now=self._clock(),
        )

    async def _delete_uses(self, held: Row, search: _Search) -> None:
        uses = {**held, "ids": search.ids, "limit": _AT_ONCE}
        while await self._database.count("erasure/delete_uses", **uses, now=self._clock()):
            pass

    async def _finish_plan(self, held: Row, every: Names) -> None:
        """Removes the names from confirmed places, and the entities that were created from the names since."""
        erasure_id = held["erasure_id"]
        called = await self._database.run("erasure/called_so", erasure_id=erasure_id, tokens=every.tokens)
        ids = [row["id"] for row in called]
        refs = _claimed(called)
        async for rows in self._pages("erasure/places", erasure_id=erasure_id, ids=ids):
            found = await asyncio.to_thread(_judged, rows, partial(confirmed, every=every, refs=refs))
            for kind, write in (("Memory", self._reword_memories), ("Entity", self._rename_entities)):
                await write(held, [each for each in found if each.kind == kind], ids, ids)
            others = [each for each in found if each.kind not in ("Memory", "Entity")]
            await self._reword_others(held, others, ids, ids)
        await self._database.run("erasure/decided", **held, now=self._clock())

    async def _found(self, search: _Search) -> AsyncIterator[tuple["_Write", list[Found]]]:
        """Yields all places that may name the person, in batches: their changes and the function that writes them."""
        every, going = search.going.names.every, search.going
        who = {"ids": search.ids, "chats": search.chats}
        queries, words = list(_queries(every, search.chats)), longest_parts(every.full)
        near = {"own_chats": search.own_chats, "near_words": longest_parts(every.words)}
        searches: list[tuple[str, Row, Callable[[Row], Found], _Write]] = [
            ("erasure/naming_memories", {**who, "queries": queries}, going.memory, self._reword_memories),
            ("erasure/naming_entities", {"ids": search.ids, "words": words}, going.entity, self._rename_entities),
            ("erasure/naming_others", {**who, **near, "words": words}, going.other, self._reword_others),
        ]
        for statement, params, judge, write in searches:
            async for rows in self._pages(statement, **params):
                yield write, await asyncio.to_thread(_judged, rows, judge)

    async def _reword_memories(self, held: Row, found: Sequence[Found], ids: Sequence[str], nobodys: list[str]) -> None:
        rows = [{**each.changed, "changed": bool(each.words)} for each in found if each.changed]
        tokens = [token(field, each) for each in ids for field in ("about", "speaker")]
        if rows:
            more = {"ids": ids, "nobodys": nobodys, "tokens": tokens, "listed": LISTED, "now": self._clock()}
            await self._database.run("erasure/reword_memories", **held, rows=rows, **more)

    async def _rename_entities(self, held: Row, found: Sequence[Found], _ids: object, _nobodys: object) -> None:
        if rows := [each.changed for each in found if each.changed]:
            await self._database.run("erasure/rename_entities", **held, rows=rows, listed=LISTED, now=self._clock())

    async def _reword_others(self, held: Row, found: Sequence[Found], _ids: object, _nobodys: object) -> None:
        if rows := [{**each.changed, "kind": each.kind} for each in found if each.changed]:
            await self._database.run("erasure/reword_others", **held, rows=rows, listed=LISTED)

    async def _pages(self, statement: str, **params: object) -> AsyncIterator[list[Row]]:
        """Yields the rows of a statement, page by page in the order of ids."""
        after = ""
        while True:
            found = await self._database.run(statement, **params, after=after, limit=_AT_ONCE)
            yield found
            if len(found) < _AT_ONCE:
                return
            after = found[-1]["id"]


_Write = Callable[[Row, Sequence[Found], Sequence[str], list[str]], Awaitable[None]]
"""Writes the changes to places. Takes the parameters of the held erasure, the places, the ids of the person, and the
ids among them of entities that are deleted once no memory names them.
"""


async def relink(database: Database, held: Row, chats: Iterable[str], now: datetime) -> None:
    """Links the remaining turns and sessions of chats, over the gaps of deleted turns. `held` are the parameters of the
    erasure or act of forgetting.
    """
    for chat in chats:
        await database.run("erasure/relink_turns", **held, chat=chat, now=now)
        await database.run("erasure/relink_sessions", **held, chat=chat, now=now)


def _judged(rows: Sequence[Row], judge: Callable[[Row], Found]) -> list[Found]:
    return [judge(row) for row in rows]


def _check_admin(actor: Actor) -> None:
    rights_of(actor).require_admin("decide what others' words mean")


def _by_admin(actor: Actor, ids: Sequence[str]) -> bool:
    """Whether an administrator erases somebody else; what is done in the person's name counts as done by the person."""
    return rights_of(actor).admin and not (isinstance(actor, Viewer) and actor.person_id in ids)


def _undecided(row: Row) -> UndecidedErasure:
    names = (*row["full"], *row["words"])
    return UndecidedErasure(row["id"], names, row["places"], row["by_admin"], row["requested_at"])


def _planned(found: Found) -> list[PlannedPlace]:
    item, kinds = Item(found.kind, found.id), ((found.words, False), (found.undecided, True))
    return [PlannedPlace(item, words, undecided) for words, undecided in kinds if words]


def _claimed(rows: Iterable[Row]) -> frozenset[str]:
    """Returns the prefixes of the claim keys of facts about these entities."""
    return frozenset(row["key"].replace(":", "|", 1).lower() for row in rows)


def _batches(words: Sequence[str]) -> list[Sequence[str]]:
    return [words[start : start + _LOOKED_FOR] for start in range(0, len(words), _LOOKED_FOR)]


def _queries(names: Names, chats: Sequence[str]) -> Iterable[str]:
    """Yields Lucene queries for texts with full names, and for texts with single words where the person took part."""
    for names_there in _batches(_phrases(names.full)):
        some = " ".join(names_there)
        yield f"content:({some}) heading:({some}) tags:({some})"
    for words in _batches(_phrases(names.words)):
        for there in _batches(chats):
            places = " ".join(token("learned_in", chat) for chat in there)
            yield f"+facets:({places}) +content:({' '.join(words)})"


def _phrases(names: Iterable[str]) -> list[str]:
    """Returns names as phrases of a query: in their parts, and as they are written, since in the index a word with an
    apostrophe, a dot or an underscore in it is one token; each with its accents composed and not. The index folds case,
    but not the dots of Turkish, for which a name is looked for in capitals too.
    """
    forms = [
        unicodedata.normalize(norm, form)
        for name in names
        for cased in (name, name.upper(), name.lower())
        for form in (_APART.sub(" ", cased), *(re.sub("['’]", mark, cased) for mark in "'’"))
        for norm in ("NFC", "NFD")
    ]
    return list(dict.fromkeys('"' + re.sub(r'["\\]', " ", form) + '"' for form in forms))
