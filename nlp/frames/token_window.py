"""The input of the tagger: the tokens of each sentence of a turn, with the lines before it as context.

What belongs here: which text is read together, and where a token stands in it. What does not: the tags
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
"""Maximum number of lines of context before a sentence."""
_LONGEST_LINE: Final = 240
"""Maximum number of characters of a line of context; the last ones are read."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """Something said; `speaker` is a first name."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Framed:
    """The tokens of a sentence with the lines before it. `text` is what was tokenized; `starts` and `ends` are the
    character offsets of the tokens in it. `shift` is added to an offset in the turn to get one in `text`. `end` is
    where the sentence ends in the turn.
    """

    text: str
    ids: Tokens
    starts: Tokens
    ends: Tokens
    shift: int
    end: int

    def over(self, ranges: Iterable[Range]) -> Tokens:
        """Returns the positions of the tokens in some character ranges of the turn; (0,), the token of the whole text,
        if there are none.
        """
        found = {token for start, end in ranges for token in self._over(start + self.shift, end + self.shift)}
        return tuple(sorted(found)) or (0,)

    def _over(self, start: int, end: int) -> range:
        # The first and the last token mark the beginning and the end and have no offsets.
        last = len(self.ids) - 1
        return range(bisect_right(self.ends, start, 1, last), bisect_left(self.starts, end, 1, last))


def frames(before: Sequence[Line], speaker: str, doc: "Doc") -> list[Framed]:
    """Returns a window for each sentence of a turn, with the lines before it. Each is tagged alone: tagged together,
    the frames of one sentence would change what is found in the others.
    """
    lines, found = list(before), []
    for start, end in _parts(doc):
        line = Line(speaker, doc.text[start:end])
        found.append(_framed(lines[-LINES:], line, start))
        lines.append(line)
    return found


def _parts(doc: "Doc") -> Iterator[Range]:
    """Yields the character range of each sentence, up to the start of the next."""
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
