"""The filters of a search (R4), and how each is expressed in the indexes.

A filter with one value is a range inside the vector index and a required token inside the full-text index. It costs
nothing there, and the index still gives as many results as asked for. Filters that an index cannot express are checked
on its results, and the search goes on until it has enough.
"""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import token
from hippograph.graph.model import CATEGORIES, KINDS, NO_END, START, MemoryType, Sensitivity
from hippograph.graph.zones import UTC_ZONE, wall_clock
from hippograph.nlp.text import slug

LAST: Final = "\uffff"
"""Upper bound of a range: greater than every value of a label."""
_ASIDE: Final = re.compile(r"\([^()]*\)$")


MEMORY_SOURCES: Final = (
    *("conversation", "tool_result", "extraction", "consolidation", "agent", "narrative", "migration"),
    *("seeded_profile", "curated_fold"),
)
"""The possible sources of a memory (M2)."""
STATUSES: Final = ("active", "archived")


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of a search. An empty tuple lets all memories pass; several values of one field are alternatives.

    Raises `InvalidInput` for a kind, category, source or status that no memory can have.

    A memory must have all `tags`. `entities` are keys (`person:john`), `spaces` are ids. `after` (inclusive) and
    `before` (exclusive) bound the event time: a month passes if some of it lies between them. They are moments; event
    times known only to the day, month or year are compared with the local time in `zone` at these moments.
    `least_confidence` is the minimum of the present confidence.
    """

    types: tuple[MemoryType, ...] = ()
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    narratives: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ("active",)
    sensitivities: tuple[Sensitivity, ...] = ()
    entities: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    after: datetime = START
    before: datetime = NO_END
    zone: str = UTC_ZONE
    least_confidence: float = 0.0

    def __post_init__(self) -> None:
        """Raises `InvalidInput` for values that no memory can have."""
        for name, values, choices in (
            ("kind", self.kinds, KINDS),
            ("category", self.categories, CATEGORIES),
            ("source", self.sources, MEMORY_SOURCES),
            ("status", self.statuses, STATUSES),
        ):
            if unknown := [value for value in values if value not in choices]:
                raise InvalidInput(f"{unknown[0]!r} is no {name} of a memory; choose among {', '.join(choices)}")

    def params(self) -> dict[str, object]:
        """The parameters of the fragments `matching` and `index_filters`."""
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        first, end = self._days()
        bounds = {"earliest": min(self.after, first), "latest": max(self.before, end)}
        return {**given, "after_day": first, "before_day": end, **bounds}

    def _days(self) -> tuple[datetime, datetime]:
        """`after` and `before` in the local time of the zone, written as UTC."""
        first = START if self.after == START else wall_clock(self.after, self.zone)
        return first, NO_END if self.before == NO_END else wall_clock(self.before, self.zone)

    def bounds(self) -> dict[str, tuple[str, str]]:
        """The minimum and maximum of each label in the vector index: a single value, or the whole range."""
        fields = {
            "type": self.types,
            "kind": self.kinds,
            "category": self.categories,
            "source": self.sources,
            "session": self.sessions,
            "speaker": self.speakers,
            "narrative": self.narratives,
            "task": self.tasks,
            "status": self.statuses,
            "sensitivity": self.sensitivities,
        }
        return {name: (values[0], values[0]) if len(values) == 1 else ("", LAST) for name, values in fields.items()}

    @property
    def narrow(self) -> bool:
        """Whether a filter selects a single session, speaker, narrative or task. Only then the vector index filters by
        these labels: with so many values a range left open would be slow (`search/vector_narrow`).
        """
        return any(len(values) == 1 for values in (self.sessions, self.speakers, self.narratives, self.tasks))

    def clauses(self) -> list[str]:
        """Required clauses of the full-text query, which filter without changing the score."""
        alternatives = [
            ("type", self.types),
            ("source", self.sources),
            ("session", self.sessions),
            ("speaker", self.speakers),
            ("narrative", self.narratives),
            ("task", self.tasks),
            ("status", self.statuses),
            ("sensitivity", self.sensitivities),
            ("space", self.spaces),
            *(("tag", (tag,)) for tag in self.tags),
        ]
        clauses = [required(token(name, value) for value in values) for name, values in alternatives if values]
        if self.after > START or self.before < NO_END:
            first, end = self._days()
            clauses.append(f"+event_day:[{day(min(self.after, first))} TO {day(max(self.before, end))}]^0")
        return clauses


NO_FILTERS: Final = Filters()
"""All active memories."""


def day(moment: datetime) -> str:
    """The day of a moment as a sortable word: `20261121`."""
    return moment.date().isoformat().replace("-", "")


def days(first: datetime, last: datetime) -> list[str]:
    """The days from one moment to another, both included."""
    return [day(first + timedelta(days=number)) for number in range((last.date() - first.date()).days + 1)]


def title_slug(title: str) -> str:
    """The slug of a title, without a parenthesis at its end."""
    return slug(_ASIDE.sub("", title.rstrip())) or slug(title)


def title_token(title: str) -> str:
    """The index token for the title of a text."""
    return token("title", title_slug(title))


def titled(names: Iterable[str]) -> str:
    """The full-text clause for memories whose title has one of these slugs."""
    return f"facets:({' '.join(token('title', name) for name in names)})"


def required(tokens: Iterable[str]) -> str:
    """A full-text clause that requires one of these tokens among the facets and adds nothing to the score."""
    return f"+facets:({' '.join(tokens)})^0"
