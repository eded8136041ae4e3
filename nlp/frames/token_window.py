"""Turns as the tagger reads them: as tokens, in the light of the lines before.

What belongs here: what is read together, and where in it something stands. What does not: what it says
(`nlp.frames.tagger`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hippograph.nlp.models.encoder import Tokens, encoded
from hippograph.nlp.text import whole_characters

if TYPE_CHECKING:
    from spacy.tokens import Doc

LINES: Final = 2
"""So many lines before are read too."""
_LONGEST_LINE: Final = 240
"""Of a line before so many characters, its last."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said, by first name."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Framed:
    """A sentence of a turn with the lines before, as tokens: their `ids`, and where in the `text` each begins and ends;
    `shift` leads from a place in the turn to one in the text; the part ends at `end` in the turn.
    """

    text: str
    ids: Tokens
    starts: Tokens
    ends: Tokens
    shift: int
    end: int

    def over(self, ranges: Iterable[Range]) -> Tokens:
        """The tokens of some ranges of the turn; the first token of all, which stands for the whole, if there are
        none.
        """
        found = {token for start, end in ranges for token in self._over(start + self.shift, end + self.shift)}
        return tuple(sorted(found)) or (0,)

    def _over(self, start: int, end: int) -> range:
        # The first and the last token mark the beginning and the end, and stand nowhere.
        last = len(self.ids) - 1
        return range(bisect_right(self.ends, start, 1, last), bisect_left(self.starts, end, 1, last))


def frames(before: Sequence[Line], speaker: str, doc: "Doc") -> list[Framed]:
    """The sentences of a turn, each with the lines before it. They are read one by one: read together, the frames of
    one would change what is found in the others.
    """
    lines, found = list(before), []
    for start, end in _parts(doc):
        line = Line(speaker, doc.text[start:end])
        found.append(_framed(lines[-LINES:], line, start))
        lines.append(line)
    return found


def _parts(doc: "Doc") -> Iterator[Range]:
    """The sentences, each with what stands between it and the next."""
    start = 0
    for sentence in doc.sents:
        if start < sentence.start_char:
            yield start, sentence.start_char
            start = sentence.start_char
    yield start, len(doc.text)


def _framed(before: Sequence[Line], line: Line, start: int) -> Framed:
    context = "".join(f"{each.speaker}: {each.text[-_LONGEST_LINE:]}\n" for each in before)
    text = whole_characters(f"{context}{line.speaker}: {line.text}")
    return Framed(
        text,
        *encoded(text),
        shift=len(text) - len(line.text) - start,
        end=start + len(line.text),
    )
