"""Secrets that follow their name: "the password is hunter2"."""

import re
from collections.abc import Callable, Iterator

from hippograph.nlp.privacy.finders.cues import (
    BOOKED,
    CUES,
    OF_BOOKING,
    OTHER_CODES,
    OTHER_PINS,
    OTHER_THINGS,
    VERIFYING,
    has_near,
    is_other_thing,
    meaning_of,
    spaced_words,
)
from hippograph.nlp.privacy.finders.links import CHANGED, CHANGED_TO, PREPOSITION, link_at, skip_space
from hippograph.nlp.privacy.finders.spans import REMOVED, WORDS, Kind, Span
from hippograph.nlp.privacy.finders.values import (
    CARD_CODE_VALUE,
    CLAUSE,
    CLAUSE_END,
    CODE_VALUE,
    CUT,
    INFLECTED,
    PAIR,
    PIN_VALUE,
    REFERENCE,
    TOKEN,
    UNIT,
    is_mixed,
    is_prose,
    quoted_at,
    trimmed_value,
    value_at,
)

_DIGIT = re.compile(r"\d")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_ASIDE = re.compile(r"\s+(?:for|of|to)(?:\s+[^\s,.;:!?]{1,30}){1,5},\s(\d{4,6})(?![\w]|[.,:/-]\d)")
_NOT_PASSWORDS = frozenset(WORDS["not_passwords"].split())
_BARE_WORD = re.compile(r"\s{1,3}([^\W\d_]{4,30})(?![\w-])")
# The text before the name of a password that is given: a clause boundary, an account, or a verb such as "enter".
_GIVEN = re.compile(
    r"(?:^|[\n.;,:!?(]\s*|\b(?:use|used|using|with|enter|entered|type|typed|try|(?:user|username|login|account)\s+\S+)\s+)"
    r"(?:(?:the|my|our|your|his|her|their|this|same|new|old|wi-?fi|wlan|guest|admin|root|router)\s+){0,3}$",
    re.IGNORECASE,
)
# Maximum number of cues with the same letters tried in one unbroken word, such as a line of settings.
_MOST_IN_A_WORD = 16
_LEAST_BEHIND = 4
_MARKS = re.compile(r"[\"'`*“#„(\[]{0,2}")
_BRACKET = re.compile(r"[(\[]")
# What follows a number in brackets that may be a secret; not the rest of a phone number.
_CLOSING = re.compile(r"[\"'`*“”]{0,2}(?:[)\]](?!\s?\d)|[,;]\s)")
_LETTER = re.compile(r"[^\W\d_]")
_SPACE = re.compile(r"\s+")
_Found = tuple[int, int] | None


def announced_secrets(text: str, lower: str) -> Iterator[Span]:
    """Yields the secrets of a text that follow their names. `lower` is the text in lower case."""
    for letters, pattern in CUES.items():
        at = lower.find(letters)
        word_end = value_end = tried = 0
        while at >= 0:
            if at >= word_end:
                word = TOKEN.match(text, at)
                word_end, tried = (word.end() if word else at), 0
            cue = pattern.match(text, at)
            # A cue within a value that was already found announces no other secret.
            if cue and cue.end() + _LEAST_BEHIND > value_end and not text.startswith(REMOVED, at - 1):
                tried += 1
                if found := _secret_at(text, cue):
                    value_end = found.end
                    yield found
            at = lower.find(letters, at + 1 if tried < _MOST_IN_A_WORD else max(at + 1, word_end))


def _secret_at(text: str, cue: re.Match[str]) -> Span | None:
    name = meaning_of(text, cue)
    if not name or (name not in {"code", "card_code"} and is_other_thing(text, cue.end())):
        return None
    kind, take = _TAKERS[name]
    found = take(text, cue)
    return Span(*found, kind) if found else None


def _take_password(text: str, cue: re.Match[str]) -> _Found:
    changed = CHANGED.search(text[max(0, cue.start() - 60) : cue.start()])
    if changed and (to := CHANGED_TO.match(text, cue.end())):
        found = value_at(text, to.end(), strong=False, plain=True)
        if found:
            return found
    return _after_link(text, cue, plain=not cue[0].lower().endswith("words")) or _take_bare(text, cue)


def _take_bare(text: str, cue: re.Match[str]) -> _Found:
    """Returns a plain word right after "password" where one is given: "use the password swordfish"."""
    word = _BARE_WORD.match(text, cue.end())
    if (
        not word
        or not cue[0].lower().endswith("word")
        or not _GIVEN.search(text[max(0, cue.start() - 80) : cue.start()])
    ):
        return None
    said = word[1].lower()
    common = said in _NOT_PASSWORDS or said in OTHER_THINGS or is_prose(said) or INFLECTED.match(said)
    return None if common or not CLAUSE_END.match(text, word.end()) else word.span(1)


def _after_link(text: str, cue: re.Match[str], *, plain: bool) -> _Found:
    link = link_at(text, cue.end())
    if not link:
        return None
    gap = link["gap"] or ""
    strong = bool(link["sign"] or link["says"] or link["sign2"])
    near = not gap or bool(PREPOSITION.match(gap))
    if strong and not near:
        if link["sign"] != ":" or len(gap.split()) > 2 or not OTHER_THINGS.isdisjoint(gap.lower().split()):
            return None
        strong = False
    allowed = plain and near and not (link["asked"] or link["later"] or link["dash"]) and link["beside"] is None
    found = value_at(text, link.end(), strong=strong, plain=allowed)
    return found or (_beside(text, cue) if gap or link["dash"] else None)


