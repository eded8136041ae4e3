"""Where a search looks: P1's candidates as searches of the vector indexes and as one clause of the full-text index.

The indexes hold the labels of a memory, so most of what they return is visible. These are candidates only: the rule
(`cypher/fragments/visible.cypher`) decides on each of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from hippograph.graph.access.labels import OF_A_SPACE, space_tokens
from hippograph.graph.access.parameters import request_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import NotFound
from hippograph.graph.ids import token
from hippograph.graph.model import OLD_DATA, START, ChatKind, Entity, EntityType, Sensitivity, Times, Viewer
from hippograph.graph.people.entities import entity, known_entities
from hippograph.graph.people.people import name_token
from hippograph.graph.retrieval.filters import LAST, Filters, required
from hippograph.graph.zones import UTC_ZONE
from hippograph.nlp.questions.relatives import find_relatives
from hippograph.nlp.text import called_in

MOST_SCANNED: Final = 3_000
"""Maximum number of memories about people that a search compares one by one; other people are searched in the index."""

MOST_CHATS: Final = 32
"""Maximum number of chats that are searched one by one; beyond it one search covers all, and the rule filters them."""

Bounds = tuple[Any, Any]
"""The minimum and maximum of a label, both inclusive."""

_PUBLIC: Final = (Sensitivity.PUBLIC.value, Sensitivity.PUBLIC.value)
_SENSITIVE: Final = (Sensitivity.SENSITIVE.value, Sensitivity.SENSITIVE.value)
# The values sort as personal, public, sensitive.
_NOT_SENSITIVE: Final = (Sensitivity.PERSONAL.value, Sensitivity.PUBLIC.value)
_NEVER: Final = ("", "")
_ANY: Final = ("", LAST)
_PORTABLE: Final = (True, True)
_WIDE: Final[Mapping[str, Bounds]] = {"person": _ANY, "chat": _ANY, "learned": _ANY, "portable": _PORTABLE}
"""The default bounds of a search in the index of ABOUT relationships."""


class Shape(StrEnum):
    """The conditions of a search in a vector index: `search/vector` has one branch for each shape."""

    SCOPE = "scope"
    HERE = "here"
    PERSON = "person"
    LEARNED = "learned"
    SAID = "said"
    TOLD = "told"
    SCAN = "scan"


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """One search in a vector index. `valid_after` and `ended_after` are lower bounds, exclusive, of the ends (M14)."""

    shape: Shape
    bounds: Mapping[str, Bounds]
    valid_after: datetime
    ended_after: datetime
    scope: str | None

    def params(self) -> dict[str, object]:
        """The row for the statement."""
        row: dict[str, object] = {"shape": self.shape.value, "scope": self.scope}
        row |= {"valid_after": self.valid_after, "ended_after": self.ended_after}
        for name, (least, most) in self.bounds.items():
            row |= {f"{name}_from": least, f"{name}_to": most}
        return row


@dataclass(frozen=True, slots=True)
class QueryScope:
    """Where a question is asked from, and whom it names.

    `kind` is the kind of place: private too when in no chat. `persona` is the one that is asked (`''` for none): the
    viewer's, else that of the chat if it has exactly one. `space` is the one within which the viewer looks (`''` for
    none, None for all). `participants` take part in the chat, and `names` are theirs. `chats` are all in which the
    viewer ever took part. `groups` are the viewer's if they look at their own memory outside any chat: what was said
    there is found too. `named` are the people whom the question names, `entities` those of all types, including those
    meant by a relation ("my sister"). `legacy_disclosable` says that old data may be told in private (a setting).
    `scanned` are people of whom so little is told that all of it is compared. `time_zone` is that of the viewer's days.
    """

    kind: ChatKind
    persona: str = ""
    space: str | None = None
    participants: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    legacy_disclosable: bool = False
    entities: tuple[Entity, ...] = ()
    scanned: frozenset[str] = frozenset()
    time_zone: str = UTC_ZONE

    def concerned(self, viewer: Viewer) -> list[str]:
        """The ids of the persons concerned (P1): the viewer, the participants, and those who are named."""
        return list(dict.fromkeys([viewer.person_id, *self.participants, *self.named]))


async def find_query_scope(database: Database, clock: Clock, viewer: Viewer, query: str) -> QueryScope:
    """Finds where the viewer asks from, and whom the words of the query name.

    Raises `NotFound` for an unknown persona, and for a chat that does not exist or in which the viewer takes no part.
    """
    called = called_in(query)
    tokens = {name_token(name): None for name in called}
    row = await database.one(
        "search/query_scope",
        names=f"names:({' '.join(tokens)})" if tokens else "",
        called=[name_token(name) for name in called if " " not in name],
        **request_params(viewer, None, clock),
    )
    if row is None:
        raise NotFound(f"there is no chat {viewer.chat_id}")
    if not row["persona_exists"]:
        raise NotFound("there is no such persona")
    known = map(entity, row["entities"])
    by_name = [each for each in known if any(name_token(name) in tokens for name in names_of(each))]
    by_first_name = map(entity, row["called"])
    entities = tuple({each.id: each for each in (*by_first_name, *by_name)}.values())
    entities += await _relatives(database, clock, viewer, query, entities)
    return QueryScope(
        ChatKind(row["kind"]),
        persona=row["persona"],
        space=row["space"],
        participants=tuple(row["participants"]),
        names=tuple(row["names"]),
        chats=tuple(row["chats"]),
        groups=tuple(row["groups"][-MOST_CHATS:]),  # the newest: they are sorted by id
        named=tuple(each.id for each in entities if each.type is EntityType.PERSON),
        legacy_disclosable=row["legacy"],
        entities=entities,
        scanned=_scanned(row["told_of"]),
        time_zone=row["time_zone"],
    )


async def _relatives(
    database: Database, clock: Clock, viewer: Viewer, query: str, named: Sequence[Entity]
) -> tuple[Entity, ...]:
    """The entities, not yet `named`, that a question means by their relation to the viewer or to a named entity."""
    rows = []
    for relative in find_relatives(query):
        called = name_token(relative.owner) if relative.owner else ""
        owners = [each.id for each in named if called in {name_token(name) for name in names_of(each)}]
        steps = [asdict(step) for step in relative.steps]
        rows.append({"owners": owners if called else [viewer.person_id], "steps": steps})
    if not rows:
        return ()
    found = await database.run("search/relatives", rows=rows, **request_params(viewer, None, clock))
    there = {each.id for each in named}
    known = await known_entities(database, clock, viewer, [row["id"] for row in found])
    return tuple(each for each in known.values() if each.id not in there)


def _scanned(told_of: Iterable[tuple[str, int]]) -> frozenset[str]:
    """The people of whom all is compared: as many as fit, of pairs of a person and a number of memories, ascending."""
    scanned, left = set(), MOST_SCANNED
    for person, memories in told_of:
        left -= memories
        if left < 0:
            break
        scanned.add(person)
    return frozenset(scanned)


def names_of(known: Entity) -> list[str]:
    """The names by which the viewer knows an entity."""
    return [known.canonical_name, *known.aliases, *(f"@{username}" for username in known.usernames)]


def memory_searches(
    viewer: Viewer, scope: QueryScope, times: Times, filters: Filters, *, present: bool
) -> list[IndexSearch]:
    """The searches of the index of memories: in the viewer's own scope, and in that of the group or their groups."""
    return list(_searches(_scoped(viewer, scope), _views(viewer, scope, filters), times, filters, present=present))


