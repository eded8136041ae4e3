"""Comparison of names of organizations, places, projects, tools and concepts: parts, acronyms, mishearings."""

import re

from hippograph.nlp.names.matching.likeness import NONE, Likeness, Needs, needing, sounding
from hippograph.nlp.names.matching.mishearing import misspelt
from hippograph.nlp.names.matching.namesakes import has_namesakes
from hippograph.nlp.names.matching.short_forms import clipped
from hippograph.nlp.names.matching.spelling import match_spelling
from hippograph.nlp.names.matching.thresholds import (
    LONG,
    MAX_FOR_REVIEW,
    MAX_ODD_THING,
    MAX_SPLIT_THING,
    MAX_THING,
    MAX_WHERE_LONG,
    SAME_SOUND,
    SHORT,
)
from hippograph.nlp.names.normalization import inner_words, tables
from hippograph.nlp.names.parsed_name import NUMERONYM, ParsedName, is_acronym
from hippograph.nlp.names.phonetics import distance, is_word


def match_thing(said: ParsedName, known: ParsedName, text: str, name: str) -> Likeness:
    """Compares two names of things of the same type; `text` and `name` are the unparsed names."""
    if same := match_spelling(said, known, text, name):
        if len(said.words) == 1 and is_acronym(text):
            return Likeness(1.0, Needs.COMPANY, "the same acronym")
        shared = has_namesakes(text, known.kind) or has_namesakes(name, known.kind) or _one_is_a_city(said, known)
        return needing(same, Needs.NO_STRANGERS) if shared else same
    if _numbers(said) != _numbers(known) and not NUMERONYM.fullmatch(said.joined):
        return NONE
    if sorted(said.words) == sorted(known.words):
        return Likeness(0.95, Needs.COMPANY, "the same words in another order")
    if _with_shorter_words(said.words, known.words) or _with_shorter_words(known.words, said.words):
        return Likeness(0.85, Needs.COMPANY, "the name with a shorter word")
    short = _abbreviated(said, known, text, name) or _shorter(said, known, name) or _without_its_maker(said, known)
    return short or _heard(said, known)


def _one_is_a_city(said: ParsedName, known: ParsedName) -> bool:
    """Whether one of two equal names of places has a word such as city or town: Mexico City need not be Mexico."""
    differing = {*said.all_words} ^ {*known.all_words}
    return (
        known.kind == "place" and said.words == known.words and not differing.isdisjoint(tables()["generic"]["place"])
    )


def _abbreviated(said: ParsedName, known: ParsedName, text: str, name: str) -> Likeness | None:
    if _shortened(said, known, text, name) or _shortened(known, said, name, text):
        short = min(said, known, key=lambda each: len(each.joined))
        telling = known.kind in ("concept", "tool", "organization") and _tells(short)
        return Likeness(0.85, Needs.NOTHING if telling else Needs.COMPANY, "an acronym")
    if known.kind == "tool" and any(_acronym(said.words, words[1:], text) for words in (known.words, known.all_words)):
        return Likeness(0.8, Needs.CHAT, "an acronym without its maker")
    if _loose_acronym(said, known.all_words, text) or _loose_acronym(known, said.all_words, name):
        return Likeness(0.8, Needs.CHAT, "an acronym of some of its words")
    return None


def _tells(short: ParsedName) -> bool:
    """Whether an acronym is long enough to stand for one thing only: three letters for a tool, four for others. Words
    beside it count too (VS Code).
    """
    return len(short.joined) >= (SHORT if short.kind == "tool" else SHORT + 1)


def _numbers(taken: ParsedName) -> list[str]:
    return re.findall(r"\d+", " ".join(taken.words))


def _shortened(short: ParsedName, known: ParsedName, text: str, name: str) -> bool:
    """Whether the first is short for the second: an acronym of all words, of those without generic and small words, or
    of the words inside them (JS for JavaScript), or a numeronym (k8s).
    """
    if len(short.all_words) == len(known.all_words) == 1 and _is_numeronym(short.all_words[0], known.all_words[0]):
        return True
    humps = (inner_words(text), inner_words(name))
    pairs = ((short.words, known.words), (short.all_words, known.all_words), humps)
    return any(_acronym(mine, theirs, text) for mine, theirs in pairs)


def _loose_acronym(short: ParsedName, words: tuple[str, ...], text: str) -> bool:
    """Whether at least three capitals are initials of words in order, the first word included. Small words may be left
    out, and as many others as there are letters beyond three (SNCF). The last letter may be an inner letter of the last
    of the words (UFPA).
    """
    letters = short.joined
    if len(short.words) > 1 or len(letters) < SHORT or not is_acronym(text.removeprefix("the ").removesuffix("s")):
        return False
    little = tables()["generic"]["little"]
    for initials in (letters, letters[:-1]):
        rest = iter(words)
        taken = [next((word for word in rest if word[0] == letter), "") for letter in initials]
        left = [word for word in words if word not in taken and word not in little and len(word) > 2]
        whole = initials == letters or letters[-1] in taken[-1][1:]
        if whole and all(taken) and len(taken) >= SHORT and taken[0] == words[0] and len(left) <= len(letters) - SHORT:
            return True
    return False


def _acronym(short: tuple[str, ...], words: tuple[str, ...], text: str) -> bool:
    """Whether one word of the short name, in capitals in `text`, has the initials of two or more adjacent words of the
    other name. All other words must be equal.
    """
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
    match = NUMERONYM.fullmatch(short)
    return match is not None and match[1] + match[3] == word[0] + word[-1] and int(match[2]) == len(word) - 2


