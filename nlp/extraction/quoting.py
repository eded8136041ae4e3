"""Quotations: the original words that a statement was extracted from, and the form of a quotation with its speaker.

What belongs here: mapping words of the normalised text that was parsed (`nlp.parsing.spelling`) back to the original
turn, and the form of a quotation. What does not: how a statement is worded (`nlp.frames.telling`).
"""

import re
from bisect import bisect_left, bisect_right
from difflib import Match, SequenceMatcher
from functools import cached_property
from operator import itemgetter
from typing import Final

from hippograph.nlp.extraction.naming import first_name

LONGEST_QUOTATION: Final = 300
"""Maximum length of a quoted sentence, in characters."""
_QUOTATION: Final = re.compile(r'(?P<speaker>[^":\n]{1,100}): "(?P<words>[^\n]+)"')
_SAYS: Final = " says that "
_WORD: Final = re.compile(r"\S+")
_STOP: Final = re.compile(r"(?<=[.!?…])[\"”')]*\s+|\n\s*")


def quotation(speaker: str, words: str) -> str:
    """A quotation with its speaker: Ben: "my aunt has the frame shop"."""
    return f'{speaker}: "{words}"'


def quoted(content: str, name: str) -> tuple[str, str]:
    """Splits a quotation of the person with this full name into the speaker, as written, and the words. Anything else
    is returned whole with an empty speaker: *mine will be short: "no"*.
    """
    found = _QUOTATION.fullmatch(content)
    if found is None or found["speaker"] not in (name, first_name(name)):
        return "", content
    return found["speaker"], found["words"]


def reported(speaker: str, sentence: str) -> str:
    """A sentence in reported speech: Ben says that Ana likes sushi."""
    return f"{speaker}{_SAYS}{sentence}"


def without_speaker(content: str, name: str) -> str:
    """Removes the speaker from a quotation or a reported sentence of the person with this full name; quotation marks
    stay. Any other content is returned unchanged.
    """
    speaker, _ = quoted(content, name)
    if speaker:
        return content[len(speaker) + 2 :]
    return next((content.removeprefix(said) for said in _reports(name) if content.startswith(said)), content)


def _reports(name: str) -> list[str]:
    return [f"{each}{_SAYS}" for each in (name, first_name(name)) if each]


class Quoting:
    """Quotes a turn. `text` is the original, `spelled` the normalised text that was parsed."""

    def __init__(self, text: str, spelled: str) -> None:
        self._text = text
        self._spelled = spelled

    def sentence(self, start: int, end: int) -> str:
        """The original sentences around the characters `start` to `end` of the normalised text. If they are longer than
        `LONGEST_QUOTATION`, only the words themselves, cut to that length.
        """
        first, last = self._written(start, end)
        begins, ends = self._stops
        begin = next(reversed(begins[: bisect_right(begins, first)]), 0)
        until = next(iter(ends[bisect_left(ends, last) :]), len(self._text))
        if until - begin > LONGEST_QUOTATION:
            begin, until = first, min(last, first + LONGEST_QUOTATION)
        return self._text[begin:until].strip()

    def words(self, start: int, end: int) -> str:
        """The original words of the characters `start` to `end` of the normalised text."""
        first, last = self._written(start, end)
        return self._text[first:last].strip()

    def parted(self, start: int, at: int, end: int) -> tuple[str, str]:
        """The original words of a range of the normalised text, split at the character `at`."""
        first, middle = self._written(start, at)
        last = self._written(start, end)[1]
        return self._text[first:middle].strip(), self._text[middle:last].strip()

    def _written(self, start: int, end: int) -> tuple[int, int]:
        """Maps a range of characters of the normalised text to one of the original; to all of it if no word is in the
        range.
        """
        if self._text == self._spelled:
            return start, end
        spelled, written = self._words
        among = range(bisect_right(spelled, start, key=itemgetter(1)), bisect_left(spelled, end, key=itemgetter(0)))
        if not among or not written:
            return 0, len(self._text)
        first, last = self._place(among[0], behind=False), self._place(among[-1], behind=True)
        first = min(first, len(written) - 1)
        return written[first][0], written[max(first, last)][1]

    def _place(self, word: int, *, behind: bool) -> int:
        """The index of the original word that matches a normalised one. Without a match, the index after the preceding
        match, or (`behind`) the one before the next match.
        """
        at = bisect_right(self._alike, word, key=lambda block: block.b + block.size)
        before = self._alike[at - 1].a + self._alike[at - 1].size if at else 0
        if at == len(self._alike):
            return before
        block = self._alike[at]
        if word < block.b:
            return block.a - 1 if behind else before
        return block.a + word - block.b

    @cached_property
    def _stops(self) -> tuple[list[int], list[int]]:
        """Character offsets in the original where sentences begin after a stop, and where the sentences before end."""
        stops = list(_STOP.finditer(self._text))
        return [stop.end() for stop in stops], [stop.start() for stop in stops]

    @cached_property
    def _words(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The character ranges of the words of the normalised and of the original text."""
        spelled, written = _WORD.finditer(self._spelled), _WORD.finditer(self._text)
        return [found.span() for found in spelled], [found.span() for found in written]

    @cached_property
    def _alike(self) -> list[Match]:
        written, spelled = self._text.casefold().split(), self._spelled.casefold().split()
        # `autojunk` matches frequent words only next to others; without it, time would be quadratic in them.
        return SequenceMatcher(None, written, spelled).get_matching_blocks()
