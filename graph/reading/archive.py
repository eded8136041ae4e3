"""The archive: memories put away to bound the size of the store, which no other read finds (R12, T7).

An archived memory has the label `Archived` beside `Memory`, and the status `archived`, also among its index tokens. By
the status the visibility rule keeps it out of every other read and count.
"""

from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.checks import checked_text
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.ids import derived_id, only_id
from hippograph.graph.model import Memory, Times, Viewer
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing, newest_first
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.retrieval.memories import memory
from hippograph.graph.retrieval.query_scope import find_query_scope, lucene
from hippograph.graph.retrieval.search import MAX_QUERY
from hippograph.nlp.text import full_text_query, full_text_words

_FIELDS: Final = ("content", "heading", "tags")
_ARCHIVED: Final = Filters(statuses=("archived",))
_LIST: Final = "archive"
_FIRST_LOOK: Final = 200
_DEEPEST: Final = 100_000


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A memory in the archive, and when it was archived."""

    memory: Memory
    archived_at: datetime


class Archive:
    """Lists the archive, restores from it, and searches it by words (BM25): archived memories may lack a vector."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[ArchivedMemory]:
        """The viewer's own archived memories, those of their chats and those about them, if they may see them anywhere,
        the latest archived first. Raises `InvalidInput` for a page size out of range or a cursor of another list.
        """
        rows = await self._database.run(
            "archive/list", **newest_first(_LIST, first, after), **read_params(viewer, None, self._clock)
        )
        found = [ArchivedMemory(memory(row), row["archived_at"]) for row in rows]
        return listing(_LIST, first, found, lambda one: (one.archived_at, one.memory.id))

    async def called(self, viewer: Viewer, prefix: str) -> str:
        """The id of the one archived memory with this id prefix.

        Raises `NotFound`, and `InvalidInput` if several match.
        """
        rows = await self._database.run(
            "archive/called", prefix=prefix, limit=2, **read_params(viewer, None, self._clock)
        )
        return only_id(rows, prefix, "archived memory", "archived memories")

    async def restore(self, viewer: Viewer, memory_id: str) -> None:
        """Takes a memory out of the archive. It counts as reinforced now, so that it is not the next to be archived.
        If the same claim was stated anew meanwhile, the restored memory ends when the newer one begins (W5).

        Raises `NotFound`, and `NotAllowed` for a viewer who is neither its owner nor a member of its chat.
        """
        row = await self._database.one("archive/restore", id=memory_id, **read_params(viewer, None, self._clock))
        if row is None:
            raise NotFound(f"there is no archived memory {memory_id}")
        if not row["allowed"]:
            raise NotAllowed("you may see this memory, but not restore it")

    async def search(
        self, viewer: Viewer, query: str, *, times: Times | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Memory]:
        """The archived memories that contain words of the query, best first, as far as the viewer may see them. If the
        last memory of a page is restored, the list begins anew, since scores are only comparable within one read.

        Raises `InvalidInput` for an empty or overlong query, a page size out of range or a cursor of another list, and
        `NotFound` for a chat in which the viewer takes no part.
        """
        query = checked_text(query, limit=MAX_QUERY)
        name = f"archive {derived_id(query, *map(str, astuple(viewer)))}"
        (last_id,) = decode_cursor(name, after, ("",))
        scope = await find_query_scope(self._database, self._clock, viewer, query)
        clause = full_text_query(full_text_words(query), _FIELDS)
        most = checked_first(first) + 1
        rows: list[Row] = []
        limit = _FIRST_LOOK if clause else 0
        while clause and limit <= _DEEPEST:
            [row] = await self._database.run(
                "archive/search",
                query=lucene(viewer, scope, clause, _ARCHIVED).anywhere,
                limit=limit,
                most=most,
                after=last_id,
                **request_params(viewer, times, self._clock),
            )
            rows = row["found"]
            if len(rows) >= most or not row["more"]:
                break
            limit *= 8
        return listing(name, first, [memory(row) for row in rows], lambda m: (m.id,))
