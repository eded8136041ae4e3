"""Whether two names may be of one thing, by their words alone (W7).

What belongs here: how names are shortened, titled, spelt and misheard. What does not: where and among whom a name was
said, which decides how much likeness is enough (`graph.resolution`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from cleanco import basename

from nlp.sounds import (
    called,
    gender,
    is_family,
    is_given,
    plain,
    skeleton,
    sound,
    sounds_like,
    told,
    unvowelled,
    words_of,
)

_HANDLE: Final = re.compile(r"@[\w.-]*\w")
_ADDRESS: Final = re.compile(r"([\w.+-]+)@[\w-]+(?:\.[\w-]+)+")
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_OWNED: Final = re.compile(r"['’]s\s+\w")
_SEPARATOR: Final = re.compile(r"[._-]")
_PLURAL: Final = re.compile(r"(?<=[a-rt-z]{3})s$")
_VOWELS: Final = re.compile(r"[aeiouyw]")
_NUMERONYM: Final = re.compile(r"([a-z])(\d{1,2})([a-z])")
# What a given name of the other sex adds: Martin and Martina, Stefan and Stefanie.
_FEMININE: Final = re.compile(r"a|i?e|y|i|o|in[ae]|ia|n[ae]|(?:et|t)t[ae]|pa|l?l[ae]")
_CACHED: Final = 20_000
_SPLIT: Final = 0.83
"""How alike a word must sound when it was heard as several."""
_SPLIT_THING: Final = 0.75
_MISHEARD: Final = 0.7
_SURNAME: Final = 0.8
_SURE: Final = 0.85
_SPELT_OTHERWISE: Final = 0.92
_LONG: Final = 8
_FIRST_OF_FULL: Final = 0.45
"""How alike the given name must sound, when the family name is the same and what was heard is no given name."""


class Needs(IntEnum):
    """What must speak for it besides the words, before two names are taken for one."""

    NOTHING = 0
    COMPANY = 1
    """The same chat, or somebody in common."""
    CHAT = 2
    """The same chat."""
    REVIEW = 3
    """Somebody who looks at it."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two names are, 0 to 1, in which way, and what else it needs.

    `lasting` says whether it is a name of its own for the same thing; short forms that the chat makes clear are not.
    """

    score: float
    needs: Needs
    reason: str
    lasting: bool = True


NONE: Final = Likeness(0.0, Needs.REVIEW, "")
_SAME: Final = Likeness(1.0, Needs.NOTHING, "the same name")


@dataclass(frozen=True, slots=True)
class _Taken:
    """A name taken apart: its words without titles and small words, and what was taken off."""

    words: tuple[str, ...]
    titles: tuple[str, ...]
    generation: str
    all_words: tuple[str, ...]

    @property
    def joined(self) -> str:
        return "".join(self.words)


@lru_cache(_CACHED)
def likeness(text: str, names: tuple[str, ...], kind: str, usernames: tuple[str, ...] = ()) -> Likeness:
    """How likely a mention means what goes by these names (the first is its own, the others aliases) and usernames.

    `kind` is the sort of thing: `person`, `organization`, `place`, `project`, `concept`, `tool`.
    """
    text = text.strip().rstrip(":,;!?")
    if _HANDLE.fullmatch(text):
        return _handle(text, names, usernames)
    if address := _ADDRESS.fullmatch(text):
        text = " ".join(_SEPARATOR.split(address[1]))
    if _OWNED.search(text):
        return NONE
    said = _taken(_POSSESSIVE.sub("", text), kind)
    if not said.words:
        return NONE
    if _handle_of(text) in map(_handle_of, usernames) and not is_given(text.lower()):
        return Likeness(1.0, Needs.NOTHING, "its username")
    known = [_taken(name, kind) for name in names]
    compare = _person if kind == "person" else _thing
    found = [
        compare(said, one, text, name) if unvowelled(text + name) or _comparable(said, one) else NONE
        for one, name in zip(known, names, strict=True)
    ]
    if kind == "person":
        found = [*_borne_out(said, known, found), _by_username(said, names, usernames)]
    return _best(found)


def _comparable(said: _Taken, known: _Taken) -> bool:
    """A quick look: names of several words have nothing in common when no two words begin with the same sound."""
    if not known.words:
        return False
    if min(len(said.words), len(known.words)) == 1:
        return True
    return not _beginnings(said.words).isdisjoint(_beginnings(known.words))


@lru_cache(_CACHED)
def _beginnings(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(sound(word)[0] for word in words) | {word[0] for word in words}


def _best(found: Sequence[Likeness]) -> Likeness:
    """What needs least to speak for it, and then the likest."""
    return max((one for one in found if one.score), key=lambda one: (-one.needs, one.score), default=NONE)


def sound_keys(name: str, kind: str) -> frozenset[str]:
    """Words under which a name is found again when it is written or heard in another way, or shortened."""
    taken = _taken(name, kind)
    words = [word for word in taken.words if len(word) > 1]
    keys = {f"sound:{skeleton(word)}" for word in words} | {f"whole:{skeleton(taken.joined)}"} if taken.words else set()
    keys |= {f"whole:{skeleton(one + two)}" for one, two in pairwise(taken.words)}
    if len(taken.words) > 1:
        keys.add(f"initials:{''.join(word[0] for word in taken.words)}")
    elif len(taken.joined) <= _LONGEST_ACRONYM:
        keys.add(f"initials:{taken.joined}")
    return frozenset(keys)


_LONGEST_ACRONYM: Final = 6


# --- usernames ---


def _handle_of(text: str) -> str:
    return text.removeprefix("@").lower()


def _handle(text: str, names: Sequence[str], usernames: Sequence[str]) -> Likeness:
    """A handle is whoever has it; one that differs in its separators alone needs company too."""
    handle = _handle_of(text)
    if handle in map(_handle_of, usernames):
        return Likeness(1.0, Needs.NOTHING, "its username")
    bare = _SEPARATOR.sub("", handle)
    if any(bare == _SEPARATOR.sub("", _handle_of(username)) for username in usernames):
        return Likeness(0.95, Needs.COMPANY, "its username, written otherwise")
    if not usernames and any(bare == "".join(words_of(name)) and len(words_of(name)) > 1 for name in names):
        return Likeness(0.9, Needs.COMPANY, "its name as a username")
    return NONE


def _by_username(said: _Taken, names: Sequence[str], usernames: Sequence[str]) -> Likeness:
    """A full name that the username of somebody of no other name is made of: Roy Delgado is `roydel`."""
    if len(said.words) < 2 or any(len(words_of(name)) > 1 for name in names):
        return NONE
    first, last = said.words[0], said.words[-1]
    for username in usernames:
        bare = _SEPARATOR.sub("", _handle_of(username))
        if any(
            bare.startswith(start) and len(rest := bare.removeprefix(start)) >= least and last.startswith(rest)
            for start, least in ((first, 3), (first[0], len(last)))
        ):
            return Likeness(0.9, Needs.COMPANY, "a username made of the name")
    return NONE


# --- people ---


def _person(said: _Taken, known: _Taken, text: str, name: str) -> Likeness:
    if said.generation != known.generation and said.generation and known.generation:
        return NONE
    if same := _same(said, known, text, name):
        if len(said.words) == 1 and len(_taken(text, "person").titles) != len(known.titles):
            return Likeness(0.97, Needs.CHAT, "the same name with a title")
        return same
    if len(said.words) > 1 and said.words == (*known.words[1:], known.words[0]):
        return Likeness(0.97, Needs.COMPANY, "the same name in another order")
    return _best([_full(words, known.words) for words in _rejoined(said.words)])


def _same(said: _Taken, known: _Taken, text: str, name: str) -> Likeness | None:
    """Equal but for case, accents, script, spaces and how umlauts are written."""
    if tuple(map(plain, said.words)) == tuple(map(plain, known.words)):
        return _SAME
    if plain(said.joined) == plain(known.joined) and len(known.joined) > 4:
        return Likeness(0.98, Needs.NOTHING, "the same name, its words parted otherwise")
    if (unvowelled(text) or unvowelled(name)) and len(_bones(known)) > 3 and _bones(said) == _bones(known):
        return Likeness(0.9, Needs.COMPANY, "the same name in another script")
    return None


def _bones(taken: _Taken) -> str:
    return re.sub(r"(.)\1+", r"\1", _VOWELS.sub("", taken.joined))


def _rejoined(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words, and with two neighbours made one: what is heard is not always parted as it is written."""
    yield words
    if len(words) <= 4:
        for place in range(len(words) - 1):
            yield (*words[:place], words[place] + words[place + 1], *words[place + 2 :])


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