def about_searches(
    viewer: Viewer, scope: QueryScope, times: Times, filters: Filters, *, present: bool
) -> list[IndexSearch]:
    """The searches of the index of ABOUT relationships: for the persons concerned, within what P2 may let through."""
    return list(_searches(_about(viewer, scope), _views(viewer, scope, filters), times, filters, present=present))


@dataclass(frozen=True, slots=True)
class FullTextQuery:
    """Queries of the full-text index: over what was said here and the viewer's own scope (`near`), over what is told
    of the persons concerned elsewhere (`far`), and over both (`anywhere`).
    """

    near: str
    far: str
    anywhere: str


def lucene(viewer: Viewer, scope: QueryScope, words: str, filters: Filters) -> FullTextQuery:
    """The full-text queries: the clause `words` is required; those for place and filters add nothing to the score."""
    tokens = (token("persona", persona) for persona in _personas(scope))
    personas = [] if viewer.every_persona else [required(tokens)]
    rest = " ".join([*personas, *_space_clauses(scope), *filters.clauses(), f"+({words})"])
    near, far = " ".join(_near_clauses(viewer, scope)), " ".join(_far_clauses(viewer, scope))
    return FullTextQuery(f"+({near})^0 {rest}", f"+({far})^0 -({near}) {rest}", f"+({near} {far})^0 {rest}")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a search looks, without the persona, the space, the times and the filters."""

    shape: Shape
    bounds: Mapping[str, Bounds]
    scope: str | None = None


def _scoped(viewer: Viewer, scope: QueryScope) -> Iterator[_Place]:
    me, here = viewer.person_id, viewer.chat_id
    if scope.kind is ChatKind.PRIVATE or here is None:
        for each in (me, *scope.groups):
            yield _Place(Shape.SCOPE, {"learned": _ANY}, each)
        return
    yield _Place(Shape.SCOPE, {"learned": _ANY, "sensitivity": _NOT_SENSITIVE}, me)
    yield _Place(Shape.HERE, {"learned": (here, here), "sensitivity": _SENSITIVE}, me)
    yield _Place(Shape.SCOPE, {"learned": _ANY}, here)


def _about(viewer: Viewer, scope: QueryScope) -> Iterator[_Place]:
    me, *others = scope.concerned(viewer)
    mine = Shape.SCAN if me in scope.scanned else Shape.PERSON
    if scope.kind is ChatKind.GROUP:
        here = viewer.chat_id or ""
        yield _Place(mine, {**_WIDE, "person": (me, me), "sensitivity": _NOT_SENSITIVE})
        yield _told(here)
        for other in others:
            shape = Shape.SCAN if other in scope.scanned else Shape.PERSON
            yield _Place(shape, {**_WIDE, "person": (other, other), "sensitivity": _PUBLIC})
        return
    yield _Place(mine, {**_WIDE, "person": (me, me)})
    for group in scope.groups:
        yield _told(group)
    for other in others:
        public: Mapping[str, Bounds] = {**_WIDE, "person": (other, other), "sensitivity": _PUBLIC}
        if other in scope.scanned or scope.groups or len(scope.chats) > MOST_CHATS:
            yield _Place(Shape.SCAN if other in scope.scanned else Shape.PERSON, public)
            continue
        yield _Place(Shape.SAID, {**public, "speaker": (me, me)})
        for chat in scope.chats:
            yield _Place(Shape.LEARNED, {**public, "learned": (chat, chat)})
        if scope.legacy_disclosable:
            yield _Place(Shape.LEARNED, {**public, "learned": _NEVER, "source": (OLD_DATA, OLD_DATA)})


def _told(chat: str) -> _Place:
    """What others own and told in a chat; the statement checks later whether it is about a person concerned."""
    return _Place(Shape.TOLD, {**_WIDE, "chat": _NEVER, "learned": (chat, chat), "portable": (False, True)})


def _near_clauses(viewer: Viewer, scope: QueryScope) -> Iterator[str]:
    me = viewer.person_id
    concerned = " ".join(token("about", each) for each in scope.concerned(viewer))
    if scope.kind is not ChatKind.GROUP:
        yield f"scopes:({' '.join((me, *scope.groups))})"
        if scope.groups:
            learned = " ".join(token("learned_in", each) for each in scope.groups)
            yield f"(+facets:({learned}) +facets:({concerned}))"
        return
    here, sensitive = token("learned_in", viewer.chat_id or ""), token("sensitivity", Sensitivity.SENSITIVE)
    yield f"(+scopes:{me} -(+facets:{sensitive} -facets:{here}))"
    yield f"scopes:{viewer.chat_id}"
    yield f"(+facets:{here} +facets:({concerned}))"


def _far_clauses(viewer: Viewer, scope: QueryScope) -> Iterator[str]:
    me, *others = scope.concerned(viewer)
    about_me, about_others = token("about", me), " ".join(token("about", other) for other in others)
    public, portable = token("sensitivity", Sensitivity.PUBLIC), token("portable", "true")
    if scope.kind is ChatKind.GROUP:
        yield f"(+facets:{about_me} +facets:{portable} -facets:{token('sensitivity', Sensitivity.SENSITIVE)})"
        if others:
            yield f"(+facets:({about_others}) +facets:{portable} +facets:{public})"
        return
    yield f"(+facets:{about_me} +facets:{portable})"
    if others:
        told = ""
        if not scope.groups and len(scope.chats) <= MOST_CHATS:
            where = [token("speaker", me), *(token("learned_in", chat) for chat in scope.chats)]
            brought = f" (+facets:{token('learned_in', '')} +facets:{token('source', OLD_DATA)})"
            told = f" +(facets:({' '.join(where)}){brought if scope.legacy_disclosable else ''})"
        yield f"(+facets:({about_others}) +facets:{portable} +facets:{public}{told})"


def _searches(
    places: Iterable[_Place], views: Sequence[Mapping[str, Bounds]], times: Times, filters: Filters, *, present: bool
) -> Iterator[IndexSearch]:
    """Each place with each view and each end, narrowed by the filters; searches that can find nothing are left out.

    Other times than the present need two ends: for memories that had not ended by V, and for memories that had ended
    when this was not yet known by K (M14). In the present there are none of the latter: an end that is set is known.
    """
    ends = [(times.as_of, START)]
    if not present:
        ends.append((START, times.known_at))
    for place in places:
        bounds = _narrowed(place.bounds, filters.bounds())
        if bounds is not None:
            for view in views:
                yield from (IndexSearch(place.shape, {**bounds, **view}, *end, place.scope) for end in ends)


def _narrowed(labels: Mapping[str, Bounds], filters: Mapping[str, Bounds]) -> dict[str, Bounds] | None:
    """The intersection of both bounds; None when it is empty."""
    narrowed: dict[str, Bounds] = {**filters, **labels}
    for name in labels.keys() & filters.keys():
        (least, most), (low, high) = labels[name], filters[name]
        narrowed[name] = max(least, low), min(most, high)
        if max(least, low) > min(most, high):
            return None
    return narrowed


def _views(viewer: Viewer, scope: QueryScope, filters: Filters) -> list[Mapping[str, Bounds]]:
    """The bounds of each combination of persona and space to search; a filter by space leaves only those it names."""
    personas = [_ANY] if viewer.every_persona else [(persona, persona) for persona in _personas(scope)]
    shown = None if scope.space is None else dict.fromkeys(["", scope.space])
    wanted = [space for space in filters.spaces if shown is None or space in shown] if filters.spaces else shown
    spaces = [_ANY] if wanted is None else [(space, space) for space in wanted]
    return [{"persona": persona, "space": space} for persona in personas for space in spaces]


def _space_clauses(scope: QueryScope) -> list[str]:
    """The clause that excludes memories of other spaces (P7); memories of no space have no token of a space."""
    if scope.space is None:
        return []
    others = f"+facets:{OF_A_SPACE}"
    return [f"-({' '.join([others, *(f'-facets:{word}' for word in space_tokens(scope.space)[1:])])})"]


def _personas(scope: QueryScope) -> list[str]:
    """The personas whose memories are searched: none (`''`), and the one that is asked (S8)."""
    return list(dict.fromkeys(["", scope.persona]))
