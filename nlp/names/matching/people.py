"""Comparison of people's names word by word.

What belongs here: full names, parts of them, initials. What does not: usernames, and who else is present.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from hippograph.nlp.names.listed import gender, is_family, is_given
from hippograph.nlp.names.matching.likeness import NONE, Likeness, Needs, best, needing, sounding
from hippograph.nlp.names.matching.mishearing import (
    begin_alike,
    family_distance,
    first_heard,
    given_distance,
    is_ordinary,
    respelt_distance,
)
from hippograph.nlp.names.matching.namesakes import namesakes
from hippograph.nlp.names.matching.short_forms import is_pet_name, other_sex, short_for
from hippograph.nlp.names.matching.spelling import HAN, match_spelling
from hippograph.nlp.names.matching.thresholds import (
    MAX_DISTANCE,
    MAX_FROM_KNOWN,
    MAX_IN_FULL,
    MAX_ODD_THING,
    MAX_ORDINARY,
    MAX_ORDINARY_IN_FULL,
    MAX_ORDINARY_TWICE,
    MAX_SPLIT_THING,
    MAX_TWICE,
    SAME_SOUND,
    SHORT,
)
from hippograph.nlp.names.normalization import plain
from hippograph.nlp.names.parsed_name import ParsedName, parse_name, titles_of
from hippograph.nlp.names.phonetics import distance

_HANGUL: Final = re.compile(r"[\uac00-\ud7af]")
_CACHED: Final = 20_000
_MOST_REJOINED: Final = 4
_DIGRAPH_INITIALS: Final = frozenset(("ch", "sh", "zh", "th", "sz", "cz", "gy", "ny"))


def match_person(said: ParsedName, known: ParsedName, text: str, name: str) -> Likeness:
    """Compares two names of people; `text` and `name` are what was parsed."""
    if same := match_spelling(said, known, text, name):
        if len(said.words) == 1 and len(parse_name(text, "person").titles) != len(known.titles):
            return Likeness(0.97, Needs.CHAT, "the same name with a title")
        return replace(same, needs=namesakes(said.words, text, name)) if same.named else same
    turned = (said.words[1:] + said.words[:1], said.words[-1:] + said.words[:-1])
    if min(len(said.words), len(known.words)) > 1 and known.joined in map("".join, turned):
        return Likeness(0.97, Needs.COMPANY, "the same name in another order")
    names = said.words, known.words
    alike = best([_full(*names), *_parted_otherwise(*names), _heard_in_full(*names)])
    return _of_other_script(alike, said, known, text, name) if HAN.search(text + name) else alike


def _of_other_script(alike: Likeness, said: ParsedName, known: ParsedName, text: str, name: str) -> Likeness:
    """Corrects the likeness of names of which one at least is in Han or Hangul.

    Two names in characters that only sound alike need a review. A name in characters is always complete, so a name in
    Latin letters that only begins alike is another. Hangul and Latin letters are compared by `nlp.names.hangul`.
    """
    if HAN.search(text) and HAN.search(name):
        return needing(alike, Needs.REVIEW) if alike.heard else alike
    if _HANGUL.search(text + name):
        return NONE
    shorter, longer = sorted((said.joined, known.joined), key=len)
    longer_name = min(len(said.words), len(known.words)) > 1 and longer != shorter and longer.startswith(shorter)
    return NONE if longer_name else alike


def _parted_otherwise(said: tuple[str, ...], known: tuple[str, ...]) -> Iterator[Likeness]:
    """Compares names whose words are divided differently: Shin Yi and Xinyi, Agnes Ka Pavlak and Agnieszka Pawlak."""
    if len(said) > 1 and plain(said[0]) != plain(known[0]):
        is_name = is_given(said[0]) and is_family(said[-1])
        yield first_heard("".join(said), known[0], most=MAX_FROM_KNOWN if is_name else MAX_DISTANCE)
    if len(said) != len(known):
        for words in _rejoined(said):
            for parts in _rejoined(known):
                if len(words) == len(parts) > 1:
                    yield _pairwise(words, parts, parted_otherwise=True)


@lru_cache(_CACHED)
def _heard_in_full(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Compares two full names by sound that have no word in common. If both words sound alike, it is likelier that both
    were misheard than that two people have names that are alike twice.
    """
    if min(len(said), len(known)) < 2 or not {*map(plain, said)}.isdisjoint(map(plain, known)):
        return NONE
    if is_given(said[0]) and is_given(known[0]):
        return NONE  # two listed given names are likelier those of two people
    if len(said) == len(known) and not any(map(other_sex, said[:-1], known[:-1])):
        far = [distance(one, other) for one, other in zip(said, known, strict=True)]
        if max(far) <= SAME_SOUND or (min(far) > SAME_SOUND and max(far) <= MAX_DISTANCE and sum(far) <= MAX_TWICE):
            return sounding(max(far), Needs.COMPANY)
        if max(far) <= MAX_ORDINARY and sum(far) <= MAX_ORDINARY_TWICE and all(map(is_ordinary, said)):
            return sounding(max(far), Needs.CHAT)
    if is_given(said[0]) and (is_family(said[-1]) or is_given(said[-1])):
        return NONE
    whole = distance(" ".join(said), " ".join(known))
    most = MAX_SPLIT_THING if begin_alike(said[0], known[0]) else MAX_ODD_THING
    return sounding(whole, Needs.COMPANY) if whole <= most else NONE


