"""The words that a statement was taken from, as they were written, and a quotation with who said it.

What belongs here: finding the words of a clause in a turn that was spelled anew to be parsed, and the form of a
quotation. What does not: how a statement is worded (`nlp.frames.telling`).
"""

import re
from bisect import bisect_left, bisect_right
from difflib import Match, SequenceMatcher
from functools import cached_property
from operator import itemgetter
from typing import Final

from hippograph.nlp.extraction.naming import first_name

LONGEST_QUOTATION: Final = 300
"""So many characters of a turn are quoted."""
_QUOTATION: Final = re.compile(r'(?P<speaker>[^":\n]{1,100}): "(?P<words>[^\n]+)"')
_SAYS: Final = " says that "
_WORD: Final = re.compile(r"\S+")
_STOP: Final = re.compile(r"(?<=[.!?…])[\"”')]*\s+|\n\s*")


def quotation(speaker: str, words: str) -> str:
    """Words with who said them: Ben: "my aunt has the frame shop"."""
    return f'{speaker}: "{words}"'


def quoted(content: str, name: str) -> tuple[str, str]:
    """The name that stands before the words of a quotation of somebody of this full name, and the words; of anything
    else no name, and all of it: in *mine will be short: "no"* nobody speaks.
    """
    found = _QUOTATION.fullmatch(content)
    if found is None or found["speaker"] not in (name, first_name(name)):
        return "", content
    return found["speaker"], found["words"]


def reported(speaker: str, sentence: str) -> str:
    """A sentence as the word of who said it: Ben says that Ana likes sushi."""
    return f"{speaker}{_SAYS}{sentence}"


def without_speaker(content: str, name: str) -> str:
    """The words of a quotation of somebody of this full name, in their marks and without the name, and what they are
    reported to say; of anything else all of it.
    """
    speaker, _ = quoted(content, name)
    if speaker:
        return content[len(speaker) + 2 :]
    return next((content.removeprefix(said) for said in _reports(name) if content.startswith(said)), content)


def _reports(name: str) -> list[str]:
    return [f"{each}{_SAYS}" for each in (name, first_name(name)) if each]


class Quoting:
    """Quotes a turn: its `text` as written, and as it was `spelled` to be parsed."""

    def __init__(self, text: str, spelled: str) -> None:
        self._text = text
        self._spelled = spelled

    def sentence(self, start: int, end: int) -> str:
        """The written sentences around the characters from `start` to `end` of the spelled turn; of very long ones only
        the words themselves, and no more than are quoted.
        """
        first, last = self._written(start, end)
        begins, ends = self._stops
        begin = next(reversed(begins[: bisect_right(begins, first)]), 0)
        until = next(iter(ends[bisect_left(ends, last) :]), len(self._text))
        if until - begin > LONGEST_QUOTATION:
            begin, until = first, min(last, first + LONGEST_QUOTATION)
        return self._text[begin:until].strip()

    def words(self, start: int, end: int) -> str:
        """The written words between two characters of the spelled turn."""
        first, last = self._written(start, end)
        return self._text[first:last].strip()

    def parted(self, start: int, at: int, end: int) -> tuple[str, str]:
        """The written words up to a place of the spelled turn, and those behind it."""
        first, middle = self._written(start, at)
        last = self._written(start, end)[1]
        return self._text[first:middle].strip(), self._text[middle:last].strip()

    def _written(self, start: int, end: int) -> tuple[int, int]:
        """Where words of the spelled turn stand in the written one, as characters."""
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
        """Which written word a spelled one was; of one that was not written, the next one, or `behind` it the last."""
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
        """Where sentences of the written turn begin behind a stop, and where the stops before that begin."""
        stops = list(_STOP.finditer(self._text))
        return [stop.end() for stop in stops], [stop.start() for stop in stops]

    @cached_property
    def _words(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Where the words of the spelled turn and of the written one stand."""
        spelled, written = _WORD.finditer(self._spelled), _WORD.finditer(self._text)
        return [found.span() for found in spelled], [found.span() for found in written]

    @cached_property
    def _alike(self) -> list[Match]:
        written, spelled = self._text.casefold().split(), self._spelled.casefold().split()
        # Words that are there again and again are matched beside others alone: else time would be quadratic in them.
        return SequenceMatcher(None, written, spelled).get_matching_blocks()
