"""Which entity a name means (W7): the decision, pure, and what is known of names before a statement links them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from graph.database import Database, Row
from graph.ids import new_id
from graph.model import EntityType
from graph.people import name_token
from nlp.likeness import Likeness, Needs, likeness
from nlp.names import Name
from nlp.sounds import words_of
from nlp.text import slug

_NAMES_AT_ONCE: Final = 500


class Outcome(StrEnum):
    """What a mention and an entity are to each other."""

    SAME = "same"
    UNCERTAIN = "uncertain"
    """Somebody has to look at it: a merge is suggested."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as a text says it: the type that a recogniser gave it, in which chat, and who else is named or takes part
    there (by their names).
    """

    text: str
    type: EntityType
    chat: str = ""
    company: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that may be meant: its own name and then its aliases, in which chats it comes up, and among whom."""

    id: str
    type: EntityType
    names: tuple[str, ...]
    usernames: tuple[str, ...] = ()
    chats: frozenset[str] = frozenset()
    company: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mention means an entity, how sure that is (0 to 1), and why."""

    outcome: Outcome
    score: float = 0.0
    reason: str = ""


_OTHER: Final = Verdict(Outcome.OTHER)


class _Context(StrEnum):
    """How a mention stands to where an entity was met before."""

    CHAT = "in the same chat"
    COMPANY = "in the same company"
    UNKNOWN = "elsewhere"
    STRANGERS = "among others"


def decide(mention: Mention, candidate: Candidate) -> Verdict:
    """Whether a mention means an entity: first what its words say, then whether chat and company bear it out.

    Names that are the same mean the same, but for people whom nobody in common knows; a short form needs the chat, what
    sounds alike the chat or somebody in common. Another type is at best a matter for review: recognisers err, and an
    entity keeps its type.
    """
    alike = likeness(mention.text, candidate.names, candidate.type.value, candidate.usernames)
    if not alike.score:
        return _OTHER
    context = _context(mention, candidate)
    if mention.type is not candidate.type:
        return _of_other_types(alike, context)
    if alike.needs is not Needs.NOTHING and _is_somebody_else(mention, candidate, alike):
        return _OTHER
    return Verdict(_outcome(mention, candidate, alike, context), alike.score, f"{alike.reason}, {context}")


def _outcome(mention: Mention, candidate: Candidate, alike: Likeness, context: _Context) -> Outcome:
    agrees = context in (_Context.CHAT, _Context.COMPANY)
    match alike.needs:
        case Needs.NOTHING:
            return (
                Outcome.SAME
                if agrees or mention.text.startswith("@")
                else _elsewhere(mention, candidate, alike, context)
            )
        case Needs.COMPANY:
            if agrees:
                return Outcome.SAME
            return Outcome.UNCERTAIN if context is _Context.UNKNOWN else Outcome.OTHER
        case Needs.CHAT:
            if context is _Context.CHAT:
                return Outcome.SAME
            return Outcome.UNCERTAIN if context is _Context.COMPANY else Outcome.OTHER
        case Needs.REVIEW:
            return Outcome.UNCERTAIN if agrees else Outcome.OTHER


def _elsewhere(mention: Mention, candidate: Candidate, alike: Likeness, context: _Context) -> Outcome:
    """What the same name means where nobody in common is: namesakes are people, and the names of one's own projects and
    of companies; a place, a tool, an idea is the same everywhere.
    """
    several = len(words_of(mention.text)) > 1
    if candidate.type is not EntityType.PERSON:
        own = candidate.type in (EntityType.PROJECT, EntityType.ORGANIZATION)
        return Outcome.UNCERTAIN if own and not several and context is _Context.STRANGERS else Outcome.SAME
    if context is _Context.UNKNOWN:
        return Outcome.SAME if several or alike.reason != "the same name" else Outcome.UNCERTAIN
    return Outcome.UNCERTAIN if several else Outcome.OTHER


def _context(mention: Mention, candidate: Candidate) -> _Context:
    if mention.chat and mention.chat in candidate.chats:
        return _Context.CHAT
    if not mention.company or not candidate.company:
        return _Context.UNKNOWN
    return _Context.COMPANY if _folded(mention.company) & _folded(candidate.company) else _Context.STRANGERS


def _of_other_types(alike: Likeness, context: _Context) -> Verdict:
    if alike.needs is Needs.NOTHING and context is _Context.CHAT:
        return Verdict(Outcome.UNCERTAIN, alike.score / 2, f"{alike.reason} of another type, {context}")
    return _OTHER


def _is_somebody_else(mention: Mention, candidate: Candidate, alike: Likeness) -> bool:
    """Whether the name is better explained by who else is there, or the entity is named beside it by its own name."""
    if candidate.type is not EntityType.PERSON:
        return False
    for name in mention.company:
        if likeness(name, candidate.names, candidate.type.value).needs is Needs.NOTHING:
            return True
        other = likeness(mention.text, (name,), candidate.type.value)
        if other.score and (other.needs, -other.score) <= (alike.needs, -alike.score):
            return True
    return False


def _folded(names: Iterable[str]) -> set[tuple[str, ...]]:
    return {words_of(name) for name in names}


async def look_up(database: Database, names: Sequence[Row]) -> None:
    """Adds to each name the ids of the entities of its type that are known by it, the likeliest first."""
    tokens = sorted({name["token"] for name in names})
    known: dict[tuple[str, str], list[str]] = {}
    for start in range(0, len(tokens), _NAMES_AT_ONCE):
        query = f"names:({' '.join(tokens[start : start + _NAMES_AT_ONCE])})"
        for entity in await database.run("entity/find_named", query=query):
            for name in entity["names"]:
                known.setdefault((entity["type"], name), []).append(entity["id"])
    for name in names:
        name["known"] = known.get((name["type"], name["token"]), [])


def mentions(found: Sequence[Name]) -> list[Row]:
    """Names as the graph looks for them; a handle links only to who has it, a name may make a new entity."""
    rows = {}
    for name in found:
        handle, key = name.text.startswith("@"), slug(name.text)
        if key:
            kind = EntityType(name.type.lower())
            rows[kind, handle, key] = {
                "id": new_id(),
                "text": name.text,
                "type": kind.value,
                "label": name.type,
                "token": name_token(name.text),
                "key": None if handle else f"{kind.value}:{key}",
            }
    return list(rows.values())
