"""Whether two names may be of one thing, by their words alone (W7).

What belongs here: how names are shortened, titled, spelt and misheard. What does not: where and among whom a name was
said, which decides how much likeness is enough (`graph.knowledge.entity_linking`).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from cleanco import basename
from rapidfuzz.distance import OSA

from nlp.names.listed import are_neighbours, called, gender, is_family, is_given, is_shared
from nlp.names.phonetics import (
    apart,
    is_word,
    plain,
    skeleton,
    skeletons,
    sound,
    sounds_of,
    told,
    unvowelled,
    words_of,
)
from nlp.names.romanization import romanised

_HANDLE: Final = re.compile(r"@[\w.-]*\w")
_ADDRESS: Final = re.compile(r"([\w.+-]+)@[\w-]+(?:\.[\w-]+)+")
POSSESSIVE: Final = re.compile(r"['’]s?$")
_OWNED: Final = re.compile(r"['’]s\s+\w")
# Somebody, and where they are or what they do: Leo from Shenzhen.
_FURTHER: Final = re.compile(r"(\w[\w.'’-]*(?: [A-Z][\w.'’-]*)?) (?:from|on|at|in|the|who) .+")
_SEPARATOR: Final = re.compile(r"[._-]")
_TAIL: Final = re.compile(r"(?:[._-][a-z]{2}|[._-]?\d+)$")
_HANGUL: Final = re.compile(r"[\uac00-\ud7af]")
_HAN: Final = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]")
_VOWEL: Final = re.compile(r"[aeiou]")
_PLURAL: Final = re.compile(r"(?<=[a-rt-z]{3})s$|(?<=[sc]h)es$")
_GLIDES: Final = re.compile(r"[yw]")
_ARTICLE: Final = re.compile(r"^a?l(?=[^aeiou]{2})")
_NUMERONYM: Final = re.compile(r"([a-z])(\d{1,2})([a-z])")
# What a given name of the other sex adds: Martin and Martina, Stefan and Stefanie.
_FEMININE: Final = re.compile(r"a|i?e|y|i|o|in[ae]|ia|n[ae]|(?:et|t)t[ae]|pa|l?l[ae]")
# What makes a pet name of a part of a name, here and there.
_PET_NAME: Final = re.compile(
    r"(.{2,}?)(i|y|ie|ey|o|ek|ik|ka|[uy]+sh?k?a|[eo]?chka|zza|it[oa]|inh[oa]|chen|lein|l|[ej]?tje|je|ke|chan|kun|ji|u|us|is)"
)
_UMLAUT: Final = re.compile(r"[äöüøœæåß]", re.IGNORECASE)
_LITTLE: Final = frozenset(("i", "y", "ie", "ey"))
# Where a word of several begins inside one: JavaScript, JPMorgan.
HUMPS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DOTTED: Final = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_HONORIFIC: Final = re.compile(r"(?<=\w)-(?:san|chan|kun|sama|sensei|senpai|ji|bhai|ben)$", re.IGNORECASE)
_TWO_FAMILIES: Final = re.compile(r"\w .*\b(?!Abd)[^\W\d_]{4,}-[A-Z][\w'’]{3,}$")
# Hanneke v.d. Vliet.
_OF_THE: Final = re.compile(r"(?<!\S)v[./]?d[./]?\s+(?=[A-Z])")
# Harbour St, Harbour St car park; not Mont St Michel.
_STREET: Final = re.compile(r"(?<=\w )[Ss]t\b\.?(?=$|,| [a-z])")
_CACHED: Final = 20_000
_SHORT: Final = 3
_LONG: Final = 8
_LONGEST_ACRONYM: Final = 6
_MOST_REJOINED: Final = 4
_INITIALS: Final = tuple(map(frozenset, ("ckq", "cgjyz", "cs", "fp", "iy", "vw", "xs", "xz", "aeiou")))
"""Letters that may stand for the same sound."""
_DIGRAPH_INITIALS: Final = frozenset(("ch", "sh", "zh", "th", "sz", "cz", "gy", "ny"))
_TELLING: Final = frozenset("aeio")
"""Vowels that tell two names apart at their end."""

# How far apart (`nlp.names.phonetics.apart`) two words may sound of which the one may be the other misheard.
_SAME_SOUND: Final = 0.02
_FAR: Final = 0.25
_FAR_IN_FULL: Final = 0.31
"""Of given names before the same family name."""
_FAR_ORDINARY_IN_FULL: Final = 0.36
_FAR_TWICE: Final = 0.32
"""Of a full name of which each word sounds otherwise, all together."""
_FAR_ORDINARY: Final = 0.32
"""What was heard are words that no people are called."""
_FAR_ORDINARY_TWICE: Final = 0.45
_FAR_FROM_KNOWN: Final = 0.12
"""What was heard is a name that people have, which is rather what was meant."""
_FAR_WHERE_SHORT: Final = 0.06
_FAR_WHERE_LONG: Final = 0.09
"""Of two known names that are so long that they are rather one, misspelt."""
_FAR_FAMILY: Final = 0.16
_FAR_THING: Final = 0.065
_FAR_ODD_THING: Final = 0.12
"""What was heard is no word."""
_FAR_SPLIT_THING: Final = 0.2
"""What was heard as several words, which have nothing to do with each other, was one."""
_FAR_FOR_REVIEW: Final = 0.25
_NEVER: Final = -1.0


class Needs(IntEnum):
    """What must speak for it besides the words, before two names are taken for one."""

    NOTHING = 0
    NO_STRANGERS = 1
    """That both are not met among different people, none of whom they have in common."""
    COMPANY_OR_REVIEW = 2
    """The same chat, or somebody in common; or else somebody who looks at it."""
    COMPANY = 3
    """The same chat, or somebody in common."""
    CHAT = 4
    """The same chat; of a thing, somebody in common will do."""
    REVIEW = 5
    """Somebody who looks at it."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two names are, 0 to 1, in which way, and what else it needs.

    `named` says that it is one of its names or usernames; `lasting` that it is a name of its own for the same thing,
    which short forms that the chat makes clear are not; `heard` that it only sounds so.
    """

    score: float
    needs: Needs
    reason: str
    named: bool = False
    lasting: bool = True
    heard: bool = False


NONE: Final = Likeness(0.0, Needs.REVIEW, "")
_SAME: Final = Likeness(1.0, Needs.NOTHING, "the same name", named=True)


@dataclass(frozen=True, slots=True)
class TakenApart:
    """A name taken apart: its words without titles and small words, and what was taken off."""

    kind: str
    words: tuple[str, ...]
    titles: tuple[str, ...]
    generation: str
    all_words: tuple[str, ...]

    @property
    def joined(self) -> str:
        """The words as one."""
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
        if (made := _best([_made_of(address[1].lower(), words_of(name)) for name in names])).score:
            return made
        text = " ".join(_SEPARATOR.split(address[1]))
    said = taken_apart(POSSESSIVE.sub("", text), kind)
    if not said.words or (kind == "person" and _OWNED.search(text)):
        return NONE
    if (handle := _its_username(text, usernames, surely=False)).score:
        part = {word for name in names for word in words_of(name)}.issuperset(said.words)
        return replace(handle, needs=max(handle.needs, Needs.COMPANY)) if part else handle
    alike = _best(_alike(said, text, names, kind, usernames))
    if kind != "person" and POSSESSIVE.search(text):  # St Brigid's is a school, the mill's lease the mill's
        alike = _best([alike, *_alike(taken_apart(text, kind), text, names, kind, usernames)])
    if alike.score or kind != "person":
        return alike
    return _best([_without_what_they_do(text, names, usernames), *_read_aloud(text, names)])


def _read_aloud(text: str, names: tuple[str, ...]) -> Iterator[Likeness]:
    """A name in Latin letters, and one in Hangul: 김지우 is Ji-woo Kim."""
    mine = romanised(text)
    for name in names:
        theirs = romanised(name)
        read, latin = (mine, name) if mine else (theirs, text)
        if read is None or (mine and theirs):
            continue
        for written in (words_of(latin), taken_apart(POSSESSIVE.sub("", latin), "person").words):
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
    return _but(bare, Needs.CHAT)


def _but(alike: Likeness, needs: Needs) -> Likeness:
    """The same where the words alone say less: it needs at least so much, and is a name of its own no more, if that is
    company.
    """
    return replace(alike, needs=max(alike.needs, needs), named=alike.named and needs is Needs.NO_STRANGERS)


def _alike(said: TakenApart, text: str, names: tuple[str, ...], kind: str, usernames: Sequence[str]) -> list[Likeness]:
    """In which ways a mention is like names."""
    found = _compared(said, text, names, kind)
    if kind != "person":
        return found
    known = [taken_apart(name, kind) for name in names]
    generations = {one.generation for one in known} - {""}
    if said.generation and generations and said.generation not in generations:
        return []
    family = _compared(said, text, tuple(_with_family(names)), kind)
    return [
        *_borne_out(said, known, found),
        *(_but(one, Needs.COMPANY) for one in family),
        _by_username(said, names, usernames),
        *(
            _made_of(_bare(each), words_of(name))
            for name in names
            if looks_made(text)
            for each in (text, _TAIL.sub("", text))
        ),
    ]


def _compared(said: TakenApart, text: str, names: Sequence[str], kind: str) -> list[Likeness]:
    compare = _person if kind == "person" else _thing
    known = [taken_apart(name, kind) for name in names]
    return [
        compare(said, one, text, name) if one.words and (unvowelled(text + name) or _comparable(said, one)) else NONE
        for one, name in zip(known, names, strict=True)
    ]


def _with_family(names: tuple[str, ...]) -> Iterator[str]:
    """What somebody is called with the family name behind it: Dez Tull is Desmond Tull, Dez."""
    words = list(map(words_of, names))
    full = next((each for each in words if len(each) > 1), None)
    for each in words:
        if full and len(each) == 1 and each[0] not in full:
            yield f"{each[0]} {full[-1]}"


def _comparable(said: TakenApart, known: TakenApart) -> bool:
    """A quick look: names of several words have nothing in common when no two words begin with the same sound."""
    if known.kind != "person" and known.joined in other_names(said.joined):
        return True
    if min(len(said.words), len(known.words)) == 1:
        return True
    return not _beginnings(said.words).isdisjoint(_beginnings(known.words))


@lru_cache(_CACHED)
def _beginnings(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(heard[0] for word in words for heard in sounds_of(word))


def _best(found: Sequence[Likeness]) -> Likeness:
    """What needs least to speak for it, and then the likest."""
    return max((one for one in found if one.score), key=lambda one: (-one.needs, one.score), default=NONE)


def load_lists() -> None:
    """Reads lists and dictionaries, for which no name is to wait: some seconds."""
    likeness("Ann Hall", ("Anna Hill",), "person")
    has_namesakes("Paris", "place")


def has_namesakes(name: str, kind: str) -> bool:
    """Whether strangers who say a name may mean another one: somebody, a project or a company of theirs that has one
    word for a name, or one of several places.
    """
    match kind:
        case "person":
            return True
        case "project" | "organization":
            return len(taken_apart(name, kind).words) == 1
        case "place":
            return is_shared(taken_apart(name, kind).words)
        case _:
            return False


def sound_keys(name: str, kind: str) -> frozenset[str]:
    """Words under which a name is found again when it is written or heard in another way, or shortened."""
    taken = taken_apart(name, kind)
    words = [word for word in taken.words if len(word) > 1]
    heard = _written if unvowelled(name) else skeletons
    keys = {f"sound:{bones}" for word in words for bones in heard(word)}
    keys |= {f"whole:{bones}" for bones in skeletons(taken.joined)} if taken.words else set()
    keys |= {f"whole:{skeleton(one + two)}" for one, two in pairwise(taken.words)}
    if kind != "person":
        keys |= {f"also:{name}" for name in other_names(taken.joined)}
    if len(taken.joined) <= _LONGEST_ACRONYM:
        keys.add(f"initials:{taken.joined}")
    keys |= {f"initials:{initials}" for initials in _abbreviations(taken, name)}
    read = romanised(name) if kind == "person" else None
    return frozenset(keys).union(*(sound_keys(each, kind) for each in (read.full() if read else ())))


def _abbreviations(taken: TakenApart, name: str) -> Iterator[str]:
    """What a name of several words, or a long one, is abbreviated to."""
    for words in (taken.words, taken.all_words, words_of(HUMPS.sub(" ", name))):
        if len(words) > 1:
            yield "".join(word[0] for word in words)
    if len(whole := "".join(taken.all_words)) > _LONGEST_ACRONYM:
        yield f"{whole[0]}{len(whole) - 2}{whole[-1]}"


# --- usernames ---


def handle_of(text: str) -> str:
    """A handle without the sign before it."""
    return text.removeprefix("@").removeprefix("u/").lower()


def _handle(text: str, names: Sequence[str], usernames: Sequence[str]) -> Likeness:
    """A handle is whoever has it; of who has none that is known it is made of a name."""
    if usernames:
        return _its_username(text, usernames, surely=True)
    handle = handle_of(text)
    spoken = " ".join(_SEPARATOR.split(handle))
    if " " in spoken and (alike := likeness(spoken, tuple(names), "person")).score:
        return _but(alike, Needs.COMPANY)
    first, *rest = words_of(spoken) or ("",)
    if rest and is_given(first) and not any(is_given(word) or is_family(word) for word in rest):
        return _but(likeness(first, tuple(names), "person"), Needs.CHAT)
    return _best([_made_of(_bare(handle), words_of(name)) for name in names])


def _bare(text: str) -> str:
    """A handle without what separates its parts."""
    return "".join(words_of(text))


def _its_username(text: str, usernames: Sequence[str], *, surely: bool) -> Likeness:
    """One of the usernames, with other separators perhaps, or with what was added where it was taken: tleung is
    tleung_hk. What is a name that people have is no handle, but when it is one `surely`.
    """
    handle, bare = handle_of(text), _bare(text)
    if is_given(bare) and not surely:
        return NONE
    if handle in map(handle_of, usernames):
        return Likeness(1.0, Needs.NOTHING, "its username", named=True)
    if bare in map(_bare, usernames):
        return Likeness(0.95, Needs.COMPANY, "its username, written otherwise")
    own = _TAIL.sub("", handle)
    if " " in text or len(own) <= _SHORT or is_given(own):
        return NONE
    if any(_bare(own) == _bare(name) or bare == _bare(_TAIL.sub("", handle_of(name))) for name in usernames):
        return Likeness(0.85, Needs.CHAT, "its username, with another ending")
    return NONE


def looks_made(text: str) -> bool:
    """Whether one word looks like a handle and not like a name."""
    bare = _bare(text)
    return (
        text.isascii()
        and " " not in text
        and text == text.lower()
        and len(bare) > _SHORT
        and not (is_given(bare) or is_family(bare))
    )


def _made_of(handle: str, words: tuple[str, ...]) -> Likeness:
    """A handle that is a name: the whole of it, or the first or the last word with an initial of the other."""
    if len(words) < 2:
        return NONE
    if handle == "".join(words):
        return Likeness(0.9, Needs.COMPANY, "its name as a username")
    first, last = words[0], words[-1]
    initials = "".join(word[0] for word in words[:-1])
    rest = "".join(words[1:])
    made = {first[0] + last, first + last[0], last + first[0], last + first, initials + last, first[0] + rest}
    cut = len(handle) > _LONG - 2 and (first[0] + last).startswith(handle)
    if handle in made or cut or _begun(handle, first, last):
        return Likeness(0.8, Needs.CHAT, "a username made of its name")
    return NONE


def _begun(handle: str, first: str, last: str) -> bool:
    """The given name, or what one of it is called, and how the family name begins: lachiemc is Lachlan McIntyre."""
    called = (handle[:end] for end in range(_SHORT, len(handle) - 1) if last.startswith(handle[end:]))
    return any(each == first or _short_for(each, first) or _is_pet_name(each, first) for each in called)


def _by_username(said: TakenApart, names: Sequence[str], usernames: Sequence[str]) -> Likeness:
    """A full name that the username of somebody of no other name is made of: Roy Delgado is `roydel`."""
    if len(said.words) < 2 or any(len(words_of(name)) > 1 for name in names):
        return NONE
    first, last = said.words[0], said.words[-1]
    for username in (*usernames, *names):
        bare = _SEPARATOR.sub("", handle_of(username))
        if any(
            bare.startswith(start) and len(rest := bare.removeprefix(start)) >= least and last.startswith(rest)
            for start, least in ((first, 3), (first[0], len(last)))
        ):
            return Likeness(0.9, Needs.COMPANY, "a username made of the name")
    return NONE


# --- people ---


def _person(said: TakenApart, known: TakenApart, text: str, name: str) -> Likeness:
    if said.generation != known.generation and said.generation and known.generation:
        return NONE
    if same := _same(said, known, text, name):
        if len(said.words) == 1 and len(taken_apart(text, "person").titles) != len(known.titles):
            return Likeness(0.97, Needs.CHAT, "the same name with a title")
        return replace(same, needs=_namesakes(said.words, text, name)) if same.named else same
    turned = (said.words[1:] + said.words[:1], said.words[-1:] + said.words[:-1])
    if min(len(said.words), len(known.words)) > 1 and known.joined in map("".join, turned):
        return Likeness(0.97, Needs.COMPANY, "the same name in another order")
    names = said.words, known.words
    alike = _best([_full(*names), *_parted_otherwise(*names), _heard_in_full(*names)])
    return _of_other_script(alike, said, known, text, name) if _HAN.search(text + name) else alike


def _of_other_script(alike: Likeness, said: TakenApart, known: TakenApart, text: str, name: str) -> Likeness:
    """What is heard alike is written in other characters; who writes characters writes all of the name."""
    if _HAN.search(text) and _HAN.search(name):
        return _but(alike, Needs.REVIEW) if alike.heard else alike
    if _HANGUL.search(text + name):
        return NONE
    shorter, longer = sorted((said.joined, known.joined), key=len)
    longer_name = min(len(said.words), len(known.words)) > 1 and longer != shorter and longer.startswith(shorter)
    return NONE if longer_name else alike


def _namesakes(said: tuple[str, ...], text: str, name: str) -> Needs:
    """What tells somebody from namesakes, by how many may have the name: hardly two have the same two families'; what
    is in no list may be common where nobody made one.
    """
    if len(said) == 1:
        return Needs.COMPANY
    if _TWO_FAMILIES.search(text) or _TWO_FAMILIES.search(name):
        return Needs.NOTHING
    return Needs.COMPANY_OR_REVIEW if is_given(said[0]) and is_family(said[-1]) else Needs.NO_STRANGERS


def _same(said: TakenApart, known: TakenApart, text: str, name: str) -> Likeness | None:
    """Equal but for case, accents, script, spaces and how umlauts are written."""
    written = plain if _UMLAUT.search(text + name) else str
    if tuple(map(written, said.words)) == tuple(map(written, known.words)):
        if known.kind == "person" and _HAN.search(name) and _HAN.findall(text) not in ([], _HAN.findall(name)):
            return Likeness(0.7, Needs.REVIEW, "other characters that are read alike")
        return _SAME
    if written(said.joined) == written(known.joined) and len(known.joined) > 4:
        return replace(_SAME, score=0.98, reason="the same name, its words parted otherwise")
    if known.kind not in ("person", "project") and known.joined in other_names(said.joined):
        return replace(_SAME, score=0.98, reason="its name in another tongue")
    if (unvowelled(text) or unvowelled(name)) and _same_bones(said.words, known.words):
        return Likeness(0.9, Needs.COMPANY, "the same name in another script")
    return None


def _same_bones(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether two names have the same consonants word by word, and enough of them to tell."""
    if len(said) != len(known):
        said, known = ("".join(said),), ("".join(known),)
    shared = [_written(one) & _written(other) for one, other in zip(said, known, strict=True)]
    return all(shared) and sum(max(map(len, bones)) for bones in shared) >= _SHORT