def _beside(text: str, cue: re.Match[str]) -> _Found:
    """Returns a value right after the cue, with only space between."""
    space = _SPACE.match(text, cue.end())
    return value_at(text, space.end(), strong=False, plain=False) if space else None


def _take_phrase(text: str, cue: re.Match[str]) -> _Found:
    link = link_at(text, cue.end())
    if (
        link
        and link["beside"] is None
        and not link["asked"]
        and not (link["gap"] and not PREPOSITION.match(link["gap"]))
    ):
        quoted = quoted_at(text, link.end())
        if quoted:
            return quoted if not is_prose(text[quoted[0] : quoted[1]]) else None
        clause = CLAUSE.match(text, link.end())
        if clause:
            words = CUT.split(clause[0], maxsplit=1)[0].rstrip()
            if 2 <= len(words.split()) <= 12 and not is_prose(words) and _DIGIT.search(words) is None:
                return clause.start(), clause.start() + len(words)
    return _after_link(text, cue, plain=True)


def _take_pass(text: str, cue: re.Match[str]) -> _Found:
    return _after_link(text, cue, plain=False)


def _take_login(text: str, cue: re.Match[str]) -> _Found:
    link = link_at(text, cue.end())
    if not link:
        return None
    start = link.end()
    for at in {cue.end() + 1, start}:
        pair = PAIR.match(text, at)
        if pair and not REFERENCE.match(pair[2]) and not pair[1].lower().startswith("http"):
            value = trimmed_value(pair[2], cut=False)
            if is_mixed(value):
                return pair.start(2), pair.start(2) + len(value)
    return None


def _number_after(text: str, cue: re.Match[str], pattern: re.Pattern[str]) -> _Found:
    """Returns a number that is linked to the cue, or right after it. In brackets it has no letters: a code (CVC2)."""
    link = link_at(text, cue.end())
    at = link.end() if link else cue.end()
    for place in (at, skip_space(text, cue.end())):
        marks: str = _MARKS.match(text, place)[0]  # type: ignore[index]
        match = pattern.match(text, place + len(marks))
        if match is None or UNIT.match(text, match.end()):
            continue
        alone = _CLOSING.match(text, match.end()) and not _LETTER.search(match[0])
        if alone or not _BRACKET.search(marks):
            return match.span()
    return None


def _take_pin(text: str, cue: re.Match[str]) -> _Found:
    if OTHER_PINS.search(text[max(0, cue.start() - 16) : cue.start()].lower()):
        return None
    found = _number_after(text, cue, PIN_VALUE)
    if found is None and (aside := _ASIDE.match(text, cue.end())):
        found = aside.span(1)
    return None if found is None or has_near(BOOKED, text, cue, 60, 60) else found


def _take_card_code(text: str, cue: re.Match[str]) -> _Found:
    return _number_after(text, cue, CARD_CODE_VALUE)


def _take_code(text: str, cue: re.Match[str]) -> _Found:
    before = text[max(0, cue.start() - 16) : cue.start()].lower()
    if OF_BOOKING.search(before) and has_near(BOOKED, text, cue, 60, 60):
        return None
    found = _number_after(text, cue, CODE_VALUE)
    return found or (_number_after(text, cue, CARD_CODE_VALUE) if before.endswith("security ") else None)


def _take_any_code(text: str, cue: re.Match[str]) -> _Found:
    if spaced_words(text[max(0, cue.start() - 24) : cue.start()].lower()).endswith(OTHER_CODES):
        return None
    if not has_near(VERIFYING, text, cue, 100, 120) or has_near(BOOKED, text, cue, 100, 120):
        return None
    return _number_after(text, cue, CODE_VALUE)


def _take_token(text: str, cue: re.Match[str]) -> _Found:
    return _key_value(text, cue, least=8 if "secret" not in cue[0].lower() else 6)


def _take_key(text: str, cue: re.Match[str]) -> _Found:
    link = link_at(text, cue.end())
    if not link or link["beside"] is not None or (link["gap"] and not PREPOSITION.match(link["gap"])):
        return None
    found = _key_value(text, cue, least=16)
    if not found or sum(map(str.isdigit, text[found[0] : found[1]])) < 3 or _UUID.fullmatch(text, *found):
        return None
    return found


def _key_value(text: str, cue: re.Match[str], *, least: int) -> _Found:
    found = _after_link(text, cue, plain=False)
    if not found:
        return None
    value = text[found[0] : found[1]]
    if len(value) < least or " " in value or value.isdigit():
        return None
    parts = re.split(r"[_.:/]", value)
    named = len(parts) > 1 and all(part.isalpha() or part.isdigit() or len(part) < 3 for part in parts)
    return found if is_mixed(value) and not named and not value.startswith(("/", "./")) else None


_Taker = Callable[[str, re.Match[str]], _Found]
_TAKERS: dict[str, tuple[Kind, _Taker]] = {
    "phrase": ("password", _take_phrase),
    "password": ("password", _take_password),
    "cjk": ("password", _take_password),
    "pass": ("password", _take_pass),
    "login": ("password", _take_login),
    "card_code": ("code", _take_card_code),
    "pin": ("pin", _take_pin),
    "code": ("code", _take_code),
    "any_code": ("code", _take_any_code),
    "token": ("token", _take_token),
    "key": ("token", _take_key),
}
