"""Erasing a person (M13): what they said, what is theirs and their names go for good, and no text names them any more
where they spoke or were meant. What a name in other texts means is decided by an administrator (P6).

An erasure is an item of the queue. Each of its steps is one transaction that may be done twice, so that another worker
can go on where one was killed. Its record keeps counts and ids, and nothing of the person, once all is decided.
"""

import asyncio
import re
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

LISTED: Final = 10_000
"""How many ids the record of an erasure lists of what was removed, and of what was reworded; the counts have all."""
MOST_UNDECIDED: Final = 100
_AT_ONCE: Final = 500
"""Memories that are deleted or read in one transaction."""
_LOOKED_FOR: Final = 100
"""Names that one full-text query asks for."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that an erasure removed or reworded, by its label and id."""

    kind: str
    id: str

    @classmethod
    def of(cls, text: str) -> "Item":
        """An item as the record has it."""
        return cls(*text.split(" ", 1))


@dataclass(frozen=True, slots=True)
class PlannedPlace:
    """A place whose words name the person, and its texts before and after. `undecided` says that they go only when an
    administrator confirms it.
    """

    item: Item
    words: tuple[tuple[str, str], ...]
    undecided: bool


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What an erasure took away, counted by kind; what it would take away when it is only planned.

    `reworded` counts what others said that stays without the person's names, `removed` and `rewritten` list up to
    `LISTED` of each. `undecided` counts the places whose words are left to an administrator, who alone is told (None
    for others), as they are told the `places` of a plan. `finished_at` is None while it is under way, and when it is
    only planned: then `id` is None too.
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
    """An erasure that left words to be decided: what the person was called, and in how many places."""

    id: str
    names: tuple[str, ...]
    places: int
    by_admin: bool
    requested_at: datetime


@dataclass(frozen=True, slots=True)
class _Search:
    """Whose words are looked for, and where."""

    ids: list[str]
    chats: list[str]
    own_chats: list[str]
    meant_by: list[str]
    going: Going
    others_words: bool

    @property
    def gone(self) -> Row:
        """The parameters of what goes with the person."""
        return {"ids": self.ids, "others_words": self.others_words, "meant_by": self.meant_by}


class Erasures:
    """Erases people: for themselves, and for administrators."""

    name = "erase"

    def __init__(self, database: Database, clock: Clock) -> None:
        self.queue = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock

    async def plan(self, actor: Actor, person_id: str, *, others_words: bool = True) -> ErasureReceipt:
        """What an erasure would take away; nothing is changed. What it raises is as with `erase`.

        To an administrator it also tells the words that would be changed, and those that would be left to be decided.
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
        """Erases a person and gives the receipt, when all is done.

        With `others_words` what others said of nobody else goes too, where they meant the person by a name that
        somebody else vouched for; without it that stays, as everything does that is about others as well, without the
        person's names. Other words that name the person are left to an administrator, who may `confirm` at once what a
        plan showed them. Raises `NotAllowed`, `NotFound` for who is not there, and `Conflict` for the account of a
        service that erases itself: nobody could use its keys any more.
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
        # Another worker may hold it: then the receipt says that it is under way.
        await self.step()
        receipt = await self._receipt(row["id"])
        if confirm and receipt.finished_at and receipt.undecided:
            return await self.decide(actor, row["id"], confirm=True)
        return receipt if rights_of(actor).admin else replace(receipt, undecided=None)

    async def undecided(self, actor: Actor) -> list[UndecidedErasure]:
        """The first `MOST_UNDECIDED` erasures that left words to be decided. Raises `NotAllowed`."""
        _check_admin(actor)
        rows = await self._database.run("erasure/undecided", erasure_id=None, limit=MOST_UNDECIDED)
        return [_undecided(row) for row in rows]

    async def undecided_erasure(self, actor: Actor, erasure_id: str) -> UndecidedErasure:
        """One of these. Raises `NotFound`, `NotAllowed`."""
        _check_admin(actor)
        return _undecided(await self._undecided_row(erasure_id))

    async def places(
        self, actor: Actor, erasure_id: str, *, first: int = 20, after: str | None = None
    ) -> Listing[PlannedPlace]:
        """The words that an erasure left to be decided, as they are now, and as they would be; in the order of the ids
        of places. Raises `NotFound`, `NotAllowed`.
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
        """Takes the names out of what an erasure left to be decided, as it stands now, at all places or at some; or
        leaves it all as it is. The record of where and of whom it was goes. Raises `NotFound`, `NotAllowed`.
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
        """Claims an erasure that waits and does it; how many."""
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
            # Whether somebody is there is not for everybody to know.
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
        """What the person is called, and where that is looked for."""
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
        await self._delete_uses(held, search)  # those that were noted meanwhile
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
        """Takes the names out of the places of a plan, and what was made of the names since."""
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
        """All places that may name the person, some at a time, with what becomes of them and how it is written."""
        every, going = search.going.names.every, search.going
        who = {"ids": search.ids, "chats": search.chats}
        queries, words = list(_queries(every, search.chats)), _first_words(every.full)
        near = {"own_chats": search.own_chats, "near_words": _first_words(every.words)}
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
        """What a statement finds, page by page in the order of ids."""
        after = ""
        while True:
            found = await self._database.run(statement, **params, after=after, limit=_AT_ONCE)
            yield found
            if len(found) < _AT_ONCE:
                return
            after = found[-1]["id"]


