"""Mentions: names found in texts, and the entities that they are linked to, as parameters of statements.

What belongs here: plain values. What does not: which entities of the graph a name means
(`graph.knowledge.entity_resolution.mentions`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.graph.database import Row
from hippograph.graph.ids import new_id, token
from hippograph.graph.model import EntityType
from hippograph.graph.people.people import name_token
from hippograph.nlp.names.blocking.sound_keys import sound_keys
from hippograph.nlp.names.recognition import TYPED, Name
from hippograph.nlp.text import slug

_ABBREVIATED: Final = 3
"""Maximum length of the name of a place that may be an abbreviation (usa, nyc), in characters."""
_WORD: Final = re.compile(r"(?<!\w)[^\W\d_][\w'’]*")
_SMALL: Final = frozenset(
    {"of", "the", "and", "on", "upon", "in", "at", "de", "del", "la", "le", "los", "las", "da", "do", "am", "an", "der"}
)


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text, before it is linked to an entity.

    `id`, `made_type` and `key` are those of the entity that it creates if it means no existing one. `key` is None if it
    creates none: for a handle, an uncertain name, and a name that the assistant said. `token` stands for the name in
    the index. `chat` is the id of the chat in which it was said, or of the person who said it outside chats; `speaker`
    is the id of who said it. An empty `chat` never counts as a shared one. `beside` are the other names in the text.
    `certainty` is how sure `type` is, 0 to 1; below `TYPED` a new entity is a concept. `of_family` says that a word for
    a family member stands before it: my daughter Maya.
    """

    id: str
    text: str
    type: EntityType
    made_type: EntityType
    token: str
    key: str | None
    chat: str
    speaker: str
    beside: tuple[str, ...]
    certainty: float
    of_family: bool

    @property
    def handle(self) -> bool:
        """Whether it is a username."""
        return self.text.startswith("@")


@dataclass(frozen=True, slots=True)
class MentionLink:
    """The entity that a mention is linked to, for the fragment `named`.

    `known` are the ids of the entities that it means, the likeliest first. If it is empty, the mention creates an
    entity with `key`, or means the one that another mention with that key creates. `learned` says whether the name
    becomes an alias. `likely` are merges to suggest for a new entity: `id` of the other, `score` (0 to 1), `reason`.
    Mentions are linked in the order of type, `place` (the token of a name of the entity) and `follows`. So locks are
    taken in one order, and a mention that `follows` comes after one that may create its entity.
    """

    mention: NameMention
    type: EntityType
    key: str | None
    place: str
    known: tuple[str, ...] = ()
    learned: bool = False
    likely: tuple[Row, ...] = ()
    follows: bool = False

    def row(self) -> Row:
        """The parameters of the fragment `named`."""
        return {
            "id": self.mention.id,
            "text": self.mention.text,
            "called": _as_one_writes(self.mention.text, self.type),
            "token": self.mention.token,
            "type": self.type.value,
            "vote": self.mention.type.value,
            "certainty": self.mention.certainty,
            "label": self.type.value.capitalize(),
            "key": self.key,
            "place": self.place,
            "known": list(self.known),
            "learned": self.learned,
            "likely": list(self.likely),
            "follows": self.follows,
        }


def _as_one_writes(name: str, kind: EntityType) -> str:
    """The name of a person or a place with capitals if it was written without any. Possible abbreviations of places and
    descriptions (ana's dad) stay as they are.
    """
    if not name.islower() or "'s " in name:
        return name
    match kind:
        case EntityType.PERSON:
            return name.title()
        case EntityType.PLACE if len(name) > _ABBREVIATED:
            return _WORD.sub(lambda word: word[0] if word.start() and word[0] in _SMALL else word[0].capitalize(), name)
    return name


def mentions(found: Sequence[Name], chat: str = "", speaker: str = "", *, makes: bool = True) -> list[NameMention]:
    """The names found in a text, each once. `makes` says whether a name that means no existing entity creates one."""
    made = {}
    for name in found:
        handle, key = name.text.startswith("@"), slug(name.text)
        if key:
            kind = EntityType(name.type.lower())
            made_kind = kind if name.certainty >= TYPED else EntityType.CONCEPT
            made[kind, handle, key] = NameMention(
                new_id(),
                name.text,
                kind,
                made_kind,
                name_token(name.text),
                None if handle or not makes or not name.sure else f"{made_kind.value}:{key}",
                chat,
                speaker,
                tuple(other.text for other in found if slug(other.text) != key),
                name.certainty,
                name.of_family,
            )
    return list(made.values())


def sounds(names: Iterable[str], kind: str) -> list[str]:
    """The index tokens for the sound of these names, by which their entity is found; sorted."""
    return sorted({token("sound", key) for name in names for key in sound_keys(name, kind)})