def _pairwise(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Two full names: the family name the same or heard so, each other word likewise, or a short form of it."""
    last = _family(said[-1], known[-1])
    if not last:
        return NONE
    scores = [last]
    short = False
    for one, other in zip(said[:-1], known[:-1], strict=True):
        given, shortened = _given(one, other, sure=last == 1.0)
        if not given:
            return NONE
        scores.append(given)
        short |= shortened
    if min(scores) == 1.0 and not short:
        return Likeness(0.95, Needs.COMPANY, "a name that sounds the same")
    return Likeness(
        0.6 + 0.3 * sum(scores) / len(scores),
        Needs.COMPANY,
        "a short form of the name" if short else "a name that sounds alike",
    )


def _family(said: str, known: str) -> float:
    if plain(said) == plain(known):
        return 1.0
    alike = sounds_like(said, known)
    if alike == 1.0:
        return 0.95
    if len(known) < 4 or (is_family(said) and is_family(known)) or sound(said)[0] != sound(known)[0]:
        return 0.0
    return alike if alike >= _SURNAME else 0.0


def _given(said: str, known: str, *, sure: bool) -> tuple[float, bool]:
    """How alike two given names are, and whether one is short for the other; `sure` when the family names are equal."""
    if plain(said) == plain(known):
        return 1.0, False
    if (len(said) == 1 or len(known) == 1) and said[0] == known[0]:
        return 0.9, True
    if _short_for(said, known) or _short_for(known, said):
        return 0.9, True
    return _misheard(said, known, least=_FIRST_OF_FULL if sure else _MISHEARD), False


def _misheard(said: str, known: str, *, least: float) -> float:
    """How alike two words sound, if one can be the other misheard: two given names that sound different are not."""
    if _other_sex(said, known):
        return 0.0
    alike = sounds_like(said, known)
    if alike == 1.0:
        return 1.0
    if is_given(said) and is_given(known):
        spelt = alike >= _SPELT_OTHERWISE and min(len(said), len(known)) >= _LONG
        return alike if spelt and sound(said)[-1:] == sound(known)[-1:] else 0.0
    if said.startswith(known) or known.startswith(said):
        return 0.0
    if is_given(said):  # what was meant was said
        least = _SURE
    elif not is_given(known):
        least = max(least, _MISHEARD)
    if said[-1] != known[-1] and {said[-1], known[-1]} <= set("aoei"):
        least = max(least, _SURE)
    return alike if alike >= least else 0.0


def _other_sex(said: str, known: str) -> bool:
    longer, shorter = sorted((said, known), key=len, reverse=True)
    if longer != shorter and longer.startswith(shorter) and _FEMININE.fullmatch(longer[len(shorter) :]):
        return not (
            is_given(said) and is_given(known) and gender(said) == gender(known) and sound(said) == sound(known)
        )
    sexes = {gender(said), gender(known)}
    return is_given(said) and is_given(known) and sexes == {"female", "male"}


def _short_for(short: str, name: str) -> bool:
    """Whether one is called the first for the second: listed, or its beginning (Max), or a long end of it (Seun)."""
    if short in called(name):
        return True
    if len(short) >= 3 and name.startswith(short) and len(name) - len(short) >= 2:
        return not _FEMININE.fullmatch(name[len(short) :])
    return len(short) >= 4 and len(name) >= 7 and name.endswith(short)


def _single(said: str, known: tuple[str, ...]) -> Likeness:
    """One word for somebody of several, or of one other."""
    first, last = known[0], known[-1]
    if (
        2 <= len(said) <= 3
        and len(known) > 1
        and "".join(word[0] for word in known).startswith(said)
        and not is_given(said)
    ):
        return Likeness(0.8, Needs.CHAT, "the initials", lasting=False)
    if plain(said) == plain(first) and len(known) > 1:
        return Likeness(0.9, Needs.CHAT, "the first name", lasting=False)
    if _short_for(said, first):
        return Likeness(0.85, Needs.CHAT, "what one of this name is called", lasting=False)
    if len(known) > 1 and plain(said) in map(plain, known[1:]):
        return Likeness(0.85, Needs.CHAT, "a part of the name", lasting=False)
    if (alike := _misheard(said, first, least=_MISHEARD)) and len(said) > 2:
        return Likeness(0.55 + 0.35 * alike, Needs.CHAT, "a name that sounds alike")
    if len(known) > 1 and len(said) > 3 and sounds_like(said, last) == 1.0:
        return Likeness(0.8, Needs.CHAT, "a family name that sounds the same")
    return NONE


def _part(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Some of the words in their order, the given names as initials perhaps; or all of them heard as more words."""
    if len(said) > len(known):
        alike = sounds_like("".join(said), "".join(known))
        if alike >= _SPLIT:
            return Likeness(0.5 + 0.4 * alike, Needs.COMPANY, "a name that sounds alike")
        return NONE
    there = list(map(plain, known))
    words = list(map(plain, said))
    for start in range(len(there) - len(words) + 1):
        if there[start : start + len(words)] == words:
            needs = Needs.COMPANY if start == 0 else Needs.CHAT
            return Likeness(0.9, needs, "a part of the name", lasting=False)
    if words[-1] == there[-1] and _initials_of(words[:-1], there[:-1]):
        return Likeness(0.88, Needs.COMPANY, "initials and the family name", lasting=False)
    if words[-1] == there[-1] and (words[0] == there[0] or _short_for(said[0], known[0])):
        return Likeness(0.88, Needs.COMPANY, "the first and the last of the names")
    if _initials_of(words, there[: len(words)]):
        return Likeness(0.8, Needs.CHAT, "the initials", lasting=False)
    return NONE


def _initials_of(words: Sequence[str], names: Sequence[str]) -> bool:
    letters = "".join(words)
    return len(letters) == len(names) and letters == "".join(name[0] for name in names)


def _borne_out(said: _Taken, known: Sequence[_Taken], found: list[Likeness]) -> list[Likeness]:
    """What is left where full names of somebody are known: an alias with another family name is not them (Sasha Belova
    is not Sasha, Alexander Petrov), nor has Frau Brandl the name of a man.
    """
    full = [place for place, one in enumerate(known) if len(one.words) > 1]
    if len(said.words) > 1 and full and not any(found[place].score for place in full):
        return []
    first = known[full[0] if full else 0].words[:1]
    titled = {sex for sex in ("female", "male") if _titles(sex) & set(said.titles)}
    sex = gender(first[0]) if first else None
    return [] if titled and sex and sex not in titled else found


# --- things ---


def _thing(said: _Taken, known: _Taken, text: str, name: str) -> Likeness:
    if same := _same(said, known, text, name):
        acronym = len(said.words) == 1 and _is_acronym(text)
        return Likeness(1.0, Needs.COMPANY, "the same acronym") if acronym else same
    if _numbers(said) != _numbers(known) and not _NUMERONYM.fullmatch(said.joined):
        return NONE
    if sorted(said.words) == sorted(known.words):
        return Likeness(0.95, Needs.COMPANY, "the same words in another order")
    if _shortened(said, known, text) or _shortened(known, said, name):
        return Likeness(0.85, Needs.COMPANY, "an acronym")
    if part := _organization_part(said, known):
        return part
    return _heard(said, known)


def _is_acronym(text: str) -> bool:
    return len(text) <= _LONGEST_ACRONYM and text.isupper()


def _numbers(taken: _Taken) -> list[str]:
    return re.findall(r"\d+", " ".join(taken.words))


def _shortened(short: _Taken, known: _Taken, text: str) -> bool:
    """Whether the first stands for the second: an acronym of all its words or of those that matter, or k8s."""
    if len(short.all_words) == len(known.all_words) == 1:
        return _is_numeronym(short.all_words[0], known.all_words[0])
    return _acronym(short.words, known.words, text) or _acronym(short.all_words, known.all_words, text)


def _acronym(short: tuple[str, ...], words: tuple[str, ...], text: str) -> bool:
    """Whether one word of the short name is made of the first letters of two or more of the other's, in a row."""
    if len(short) >= len(words):
        return False
    for place, letters in enumerate(short):
        rest = len(short) - place - 1
        run = words[place : len(words) - rest]
        if (
            2 <= len(letters) == len(run)
            and letters == "".join(word[0] for word in run)
            and short[:place] == words[:place]
            and short[place + 1 :] == words[len(words) - rest :]
            and re.search(rf"\b{letters.upper()}\b", text.replace(".", "")) is not None
        ):
            return True
    return False


def _is_numeronym(short: str, word: str) -> bool:
    match = _NUMERONYM.fullmatch(short)
    return match is not None and match[1] + match[3] == word[0] + word[-1] and int(match[2]) == len(word) - 2


def _organization_part(said: _Taken, known: _Taken) -> Likeness | None:
    """The first word and others of a longer name, in their order: Marlin Trust of Marlin Trust Bank."""
    if len(said.words) >= len(known.words) or said.words[0] != known.words[0]:
        return None
    rest = iter(known.words)
    if not all(word in rest for word in said.words):
        return None
    several = len(said.words) > 1
    return Likeness(0.85 if several else 0.7, Needs.CHAT if several else Needs.REVIEW, "a part of the name")


def _heard(said: _Taken, known: _Taken) -> Likeness:
    """Misheard or misspelt, one word or several; two words that are both well formed are rather two things."""
    one, other = said.joined, known.joined
    if len(other) < 4 or len(one) < 4:
        return NONE
    if len(said.words) == len(known.words) > 1:
        return _word_by_word(said.words, known.words)
    alike = sounds_like(one, other)
    if alike == 1.0:
        return Likeness(0.95, Needs.COMPANY, "a name that sounds the same")
    if len(said.words) > len(known.words) and alike >= _SPLIT_THING:
        return Likeness(0.5 + 0.4 * alike, Needs.COMPANY, "a name that sounds alike, heard as more words")
    if alike >= _SURE and (len(other) >= _LONG or sorted(one) == sorted(other)):
        return Likeness(0.5 + 0.4 * alike, Needs.COMPANY, "a name that sounds alike")
    if alike >= _MISHEARD and sound(one)[0] == sound(other)[0]:
        return Likeness(0.4 + 0.3 * alike, Needs.REVIEW, "a name that sounds somewhat alike")
    return NONE


def _word_by_word(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    alike = [sounds_like(one, other) for one, other in zip(said, known, strict=True)]
    if min(alike) == 1.0:
        return Likeness(0.95, Needs.COMPANY, "a name that sounds the same")
    if sum(one == 1.0 for one in alike) == len(alike) - 1 and min(alike) >= _SURE:
        return Likeness(0.5 + 0.4 * min(alike), Needs.COMPANY, "a name that sounds alike")
    return NONE


# --- taking apart ---


@lru_cache(_CACHED)
def _taken(text: str, kind: str) -> _Taken:
    if kind == "organization":
        text = basename(text) or text
    if kind == "person" and text.count(",") == 1:
        family, given = text.split(",")
        text = (
            f"{given} {family}"
            if words_of(given) and words_of(given)[-1] not in told()["titles"]["generations"]
            else text
        )
    words = [told()["shortened"].get(word, word) if kind != "person" else word for word in words_of(text)]
    whole = tuple(words)
    if kind == "person":
        return _taken_person(words, whole, text)
    little = {*told()["generic"]["little"], *told()["generic"][kind]}
    kept = [word for word in words if word not in little] or words
    if kind in ("concept", "tool"):
        kept[-1] = _PLURAL.sub("", kept[-1])
    return _Taken(tuple(kept), (), "", whole)


def _taken_person(words: list[str], whole: tuple[str, ...], text: str) -> _Taken:
    generation = words[-1] if len(words) > 1 and words[-1] in told()["titles"]["generations"] else ""
    if generation:
        words = words[:-1]
    titles = []
    while len(words) > 1 and words[0] in _titles("all"):
        titles.append(words.pop(0))
    if titles[:1] == ["the"] and words[-1].endswith("s"):
        return _Taken((), (), "", whole)  # the Aigners are a family
    if text.isupper() and len(words) > 1 and len(words[0]) == 2:
        words = [*words[0], *words[1:]]
    return _Taken(tuple(words), tuple(titles), generation, whole)


@cache
def _titles(which: str) -> frozenset[str]:
    titles = told()["titles"]
    if which == "all":
        return frozenset({*titles["female"], *titles["male"], *titles["any"]})
    return frozenset(titles[which])
