"""Comparison of a mention with the names of an entity, by their words alone (W7).

What belongs here: the choice of the comparisons that are tried. What does not: the chat and the people around a
mention, which decide how much likeness is enough (`graph.knowledge.entity_resolution.entity_linking`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from hippograph.nlp.names.hangul import romanised
from hippograph.nlp.names.listed import is_family, is_given, other_names
from hippograph.nlp.names.matching.likeness import NONE, Likeness, Needs, best, needing
from hippograph.nlp.names.matching.namesakes import has_namesakes
from hippograph.nlp.names.matching.people import match_person, without_contradicted
from hippograph.nlp.names.matching.things import match_thing
from hippograph.nlp.names.matching.usernames import (
    TAIL,
    handle_of,
    looks_made,
    match_username,
    match_username_to_name,
    undivided,
)
from hippograph.nlp.names.normalization import omits_vowels, words_of
from hippograph.nlp.names.parsed_name import POSSESSIVE, ParsedName, parse_name
from hippograph.nlp.names.phonetics import sounds_of

_HANDLE: Final = re.compile(r"@[\w.-]*\w")
_ADDRESS: Final = re.compile(r"([\w.+-]+)@[\w-]+(?:\.[\w-]+)+")
# A name followed by a place or an occupation: Leo from Shenzhen.
_FURTHER: Final = re.compile(r"(\w[\w.'’-]*(?: [A-Z][\w.'’-]*)?) (?:from|on|at|in|the|who) .+")
_SEPARATOR: Final = re.compile(r"[._-]")
_CACHED: Final = 20_000


@lru_cache(_CACHED)
def likeness(text: str, names: tuple[str, ...], kind: str, usernames: tuple[str, ...] = ()) -> Likeness:
    """Compares a mention with the names (its own first, then aliases) and usernames of an entity.

    `kind` is the type of the entity: `person`, `organization`, `place`, `project`, `concept`, `tool`. Returns `NONE` if
    no comparison fits.
    """
    text = text.strip().rstrip(":,;!?")
    if _HANDLE.fullmatch(text):
        return _handle(text, names, usernames)
    if address := _ADDRESS.fullmatch(text):
        if (made := best([match_username_to_name(address[1].lower(), words_of(name)) for name in names])).score:
            return made
        text = " ".join(_SEPARATOR.split(address[1]))
    said = parse_name(POSSESSIVE.sub("", text), kind)
    if not said.words:
        return NONE
    if (handle := match_username(text, usernames, surely=False)).score:
        part = {word for name in names for word in words_of(name)}.issuperset(said.words)
        return replace(handle, needs=max(handle.needs, Needs.COMPANY)) if part else handle
    alike = best(_alike(said, text, names, kind))
    if kind != "person" and POSSESSIVE.search(text):  # 's may be part of the name (St Brigid's) or a possessive
        alike = best([alike, *_alike(parse_name(text, kind), text, names, kind)])
    if alike.score or kind != "person":
        return alike
    return best([_without_what_they_do(text, names, usernames), *_read_aloud(text, names)])


def _read_aloud(text: str, names: tuple[str, ...]) -> Iterator[Likeness]:
    """Compares a name in Hangul with one in Latin letters: 김지우 is Ji-woo Kim."""
    mine = romanised(text)
    for name in names:
        theirs = romanised(name)
        read, latin = (mine, name) if mine else (theirs, text)
        if read is None or (mine and theirs):
            continue
        for written in (words_of(latin), parse_name(POSSESSIVE.sub("", latin), "person").words):
            if read.is_whole(written):
                yield Likeness(0.95, Needs.COMPANY, "the same name in another script")
            elif read.is_given(written):
                yield Likeness(0.85, Needs.CHAT, "the first name in another script", lasting=False)
            elif read.is_family(written):
                yield Likeness(0.7, Needs.REVIEW, "the family name in another script", lasting=False)


def _without_what_they_do(text: str, names: tuple[str, ...], usernames: tuple[str, ...]) -> Likeness:
    """Compares a mention without its place or occupation: Leo from Shenzhen is Leo. Returns `NONE` if a known name has
    one too: Sarah from accounting is not Sarah from HR.
    """
    named = _FURTHER.match(text)
    if named is None or any(_FURTHER.match(name) for name in names):
        return NONE
    bare = likeness(named[1], names, "person", usernames)
    return needing(bare, Needs.CHAT)


def _alike(said: ParsedName, text: str, names: tuple[str, ...], kind: str) -> list[Likeness]:
    """Returns a likeness for each comparison of a mention with the names that applies."""
    found = _compared(said, text, names, kind)
    if kind != "person":
        return found
    known = [parse_name(name, kind) for name in names]
    generations = {one.generation for one in known} - {""}
    if said.generation and generations and said.generation not in generations:
        return []
    family = _compared(said, text, tuple(_with_family(names)), kind)
    return [
        *without_contradicted(said, known, found),
        *(needing(one, Needs.COMPANY) for one in family),
        *(
            match_username_to_name(undivided(each), words_of(name))
            for name in names
            if looks_made(text)
            for each in (text, TAIL.sub("", text))
        ),
    ]


def _compared(said: ParsedName, text: str, names: Sequence[str], kind: str) -> list[Likeness]:
    compare = match_person if kind == "person" else match_thing
    known = [parse_name(name, kind) for name in names]
    return [
        compare(said, one, text, name) if one.words and (omits_vowels(text + name) or _comparable(said, one)) else NONE
        for one, name in zip(known, names, strict=True)
    ]


def _with_family(names: tuple[str, ...]) -> Iterator[str]:
    """Yields aliases of one word together with the family name: Dez Tull for the names Desmond Tull and Dez."""
    words = list(map(words_of, names))
    full = next((each for each in words if len(each) > 1), None)
    for each in words:
        if full and len(each) == 1 and each[0] not in full:
            yield f"{each[0]} {full[-1]}"


def _comparable(said: ParsedName, known: ParsedName) -> bool:
    """Fast filter: names of several words are comparable only if two of their words begin with the same sound. Listed
    other names of things always are.
    """
    if known.kind != "person" and known.joined in other_names(said.joined):
        return True
    if min(len(said.words), len(known.words)) == 1:
        return True
    return not _beginnings(said.words).isdisjoint(_beginnings(known.words))


@lru_cache(_CACHED)
def _beginnings(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(heard[0] for word in words for heard in sounds_of(word))


def load_lists() -> None:
    """Loads the lists and dictionaries, which takes some seconds, so that the first name does not wait for them."""
    likeness("Ann Hall", ("Anna Hill",), "person")
    has_namesakes("Paris", "place")


def _handle(text: str, names: Sequence[str], usernames: Sequence[str]) -> Likeness:
    """Compares a handle with the usernames; if none is known, with the names."""
    if usernames:
        return match_username(text, usernames, surely=True)
    handle = handle_of(text)
    spoken = " ".join(_SEPARATOR.split(handle))
    if " " in spoken and (alike := likeness(spoken, tuple(names), "person")).score:
        return needing(alike, Needs.COMPANY)
    first, *rest = words_of(spoken) or ("",)
    if rest and is_given(first) and not any(is_given(word) or is_family(word) for word in rest):
        return needing(likeness(first, tuple(names), "person"), Needs.CHAT)
    return best([match_username_to_name(undivided(handle), words_of(name)) for name in names])
