"""Composes a context: selects pieces within a token budget and writes them (R8).

Pure functions. Pieces are given in order of preference; nothing here knows where they were read.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from hippograph.graph.context.fence import defused, fenced

CountTokens = Callable[[str], int]
"""Returns the number of tokens of a text."""

_WORD: Final = re.compile(r"\w+")


class Section(StrEnum):
    """The sections of a context, in their order."""

    BLOCKS = "blocks"
    STATE = "state"
    PINNED = "pinned"
    SPINE = "spine"
    SUMMARIES = "summaries"
    TODOS = "todos"
    FACTS = "facts"
    PROFILES = "profiles"
    TEMPORAL = "temporal"
    EVIDENCE = "evidence"


TITLES: Final = {
    Section.BLOCKS: "Working memory",
    Section.STATE: "About you",
    Section.PINNED: "Always remembered",
    Section.SPINE: "In short",
    Section.SUMMARIES: "Lately",
    Section.TODOS: "Open",
    Section.FACTS: "What is known",
    Section.PROFILES: "People and things",
    Section.TEMPORAL: "What was said",
}
"""Headings of the sections. Evidence has none, since a quotation stands under its fact."""

ALWAYS: Final = {
    Section.BLOCKS: 0.40,
    Section.STATE: 0.15,
    Section.PINNED: 0.15,
    Section.SPINE: 0.10,
    Section.SUMMARIES: 0.10,
    Section.TODOS: 0.10,
}
SEARCHED: Final = {Section.FACTS: 0.40, Section.PROFILES: 0.25, Section.TEMPORAL: 0.25, Section.EVIDENCE: 0.10}
"""Share of the token budget of each section, 0 to 1. What a section leaves unused goes to the next one (R8)."""


class Reason(StrEnum):
    """Why a piece is in the context."""

    BLOCK = "block"
    STATE = "state"
    PINNED = "pinned"
    SPINE = "spine"
    SUMMARY = "summary"
    TODO = "todo"
    CARD = "card"
    FOUND = "found"
    PROFILE = "profile"
    SOURCE = "source"


class LeftOut(StrEnum):
    """Why a piece is not in the context."""

    BUDGET = "budget"
    REPEATED = "repeated"
    IRRELEVANT = "irrelevant"


@dataclass(frozen=True, slots=True)
class Part:
    """Some words, and the id of the memory that they come from, or None. `said` is the prefix that names the speaker
    (`graph.context.attribution`). A part covers its memory and those in `same_as` and `made_of`. It is left out if one
    of `same_as` or all of `made_of` are covered already. Memories in `made_of` may still be shown themselves.
    """

    text: str
    memory_id: str | None = None
    said: str = ""
    same_as: tuple[str, ...] = ()
    made_of: frozenset[str] = frozenset()

    def written(self, id_length: int | None = None) -> str:
        """`said` and the words in one line, with markup escaped, then the memory's id or its first characters."""
        words = f"{self.said}{defused(self.text)}"
        return f"{words} [id:{self.memory_id[:id_length]}]" if self.memory_id else words


@dataclass(frozen=True, slots=True)
class Piece:
    """An item that may stand in a context: the words `lead`, then one or more parts.

    `detail` adds to the reason: the key of a card's entity, the rank of a search result, or the fact whose source this
    is. `under` is the id of the fact under which a quotation stands; without that fact the quotation is left out.
    `order` is the sort key within the section; pieces with equal keys, such as empty ones, keep their order.
    """

    section: Section
    reason: Reason
    parts: tuple[Part, ...]
    lead: str = ""
    detail: str = ""
    under: str | None = None
    order: str = ""

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """The ids of the memories of its parts."""
        return tuple(part.memory_id for part in self.parts if part.memory_id)

    def written(self, id_length: int | None = None) -> str:
        """The item as a line of Markdown, with `id_length` characters of each id, or all."""
        words = f"{self.lead}{'; '.join(part.written(id_length) for part in self.parts)}"
        return f"  > {words}" if self.under else f"- {words}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A piece in the context, and its size in tokens."""

    piece: Piece
    tokens: int


@dataclass(frozen=True, slots=True)
class Omission:
    """A piece that is not in the context, and why."""

    piece: Piece
    why: LeftOut


@dataclass(frozen=True, slots=True)
class Composed:
    """The text of some sections, its size in tokens, the pieces in it, and those left out."""

    text: str
    tokens: int
    entries: tuple[Entry, ...]
    left_out: tuple[Omission, ...]


EMPTY: Final = Composed("", 0, (), ())


def compose(
    pieces: Sequence[Piece],
    shares: Mapping[Section, float],
    budget: int,
    count: CountTokens,
    before: Composed = EMPTY,
    *,
    id_length: int | None = None,
) -> Composed:
    """Returns the pieces that fit into a budget of tokens, section by section, earlier pieces first.

    Each section has its share and what the sections before it left unused. Tokens left at the end go to pieces that did
    not fit, in the same order. Repetition is left out: the same words, whatever their case and punctuation, what
    `before` has, and parts that others cover (`Part`). The text has a fence of its own, behind the notice unless
    `before` has it; both count against the budget. `id_length` is the number of characters written of each id; without
    it ids are written in full.
    """
    composing = _Composing(count, _shown(before), notice=not before.text, id_length=id_length)
    room = max(0, budget - composing.fence_tokens)
    left = 0.0
    waiting: list[Piece] = []
    for section, share in shares.items():
        left += share * room
        for piece in (each for each in pieces if each.section is section):
            used = composing.add(piece, left)
            if used is None:
                waiting.append(piece)
            left -= used or 0
    for piece in waiting:
        used = composing.add(piece, left)
        if used is None and composing.stands(piece):
            composing.leave_out(piece, LeftOut.BUDGET)
        left -= used or 0
    return composing.composed(shares, budget)


