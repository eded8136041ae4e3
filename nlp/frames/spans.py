"""Expansion of tagged words to whole phrases of the parse: names, noun phrases, amounts.

What belongs here: where a phrase begins and ends, and whether it is a value or a name of something. What does not:
which phrase fills a slot (`nlp.frames.filling`, `nlp.frames.constructions`).
"""

from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.naming import is_hyphen
from hippograph.nlp.frames.frame import NAMES, SlotType

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

LONGEST_PHRASE: Final = 8
"""Maximum number of words of a phrase that fills a slot."""
_MEASURES: Final = frozenset({"a1c", "hba1c", "bmi", "bp"})
"""Short names of measured values."""
_BEFORE: Final = {"DET", "PUNCT", "CCONJ", "SCONJ", "ADP", "PART", "SPACE", "INTJ"}
_BEHIND: Final = {"DET", "PUNCT", "CCONJ", "SCONJ", "ADP", "PART", "SPACE", "INTJ", "PRON", "AUX"}
_PAUSES: Final = frozenset({",", ";", ":", "(", ")", "—", "–", "."})
_COUNTED: Final = {"DATE", "TIME", "CARDINAL", "ORDINAL"}
_FREQUENT: Final = frozenset({"every", "each"})


def snapped(sentence: "Span", start: int, end: int, sort: SlotType, *, who: bool) -> "Span | None":
    """Returns words as a whole phrase of the parse, without small words at the edges; with `who` as they are. None if
    nothing is left, or more than `LONGEST_PHRASE` words.
    """
    tokens = list(sentence[start:end])
    if who:
        return sentence[start:end]
    tokens = _before_pause(tokens)
    while tokens and _before(tokens[0]) and not _kept(tokens[0]):
        tokens.pop(0)
    while tokens and _behind(tokens[-1], sort) and not _kept(tokens[-1]):
        tokens.pop()
    if not tokens:
        return None
    first, last = tokens[0].i, tokens[-1].i
    if sort in NAMES or sort == "phrase":
        first, last = whole_phrase(sentence, first, last)
    words = sentence.doc[first : last + 1]
    return words if len(words) <= LONGEST_PHRASE else None


def _before_pause(tokens: "list[Token]") -> "list[Token]":
    """Returns a phrase up to the first punctuation that ends it: 90, 60 people came."""
    end = next((at for at, token in enumerate(tokens) if at and token.text in _PAUSES), len(tokens))
    return tokens[:end]


def _before(token: "Token") -> bool:
    """Whether a first word does not belong to a phrase: the, my, at, has."""
    verb = token.pos_ in {"VERB", "AUX"} and token.tag_ in {"VBD", "VBZ", "VBP", "VB"}
    return token.pos_ in _BEFORE or token.tag_ == "PRP$" or verb


def _behind(token: "Token", sort: SlotType) -> bool:
    """Whether a last word does not belong to a phrase: Tom yesterday."""
    return token.pos_ in _BEHIND or (sort in NAMES and token.ent_type_ in _COUNTED)


def _kept(token: "Token") -> bool:
    """Whether a small word at an edge belongs to the phrase."""
    return token.lower_ in {"no", "not"} | _FREQUENT or token.text in {"$", "£", "€", "%"} or token.tag_ == "CD"


def whole_phrase(sentence: "Span", first: int, last: int) -> tuple[int, int]:
    """Returns the first and last word of a phrase, expanded to the whole noun: from its compounds to its head, and to
    all of a name of which it contains a part.
    """
    doc = sentence.doc
    while last + 1 < sentence.end and doc[last].dep_ == "compound" and _continues(doc[last + 1]):
        last += 1
    while first > sentence.start and _modifies(doc[first - 1], first, last):
        first -= 1
    for name in sentence.ents:
        if name.label_ not in _COUNTED and name.root.pos_ == "PROPN" and name.start <= last and first < name.end:
            first, last = min(first, name.start), max(last, name.end - 1)
    while first > sentence.start + 1 and is_hyphen(doc[first - 1]):
        first -= 2
    while last + 2 < sentence.end and is_hyphen(doc[last + 1]):
        last += 2
    article = doc[first].pos_ == "DET" and doc[first].lower_ not in _FREQUENT
    return (first + 1 if article and first < last else first), last


def _continues(token: "Token") -> bool:
    """Whether a word behind a compound belongs to it; a day does not: Tom yesterday."""
    return token.pos_ in {"NOUN", "PROPN"} and token.ent_type_ not in _COUNTED


def _modifies(token: "Token", first: int, last: int) -> bool:
    """Whether a word before a phrase is part of a compound with its noun."""
    return token.dep_ in {"compound", "nmod"} and first <= token.head.i <= last


def is_value(words: "Span") -> bool:
    """Whether words are a measured value or its short name, and no condition: 5.8, A1c."""
    return words.text.casefold() in _MEASURES or not any(map(str.isalpha, words.text))
