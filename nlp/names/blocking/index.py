"""Blocking index of names (W7): finds candidates by shared keys, before names are compared one by one.

Names that match share a key, but for one pair in a thousand (`tests/unit/test_blocking.py`): a word, a prefix,
initials, or consonants that differ in at most one.
"""

from collections import defaultdict
from collections.abc import Sequence

from hippograph.nlp.names.blocking.keys import ODD, known_keys, mention_keys


class BlockingIndex:
    """An index of the names of things of one kind, to which more can be added."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._by_key = defaultdict[str, set[str]](set)
        self._all = set[str]()
        self._always = set[str]()

    def add(self, one: str, names: Sequence[str], usernames: Sequence[str]) -> None:
        """Adds the names and usernames of the thing with the id `one`. Does nothing if the id was added before."""
        if one in self._all:
            return
        self._all.add(one)
        if usernames or any(map(ODD.search, names)):
            self._always.add(one)
            return
        for key in known_keys(tuple(names), self._kind):
            self._by_key[key].add(one)

    def candidates(self, text: str, *, by_sound: bool) -> set[str]:
        """Returns the ids of the things that a name may mean; without `by_sound`, not those that are only alike in
        sound. All ids if the name has too many readings for keys.
        """
        said = mention_keys(text.strip().rstrip(":,;!?"), self._kind)
        if said is None:
            return self._all
        keys = said.keys | said.sounds if by_sound else said.keys
        return self._always.union(*(self._by_key[key] for key in keys if key in self._by_key))
