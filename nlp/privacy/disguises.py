"""Views of a text for a search: without the characters and spaces that hide a word from it (W8).

A view is another spelling of a text, with the position in the text of each of its characters. There are two: one
without invisible characters and with wide or styled letters as plain ones, and one that also joins letters that are
spaced out. Look-alike letters of other alphabets are not replaced.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

# Full-width forms, circled letters, and mathematical letters in bold, script and so on.
_STYLED: Final = re.compile(r"[\u3000\uff01-\uff5e\u24b6-\u24e9\U0001d400-\U0001d7ff]")
# Zero-width characters, soft hyphens, fillers, marks of direction, tags, and variation selectors.
_INVISIBLE: Final = re.compile(
    r"[\u00ad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# One space between letters, and up to three between words.
_SPACED: Final = re.compile(r"(?<!\S)\S(?:[ \t\u00a0\u2002-\u200a\u202f]{1,3}\S){3,}(?![^\s:=,.;!?])")
# Joined letters have no word boundaries, except around the name of a secret.
_NAMED: Final = re.compile(
    r"(?P<name>pass(?:word|wort|code|phrase)|pwd|api-?key|secret|token|pin)(?P<joint>is|=|:)?(?=\S{4})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class View:
    """A spelling of a text. `places` has the position of each character in the text itself; None: the same one."""

    text: str
    places: list[int] | None = None

    def located(self, start: int, end: int) -> tuple[int, int]:
        """Maps a range of the view to the range of the text itself (`end` is exclusive)."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def views(text: str) -> Iterator[View]:
    """Yields the view without disguises and, if letters are spaced out, the one that joins them too."""
    plain = _plain(text)
    yield plain
    if _SPACED.search(plain.text):
        yield _joined(plain)


def _plain(text: str) -> View:
    if text.isascii() or not (_STYLED.search(text) or _INVISIBLE.search(text)):
        return View(text)
    letters, places = [], []
    for place, letter in enumerate(text):
        if not _INVISIBLE.match(letter):
            letters.append(unicodedata.normalize("NFKC", letter) if _STYLED.match(letter) else letter)
            places.append(place)
    return View("".join(letters), places)


def _joined(plain: View) -> View:
    parts: list[tuple[str, int]] = []
    at = 0
    for run in _SPACED.finditer(plain.text):
        parts += [(plain.text[place], place) for place in range(at, run.start())]
        parts += _words(_letters(plain.text, run.start(), run.end()))
        at = run.end()
    parts += [(plain.text[place], place) for place in range(at, len(plain.text))]
    places = [place if plain.places is None else plain.places[place] for _, place in parts]
    return View("".join(letter for letter, _ in parts), places)


def _letters(text: str, start: int, end: int) -> list[tuple[str, int]]:
    """Returns the letters of a run with their positions: no space between letters, one between words."""
    kept = [(text[place], place) for place in range(start, end) if not text[place].isspace()]
    spaced = [kept[0]]
    for before, letter in pairwise(kept):
        spaced += [(" ", letter[1])] * (letter[1] - before[1] > 2) + [letter]
    return spaced


def _words(run: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Returns joined letters with spaces around the name of a secret, and after the word or sign behind it."""
    named = _NAMED.search("".join(letter for letter, _ in run))
    if named is None:
        return run
    cuts = sorted({named.start(), named.end("name"), named.end()})
    spaced: list[tuple[str, int]] = []
    for number, letter in enumerate(run):
        spaced += [(" ", letter[1])] * (number in cuts) + [letter]
    return spaced
