"""The archive: what was put away to bound the size of the store, and is found by nothing else (R12).

An archived memory carries the label `Archived` beside `Memory`, and the status `archived` (in its words for the indexes
too); by that the rule keeps it out of every other read and count.
"""

from typing import Final

from graph.access.parameters import place_params, read_params
from graph.checks import checked_text
from graph.clock import Clock
from graph.database import Database, Row
from graph.ids import derived_id
from graph.model import Memory, Times, Viewer
from graph.paging import Listing, checked_first, decode_cursor, listing
from graph.retrieval.filters import Filters
from graph.retrieval.memories import memory
from graph.retrieval.query_scope import find_query_scope, lucene
from graph.retrieval.search import MAX_QUERY
from nlp.text import full_text_query, full_text_words

_FIELDS: Final = ("content", "heading", "tags")
_ARCHIVED: Final = Filters(statuses=("archived",))
_FIRST_LOOK: Final = 200
_DEEPEST: Final = 100_000


class Archive:
    """Searches the archive by words (BM25): what is archived need have no vector."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def search(
        self, viewer: Viewer, query: str, *, times: Times | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Memory]:
        """The archived memories that hold words of the query, best first, among what the viewer may see.

        Raises `InvalidInput` for an empty or overlong query, a page size out of range or a cursor of another list, and
        `NotFound` for a chat in which the viewer takes no part.
        """
        query = checked_text(query, limit=MAX_QUERY)
        name = f"archive {derived_id(query, viewer.person_id, viewer.chat_id or '', viewer.persona_id or '')}"
        (last_id,) = decode_cursor(name, after, ("",))
        scope = await find_query_scope(self._database, self._clock, viewer, query)
        clause = full_text_query(full_text_words(query), _FIELDS)
        most = checked_first(first) + 1
        rows: list[Row] = []
        limit = _FIRST_LOOK if clause else 0
        while clause and limit <= _DEEPEST:
            row = await self._database.one(
                "archive/search",
                query=lucene(viewer, scope, clause, _ARCHIVED),
                limit=limit,
                most=most,
                after=last_id,
                **place_params(viewer),
                **read_params(viewer, times, self._clock),
            )
            assert row is not None
            rows = row["found"]
            if len(rows) >= most or not row["more"]:
                break
            limit *= 8
        return listing(name, first, [memory(row) for row in rows], lambda m: (m.id,))
