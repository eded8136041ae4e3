"""What a person who is erased is called, and which of it somebody else vouched for (M13, P6). Nothing here is a rule of
texts: what becomes of these is `graph.transfer.erased_words`.
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
    """Names by how they are looked for.

    `full` are names of several words, usernames and slugs, which are found in any case; `words` single ones, which are
    found as they are written with a capital, and only where the person took part or was meant.
    """

    full: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str], keys: Iterable[str] = ()) -> "Names":
        """The names as they are looked for; of keys the slugs that hold several words."""
        given = list(names)
        full = [name for name in given if len(name.split()) > 1 or name.startswith("@")]
        slugs = [ref for key in keys if "_" in (ref := key.partition(":")[2].split("-")[0])]
        words = [_capital(name.split()[0]) for name in given if not name.startswith("@")]
        return cls(tuple(dict.fromkeys([*full, *slugs])), tuple(dict.fromkeys(filter(None, words))))

    def without(self, others: Iterable[str]) -> "Names":
        """These, but for what others are called."""
        theirs = {slug(name) for name in others}
        return Names(*(tuple(one for one in some if slug(one) not in theirs) for some in (self.full, self.words)))

    def with_(self, more: "Names") -> "Names":
        """These and more."""
        return Names(tuple(dict.fromkeys([*self.full, *more.full])), tuple(dict.fromkeys([*self.words, *more.words])))

    @property
    def tokens(self) -> list[str]:
        """The tokens by which entities of these names are found."""
        return sorted({name_token(one) for one in (*self.full, *self.words)})


@dataclass(frozen=True, slots=True)
class PersonNames:
    """What a person is called.

    `vouched` is what somebody else vouched for, or called them in talk before they were anybody's; `sure` is of that
    what means nobody and nothing else; `every` is all.
    """

    vouched: Names
    sure: Names
    every: Names
    _vouched_names: tuple[str, ...]
    _own_names: tuple[str, ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "PersonNames":
        """The names of the nodes that a person is, before it is known what others are called."""
        named = [(name, row) for row in rows for name in (*row["names"], *(f"@{one}" for one in row["usernames"]))]
        by_others = [name for name, row in named if name_token(name) in row["vouched"]]
        own = [name for name, _ in named if name not in by_others]
        keys = [row["key"] for row in rows]
        slugs = {slug(name) for name in by_others}
        vouched = Names.of(by_others, [key for key in keys if key.partition(":")[2].split("-")[0] in slugs])
        every = vouched.with_(Names.of(own, keys))
        return cls(vouched, vouched, every, tuple(by_others), tuple(own))

    def borne_by_others(self, tokens: Iterable[str]) -> "PersonNames":
        """The same, when others are found by these tokens of names."""
        taken = set(tokens)
        sure = Names(
            *(
                tuple(one for one in some if name_token(one) not in taken and not is_ambiguous(one.lstrip("@")))
                for some in (self.vouched.full, self.vouched.words)
            )
        )
        return PersonNames(self.vouched, sure, self.every, self._vouched_names, self._own_names)

    def vouches_for(self, text: str) -> bool:
        """Whether words mean the person by a name that somebody else vouched for, and not by their own word."""
        theirs, own = _alike(text, self._vouched_names), _alike(text, self._own_names)
        return theirs.score > 0 and (-theirs.needs, theirs.score) >= (-own.needs, own.score)


def _alike(text: str, names: Sequence[str]) -> Likeness:
    """How likely words mean somebody of these names; the bare usernames among them count as such."""
    handles = tuple(name[1:] for name in names if name.startswith("@"))
    plain = tuple(name for name in names if not name.startswith("@"))
    return likeness(text, plain or handles, _PERSON, handles) if text and names else NONE


def _capital(word: str) -> str | None:
    """A word as a name is written; none when it is no word."""
    bare = word.strip("\"'“”‘’.,;:!?()[]")
    return bare[:1].upper() + bare[1:] if bare[:1].isalnum() and len(bare) > 1 else None