def _written(word: str) -> frozenset[str]:
    """What may be written of a word without its vowels, some of which are written as consonants, and its article."""
    bare = _GLIDES.sub("", word)
    return skeletons(bare) | skeletons(bare.replace("v", "")) | skeletons(_ARTICLE.sub("", bare))


def other_names(thing: str) -> frozenset[str]:
    """What a place, an organisation or a law is called in other tongues."""
    return _other_names().get(thing, frozenset())


@cache
def _other_names() -> dict[str, frozenset[str]]:
    found = defaultdict[str, set[str]](set)
    for names in told()["also"]["called"]:
        for name in names:
            found[name].update(names)
    return {name: frozenset(names) for name, names in found.items()}


def _parted_otherwise(said: tuple[str, ...], known: tuple[str, ...]) -> Iterator[Likeness]:
    """What is heard is not always parted as it is written: Shin Yi is Xinyi, Agnes Ka Pavlak Agnieszka Pawlak."""
    if len(said) > 1 and plain(said[0]) != plain(known[0]):
        yield _ordinary_words(said, known[0])
        is_name = is_given(said[0]) and is_family(said[-1])
        yield _first_heard("".join(said), known[0], most=_FAR_FROM_KNOWN if is_name else _FAR)
    if len(said) != len(known):
        for words in _rejoined(said):
            for parts in _rejoined(known):
                if len(words) == len(parts) > 1:
                    yield _pairwise(words, parts, parted_otherwise=True)


