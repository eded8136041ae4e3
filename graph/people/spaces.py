"""Spaces keep projects or clients apart (P7).

A space belongs to a person or to a group. A private chat may be in any space that its person may use, a group in one of
its own. A group in which only one person has an account may also be in a space of that person. What is said, extracted
or remembered in a chat gets its space; the rule (`cypher/fragments/rule.cypher`) shows it in chats of that space, and
outside any chat.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.labels import space_tokens
from hippograph.graph.access.parameters import read_params
from hippograph.graph.checks import checked_name
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import NO_END, START, Chat, Viewer
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.people.people import NewChat
from hippograph.graph.people.rows import chat
from hippograph.nlp.text import slug

MOST_SPACES: Final = 1_000
"""Maximum number of spaces of one person or group."""
_AT_ONCE: Final = 250


@dataclass(frozen=True, slots=True)
class Space:
    """A space of a person (`owner_id`) or of a group (`chat_id`)."""

    id: str
    name: str
    owner_id: str | None
    chat_id: str | None
    created_at: datetime


class Spaces:
    """Creates spaces, and moves chats and memories between them. Viewers who may not use a space cannot see it (P3)."""

    def __init__(self, database: Database, clock: Clock, *, refuse_identifiers: bool = False) -> None:
        self._database = database
        self._clock = clock
        self._refuse_identifiers = refuse_identifiers

    async def create(self, viewer: Viewer, name: str, *, chat_id: str | None = None) -> Space:
        """A new space of the viewer, or of a group in which they take part; or the existing one of this name there.

        Raises `InvalidInput` for a name without a letter or digit or with a secret, or if there are `MOST_SPACES`
        already, and `NotFound` for a group in which the viewer does not take part.
        """
        name = self._checked(name)
        made = new_id()
        row = await self._database.one(
            "space/create",
            id=made,
            name=name,
            name_word=slug(name),
            chat=chat_id or "",
            facets=space_tokens(made),
            most=MOST_SPACES,
            **read_params(viewer, None, self._clock),
        )
        if row is None:
            raise NotFound(f"you are in no group {chat_id}; a private chat is none")
        if row["made"] is None:
            raise InvalidInput(f"there are {MOST_SPACES} spaces already: rename or delete one")
        return _space(row["made"])

    async def all(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Space]:
        """The spaces that the viewer may use, their own and those of their groups, newest first.

        Raises `InvalidInput` for a page size out of range or a cursor of another list.
        """
        rows = await self._rows(viewer, None, (), **newest_first("spaces", first, after))
        return listing("spaces", first, [_space(row["found"]) for row in rows], lambda s: (s.created_at, s.id))

    async def by_id(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Space]:
        """Those of these spaces that the viewer may use, by id."""
        rows = await self._rows(viewer, ids, limit=len(ids))
        return {row["found"]["id"]: _space(row["found"]) for row in rows}

    async def called(self, viewer: Viewer, name: str) -> Space:
        """The space with this id or name, else with this name in another case. Raises `NotFound`, and `InvalidInput` if
        several have the name.
        """
        found = await self._rows(viewer, [name], [name], limit=10)
        rows = [row for row in found if name in (row["found"]["id"], row["found"]["name"])] or found
        if len(rows) > 1:
            raise InvalidInput(
                f"several spaces are called {name!r}; give an id: {', '.join(row['found']['id'] for row in rows)}"
            )
        if not rows:
            raise _missing(name)
        return _space(rows[0]["found"])

    async def chats(self, viewer: Viewer, space_id: str, *, first: int = 20, after: str | None = None) -> Listing[Chat]:
        """The chats of a space in which the viewer takes part, newest first. Raises `InvalidInput` as `all` does."""
        name = f"chats of space {space_id}"
        rows = await self._database.run(
            "browse/chats",
            of_space=space_id,
            **newest_first(name, first, after),
            **read_params(viewer, None, self._clock),
        )
        return listing(name, first, [chat(row["chat"]) for row in rows], lambda c: (c.created_at, c.id))

    async def rename(self, viewer: Viewer, space_id: str, name: str) -> Space:
        """Renames a space. Raises `NotFound`, `InvalidInput`, and `Conflict` if another space there has the name."""
        name = self._checked(name)
        row = await self._database.one(
            "space/rename", id=space_id, name=name, name_word=slug(name), **read_params(viewer, None, self._clock)
        )
        if row is None:
            raise _missing(space_id)
        if row["taken"]:
            raise Conflict(f"there is a space called {name!r} already; choose another name")
        return _space(row["renamed"])

    async def delete(self, viewer: Viewer, space_id: str) -> None:
        """Deletes an empty space. Raises `NotFound`, and `Conflict` while anything belongs to it."""
        row = await self._database.one("space/delete", id=space_id, **read_params(viewer, None, self._clock))
        if row is None:
            raise _missing(space_id)
        if row["used"]:
            raise Conflict("chats, memories, todos or blocks belong to this space: move or purge them first")

    async def move_chat(self, viewer: Viewer, chat_id: str, space_id: str | None) -> Chat:
        """Moves a chat to a space, or to none (None), with what was said in it and extracted from it. Memories that had
        been moved individually stay where they are. New turns get the new space at once.

        Raises `NotFound` for a chat in which the viewer does not take part, or for a space that the chat may not be in.
        """
        row = await self._database.one(
            "space/set_chat", chat=chat_id, target=space_id or "", **read_params(viewer, None, self._clock)
        )
        if row is None:
            raise NotFound(f"there is no chat {chat_id}")
        if not row["fits"]:
            raise NotFound(f"there is no space {space_id} for this chat: others use it, and theirs is another")
        await self._move_all(chat_id)
        return chat(row["chat"])

    async def place_new_chat(self, viewer: Viewer, made: NewChat) -> None:
        """Moves a chat without any talk to the space within which the viewer looks. A chat with talk stays, because its
        owner may have moved it. Raises as `move_chat` does.
        """
        if viewer.space_id and made.is_silent:
            await self.move_chat(viewer, made.id, viewer.space_id)

    async def finish_moves(self) -> int:
        """Continues interrupted moves of chats, such as after the process ended. Returns the number of chats."""
        rows = await self._database.run("space/unfinished", limit=_AT_ONCE)
        for row in rows:
            await self._move_all(row["chat"])
        return len(rows)

    async def move_memory(self, viewer: Viewer, memory_id: str, space_id: str | None) -> None:
        """Moves a memory to a space, or to none (None), with the facts that were extracted from it alone. A memory of a
        group may be in the space of its chat or in none.

        Raises `NotFound`, also for a space that the memory may not be in; `NotAllowed` for a viewer who may only see
        it; and `InvalidInput` for a summary, which moves with its sources.
        """

        async def work(transaction: Transaction) -> None:
            now = self._clock()
            rows = await transaction.run(
                "space/move_memory",
                id=memory_id,
                target=space_id or "",
                ids=[],
                **read_params(viewer, None, lambda: now),
            )
            if not rows:
                raise NotFound(f"there is no memory {memory_id}")
            [row] = rows
            if not row["allowed"]:
                raise NotAllowed("you may see this memory, but not move it")
            if row["summary"]:
                raise InvalidInput("a summary follows what it is made of: move that")
            if not row["fits"]:
                raise NotFound(f"there is no space {space_id} for this memory: a group's is of the space of its chat")
            await _hold_again(transaction, row, now)

        await self._database.transaction("space/move_memory", work)

    async def _move_all(self, chat_id: str) -> None:
        """Moves what was said in a chat to its space, page by page, each in a transaction of its own."""
        place: tuple[datetime, str] | None = (START, "")
        while place is not None:
            place = await self._database.transaction("space/move_page", self._page(chat_id, *place))

    def _page(
        self, chat_id: str, from_time: datetime, from_id: str
    ) -> Callable[[Transaction], Awaitable[tuple[datetime, str] | None]]:
        """The work of a transaction that moves a page, from a place on. It returns the next place, None at the end."""

        async def work(transaction: Transaction) -> tuple[datetime, str] | None:
            now = self._clock()
            rows = await transaction.run(
                "space/move_page", chat=chat_id, from_time=from_time, from_id=from_id, limit=_AT_ONCE, ids=[], now=now
            )
            if not rows:
                return None
            [row] = rows
            await _hold_again(transaction, row, now)
            return (row["time"], row["id"]) if row["id"] else None

        return work

    async def _rows(
        self, viewer: Viewer, ids: Sequence[str] | None, names: Sequence[str] = (), **page: object
    ) -> list[Row]:
        where = {"until": NO_END, "until_id": "", **page, **read_params(viewer, None, self._clock)}
        return await self._database.run("space/list", ids=ids and list(ids), names=list(names), **where)

    def _checked(self, name: str) -> str:
        name = checked_name(name, identifiers=self._refuse_identifiers)
        if not slug(name):
            raise InvalidInput(f"{name!r} has no letter or digit; give a name that has", value=name)
        return name


async def _hold_again(transaction: Transaction, row: Row, now: datetime) -> None:
    """Makes facts valid again that had ended only because of a memory that is in another space since the move."""
    if row["again"]:
        rows = [{"id": each["id"], "new_id": new_id(), "valid_until": each["valid_until"]} for each in row["again"]]
        await transaction.run("fact/change_end", rows=rows, now=now)


def _missing(name: str) -> NotFound:
    return NotFound(f"there is no space {name}")


def _space(row: Row) -> Space:
    return Space(row["id"], row["name"], row["owner_id"] or None, row["chat_id"] or None, row["created_at"])