_Write = Callable[[Row, Sequence[Found], Sequence[str], list[str]], Awaitable[None]]
"""Writes what changes at places: for an erasure that is held, of whom of these ids, some of them nobody's."""


async def relink(database: Database, held: Row, chats: Iterable[str], now: datetime) -> None:
    """Links what is left of the talk of chats, over the gaps where turns were deleted; `held` names the act."""
    for chat in chats:
        await database.run("erasure/relink_turns", **held, chat=chat, now=now)
        await database.run("erasure/relink_sessions", **held, chat=chat, now=now)


def _judged(rows: Sequence[Row], judge: Callable[[Row], Found]) -> list[Found]:
    return [judge(row) for row in rows]


def _check_admin(actor: Actor) -> None:
    rights_of(actor).require_admin("decide what others' words mean")


def _by_admin(actor: Actor, ids: Sequence[str]) -> bool:
    """Whether an administrator erases somebody else: what is done in a person's name is their own word."""
    return rights_of(actor).admin and not (isinstance(actor, Viewer) and actor.person_id in ids)


def _undecided(row: Row) -> UndecidedErasure:
    names = (*row["full"], *row["words"])
    return UndecidedErasure(row["id"], names, row["places"], row["by_admin"], row["requested_at"])


def _planned(found: Found) -> list[PlannedPlace]:
    item, kinds = Item(found.kind, found.id), ((found.words, False), (found.undecided, True))
    return [PlannedPlace(item, words, undecided) for words, undecided in kinds if words]


def _claimed(rows: Iterable[Row]) -> frozenset[str]:
    """How the keys of claims about people of these keys begin."""
    return frozenset(row["key"].replace(":", "|", 1).lower() for row in rows)


def _batches(words: Sequence[str]) -> list[Sequence[str]]:
    return [words[start : start + _LOOKED_FOR] for start in range(0, len(words), _LOOKED_FOR)]


def _first_words(names: Iterable[str]) -> list[str]:
    """The first words of names, in small letters: whatever holds a name holds its first word."""
    return sorted({name.lstrip("@").split()[0].lower() for name in names})


def _queries(names: Names, chats: Sequence[str]) -> Iterable[str]:
    """Lucene queries for texts with the names: anywhere, and with single words where the person took part."""
    for names_there in _batches([_phrase(name) for name in names.full]):
        some = " ".join(names_there)
        yield f"content:({some}) heading:({some}) tags:({some})"
    for words in _batches([_phrase(name) for name in names.words]):
        for there in _batches(chats):
            places = " ".join(token("learned_in", chat) for chat in there)
            yield f"+facets:({places}) +content:({' '.join(words)})"


def _phrase(name: str) -> str:
    """The name as the index has it: a word that holds underscores is one word there."""
    return '"' + " ".join(re.findall(r"\w+", name)).lower() + '"'
