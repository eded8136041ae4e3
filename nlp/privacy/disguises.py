"""Texts as they read, whatever characters they are written with: what hides a word from a search is taken out (W8).

A view is another spelling of a text, with the place in the text of each of its characters. Here are two: with invisible
characters left out and wide or styled letters as plain ones, and besides with letters that are spaced out put together.
What is found in a view is there for whoever reads; what is not are other alphabets' letters that look alike.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

# Wide forms, letters in circles, and letters of mathematics in bold, script and so on.
_STYLED: Final = re.compile(r"[\u3000\uff01-\uff5e\u24b6-\u24e9\U0001d400-\U0001d7ff]")
# Zero-width characters, soft hyphens, fillers, signs of direction, tags, and what picks a variant of the sign before.
_INVISIBLE: Final = re.compile(
    r"[\u00ad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# One space between letters, and up to three between words.
_SPACED: Final = re.compile(r"(?<!\S)\S(?:[ \t\u00a0\u2002-\u200a\u202f]{1,3}\S){3,}(?![^\s:=,.;!?])")
# In letters that were put together nothing says where a word ends, but for what a secret is called.
_NAMED: Final = re.compile(
    r"(?P<name>pass(?:word|wort|code|phrase)|pwd|api-?key|secret|token|pin)(?P<joint>is|=|:)?(?=\S{4})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class View:
    """A spelling of a text. `places` has for each character the place of the one that it stands for; None: the same."""

    text: str
    places: list[int] | None = None

    def located(self, start: int, end: int) -> tuple[int, int]:
        """From where to where in the text itself a stretch of the view lies."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def views(text: str) -> Iterator[View]:
    """The text as it reads, and where letters are spaced out, with these put together too."""
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
    """What is left without the spaces between letters; of those between words there is one."""
    kept = [(text[place], place) for place in range(start, end) if not text[place].isspace()]
    spaced = [kept[0]]
    for before, letter in pairwise(kept):
        spaced += [(" ", letter[1])] * (letter[1] - before[1] > 2) + [letter]
    return spaced


def _words(run: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Letters that were put together, with spaces around what a secret is called and what joins it to its value."""
    named = _NAMED.search("".join(letter for letter, _ in run))
    if named is None:
        return run
    cuts = sorted({named.start(), named.end("name"), named.end()})
    spaced: list[tuple[str, int]] = []
    for number, letter in enumerate(run):
        spaced += [(" ", letter[1])] * (number in cuts) + [letter]
    return spaced
