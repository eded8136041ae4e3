"""Names in texts, as the graph looks for them, and what they mean, as it links them.

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
"""A place of no more letters may be an abbreviation: usa, nyc."""
_WORD: Final = re.compile(r"(?<!\w)[^\W\d_][\w'’]*")
_SMALL: Final = frozenset(
    {"of", "the", "and", "on", "upon", "in", "at", "de", "del", "la", "le", "los", "las", "da", "do", "am", "an", "der"}
)


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text, as the graph looks for it.

    `id`, `made_type` and `key` are those of the entity that it makes if it means none: a handle, what is not surely a
    name, and what the assistant says has no key and makes none. `chat` is where it was said, `speaker` who said it;
    without a chat nothing is taken for the same but by its own name. `beside` are the other names in the text.
    `certainty` is how sure its type is, 0 to 1; where that is not enough it makes a concept. `of_family` says that it
    is told of somebody's family.
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
    """What a mention means, as the fragment `named` links it.

    `known` are the ids of the entities that it means, the likeliest first; without any it makes an entity of `key`, or
    means the one that another mention of that key makes. `learned` says whether the name becomes an alias, `likely`
    what a new entity may be (`id`), how sure that is (`score`, 0 to 1) and why (`reason`). `place` is where its entity
    stands in the order of locks, `follows` says whether it comes after what that is called first of all.
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
    """The name of a person or a place with capitals, also where who spoke used none; not what is said of one (ana's
    dad).
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
    """The names that were found in a text, each once; whether one that means nothing known makes an entity."""
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
                tuple(other.text for other in found if other is not name),
                name.certainty,
                name.of_family,
            )
    return list(made.values())


def sounds(names: Iterable[str], kind: str) -> list[str]:
    """The words under which an entity of these names is found by how they sound."""
    return sorted({token("sound", key) for name in names for key in sound_keys(name, kind)})