def _shorter(said: ParsedName, known: ParsedName, name: str) -> Likeness | None:
    """Compares a name with a longer one of which it may be a part: the first word and others, in order (Marlin Trust of
    Marlin Trust Bank), or the part of a place's name before its location (Frankfurt of Frankfurt am Main).
    """
    if known.kind == "organization" and len(said.words) > len(known.words):
        return None
    if known.kind in ("organization", "project", "place") and _among(said.words, known.words):
        return Likeness(0.85, Needs.CHAT if known.kind == "place" else Needs.COMPANY, "a part of the name")
    if known.kind == "organization" and said.joined in known.words and not is_word(said.joined):
        return Likeness(0.8, Needs.CHAT, "a word of the name that is no other")
    words = known.words if len(known.words) > 1 else inner_words(name)
    if len(said.words) >= len(words) or not clipped(said.words[0], words[0]):
        return None
    rest = iter(words)
    if not all(any(clipped(word, each) for each in rest) for word in said.words):
        return None
    if len(said.words) > 1 or (known.kind == "place" and {*known.all_words[1:2]} & {*tables()["generic"]["where"]}):
        return Likeness(0.85, Needs.CHAT, "a part of the name")
    needs = Needs.CHAT if known.kind in ("organization", "project") else Needs.REVIEW
    return Likeness(0.7, needs, "a part of the name", lasting=False)


def _among(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether a name has two or more words of a longer one, in any order, or its first words, divided differently."""
    if len(said) > 1 and len(said) < len(known) and set(said) < set(known):
        return True
    return any("".join(known[:end]) == "".join(said) for end in range(2, len(known)))


def _with_shorter_words(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether words of a name are shortened (Hafenblick reno for the Hafenblick renovation), or its first word to an
    initial (GSheets for Google Sheets).
    """
    if len(known) > 1 and "".join(said) == known[0][0] + "".join(known[1:]):
        return True
    alike = len(said) == len(known) > 1 and said[0] == known[0]
    return alike and all(map(clipped, said, known))


def _without_its_maker(said: ParsedName, known: ParsedName) -> Likeness | None:
    """Compares a name with the same one without its first word: Microsoft Excel and Excel, Washington, D.C. and DC,
    Lake Windermere and Windermere.
    """
    shorter, longer = sorted((said.words, known.words), key=len)
    if shorter != longer[1:]:
        return None
    if known.kind == "place" and longer[0] in tables()["generic"]["before"]:
        return Likeness(0.85, Needs.CHAT, "the name without what it is")
    if known.kind == "tool" or (known.kind == "place" and len(shorter) == 1 and len(shorter[0]) == SHORT - 1):
        return Likeness(0.85, Needs.CHAT, "the name without its first word")
    return None


def _heard(said: ParsedName, known: ParsedName) -> Likeness:
    """Compares by sound and spelling. Two names that are both English words are more likely those of two things."""
    if min(len(said.joined), len(known.joined)) <= SHORT or _one_longer(said.all_words, known.all_words):
        return NONE
    if len(said.words) == len(known.words) > 1:
        alike = _word_by_word(said.words, known.words)
        if alike.score or not {*said.words}.isdisjoint(known.words):
            return alike
    name = " ".join(known.words)
    far = distance(" ".join(said.words), name)
    if far <= _max_distance(said, known) or misspelt(said.joined, known.joined):
        return sounding(far, Needs.COMPANY)
    if len(said.all_words) > len(known.words) and distance(" ".join(said.all_words), name) <= MAX_SPLIT_THING:
        return sounding(far, Needs.COMPANY)
    if far <= MAX_FOR_REVIEW:
        return Likeness(0.7 - far, Needs.REVIEW, "a name that sounds somewhat alike", heard=True)
    return NONE


def _max_distance(said: ParsedName, known: ParsedName) -> float:
    """Returns the maximum distance of a mishearing from the name of a thing. It is larger if what was heard is no
    English word, or is several words, none of which the name has.
    """
    if len(said.words) > len(known.words):
        return MAX_SPLIT_THING if {*said.words}.isdisjoint(known.words) else MAX_ODD_THING
    if len(said.words) == len(known.words) > 1:
        return MAX_ODD_THING
    odd = not is_word(said.joined) and min(len(said.joined), len(known.joined)) >= LONG - 2
    if not odd or said.joined[0] != known.joined[0]:
        return MAX_THING
    return MAX_ODD_THING if is_word(known.joined) else MAX_WHERE_LONG


def _one_longer(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether one name has all words of the other and more."""
    shorter, longer = sorted((set(said), set(known)), key=len)
    return shorter < longer


def _word_by_word(said: tuple[str, ...], known: tuple[str, ...]) -> Likeness:
    """Compares names of the same number of words of which all but one must be equal or sound the same."""
    *same, (far, one, other) = sorted(
        (distance(one, other), one, other) for one, other in zip(said, known, strict=True)
    )
    odd = min(len(one), len(other)) >= LONG and not (is_word(one) and is_word(other))
    if same[-1][0] <= SAME_SOUND and (far <= (MAX_WHERE_LONG if odd else MAX_THING) or misspelt(one, other)):
        return sounding(far, Needs.COMPANY)
    return NONE
