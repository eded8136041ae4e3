"""Which of many names may be alike (W7): keys are looked up before names are compared one by one.

What is alike shares a key, but for one pair in a thousand (`tests/unit/test_blocking.py`): a word, a beginning,
initials, or consonants of which one at most is another.
"""

from collections import defaultdict
from collections.abc import Sequence

from hippograph.nlp.names.blocking.keys import ODD, known_keys, mention_keys


class BlockingIndex:
    """Names of one sort of thing, to which more can be added, and which of them a name may mean."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._by_key = defaultdict[str, set[str]](set)
        self._all = set[str]()
        self._always = set[str]()

    def add(self, one: str, names: Sequence[str], usernames: Sequence[str]) -> None:
        """Adds one under its id by its names, unless it is there."""
        if one in self._all:
            return
        self._all.add(one)
        if usernames or any(map(ODD.search, names)):
            self._always.add(one)
            return
        for key in known_keys(tuple(names), self._kind):
            self._by_key[key].add(one)

    def candidates(self, text: str, *, by_sound: bool) -> set[str]:
        """The ids that a name may mean. Names left out are not like it at all, or, without `by_sound`, are like it only
        by sound.
        """
        said = mention_keys(text.strip().rstrip(":,;!?"), self._kind)
        if said is None:
            return self._all
        keys = said.keys | said.sounds if by_sound else said.keys
        return self._always.union(*(self._by_key[key] for key in keys if key in self._by_key))