def _shown(composed: Composed) -> set[str]:
    return {trace for entry in composed.entries for part in entry.piece.parts for trace in _traces(part)}


def _traces(part: Part) -> set[str]:
    """The traces that a part leaves when it is shown: its marks, and the memories that it covers."""
    own = {part.memory_id} if part.memory_id else set()
    return _marks(part) | {_told(each) for each in own | part.made_of}


def _marks(part: Part) -> set[str]:
    """The traces that make a part a repetition: its words, its memory, or one that says the same."""
    words = " ".join(_WORD.findall(part.text.casefold())) or part.text
    marks = {f"text {words}", *map(_told, part.same_as)}
    return marks | {f"id {part.memory_id}"} if part.memory_id else marks


def _told(memory_id: str) -> str:
    return f"told {memory_id}"


class _Composing:
    """The pieces chosen so far."""

    def __init__(self, count: CountTokens, shown: set[str], *, notice: bool, id_length: int | None) -> None:
        self.fence_tokens = count(fenced("-", notice=notice))
        self._notice = notice
        self._count = count
        self._shown = shown
        self._id_length = id_length
        self._entries: list[Entry] = []
        self._left_out: list[Omission] = []

    def add(self, piece: Piece, allowance: float) -> int | None:
        """Adds a piece without its repeated parts, and without its last parts if not all fit. Returns the tokens used,
        0 if every part is a repetition, or None if nothing fits or the fact that a quotation belongs to is missing.
        """
        if not self.stands(piece):
            return None
        new = replace(piece, parts=tuple(self._new(piece.parts)))
        if len(new.parts) < len(piece.parts):
            gone = tuple(part for part in piece.parts if part not in new.parts)
            self.leave_out(replace(piece, parts=gone), LeftOut.REPEATED)
        if not new.parts:
            return 0
        first = all(entry.piece.section is not piece.section for entry in self._entries)
        heading = self._count(_heading(piece.section)) if first and piece.section in TITLES else 0
        tokens = self._count(new.written(self._id_length))
        if heading + tokens > allowance:
            return self._shortened(new, allowance - heading, heading)
        self._take(new, tokens)
        return heading + tokens

    def stands(self, piece: Piece) -> bool:
        """Whether a piece can be added: a quotation needs its fact in the context."""
        return piece.under is None or any(
            piece.under in entry.piece.memory_ids for entry in self._entries if entry.piece.under is None
        )

    def leave_out(self, piece: Piece, why: LeftOut) -> None:
        """Records that a piece is left out."""
        self._left_out.append(Omission(piece, why))

    def composed(self, sections: Iterable[Section], budget: int) -> Composed:
        """The chosen pieces as text. A tokenizer may count more for joined lines than for single ones; then the last
        pieces are removed until the text is within the budget.
        """
        while True:
            pieces = [entry.piece for entry in self._entries]
            text = fenced(_written(sections, pieces, self._id_length), notice=self._notice)
            tokens = self._count(text) if text else 0
            if tokens <= budget or not self._entries:
                return Composed(text, tokens, tuple(self._entries), tuple(dict.fromkeys(self._left_out)))
            gone = self._entries.pop().piece
            self._entries = [entry for entry in self._entries if entry.piece.under not in gone.memory_ids]
            self.leave_out(gone, LeftOut.BUDGET)

    def _shortened(self, piece: Piece, allowance: float, heading: int) -> int | None:
        """Adds as many leading parts of a card or a profile as fit. Returns the tokens used, or None if none fits."""
        for length in range(len(piece.parts) - 1, 0, -1):
            shorter = replace(piece, parts=piece.parts[:length])
            tokens = self._count(shorter.written(self._id_length))
            if tokens <= allowance:
                self.leave_out(replace(piece, parts=piece.parts[length:]), LeftOut.BUDGET)
                self._take(shorter, tokens)
                return heading + tokens
        return None

    def _new(self, parts: Iterable[Part]) -> Iterable[Part]:
        shown = set(self._shown)
        for part in parts:
            told = part.made_of and shown.issuperset(map(_told, part.made_of))
            if not told and shown.isdisjoint(_marks(part)):
                shown.update(_traces(part))
                yield part

    def _take(self, piece: Piece, tokens: int) -> None:
        self._entries.append(Entry(piece, tokens))
        self._shown.update(trace for part in piece.parts for trace in _traces(part))


def _heading(section: Section) -> str:
    return f"## {TITLES[section]}"


def _written(sections: Iterable[Section], pieces: Sequence[Piece], id_length: int | None) -> str:
    """The pieces under the headings of their sections, quotations under their facts. Empty sections are left out."""
    quoted: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.under:
            quoted.setdefault(piece.under, []).append(piece)
    blocks = []
    for section in sections:
        items = sorted((p for p in pieces if p.section is section and not p.under), key=lambda piece: piece.order)
        if items:
            lines = [line for item in items for line in _lines(item, quoted, id_length)]
            blocks.append("\n".join([_heading(section), *lines]))
    return "\n\n".join(blocks)


def _lines(item: Piece, quoted: Mapping[str, Sequence[Piece]], id_length: int | None) -> list[str]:
    quotations = [piece for memory_id in item.memory_ids for piece in quoted.get(memory_id, ())]
    return [each.written(id_length) for each in (item, *quotations)]
