"""Keys of names for the blocking index. Names that are written or sound alike share a key."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from hippograph.nlp.names.listed import called, other_names
from hippograph.nlp.names.matching.usernames import looks_made
from hippograph.nlp.names.normalization import inner_words, plain, words_of
from hippograph.nlp.names.parsed_name import NUMERONYM, POSSESSIVE, ParsedName, is_acronym, parse_name
from hippograph.nlp.names.phonetics import skeletons

_CACHED: Final = 20_000
_MOST_REJOINED: Final = 4
_LONG: Final = 6
ODD: Final = re.compile(r"[\u0590-\u0dff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af@]")
"""A character of a script that omits vowels, of Chinese, Japanese or Korean, or `@`. A name with one has too many
readings for keys.
"""
_FURTHER: Final = re.compile(r" (?:from|on|at|in|the|who) ")
_Keys = Callable[[ParsedName, str], Iterator[str]]


@dataclass(frozen=True, slots=True)
class MentionKeys:
    """The keys of a mention: `keys` by how it is written, `sounds` by how it sounds."""

    keys: frozenset[str]
    sounds: frozenset[str]


@lru_cache(_CACHED)
def mention_keys(text: str, kind: str) -> MentionKeys | None:
    """Returns the keys of a mention; None if it has too many readings for keys, so that every name is a candidate."""
    if ODD.search(text):
        return None
    keys: _Keys
    if kind == "person":
        if looks_made(text) or _FURTHER.search(text):
            return None
        parts = [parse_name(POSSESSIVE.sub("", text), kind)]
        keys, sounds = _said_person, _sounds_of_said_person
    else:
        parts = [parse_name(each, kind) for each in {text, POSSESSIVE.sub("", text)} if each]
        keys, sounds = _said_thing, _sounds_of_said_thing
    parts = [one for one in parts if one.words]
    return MentionKeys(
        frozenset(key for one in parts for key in keys(one, text)),
        frozenset(key for one in parts for key in sounds(one)),
    )


@lru_cache(_CACHED)
def known_keys(names: tuple[str, ...], kind: str) -> frozenset[str]:
    """Returns the keys of an entity with these names. A person's aliases of one word also get keys together with the
    family name.
    """
    parts = [(one, name) for name in names if (one := parse_name(name, kind)).words]
    keys: _Keys
    if kind == "person":
        words = [words_of(name) for name in names]
        full = next((each for each in words if len(each) > 1), None)
        parts += [
            (parse_name(name, kind), name)
            for each in words
            if full and len(each) == 1
            for name in [f"{each[0]} {full[-1]}"]
        ]
        keys, sounds = _known_person, _sounds_of_known_person
    else:
        keys, sounds = _known_thing, _sounds_of_known_thing
    return frozenset(key for one, name in parts for key in (*keys(one, name), *sounds(one)))


def _sounding(part: str, words: Iterable[str]) -> Iterator[str]:
    """Yields a key for each consonant skeleton that the words may have, and for each skeleton without one of its
    consonants. Skeletons that differ in one consonant therefore share a key.
    """
    for consonants in frozenset[str]().union(*map(skeletons, words)):
        yield f"{part}:{consonants}"
        if len(consonants) > 1:
            yield from (f"{part}:{consonants[:at]}{consonants[at + 1 :]}" for at in range(len(consonants)))


def _said_person(said: ParsedName, _text: str) -> Iterator[str]:
    yield from _of_person(said)
    words = said.words
    for turned in (words[1:] + words[:1], words[-1:] + words[:-1]):
        yield f"joined:{plain(''.join(turned))}"
    yield f"initials:{said.joined}"
    for word in (*words, *_begun(words)):
        yield f"short:{word}"
        yield from (f"long:{each}" for each in called(word))
    if len(words) == 1:
        yield f"two:{words[0][:2]}"


def _known_person(known: ParsedName, _name: str) -> Iterator[str]:
    yield from _of_person(known)
    words, first = known.words, known.words[0]
    initials = "".join(word[0] for word in words)
    yield from (f"initials:{initials[:end]}" for end in range(2, len(initials) + 1))
    for word in (*words, *_begun(words)):
        yield f"long:{word}"
        for each in called(word):
            yield f"short:{each}"
            yield f"three:{each[:3]}"
    yield f"two:{first[:2]}"
    yield from (f"three:{first[start : start + 3]}" for start in range(len(first) - 2))


def _of_person(one: ParsedName) -> Iterator[str]:
    yield f"joined:{plain(one.joined)}"
    for word in (*one.words, *_begun(one.words), *_ended(one.words), one.joined):
        yield f"word:{plain(word)}"
        yield f"letters:{word[0]}{''.join(sorted(word))}"
        if len(word) > 2:
            yield f"three:{word[:3]}"
        if len(word) > 3:
            yield f"end:{word[-4:]}"


def _begun(words: tuple[str, ...]) -> list[str]:
    """Returns the first words joined into one, since given names may be divided differently."""
    return list(accumulate(words))[1:-1] if len(words) <= _MOST_REJOINED else ["".join(words[:2])]


def _ended(words: tuple[str, ...]) -> list[str]:
    """Returns the last words joined into one, for a family name of several words."""
    return ["".join(words[start:]) for start in range(1, len(words) - 1)] if len(words) <= _MOST_REJOINED else []


def _sounds_of_said_person(said: ParsedName) -> Iterator[str]:
    yield from _sounding("first", [said.joined])
    if len(said.words) > 1:
        yield from _sounding("whole", [said.joined])
        yield from _sounding("last", (said.words[-1], *_ended(said.words)))
    else:  # for a family name alone, no key leaves a consonant out
        yield from (f"last:{consonants}" for consonants in skeletons(said.joined))


def _sounds_of_known_person(known: ParsedName) -> Iterator[str]:
    words = known.words
    yield from _sounding("first", (words[0], *_begun(words)))
    if len(words) > 1:
        yield from _sounding("last", (words[-1], *_ended(words)))
        yield from _sounding("whole", [known.joined])


def _said_thing(said: ParsedName, text: str) -> Iterator[str]:
    yield from _of_thing(said, text)
    yield from (f"other:{each}" for each in other_names(said.joined))
    for words in _worded(said, text):
        yield from (f"word:{run}" for run in _runs(words))
        yield from (f"initials:{word}" for word in words)
    yield from _numeronyms(said, "short", "long")
    yield f"of acronym:{said.all_words[0][0]}"
    if _may_be_acronym(said, text):
        yield f"acronym:{said.joined[0]}"


def _known_thing(known: ParsedName, name: str) -> Iterator[str]:
    yield from _of_thing(known, name)
    yield f"other:{known.joined}"
    yield from (f"joined:{plain(joined)}" for joined in accumulate(known.words))
    for words in _worded(known, name):
        yield from (f"initials:{run}" for run in _runs(words))
    yield from _numeronyms(known, "long", "short")
    yield f"acronym:{known.all_words[0][0]}"
    if _may_be_acronym(known, name):
        yield f"of acronym:{known.joined[0]}"


def _of_thing(one: ParsedName, text: str) -> Iterator[str]:
    first, joined = one.words[0], one.joined
    yield f"joined:{plain(joined)}"
    yield f"joined:{plain(first[0] + ''.join(one.words[1:]))}"
    for words in _worded(one, text):
        yield from (f"word:{word}" for word in words)
        yield f"four:{words[0][:4]}"
    yield f"four:{joined[:4]}"
    for word in (first, joined):
        if len(word) >= _LONG:
            yield f"three:{word[:3]}"
            yield f"end:{word[-3:]}"


def _worded(one: ParsedName, text: str) -> list[tuple[str, ...]]:
    """Returns the words of a name in three ways: without generic and small words, all, and split at inner capitals."""
    return [words for words in (one.words, one.all_words, inner_words(text)) if words]


def _runs(words: tuple[str, ...]) -> Iterator[str]:
    """Yields the initials of each run of two or more adjacent words."""
    letters = "".join(word[0] for word in words)
    for start in range(len(letters)):
        yield from (letters[start:end] for end in range(start + 2, len(letters) + 1))


def _may_be_acronym(one: ParsedName, text: str) -> bool:
    return len(one.words) == 1 and is_acronym(text.removeprefix("the ").removesuffix("s"))


def _numeronyms(one: ParsedName, short: str, long: str) -> Iterator[str]:
    if len(one.all_words) == 1:
        word = one.all_words[0]
        yield f"numbered {long}:{word[0]}{len(word) - 2}{word[-1]}"
        if match := NUMERONYM.fullmatch(word):
            yield f"numbered {short}:{match[1]}{int(match[2])}{match[3]}"


def _sounds_of_said_thing(said: ParsedName) -> Iterator[str]:
    yield from _sounding("whole", {said.joined, "".join(said.all_words)})
    if len(said.words) > 1:
        yield from _sounding(f"first of {len(said.words)}", said.words[:1])


def _sounds_of_known_thing(known: ParsedName) -> Iterator[str]:
    yield from _sounding("whole", [known.joined])
    if len(known.words) > 1:
        yield from _sounding(f"first of {len(known.words)}", known.words[:1])
