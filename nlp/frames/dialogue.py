"""Prepares a dialogue for the tagger: known names, the turns as spaCy parses them, and the lines before each."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.statements import Said
from hippograph.nlp.frames.token_window import LINES, Framed, Line, frames
from hippograph.nlp.language import LanguageModel
from hippograph.nlp.names.recognition import TYPES, spotted
from hippograph.nlp.names.tagging import tagged
from hippograph.nlp.parsing.spelling import handles_of, known_names, spelled

if TYPE_CHECKING:
    from spacy.tokens import Doc

_LABELS: Final = {
    "person": "PERSON",
    "place": "GPE",
    "organization": "ORG",
    "project": "PRODUCT",
    "tool": "PRODUCT",
    "animal": "EVENT",
    "other": "EVENT",
}
"""spaCy's label for each sort of name. Sorts without a label of their own get `EVENT`."""


def names_in(turns: Sequence[Said], participants: Sequence[str]) -> set[str]:
    """Returns the known names of a talk: what people write with a capital within sentences, and the participants' first
    names.
    """
    return {*known_names(turn.text for turn in turns if turn.speaker), *(first_name(name) for name in participants)}


def parsed(
    language: LanguageModel,
    turns: Sequence[Said],
    participants: Sequence[str],
    names: Collection[str],
    models: Path | None,
) -> "Iterator[Doc]":
    """Yields the turns in order, normalised and parsed by spaCy. If a folder of models is given, its tagger's names
    replace spaCy's.
    """
    handles = handles_of([*participants, *(turn.speaker for turn in turns if turn.speaker)])
    with language.reading([spelled(turn.text, names, handles) for turn in turns]) as docs:
        for doc in docs:
            if models is not None:
                name_entities(doc, models)
            yield doc


def name_entities(doc: "Doc", models: Path) -> None:
    """Replaces the names of a parse by those that the tagger finds. Dates, numbers and the like stay."""
    from spacy.util import filter_spans

    found = [
        doc.char_span(name.start, name.end, label=_LABELS[name.sort], alignment_mode="expand")
        for name in tagged(models, doc.text, spotted(doc))
    ]
    names = [span for span in found if span is not None]
    taken = {token.i for span in names for token in span}
    others = [span for span in doc.ents if span.label_ not in TYPES and taken.isdisjoint(token.i for token in span)]
    doc.set_ents([*filter_spans(names), *others])


def framed(turns: Sequence[Said], number: int, doc: "Doc") -> list[Framed]:
    """The parts of a turn as token windows, each with the lines before it."""
    before = [Line(_called(each), each.text) for each in turns[max(0, number - LINES) : number]]
    return frames(before, _called(turns[number]), doc)


def _called(turn: Said) -> str:
    return first_name(turn.speaker) if turn.speaker else "assistant"
