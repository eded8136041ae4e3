"""Turns as the tagger reads them: as tokens, in the light of the lines before.

What belongs here: what is read together, and where in it something stands. What does not: what it says
(`nlp.frames.tagger`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tokenizers import Tokenizer

if TYPE_CHECKING:
    from spacy.tokens import Doc

LINES: Final = 2
"""So many lines before are read too."""
_LONGEST_LINE: Final = 240
"""Of a line before so many characters, its last."""
_LONGEST_PART: Final = 1_000
"""A turn of more characters is read in parts."""
_MOST_TOKENS: Final = 512
_TOKENIZER: Final = Path(__file__).parents[1] / "models" / "tokenizer.json"

Range = tuple[int, int]
Tokens = tuple[int, ...]
"""The numbers of some tokens."""


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said, by first name."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Framed:
    """A part of a turn with the lines before, as tokens: their `ids`, and where in the `text` each begins and ends;
    `plain` is the text for finding names in.

    `speaker` are those of the name of who speaks; `shift` leads from a place in the turn to one in the text; the part
    ends at `end` in the turn.
    """

    text: str
    plain: str
    ids: Tokens
    starts: Tokens
    ends: Tokens
    speaker: Range
    shift: int
    end: int

    def over(self, ranges: Iterable[Range]) -> Tokens:
        """The tokens of some ranges of the turn; the first token of all, which stands for the whole, if there are
        none.
        """
        found = {token for start, end in ranges for token in self._over(start + self.shift, end + self.shift)}
        return tuple(sorted(found)) or (0,)

    def of_speaker(self) -> Tokens:
        """The tokens of the name of who speaks."""
        return tuple(self._over(*self.speaker)) or (0,)

    def where(self, name: str, before: int) -> Tokens:
        """The tokens of a name, or else of its last word, where it stands last before a place of the turn."""
        for words in (_plain(name), _plain(name.rpartition(" ")[2]).removesuffix("'s")):
            at = self._last(words, before + self.shift)
            if at is not None:
                return tuple(self._over(at, at + len(words))) or (0,)
        return (0,)

    def _last(self, words: str, end: int) -> int | None:
        """Where words stand last as a whole."""
        at = self.plain.rfind(words, 0, end) if words else -1
        while at >= 0:
            behind = self.plain[at + len(words) : at + len(words) + 1]
            if not (self.plain[at - 1 : at].isalnum() or behind.isalnum()):
                return at
            at = self.plain.rfind(words, 0, at + len(words) - 1)
        return None

    def _over(self, start: int, end: int) -> range:
        # The first and the last token mark the beginning and the end, and stand nowhere.
        last = len(self.ids) - 1
        return range(bisect_right(self.ends, start, 1, last), bisect_left(self.starts, end, 1, last))


def frames(before: Sequence[Line], speaker: str, doc: "Doc") -> list[Framed]:
    """The parts of a turn, each with the lines before it."""
    lines, found = list(before), []
    for start, end in _parts(doc):
        line = Line(speaker, doc.text[start:end])
        found.append(_framed(lines[-LINES:], line, start))
        lines.append(line)
    return found


def _parts(doc: "Doc") -> Iterator[Range]:
    start = 0
    for sentence in doc.sents:
        if start < sentence.start_char and sentence.end_char - start > _LONGEST_PART:
            yield start, sentence.start_char
            start = sentence.start_char
    yield start, len(doc.text)


def _plain(text: str) -> str:
    """A text in small letters and without hyphens, each character where it was."""
    lower = text.lower()
    if len(lower) != len(text):  # of some letters the small one is two
        lower = "".join(each.lower() if len(each.lower()) == 1 else each for each in text)
    return lower.replace("-", " ")


def _framed(before: Sequence[Line], line: Line, start: int) -> Framed:
    context = "".join(f"{each.speaker}: {each.text[-_LONGEST_LINE:]}\n" for each in before)
    text = f"{context}{line.speaker}: {line.text}".encode("utf-8", "replace").decode()  # halves of characters are not
    encoded = _tokenizer().encode(text)
    starts, ends = zip(*encoded.offsets, strict=True)
    return Framed(
        text,
        _plain(text),
        tuple(encoded.ids),
        starts,
        ends,
        speaker=(len(context), len(context) + len(line.speaker)),
        shift=len(text) - len(line.text) - start,
        end=start + len(line.text),
    )


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(_TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS, direction="left")
    return tokenizer
