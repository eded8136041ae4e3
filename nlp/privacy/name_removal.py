"""Removes the names of a person from texts (M13)."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import permutations
from typing import Final
from urllib.parse import quote, unquote

from hippograph.nlp.text import WORD_BEGIN, WORD_END

REMOVED: Final = "[name removed]"
"""Replacement for a removed name."""

_HIDDEN: Final = "\u200b"
"""Stands in `_SHAPES` for a format character, which may stand within a word and is not seen."""
_POINT: Final = "\u200c"
"""Stands in `_SHAPES` for a mark that may be left out (`_OPTIONAL`)."""
_FIRST_MARK: Final = 0xF0000
"""What is added to the code of a combining mark in `_SHAPES`, so that all marks are one range, of private use."""
_MARK: Final = r"[\U000f0000-\U0010ffff]"
# Marks of scripts without spaces between words: Thai and Lao, and the voiced sound marks of kana. In front of them:
_MARK_BEFORE: Final = r"[\U000f0000-\U000f0dff\U000f0f00-\U000f3098\U000f309b-\U0010ffff]"
# Marks behind which a word may end before a letter: those, and vowels and finals of decomposed Hangul (`WORD_END`).
_LAST_MARK: Final = r"[\U000f0e00-\U000f0eff\U000f1160-\U000f11ff\U000f3099\U000f309a]"
_BEGIN: Final = rf"(?<!{_MARK_BEFORE}){WORD_BEGIN}"
_END: Final = rf"{_POINT}*+(?!{_MARK})(?:{WORD_END}|(?<={_LAST_MARK}))"
_BETWEEN: Final = rf"(?:[\s{_HIDDEN}{_POINT}]+|(?!{_MARK})[\W_]{{1,3}})"
_PARTS: Final = re.compile(rf"(?:[^\W_]|{_MARK})+")
_SHORTEST: Final = 2
_APOSTROPHES: Final = "'`´ʹʻʼ‘’‛′"
_JAMO: Final = re.compile("[\u1161-\u11ff\ud7b0-\ud7ff]")
# Fillers, variation selectors, the grapheme joiner, and the vowel points of Hebrew and Arabic, which may be left out.
_OPTIONAL: Final = re.compile(
    "[\u034f\u115f\u1160\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06ed]"
)
_TONOS: Final = re.compile("(?<=[α-ω\u0308])\u0301")
_DOTTED: Final = "i\u0307"
_WIDE: Final = {code: code + 0xFEE0 for code in range(ord("!"), ord("~") + 1)}
_WORD: Final = re.compile(r"\S+")
_CODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")


class _Shapes(dict[int, str]):
    """A table for `str.translate` that keeps the length of a text: compatible forms such as full-width letters become
    plain, apostrophes and hyphens straight, marks those of `_MARK`, and what may be left out `_HIDDEN` or `_POINT`.
    """

    def __missing__(self, code: int) -> str:
        self[code] = shape = self._shape(chr(code))
        return shape

    @staticmethod
    def _shape(character: str) -> str:
        plain = unicodedata.normalize("NFKC", character)
        if len(plain) > 1 or (plain.isalnum() and not character.isalnum()):
            plain = character
        category = unicodedata.category(plain)
        if category == "Cf" or _OPTIONAL.match(plain):
            return _POINT if category[0] == "M" else _HIDDEN
        if category[0] == "M" or _JAMO.match(plain):
            return chr(_FIRST_MARK + ord(plain))
        if ord(plain) >= _FIRST_MARK:
            return "\N{REPLACEMENT CHARACTER}"
        return "'" if plain in _APOSTROPHES else "-" if category == "Pd" else plain


_SHAPES: Final = _Shapes()


def names_pattern(names: Iterable[str], as_written: Iterable[str] = ()) -> re.Pattern[str] | None:
    """Returns a pattern for any of the names as whole words, in any case, None if there is nothing to look for. Between
    their parts it allows white space, or one to three characters other than letters and digits, so that `Ada Byron` is
    found in `ada_byron` too. Longer names come first. It is for `without_names`: accents, which may be composed or not,
    are found only there.

    A username (`@will`) is found only with its sign. Names in `as_written` are found only in exactly this form, so that
    `Will` is not found in `I will`; but apostrophes and hyphens may be of any kind.
    """
    folded = {
        ("@" if name[:1] == "@" else "@?", *_parts(each))
        for name in names
        for one in _folded(name)
        for each in (one, _visible(one))
    }
    any_case = {
        sign + _BETWEEN.join(map(_spelled, parts)): length
        for sign, *parts in folded
        if (length := len("".join(parts))) >= _SHORTEST
    }
    exact = {_spelled(name): len(name) for name in map(_visible, as_written) if len(name) >= _SHORTEST}
    kinds = [("(?i:", any_case), ("(?:", exact)]
    found = [start + "|".join(sorted(each, key=lambda one: (-each[one], one))) + ")" for start, each in kinds if each]
    return re.compile(rf"{_BEGIN}(?:{'|'.join(found)}){_END}") if found else None


def _parts(text: str) -> list[str]:
    """Returns the words of a name, with their combining marks."""
    return [text[part.start() : part.end()] for part in _PARTS.finditer(text.translate(_SHAPES))]


def _visible(text: str) -> str:
    """Returns a text in NFC, without what may be left out."""
    return unicodedata.normalize("NFC", "".join(each for each in text if _SHAPES[ord(each)] not in (_HIDDEN, _POINT)))


def _spelled(word: str) -> str:
    """Returns a pattern for a word in NFC, however its accents are composed and whatever is hidden in it."""
    return f"[{_HIDDEN}{_POINT}]*+".join(map(_letter, word))


def _letter(letter: str) -> str:
    """Returns a pattern for a letter, composed or not, as `_SHAPES` make it: one accent may be composed with it and
    another not, in any order.
    """
    whole = unicodedata.normalize("NFD", letter)
    forms = {letter, _DOTTED} if letter == "i" else {letter}
    for order in map("".join, permutations(whole[1:])):
        for end in range(len(whole)):
            forms.add(unicodedata.normalize("NFC", whole[0] + order[:end]) + order[end:])
    same = {form.translate(_SHAPES) for form in forms if unicodedata.normalize("NFD", form) in (whole, _DOTTED)}
    return f"(?:{'|'.join(sorted(map(re.escape, same)))})" if len(same) > 1 else re.escape(same.pop())


def longest_parts(names: Iterable[str]) -> list[str]:
    """Returns the longest part of each name in lower case: with accents composed and not, as capitals of Turkish in
    lower case, and full-width; and the percent-encoded forms of these with a small and a capital first letter. A text
    from which `without_names` removes a name contains one of them in lower case, whatever stands between the parts.

    Not found are words that hold hidden characters, vowel points or half-width letters, or whose accents are partly
    composed; and words that are percent-encoded in another way: with further capitals beyond ASCII, or with letters in
    ASCII that need no encoding.
    """
    parts = (_parts(each) for name in names for each in _folded(name))
    longest = {max(some, key=len) for some in parts if some}
    undotted = longest | {part.replace("ı", "i") for part in longest}
    turkish = undotted | {part.replace("i", other) for part in undotted for other in ("ı", _DOTTED)}
    spelled = {unicodedata.normalize(form, part) for part in turkish for form in ("NFC", "NFD")}
    encoded = {quote(each).lower() for part in spelled for each in (part, part.capitalize())}
    return sorted(spelled | encoded | {part.translate(_WIDE) for part in longest})


def _folded(name: str) -> set[str]:
    """Returns a name in lower case as it is written, and with letters replaced: "groß" and "gross" for "Groß" and
    "Gross", "ipek" for "İpek", and Greek without the accent, which capitals lack.
    """
    plain = {unicodedata.normalize(form, name) for form in ("NFC", "NFKC")}
    folded = {each for one in plain for each in (one.lower(), one.casefold())}
    folded |= {each.replace("ss", "ß") for each in folded} | {each.replace(_DOTTED, "i") for each in folded}
    folded |= {_TONOS.sub("", unicodedata.normalize("NFD", each)) for each in folded}
    return {unicodedata.normalize("NFC", each) for each in folded}


def whose_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Returns a pattern for the names used as possessives: `Ada Byron's landlord`, `the landlord of Ada Byron`. None if
    there is nothing to look for.
    """
    pattern = names_pattern(names)
    if pattern is None:
        return None
    return re.compile(rf"(?:{pattern.pattern})(?=')|(?<=\b(?i:of)\s)(?:{pattern.pattern})")


def without_names(pattern: re.Pattern[str] | None, text: str) -> str:
    """Returns the text with `REMOVED` in place of each name that the pattern finds. A percent-encoded word with a name
    in it (`Ada%20Byron`) is decoded first.
    """
    if pattern is None:
        return text
    if _CODED.search(text):
        text = _WORD.sub(lambda word: _decoded(pattern, word[0]), text)
    kept, end = [], 0
    for found in pattern.finditer(text.translate(_SHAPES)):
        kept += [text[end : found.start()], REMOVED]
        end = found.end()
    return "".join([*kept, text[end:]])


def _decoded(pattern: re.Pattern[str], word: str) -> str:
    decoded = unquote(word) if _CODED.search(word) else word
    return decoded if decoded != word and pattern.search(decoded.translate(_SHAPES)) else word
