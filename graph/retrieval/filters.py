"""What a search may be narrowed to (R4), and how each filter goes into the indexes.

A filter of one value is a range inside the vector index and a required token inside the full-text index, so it
costs nothing and starves nothing. What the indexes cannot carry is checked behind them, and the search goes on
until it has enough.
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
"""Greater than every value of a label."""
_ASIDE: Final = re.compile(r"\([^()]*\)$")


MEMORY_SOURCES: Final = (
    *("conversation", "tool_result", "extraction", "consolidation", "agent", "narrative", "migration"),
    *("seeded_profile", "curated_fold"),
)
"""Where memories come from (M2)."""
STATUSES: Final = ("active", "archived")


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is narrowed to. An empty tuple lets all pass; several values of one field are alternatives.

    Raises `InvalidInput` for a kind, category, source or status that no memory can have.

    `tags` must all be there. `entities` are keys (`person:john`), `spaces` ids. `after` (inclusive) and `before`
    (exclusive) are about when it happened: a month passes when some of it lies between. They are moments; days, which
    are of no zone, are compared with what the clocks of `zone` show then.
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
        """Refuses what would find nothing because it is no such value."""
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
        """`after` and `before` by the clocks of the zone."""
        first = START if self.after == START else wall_clock(self.after, self.zone)
        return first, NO_END if self.before == NO_END else wall_clock(self.before, self.zone)

    def bounds(self) -> dict[str, tuple[str, str]]:
        """The least and the greatest value inside the vector index: one value exactly, or everything there is."""
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
        """Whether something is one value of very many: the vector index is then asked for it as well."""
        return any(len(values) == 1 for values in (self.sessions, self.speakers, self.narratives, self.tasks))

    def clauses(self) -> list[str]:
        """Required clauses of the full-text query that filter and leave the score alone."""
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
"""All that is active."""


def day(moment: datetime) -> str:
    """The day of a moment as a word that sorts: `20261121`."""
    return moment.date().isoformat().replace("-", "")


def days(first: datetime, last: datetime) -> list[str]:
    """The days from one moment to another, both included."""
    return [day(first + timedelta(days=number)) for number in range((last.date() - first.date()).days + 1)]


def title_slug(title: str) -> str:
    """A title as a name: what stands behind it in parentheses does not count."""
    return slug(_ASIDE.sub("", title.rstrip())) or slug(title)


def title_token(title: str) -> str:
    """The word under which a text is found by its title."""
    return token("title", title_slug(title))


def titled(names: Iterable[str]) -> str:
    """The clause for what has one of these names, given as slugs, for its title."""
    return f"facets:({' '.join(token('title', name) for name in names)})"


def required(tokens: Iterable[str]) -> str:
    """A clause: one of these tokens must be among the facets, which adds nothing to the score."""
    return f"+facets:({' '.join(tokens)})^0"
