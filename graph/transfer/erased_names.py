"""The names of a person who is erased, and which of them somebody else vouched for (M13, P6).

How they are removed from texts is in `graph.transfer.erased_words`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.graph.database import Row
from hippograph.graph.people.people import name_token
from hippograph.nlp.names.listed import is_ambiguous
from hippograph.nlp.names.matching.likeness import NONE, Likeness
from hippograph.nlp.names.matching.matcher import likeness
from hippograph.nlp.text import slug

_PERSON: Final = "person"


@dataclass(frozen=True, slots=True)
class Names:
    """Names by the way in which texts are searched for them.

    `full` are names of several words, usernames (`@…`) and slugs, which are found in any case. `words` are first words
    of names, which are found only with a capital, and only where the person took part or was meant.
    """

    full: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str], keys: Iterable[str] = ()) -> "Names":
        """Returns these names as search terms, and the slugs of keys that have several words."""
        given = list(names)
        full = [name for name in given if len(name.split()) > 1 or name.startswith("@")]
        slugs = [ref for key in keys if "_" in (ref := key.partition(":")[2].split("-")[0])]
        words = [_capital(name.split()[0]) for name in given if not name.startswith("@")]
        return cls(tuple(dict.fromkeys([*full, *slugs])), tuple(dict.fromkeys(filter(None, words))))

    def without(self, others: Iterable[str]) -> "Names":
        """Returns these names without those of others."""
        theirs = {slug(name) for name in others}
        return Names(*(tuple(one for one in some if slug(one) not in theirs) for some in (self.full, self.words)))

    def with_(self, more: "Names") -> "Names":
        """Returns these names and more."""
        return Names(tuple(dict.fromkeys([*self.full, *more.full])), tuple(dict.fromkeys([*self.words, *more.words])))

    @property
    def tokens(self) -> list[str]:
        """The tokens under which entities with these names are indexed."""
        return sorted({name_token(one) for one in (*self.full, *self.words)})


@dataclass(frozen=True, slots=True)
class PersonNames:
    """The names of a person.

    `vouched` are those that somebody else vouched for, or gave them in talk before they had an account. `sure` are
    those of them that no other entity bears and that are not ambiguous (`is_ambiguous`). `every` are all names.
    """

    vouched: Names
    sure: Names
    every: Names
    _vouched_names: tuple[str, ...]
    _own_names: tuple[str, ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "PersonNames":
        """Returns the names from the nodes of a person; `sure` equals `vouched` until `borne_by_others`."""
        named = [(name, row) for row in rows for name in (*row["names"], *(f"@{one}" for one in row["usernames"]))]
        by_others = [name for name, row in named if name_token(name) in row["vouched"]]
        own = [name for name, _ in named if name not in by_others]
        keys = [row["key"] for row in rows]
        slugs = {slug(name) for name in by_others}
        vouched = Names.of(by_others, [key for key in keys if key.partition(":")[2].split("-")[0] in slugs])
        every = vouched.with_(Names.of(own, keys))
        return cls(vouched, vouched, every, tuple(by_others), tuple(own))

    def borne_by_others(self, tokens: Iterable[str]) -> "PersonNames":
        """Returns the same with `sure` computed; `tokens` are the name tokens of other entities."""
        taken = set(tokens)
        sure = Names(
            *(
                tuple(one for one in some if name_token(one) not in taken and not is_ambiguous(one.lstrip("@")))
                for some in (self.vouched.full, self.vouched.words)
            )
        )
        return PersonNames(self.vouched, sure, self.every, self._vouched_names, self._own_names)

    def vouches_for(self, text: str) -> bool:
        """Whether a text matches a vouched name, at least as well as any name that only the person vouches for."""
        theirs, own = _alike(text, self._vouched_names), _alike(text, self._own_names)
        return theirs.score > 0 and (-theirs.needs, theirs.score) >= (-own.needs, own.score)


def _alike(text: str, names: Sequence[str]) -> Likeness:
    """Returns the likeness of a text to a person with these names and usernames (`@…`)."""
    handles = tuple(name[1:] for name in names if name.startswith("@"))
    plain = tuple(name for name in names if not name.startswith("@"))
    return likeness(text, plain or handles, _PERSON, handles) if text and names else NONE


def _capital(word: str) -> str | None:
    """Returns a word with a capital and without punctuation around it; None if it is too short or does not begin with a
    letter or digit.
    """
    bare = word.strip("\"'“”‘’.,;:!?()[]")
    return bare[:1].upper() + bare[1:] if bare[:1].isalnum() and len(bare) > 1 else None