@lru_cache(_CACHED)
def _heard_in_full(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Two full names that sound alike and have no word in common: who is misheard is rather misheard twice than one of
    two people whose names happen to be alike twice.
    """
    if min(len(said), len(known)) < 2 or not {*map(plain, said)}.isdisjoint(map(plain, known)):
        return NONE
    if is_given(said[0]) and is_given(known[0]):
        return NONE  # two names that people have are rather two people
    if len(said) == len(known) and not any(map(_other_sex, said[:-1], known[:-1])):
        far = [apart(one, other) for one, other in zip(said, known, strict=True)]
        if max(far) <= _SAME_SOUND or (min(far) > _SAME_SOUND and max(far) <= _FAR and sum(far) <= _FAR_TWICE):
            return _sounding(max(far), Needs.COMPANY)
        if max(far) <= _FAR_ORDINARY and sum(far) <= _FAR_ORDINARY_TWICE and all(map(_is_ordinary, said)):
            return _sounding(max(far), Needs.CHAT)
    if is_given(said[0]) and (is_family(said[-1]) or is_given(said[-1])):
        return NONE
    whole = apart(" ".join(said), " ".join(known))
    most = _FAR_SPLIT_THING if _begin_alike(said[0], known[0]) else _FAR_ODD_THING
    return _sounding(whole, Needs.COMPANY) if whole <= most else NONE


def _begin_alike(one: str, other: str) -> bool:
    return one[0] == other[0] or any({one[0], other[0]} <= initials for initials in _INITIALS)


def _ordinary_words(said: tuple[str, ...], first: str) -> Likeness:
    """What no people are called is rather a name misheard: shower when is Xiaowen."""
    if not all(map(_is_ordinary, said)) or (far := apart(" ".join(said), first)) > _FAR_ORDINARY:
        return NONE
    return _first_sounding(far)


def _ordinary_word(said: str, first: str) -> Likeness:
    """One alone, for a name that is new to English ears: Sharing is Tshering."""
    return _ordinary_words((said,), first) if len(said) > _SHORT + 2 and not is_word(first) else NONE


def _is_ordinary(word: str) -> bool:
    return is_word(word) and not is_given(word) and not is_family(word)


def _first_heard(said: str, first: str, *, most: float = _FAR) -> Likeness:
    far = _misheard(said, first) if len(said) > 2 else None
    return NONE if far is None or far > most else _first_sounding(far)


def _first_sounding(far: float) -> Likeness:
    return Likeness(0.85 - far / 2, Needs.CHAT, "a name that sounds alike", heard=True)


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
    """Two full names: the family name the same or heard so, each other word likewise, or a short form of it."""
    if min(len(said[-1]), len(known[-1])) == 1 or min(said[-1], known[-1], key=len) in _DIGRAPH_INITIALS:
        return _with_an_initial(said, known)
    last = _family(said[-1], known[-1])
    if last is None:
        return NONE
    respelt = parted_otherwise or (last == _SAME_SOUND and len(said[-1]) > _SHORT + 1 and not is_family(said[-1]))
    far, short = last, False
    for one, other in zip(said[:-1], known[:-1], strict=True):
        if not parted_otherwise and _is_shortened(one, other, sure=last == 0):
            short = True
            continue
        most = _FAR if last else _FAR_ORDINARY_IN_FULL if _is_ordinary(one) else _FAR_IN_FULL
        given = _misheard(one, other, most=most)
        if given is None and respelt:
            given = _respelt(one, other)
        if given is None:
            return NONE
        far = max(far, given)
    if short:
        return Likeness(0.9 - far / 2, Needs.COMPANY, "a short form of the name")
    return _sounding(far, Needs.COMPANY)


def _with_an_initial(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Ana P. and Ana Popescu."""
    first = plain(said[0]) == plain(known[0]) or _short_for(said[0], known[0]) or _short_for(known[0], said[0])
    short, last = sorted((said[-1], known[-1]), key=len)
    if first and len(said[0]) > 1 and last.startswith(short):
        return Likeness(0.85, Needs.CHAT, "the first name and an initial", lasting=False)
    return NONE


def _is_shortened(one: str, other: str, *, sure: bool) -> bool:
    """Whether one of two given names is short for the other; `sure` where the family names are the same."""
    return (sure and _is_initial(one, other)) or _short_for(one, other) or _short_for(other, one)


def _is_initial(one: str, other: str) -> bool:
    return min(len(one), len(other)) == 1 and one[0] == other[0]


def _sounding(far: float, needs: Needs) -> Likeness:
    if far <= _SAME_SOUND:
        return Likeness(0.95, needs, "a name that sounds the same", heard=True)
    return Likeness(0.9 - far / 2, needs, "a name that sounds alike", heard=True)


def _family(said: str, known: str) -> float | None:
    """How far apart two family names sound, if the one can be the other misheard."""
    if plain(said) == plain(known):
        return 0.0
    if is_family(said) and is_family(known):
        most = _between_known(said, known, _FAR_WHERE_SHORT)
    else:
        most = _FAR_WHERE_SHORT if min(len(said), len(known)) <= _SHORT else _FAR_FAMILY
    far = apart(said, known, as_written=_both_listed(is_family, said, known))
    return max(far, _SAME_SOUND) if far <= most else _mistyped(said, known, is_family)


def _both_listed(listed: Callable[[str], bool], said: str, known: str) -> bool:
    """Whether two names are both at home in one country, where they are told apart, however alike they sound."""
    return listed(said) and listed(known) and are_neighbours(said, known)


def _between_known(said: str, known: str, elsewhere: float) -> float:
    """How far apart two listed names may sound: where both are at home in a country they are two, unless they sound the
    same or are so long that they are rather one, misspelt.
    """
    if not _begin_alike(said, known):
        return _NEVER
    if _ends_otherwise(said, known) and sound(said) != sound(known):
        return _NEVER
    if not are_neighbours(said, known):
        return elsewhere
    if said[-1] == known[-1] and min(len(said), len(known)) >= _LONG:
        return _FAR_FAMILY if _misspelt(said, known) else _FAR_WHERE_LONG
    return _SAME_SOUND


def _respelt(said: str, known: str) -> float | None:
    """How far apart two given names sound before a family name that is heard the same and written as no family's is:
    who spells the one by ear rather spells the other so too.
    """
    if _other_sex(said, known) or not _begin_alike(said, known) or _ends_otherwise(said, known):
        return None
    far = apart(said, known)
    return far if far <= _FAR_FROM_KNOWN else None


def _ends_otherwise(said: str, known: str) -> bool:
    """Whether an ending tells two names apart: Lena and Lene, Luka and Lukas."""
    other = said[-1] != known[-1] and {said[-1], known[-1]} <= _TELLING
    return other or said.startswith(known) or known.startswith(said)


def _misheard(said: str, known: str, *, most: float = _FAR) -> float | None:
    """How far apart two given names sound, if the one can be the other misheard: two names that people are given and
    that sound different are two people's.
    """
    if plain(said) == plain(known):
        return 0.0
    if _other_sex(said, known):
        return None
    if is_given(said) and is_given(known):
        most = min(most, _between_known(said, known, _FAR_FROM_KNOWN))
    elif min(len(sounds_of(said)[0]), len(sounds_of(known)[0])) <= _SHORT:
        most = _FAR_WHERE_SHORT
    elif is_given(said) or _ends_otherwise(said, known):
        most = _FAR_FROM_KNOWN
    if said.startswith(known) or known.startswith(said):
        most = min(most, _SAME_SOUND)
    far = apart(said, known, as_written=_both_listed(is_given, said, known))
    return far if far <= most else _mistyped(said, known, is_given)


def _mistyped(said: str, known: str, listed: Callable[[str], bool]) -> float | None:
    """What it counts for that two letters were exchanged, where that makes no name that people have."""
    exchanged = said[0] == known[0] and sorted(said) == sorted(known) and OSA.distance(said, known) == 1
    return _FAR_WHERE_SHORT if exchanged and len(said) > _SHORT and not listed(said) else None


def _other_sex(said: str, known: str) -> bool:
    longer, shorter = sorted((said, known), key=len, reverse=True)
    if longer != shorter and longer.startswith(shorter) and _FEMININE.fullmatch(longer[len(shorter) :]):
        return apart(said, known) > _SAME_SOUND or (
            is_given(said) and is_given(known) and gender(said) != gender(known)
        )
    return _of_both_sexes(said, known)


def _of_both_sexes(one: str, other: str) -> bool:
    return is_given(one) and is_given(other) and {gender(one), gender(other)} == {"female", "male"}


@lru_cache(_CACHED)
def _short_for(short: str, name: str) -> bool:
    """Whether one is called the first for the second: listed, its beginning (Max), or a long end of it (Seun)."""
    if short in called(name):
        return True
    if short == name or _of_both_sexes(short, name):
        return False
    listed = is_given(short) and is_given(name)
    if len(short) >= _SHORT and name.startswith(short) and len(name) - len(short) >= (_SHORT if listed else 2):
        return not _FEMININE.fullmatch(name[len(short) :])
    return len(short) > _SHORT and len(name) >= _LONG - 1 and name.endswith(short) and not listed


@lru_cache(_CACHED)
def _is_pet_name(short: str, name: str) -> bool:
    """Whether it is made of a part of the name, or of what one of this name is called, in one of the ways in which pet
    names are: Ibo of Ibrahim, Mishka of Misha. What is somebody's whole name may have got no ending but the commonest.
    """
    match = _PET_NAME.fullmatch(short)
    if not match or _of_both_sexes(short, name):
        return False
    stem, ending = match.groups()
    if is_given(short) and (len(stem) < _SHORT or ending not in _LITTLE):
        return False
    if name.startswith(stem):
        return len(name) - len(stem) >= 2 or not is_given(short)
    if any(each.startswith(stem) for each in called(name)):
        return len(stem) >= _SHORT
    return len(stem) >= _SHORT and len(name) >= _LONG and stem in name


def _single(said: str, known: tuple[str, ...]) -> Likeness:
    """One word for somebody of several, or of one other."""
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
    if _is_pet_name(said, first) or any(_short_for(said, given) for given in known[: max(1, len(known) - 1)]):
        return Likeness(0.85, Needs.CHAT, "what one of this name is called", lasting=False)
    if len(known) > 1 and plain(said) in map(plain, known[1:]):
        return Likeness(0.85, Needs.CHAT, "a part of the name", lasting=False)
    firsts = [first, "".join(known[:2])] if len(known) > 2 else [first]  # Jean-Baptiste has two
    if (heard := _best([*(_first_heard(said, each) for each in firsts), _ordinary_word(said, first)])).score:
        return heard
    return _family_alone(said, known[-1]) if len(known) > 1 and len(said) > _SHORT else NONE


def _family_alone(said: str, last: str) -> Likeness:
    if len(last) >= _LONG and _clipped(said, last) and not (is_given(said) or is_family(said)):
        return Likeness(0.8, Needs.CHAT, "the beginning of the family name", lasting=False)
    if apart(said, last) <= _SAME_SOUND:
        return Likeness(0.8, Needs.CHAT, "a family name that sounds the same", heard=True)
    return NONE


def _part(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Some of the words in their order, the given names as initials perhaps; or all of them and another one."""
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
    if words[-1] == there[-1] and (words[0] == there[0] or _short_for(said[0], known[0])):
        return Likeness(0.88, Needs.COMPANY, "the first and the last of the names")
    if _initials_of(words, there[: len(words)]):
        return Likeness(0.8, Needs.CHAT, "the initials", lasting=False)
    return NONE


def _initials_of(words: Sequence[str], names: Sequence[str]) -> bool:
    letters = "".join(words)
    return len(letters) == len(names) and letters == "".join(name[0] for name in names)


def _borne_out(said: TakenApart, known: Sequence[TakenApart], found: list[Likeness]) -> list[Likeness]:
    """What is left where full names of somebody are known: an alias with another family name is not them (Sasha Belova
    is not Sasha, Alexander Petrov), nor has Frau Brandl the name of a man.
    """
    full = [place for place, one in enumerate(known) if len(one.words) > 1]
    if len(said.words) > 1 and full and not any(found[place].score for place in full):
        return []
    first = known[full[0] if full else 0].words[:1]
    titled = _titled(said)
    sexes = {gender(first[0])} if first and gender(first[0]) else set[str]().union(*map(_titled, known))
    return [] if titled and sexes and sexes.isdisjoint(titled) else found


def _titled(one: TakenApart) -> set[str]:
    """Which sexes the titles of a name say."""
    return {sex for sex in ("female", "male") if _titles(sex) & set(one.titles)}


# --- things ---


def _thing(said: TakenApart, known: TakenApart, text: str, name: str) -> Likeness:
    if same := _same(said, known, text, name):
        if len(said.words) == 1 and is_acronym(text):
            return Likeness(1.0, Needs.COMPANY, "the same acronym")
        shared = has_namesakes(text, known.kind) or has_namesakes(name, known.kind) or _one_is_a_city(said, known)
        return _but(same, Needs.NO_STRANGERS) if shared else same
    if _numbers(said) != _numbers(known) and not _NUMERONYM.fullmatch(said.joined):
        return NONE
    if sorted(said.words) == sorted(known.words):
        return Likeness(0.95, Needs.COMPANY, "the same words in another order")
    if _with_shorter_words(said.words, known.words) or _with_shorter_words(known.words, said.words):
        return Likeness(0.85, Needs.COMPANY, "the name with a shorter word")
    short = _abbreviated(said, known, text, name) or _shorter(said, known, name) or _without_its_maker(said, known)
    return short or _heard(said, known)


def _one_is_a_city(said: TakenApart, known: TakenApart) -> bool:
    """Whether one of two places of the same name is said to be a city: Mexico City may be another place than Mexico."""
    differing = {*said.all_words} ^ {*known.all_words}
    return known.kind == "place" and said.words == known.words and not differing.isdisjoint(told()["generic"]["place"])


def _abbreviated(said: TakenApart, known: TakenApart, text: str, name: str) -> Likeness | None:
    if _shortened(said, known, text, name) or _shortened(known, said, name, text):
        short = min(said, known, key=lambda each: len(each.joined))
        telling = known.kind in ("concept", "tool", "organization") and _tells(short)
        return Likeness(0.85, Needs.NOTHING if telling else Needs.COMPANY, "an acronym")
    if known.kind == "tool" and any(_acronym(said.words, words[1:], text) for words in (known.words, known.all_words)):
        return Likeness(0.8, Needs.CHAT, "an acronym without its maker")
    if _loose_acronym(said, known.all_words, text) or _loose_acronym(known, said.all_words, name):
        return Likeness(0.8, Needs.CHAT, "an acronym of some of its words")
    return None


def _tells(short: TakenApart) -> bool:
    """Whether an acronym is of one thing alone: of many letters, three of a tool, or beside other words (VS Code)."""
    return len(short.joined) >= (_SHORT if short.kind == "tool" else _SHORT + 1)


def is_acronym(text: str) -> bool:
    """Whether it is written as acronyms are."""
    return len(text) <= _LONGEST_ACRONYM and text.isupper()


def _numbers(taken: TakenApart) -> list[str]:
    return re.findall(r"\d+", " ".join(taken.words))


def _shortened(short: TakenApart, known: TakenApart, text: str, name: str) -> bool:
    """Whether the first stands for the second: an acronym of all its words or of those that matter, or of the words
    inside them (JS), or k8s.
    """
    if len(short.all_words) == len(known.all_words) == 1 and _is_numeronym(short.all_words[0], known.all_words[0]):
        return True
    humps = (words_of(HUMPS.sub(" ", text)), words_of(HUMPS.sub(" ", name)))
    pairs = ((short.words, known.words), (short.all_words, known.all_words), humps)
    return any(_acronym(mine, theirs, text) for mine, theirs in pairs)


def _loose_acronym(short: TakenApart, words: tuple[str, ...], text: str) -> bool:
    """Whether capitals are first letters of three or more words, the first among them, small ones and one other perhaps
    left out (SNCF), or the last with another letter of its word (UFPA).
    """
    letters = short.joined
    if len(short.words) > 1 or len(letters) < _SHORT or not is_acronym(text.removeprefix("the ").removesuffix("s")):
        return False
    little = told()["generic"]["little"]
    for initials in (letters, letters[:-1]):
        rest = iter(words)
        taken = [next((word for word in rest if word[0] == letter), "") for letter in initials]
        left = [word for word in words if word not in taken and word not in little and len(word) > 2]
        whole = initials == letters or letters[-1] in taken[-1][1:]
        if (
            whole
            and all(taken)
            and len(taken) >= _SHORT
            and taken[0] == words[0]
            and len(left) <= len(letters) - _SHORT
        ):
            return True
    return False


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
            and re.search(rf"\b{letters.upper()}s?\b", re.sub(r"[.&]", "", text)) is not None
        ):
            return True
    return False


def _is_numeronym(short: str, word: str) -> bool:
    match = _NUMERONYM.fullmatch(short)
    return match is not None and match[1] + match[3] == word[0] + word[-1] and int(match[2]) == len(word) - 2


def _shorter(said: TakenApart, known: TakenApart, name: str) -> Likeness | None:
    """The first word and others of a longer name, in their order: Marlin Trust of Marlin Trust Bank; of a place what
    comes before where it is: Frankfurt am Main.
    """
    if known.kind == "organization" and len(said.words) > len(known.words):
        return None
    if known.kind in ("organization", "project", "place") and _among(said.words, known.words):
        return Likeness(0.85, Needs.CHAT if known.kind == "place" else Needs.COMPANY, "a part of the name")
    if known.kind == "organization" and said.joined in known.words and not is_word(said.joined):
        return Likeness(0.8, Needs.CHAT, "a word of the name that is no other")
    words = known.words if len(known.words) > 1 else words_of(HUMPS.sub(" ", name))
    if len(said.words) >= len(words) or not _clipped(said.words[0], words[0]):
        return None
    rest = iter(words)
    if not all(any(_clipped(word, each) for each in rest) for word in said.words):
        return None
    if len(said.words) > 1 or (known.kind == "place" and {*known.all_words[1:2]} & {*told()["generic"]["where"]}):
        return Likeness(0.85, Needs.CHAT, "a part of the name")
    needs = Needs.CHAT if known.kind in ("organization", "project") else Needs.REVIEW
    return Likeness(0.7, needs, "a part of the name", lasting=False)


def _among(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Two words or more of a longer name, in any order; or its first, parted otherwise: Alnoor Medical."""
    if len(said) > 1 and len(said) < len(known) and set(said) < set(known):
        return True
    return any("".join(known[:end]) == "".join(said) for end in range(2, len(known)))


def _with_shorter_words(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Hafenblick reno is the Hafenblick renovation, GSheets Google Sheets."""
    if len(known) > 1 and "".join(said) == known[0][0] + "".join(known[1:]):
        return True
    alike = len(said) == len(known) > 1 and said[0] == known[0]
    return alike and all(map(_clipped, said, known))


def _clipped(short: str, word: str) -> bool:
    return short == word or (len(short) > _SHORT and word.startswith(short) and len(word) >= len(short) + _SHORT)


def _without_its_maker(said: TakenApart, known: TakenApart) -> Likeness | None:
    """Microsoft Excel is Excel, Washington, D.C. is DC, Lake Windermere is Windermere."""
    shorter, longer = sorted((said.words, known.words), key=len)
    if shorter != longer[1:]:
        return None
    if known.kind == "place" and longer[0] in told()["generic"]["before"]:
        return Likeness(0.85, Needs.CHAT, "the name without what it is")
    if known.kind == "tool" or (known.kind == "place" and len(shorter) == 1 and len(shorter[0]) == _SHORT - 1):
        return Likeness(0.85, Needs.CHAT, "the name without its first word")
    return None


def _heard(said: TakenApart, known: TakenApart) -> Likeness:
    """Misheard or misspelt, one word or several; two words that are both well formed are rather two things."""
    if min(len(said.joined), len(known.joined)) <= _SHORT or _one_longer(said.all_words, known.all_words):
        return NONE
    if len(said.words) == len(known.words) > 1:
        alike = _word_by_word(said.words, known.words)
        if alike.score or not {*said.words}.isdisjoint(known.words):
            return alike
    name = " ".join(known.words)
    far = apart(" ".join(said.words), name)
    if far <= _most_apart(said, known) or _misspelt(said.joined, known.joined):
        return _sounding(far, Needs.COMPANY)
    if len(said.all_words) > len(known.words) and apart(" ".join(said.all_words), name) <= _FAR_SPLIT_THING:
        return _sounding(far, Needs.COMPANY)
    if far <= _FAR_FOR_REVIEW:
        return Likeness(0.7 - far, Needs.REVIEW, "a name that sounds somewhat alike", heard=True)
    return NONE


def _most_apart(said: TakenApart, known: TakenApart) -> float:
    """How far apart a thing and what was heard for it may sound: farther where that is no word, or is several that have
    nothing to do with each other.
    """
    if len(said.words) > len(known.words):
        return _FAR_SPLIT_THING if {*said.words}.isdisjoint(known.words) else _FAR_ODD_THING
    if len(said.words) == len(known.words) > 1:
        return _FAR_ODD_THING
    odd = not is_word(said.joined) and min(len(said.joined), len(known.joined)) >= _LONG - 2
    if not odd or said.joined[0] != known.joined[0]:
        return _FAR_THING
    return _FAR_ODD_THING if is_word(known.joined) else _FAR_WHERE_LONG


def _one_longer(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether one name is the other with more words."""
    shorter, longer = sorted((set(said), set(known)), key=len)
    return shorter < longer


def _word_by_word(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """All words but one are the same or sound so."""
    *same, (far, one, other) = sorted((apart(one, other), one, other) for one, other in zip(said, known, strict=True))
    odd = min(len(one), len(other)) >= _LONG and not (is_word(one) and is_word(other))
    if same[-1][0] <= _SAME_SOUND and (far <= (_FAR_WHERE_LONG if odd else _FAR_THING) or _misspelt(one, other)):
        return _sounding(far, Needs.COMPANY)
    return NONE


def _misspelt(one: str, other: str) -> bool:
    """Whether it is the plural, or a long word with a letter too many, too few, another one, or two exchanged; or with
    another vowel inside, which is hardly heard.
    """
    least = min(len(one), len(other))
    if least > _SHORT and (one == f"{other}s" or other == f"{one}s"):
        return True
    if least < _LONG - 1 or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    return least >= _LONG or (one[-1] == other[-1] and _VOWEL.sub("_", one) == _VOWEL.sub("_", other))


# --- taking apart ---


@lru_cache(_CACHED)
def taken_apart(text: str, kind: str) -> TakenApart:
    """A name of a sort of thing, taken apart."""
    return _taken_person(text) if kind == "person" else _taken_thing(text, kind)


def _taken_thing(text: str, kind: str) -> TakenApart:
    if kind == "organization":
        text = basename(text) or text
    words = words_of(_STREET.sub("street", _DOTTED.sub(lambda dotted: dotted[0].replace(".", ""), text)))
    words = tuple(told()["shortened"].get(word, word) for word in words)
    little = {*told()["generic"]["little"], *told()["generic"][kind]}
    kept = [word for word in words if word not in little] or list(words)
    if len(kept) > 1 and all(len(word) == 1 for word in kept):
        kept = ["".join(kept)]
    if kept and kind in ("concept", "tool") and text[-1] != "S":
        kept[-1] = _PLURAL.sub("", kept[-1])
    return TakenApart(kind, tuple(kept), (), "", words)


def _taken_person(text: str) -> TakenApart:
    text = _OF_THE.sub("van der ", _HONORIFIC.sub("", text))
    if text.count(",") == 1:
        family, given = text.split(",")
        text = f"{given} {family}" if words_of(given) and words_of(given)[-1] not in told()["generations"] else text
    whole = words_of(text)
    words = list(whole)
    generation = told()["generations"].get(words[-1], "") if len(words) > 1 else ""
    if generation:
        words = words[:-1]
    words = words[:1] + [word for word in words[1:-1] if word not in told()["titles"]["between"]] + words[1:][-1:]
    titles = []
    while len(words) > _least_beside(words[:1]) and words[0] in _titles("all"):
        titles.append(words.pop(0))
    while len(words) > _least_beside(words[-1:]) and words[-1] in told()["titles"]["after"]:
        titles.append(words.pop())
    if len(words) > 1 and all(len(word) == 1 for word in words):
        words = ["".join(words)]
    if titles[:1] == ["the"] and words[-1].endswith("s"):
        return TakenApart("person", (), (), "", whole)  # the Aigners are a family
    if text.isupper() and len(words) > 1 and len(words[0]) == 2:
        words = [*words[0], *words[1:]]
    return TakenApart("person", tuple(words), tuple(titles), generation, whole)


def _least_beside(title: list[str]) -> int:
    """So many words a name has at least besides a title; of one that is a given name too there must be two more."""
    return 2 if title and title[0] in told()["titles"]["borne"] else 1


@cache
def _titles(which: str) -> frozenset[str]:
    titles = told()["titles"]
    if which == "all":
        return frozenset({*titles["female"], *titles["male"], *titles["any"]})
    return frozenset(titles[which])
