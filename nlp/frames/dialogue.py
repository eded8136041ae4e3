"""A dialogue on its way to the parser: its names, its turns as spaCy reads them, and in the light of those before."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from nlp.extraction.naming import first_name
from nlp.extraction.statements import Said
from nlp.frames.token_window import LINES, Framed, Line, frames
from nlp.language import LanguageModel
from nlp.parsing.spelling import handles_of, known_names, spelled

if TYPE_CHECKING:
    from spacy.tokens import Doc


def names_in(turns: Sequence[Said], participants: Sequence[str]) -> set[str]:
    """What is known to be a name in a talk: what people write with a capital, and the first names of `participants`."""
    return {*known_names(turn.text for turn in turns if turn.speaker), *(first_name(name) for name in participants)}


def parsed(
    language: LanguageModel, turns: Sequence[Said], participants: Sequence[str], names: Collection[str]
) -> "Iterator[Doc]":
    """The turns as spaCy reads them, spelled anew, in their order."""
    handles = handles_of([*participants, *(turn.speaker for turn in turns if turn.speaker)])
    with language.reading([spelled(turn.text, names, handles) for turn in turns]) as docs:
        yield from docs


def framed(turns: Sequence[Said], number: int, doc: "Doc") -> list[Framed]:
    """The parts of a turn, each with the lines before it."""
    before = [Line(_called(each), each.text) for each in turns[max(0, number - LINES) : number]]
    return frames(before, _called(turns[number]), doc)


def _called(turn: Said) -> str:
    return first_name(turn.speaker) if turn.speaker else "assistant"