@lru_cache(_CACHED)
def _rejoined(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if not 1 < len(words) <= _MOST_REJOINED:
        return (words,)
    rest = _rejoined(words[1:])
    return (*((words[0], *each) for each in rest), *((words[0] + each[0], *each[1:]) for each in rest))


@lru_cache(_CACHED)
def _full(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    if len(said) == 1:
        return _single(said[0], known)
    if len(known) == 1:
        if plain(said[0]) == plain(known[0]) and len(said) <= 3:
            return Likeness(0.85, Needs.CHAT, "a fuller name")
        return NONE
    if len(said) == len(known):
        return _pairwise(said, known)
    return _part(said, known)


def _pairwise(said: tuple[str, ...], known: tuple[str, ...], *, parted_otherwise: bool = False) -> Likeness:
    """Compares two full names of the same number of words. The family names must be equal or sound alike; each other
    word likewise, or be a short form.
    """
    if min(len(said[-1]), len(known[-1])) == 1 or min(said[-1], known[-1], key=len) in _DIGRAPH_INITIALS:
        return _with_an_initial(said, known)
    last = family_distance(said[-1], known[-1])
    if last is None:
        return NONE
    respelt = parted_otherwise or (last == SAME_SOUND and len(said[-1]) > SHORT + 1 and not is_family(said[-1]))
    far, short = last, False
    for one, other in zip(said[:-1], known[:-1], strict=True):
        if not parted_otherwise and _is_shortened(one, other, sure=last == 0):
            short = True
            continue
        most = MAX_DISTANCE if last else MAX_ORDINARY_IN_FULL if is_ordinary(one) else MAX_IN_FULL
        given = given_distance(one, other, most=most)
        if given is None and respelt:
            given = respelt_distance(one, other)
        if given is None:
            return NONE
        far = max(far, given)
    if short:
        return Likeness(0.9 - far / 2, Needs.COMPANY, "a short form of the name")
    return sounding(far, Needs.COMPANY)


def _with_an_initial(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Compares names of which one has an initial for the family name: Ana P. and Ana Popescu."""
    first = plain(said[0]) == plain(known[0]) or short_for(said[0], known[0]) or short_for(known[0], said[0])
    short, last = sorted((said[-1], known[-1]), key=len)
    if first and len(said[0]) > 1 and last.startswith(short):
        return Likeness(0.85, Needs.CHAT, "the first name and an initial", lasting=False)
    return NONE


def _is_shortened(one: str, other: str, *, sure: bool) -> bool:
    """Whether one of two given names is short for the other; `sure` where the family names are the same."""
    return (sure and _is_initial(one, other)) or short_for(one, other) or short_for(other, one)


def _is_initial(one: str, other: str) -> bool:
    return min(len(one), len(other)) == 1 and one[0] == other[0]


def _single(said: str, known: tuple[str, ...]) -> Likeness:
    """Compares one word with a name of one word or more."""
    first = known[0]
    if (
        2 <= len(said) <= 3
        and len(known) > 1
        and "".join(word[0] for word in known).startswith(said)
        and not is_given(said)
    ):
        return Likeness(0.8, Needs.CHAT, "the initials", lasting=False)
    if plain(said) == plain(first) and len(known) > 1:
        return Likeness(0.9, Needs.CHAT, "the first name", lasting=False)
    if is_pet_name(said, first) or any(short_for(said, given) for given in known[: max(1, len(known) - 1)]):
        return Likeness(0.85, Needs.CHAT, "what one of this name is called", lasting=False)
    if len(known) > 1 and plain(said) in map(plain, known[1:]):
        return Likeness(0.85, Needs.CHAT, "a part of the name", lasting=False)
    firsts = [first, "".join(known[:2])] if len(known) > 2 else [first]  # Jean-Baptiste has two
    return best([first_heard(said, each) for each in firsts])


def _part(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Compares full names of different length. The shorter one has some of the words in order, or initials for the
    given names, or the first and the last word.
    """
    if len(said) > len(known):
        return Likeness(0.85, Needs.CHAT, "a fuller name") if said[: len(known)] == known else NONE
    there = list(map(plain, known))
    words = list(map(plain, said))
    for start in range(len(there) - len(words) + 1):
        if there[start : start + len(words)] == words:
            needs = Needs.COMPANY if start == 0 else Needs.CHAT
            return Likeness(0.9, needs, "a part of the name", lasting=False)
    if words[-1] == there[-1] and _initials_of(words[:-1], there[:-1]):
        return Likeness(0.88, Needs.COMPANY, "initials and the family name", lasting=False)
    if words[-1] == there[-1] and (words[0] == there[0] or short_for(said[0], known[0])):
        return Likeness(0.88, Needs.COMPANY, "the first and the last of the names")
    return NONE


def _initials_of(words: Sequence[str], names: Sequence[str]) -> bool:
    letters = "".join(words)
    return len(letters) == len(names) and letters == "".join(name[0] for name in names)


def without_contradicted(said: ParsedName, known: Sequence[ParsedName], found: list[Likeness]) -> list[Likeness]:
    """Returns `found`, the likeness to each of the names `known`, or [] if the mention contradicts them. It does if it
    is a full name unlike any full name that is known (Sasha Belova for Alexander Petrov with the alias Sasha), or if
    its title is of the other sex.
    """
    full = [place for place, one in enumerate(known) if len(one.words) > 1]
    if len(said.words) > 1 and full and not any(found[place].score for place in full):
        return []
    first = known[full[0] if full else 0].words[:1]
    titled = _sexes_of_titles(said)
    sexes = {gender(first[0])} if first and gender(first[0]) else set[str]().union(*map(_sexes_of_titles, known))
    return [] if titled and sexes and sexes.isdisjoint(titled) else found


def _sexes_of_titles(one: ParsedName) -> set[str]:
    """Returns the sexes that the titles of a name indicate."""
    return {sex for sex in ("female", "male") if titles_of(sex) & set(one.titles)}
