"""What a search may be narrowed to (R4), and how each filter goes into the indexes.

A filter of one value is a range inside the vector index and a required token inside the full-text index, so it
costs nothing and starves nothing. What the indexes cannot carry is checked behind them, and the search goes on
until it has enough.
"""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from graph.ids import token
from graph.model import NO_END, START, MemoryType, Sensitivity, Times, Viewer
from nlp.text import slug

_LAST: Final = "\uffff"
_ASIDE: Final = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is narrowed to. An empty tuple lets all pass; several values of one field are alternatives.

    `tags` must all be there. `entities` are keys (`person:john`). `after` (inclusive) and `before` (exclusive) are
    about when it happened.
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
    after: datetime = START
    before: datetime = NO_END
    least_confidence: float = 0.0

    def params(self) -> dict[str, object]:
        """The parameters of the fragment `matching`."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def bounds(self) -> dict[str, str]:
        """Ranges inside the vector index: one value exactly, or everything there is."""
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
        bounds = {}
        for name, values in fields.items():
            bounds[f"{name}_from"], bounds[f"{name}_to"] = (values[0], values[0]) if len(values) == 1 else ("", _LAST)
        return bounds

    def clauses(self) -> list[str]:
        """Required clauses of the full-text query that filter and leave the score alone."""
        alternatives = [
            ("type", self.types),
            ("source", self.sources),
            ("session", self.sessions),
            ("speaker", self.speakers),
            ("status", self.statuses),
            *(("tag", (tag,)) for tag in self.tags),
        ]
        clauses = [
            _required("facets", (token(name, value) for value in values)) for name, values in alternatives if values
        ]
        if self.after > START or self.before < NO_END:
            clauses.append(f"+event_day:[{day(self.after)} TO {day(self.before)}]^0")
        return clauses


NO_FILTERS: Final = Filters()
"""All that is active."""


def ranges(viewer: Viewer, times: Times, filters: Filters, *, present: bool = False) -> list[dict[str, object]]:
    """The searches of the vector index that together cover what the viewer may see: one each by scope and persona.

    Other times than the present need two: what had not ended by V, and what had but was not known by K to have (M14).
    In the present there is none of the latter: an end that is set is known.
    """
    ends: list[dict[str, object]] = [{"valid_after": times.as_of, "ended_after": START}]
    if not present:
        ends.append({"valid_after": START, "ended_after": times.known_at})
    return [
        {"scope": scope, "persona_from": persona, "persona_to": persona, **end, **filters.bounds()}
        for scope in scopes(viewer)
        for persona in personas(viewer)
        for end in ends
    ]


def lucene(viewer: Viewer, words: str, filters: Filters, *, own: bool) -> str:
    """The full-text query: the words, required inside the viewer's scopes (`own`: their personal one alone)."""
    inside = [viewer.person_id] if own else scopes(viewer)
    wanted = [_required("scopes", inside), _required("facets", (token("persona", p) for p in personas(viewer)))]
    return " ".join([*wanted, *filters.clauses(), f"+({words})"])


def scopes(viewer: Viewer) -> list[str]:
    """Where a viewer's memories are: their own scope, and the chat's."""
    return [viewer.person_id, *([viewer.chat_id] if viewer.chat_id else [])]


def personas(viewer: Viewer) -> list[str]:
    """Whose memories count: those of no persona, and of the one that is asked (S8)."""
    return ["", *([viewer.persona_id] if viewer.persona_id else [])]


def day(moment: datetime) -> str:
    """The day of a moment as a word that sorts: `20261121`."""
    return moment.date().isoformat().replace("-", "")


def title_slug(title: str) -> str:
    """A title as a name: what stands behind it in parentheses does not count."""
    return slug(_ASIDE.sub("", title)) or slug(title)


def title_token(title: str) -> str:
    """The word under which a text is found by its title."""
    return token("title", title_slug(title))


def titled(names: Iterable[str]) -> str:
    """The clause for what has one of these names, given as slugs, for its title."""
    return f"facets:({' '.join(token('title', name) for name in names)})"


def _required(field: str, tokens: Iterable[str]) -> str:
    return f"+{field}:({' '.join(tokens)})^0"
