"""Keys by which the graph finds a name that is spelt, misheard or abbreviated differently.

The graph stores them with each entity. A mention is compared with the entities that share a key.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from hippograph.nlp.names.hangul import romanised
from hippograph.nlp.names.listed import other_names
from hippograph.nlp.names.normalization import inner_words, omits_vowels
from hippograph.nlp.names.parsed_name import ParsedName, parse_name
from hippograph.nlp.names.phonetics import skeleton, skeletons, written_skeletons

_LONGEST_ACRONYM: Final = 6


def sound_keys(name: str, kind: str) -> frozenset[str]:
    """Returns the keys of a name: its consonant skeletons, initials, and other names. A person's name in Hangul also
    has those of its romanisations.
    """
    parsed = parse_name(name, kind)
    words = [word for word in parsed.words if len(word) > 1]
    heard = written_skeletons if omits_vowels(name) else skeletons
    keys = {f"sound:{consonants}" for word in words for consonants in heard(word)}
    keys |= {f"whole:{consonants}" for consonants in skeletons(parsed.joined)} if parsed.words else set()
    keys |= {f"whole:{skeleton(one + two)}" for one, two in pairwise(parsed.words)}
    if kind != "person":
        keys |= {f"also:{name}" for name in other_names(parsed.joined)}
    if len(parsed.joined) <= _LONGEST_ACRONYM:
        keys.add(f"initials:{parsed.joined}")
    keys |= {f"initials:{initials}" for initials in _abbreviations(parsed, name)}
    read = romanised(name) if kind == "person" else None
    return frozenset(keys).union(*(sound_keys(each, kind) for each in (read.full() if read else ())))


def _abbreviations(parsed: ParsedName, name: str) -> Iterator[str]:
    """Yields the acronyms of a name of several words, and the numeronym of a long name (k8s)."""
    for words in (parsed.words, parsed.all_words, inner_words(name)):
        if len(words) > 1:
            yield "".join(word[0] for word in words)
    if len(whole := "".join(parsed.all_words)) > _LONGEST_ACRONYM:
        yield f"{whole[0]}{len(whole) - 2}{whole[-1]}"
