"""Whether two names may be of one thing, by their words alone (W7).

What belongs here: which ways of comparing are tried on a mention and the names of an entity. What does not: where and
among whom a name was said, which decides how much likeness is enough
(`graph.knowledge.entity_resolution.entity_linking`).
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
# Somebody, and where they are or what they do: Leo from Shenzhen.
_FURTHER: Final = re.compile(r"(\w[\w.'’-]*(?: [A-Z][\w.'’-]*)?) (?:from|on|at|in|the|who) .+")
_SEPARATOR: Final = re.compile(r"[._-]")
_CACHED: Final = 20_000


@lru_cache(_CACHED)
def likeness(text: str, names: tuple[str, ...], kind: str, usernames: tuple[str, ...] = ()) -> Likeness:
    """How likely a mention means what goes by these names (the first is its own, the others aliases) and usernames.

    `kind` is the sort of thing: `person`, `organization`, `place`, `project`, `concept`, `tool`.
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
    if kind != "person" and POSSESSIVE.search(text):  # St Brigid's is a school, the mill's lease the mill's
        alike = best([alike, *_alike(parse_name(text, kind), text, names, kind)])
    if alike.score or kind != "person":
        return alike
    return best([_without_what_they_do(text, names, usernames), *_read_aloud(text, names)])


def _read_aloud(text: str, names: tuple[str, ...]) -> Iterator[Likeness]:
    """A name in Latin letters, and one in Hangul: 김지우 is Ji-woo Kim."""
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
    """Leo from Shenzhen is Leo; but Sarah from accounting is not Sarah from HR."""
    named = _FURTHER.match(text)
    if named is None or any(_FURTHER.match(name) for name in names):
        return NONE
    bare = likeness(named[1], names, "person", usernames)
    return needing(bare, Needs.CHAT)


def _alike(said: ParsedName, text: str, names: tuple[str, ...], kind: str) -> list[Likeness]:
    """In which ways a mention is like names."""
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
    """What somebody is called with the family name behind it: Dez Tull is Desmond Tull, Dez."""
    words = list(map(words_of, names))
    full = next((each for each in words if len(each) > 1), None)
    for each in words:
        if full and len(each) == 1 and each[0] not in full:
            yield f"{each[0]} {full[-1]}"


def _comparable(said: ParsedName, known: ParsedName) -> bool:
    """A quick look: names of several words have nothing in common when no two words begin with the same sound."""
    if known.kind != "person" and known.joined in other_names(said.joined):
        return True
    if min(len(said.words), len(known.words)) == 1:
        return True
    return not _beginnings(said.words).isdisjoint(_beginnings(known.words))


@lru_cache(_CACHED)
def _beginnings(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(heard[0] for word in words for heard in sounds_of(word))


def load_lists() -> None:
    """Reads lists and dictionaries, for which no name is to wait: some seconds."""
    likeness("Ann Hall", ("Anna Hill",), "person")
    has_namesakes("Paris", "place")


def _handle(text: str, names: Sequence[str], usernames: Sequence[str]) -> Likeness:
    """A handle means whoever has it; where no username is known, it is compared with the names."""
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
