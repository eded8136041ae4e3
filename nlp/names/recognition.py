"""Recognition of names of people, places, organizations and things in a text.

What belongs here: the names that the trained tagger finds (in other languages than English, spaCy's model), cleaned of
chat noise; and handles. What does not: who or what a name means (that needs the graph).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal

from hippograph.nlp.errors import LanguageModelUnavailable
from hippograph.nlp.language import LanguageModel
from hippograph.nlp.models import MODELS
from hippograph.nlp.names.listed import is_ambiguous, is_given
from hippograph.nlp.names.normalization import words_of
from hippograph.nlp.parsing.informal_words import CALENDAR, INTERJECTIONS, NOBODY, ROOM_HANDLES
from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.text import whole_characters

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hippograph.nlp.names.tagging import Spotted, Tagged

EntityType = Literal["Person", "Organization", "Place", "Project", "Concept", "Tool"]

# spaCy's labels. Dates, times and numbers are no entities. Nor is NORP (nationalities, religions, parties): these are
# mostly adjectives, that is, properties of something else, and in chat often misread names. No label means Project.
TYPES: dict[str, EntityType] = {
    "PERSON": "Person",
    "PER": "Person",
    "ORG": "Organization",
    "GPE": "Place",
    "LOC": "Place",
    "FAC": "Place",
    "PRODUCT": "Tool",
    "WORK_OF_ART": "Concept",
    "EVENT": "Concept",
    "LAW": "Concept",
    "LANGUAGE": "Concept",
}

TYPES_OF_SORTS: dict[str, EntityType] = {
    "person": "Person",
    "place": "Place",
    "organization": "Organization",
    "project": "Project",
    "tool": "Tool",
    "animal": "Concept",
    "other": "Concept",
}
_UNUSED: Final = (
    "run_on_sentences",
    "names_at_the_start",
    "parser",
    "attribute_ruler",
    "lemmatizer",
    "senter",
    "morphologizer",
)
TYPED: Final = 0.8
"""Minimum certainty of the type of a name; below it the type is unknown."""
_TYPED_IF_GIVEN: Final = 0.7
"""The same for a person whose first word is an unambiguous given name."""
_WHOSE: Final = frozenset({"my", "our", "your", "his", "her", "their"})
_BEFORE: Final = 60
"""Number of characters before a name that are searched for a word for a family member."""
LONGEST_TEXT = 100_000
LONGEST_NAME = 80

_HANDLE = re.compile(r"(?<![\w@./])@(?=\w)(?:\w|[.-](?=\w)){1,64}(?![\w@/])")
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_FIRST_WORD = re.compile(r"([^\W_]+(?:['’][^\W_]+)*)[\W_]*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_SAINT = re.compile(r"(?:St\.?|Saint) [A-Z]")  # a place or a school called after a saint: St John's
_OF_SAINT = re.compile(r"['’]s\b")
_EDGES = " \t\r\n\v\f\"'`“”‘’«»„*_~()[]{}<>|/\\,;:!?…-–—=+#&^·•"
_INITIALS = re.compile(r"(?:\b[^\W\d_]\.)+$")
_NOT_A_NAME = re.compile(r"://|www\.|@|\n|\S\.(?:com|org|net|io)\b|[{}<>|=*`~\\\[\]]", re.IGNORECASE)
_DRAWN_OUT = re.compile(r"([a-z])\1\1")  # Nooo, Yesss, Hmmm; in capitals it may be a number, as in Henry VIII
_MARKDOWN = str.maketrans("*`~|", "    ")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text: `source[start:end] == text`. `certainty` is the probability of its type, 0 to 1.
    `sure` says that it certainly is a name, `of_family` that a word for a family member precedes it: my daughter
    *Maya*.
    """

    text: str
    type: EntityType
    start: int
    end: int
    certainty: float = field(default=1.0, compare=False)
    sure: bool = field(default=True, compare=False)
    of_family: bool = field(default=False, compare=False)


class NameFinder:
    """Finds names. Safe to use from several threads. Raises LanguageModelUnavailable if the model has no pipe `ner`.

    For English, the tagger in the folder `MODELS` decides on names; otherwise spaCy's model alone.
    """

    def __init__(self, language: LanguageModel) -> None:
        if "ner" not in language.pipes:
            raise LanguageModelUnavailable("spaCy's model finds no names; choose one with the pipe ner.")
        self._language = language

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """Returns the names of each text, in order, each once, at its first occurrence.

        Handles (`@bob`) are persons; their text starts with `@`. Only the first 100,000 characters of a text are read.
        """
        readable = [_readable(text) for text in texts]
        return [_names(text, spans) for text, spans in zip(texts, self._spans(readable), strict=True)]

    def _spans(self, texts: Sequence[str]) -> Iterator[list[Name]]:
        """Yields for each text the spans that are taken for names, not cleaned yet."""
        from hippograph.nlp.names.tagging import (
            tagged,  # imports numpy and onnxruntime, which only jobs need
        )

        with self._language.reading(texts, without=_UNUSED) as docs:
            for text, doc in zip(texts, docs, strict=True):
                spans = spotted(doc)
                if self._language.name == "en":
                    yield [_name(text, each) for each in tagged(MODELS, text, spans)]
                else:
                    yield [Name(text[start:end], TYPES[label], start, end) for start, end, label in spans]


def _name(text: str, tagged: "Tagged") -> Name:
    """Converts a tagged name. The certainty of a person with an unambiguous given name is raised to `TYPED` if it is at
    least `_TYPED_IF_GIVEN`.
    """
    kind, name = TYPES_OF_SORTS[tagged.sort], text[tagged.start : tagged.end]
    first, *_ = words_of(name) or ("",)
    given = kind == "Person" and tagged.certainty >= _TYPED_IF_GIVEN and is_given(first) and not is_ambiguous(first)
    certainty = max(tagged.certainty, TYPED) if given else tagged.certainty
    return Name(name, kind, tagged.start, tagged.end, certainty, tagged.sure)


def spotted(doc: "Doc") -> "tuple[Spotted, ...]":
    """Returns the spans that spaCy takes for names, with their labels."""
    return tuple((each.start_char, each.end_char, each.label_) for each in doc.ents if each.label_ in TYPES)


def _names(text: str, spans: Sequence[Name]) -> list[Name]:
    """Returns handles and cleaned spans, each name once. A first name is left out if the full name is there too."""
    names: list[Name] = []
    known: set[str] = set()
    cleaned = (name for span in spans for name in _cleaned(text, span))
    for name in chain(_handles(text[:LONGEST_TEXT]), cleaned):
        key = name.text.casefold()
        if key not in known and not any(name.start < o.end and o.start < name.end for o in names):
            known.add(key)
            names.append(name)
    people = [name.text.casefold().split() for name in names if name.type == "Person"]
    firsts = {words[0] for words in people if len(words) > 1}
    kept = (name for name in names if name.type != "Person" or name.text.casefold() not in firsts)
    told = (replace(name, of_family=_is_behind_family(text, name.start)) for name in kept)
    return sorted(told, key=lambda name: name.start)


def _is_behind_family(text: str, start: int) -> bool:
    """Whether words for somebody's family member stand right before a position in a text: my younger daughter."""
    words = [word.strip(",") for word in text[max(0, start - _BEFORE) : start].casefold().split()]
    if not words or words[-1] not in lexicon().words["family"]:
        return False
    return any(word in _WHOSE or _POSSESSIVE.search(word) for word in words[-3:-1])


def _readable(text: str) -> str:
    """Returns the text as spaCy can read it: without lone surrogates and Markdown marks, all positions unchanged."""
    return whole_characters(text[:LONGEST_TEXT]).translate(_MARKDOWN)


def _handles(text: str) -> Iterator[Name]:
    for match in _HANDLE.finditer(text):
        if match[0].casefold() not in ROOM_HANDLES:
            yield Name(match[0], "Person", match.start(), match.end())


def _cleaned(text: str, span: Name) -> Iterator[Name]:
    """Yields the span without what surrounds the name, or nothing if no name is left."""
    start, end = _trimmed(text, span.start, span.end)
    while (rest := _without_opener(text, start, end)) > start:
        start, end = _trimmed(text, rest, end)
    if _SAINT.match(text, start, end) and (possessive := _OF_SAINT.match(text, end)):
        end = possessive.end()
    found = text[start:end]
    if len(found) < 2 or len(found) > LONGEST_NAME or not _LETTER.search(found):
        return
    if _NOT_A_NAME.search(found) or _DRAWN_OUT.search(found) or "@" in (text[start - 1 : start], text[end : end + 1]):
        return
    if found.casefold() in CALENDAR or _is_chatter(found):
        return
    yield replace(span, text=found, start=start, end=end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns the start and end of a span, cut at the end of the line, without quotes, punctuation and possessive."""
    span = text[start:end]
    start += len(span) - len(span.lstrip(_EDGES + "."))
    end = start + len(text[start:end].split("\n", 1)[0])
    while True:
        span = text[start:end]
        kept = _POSSESSIVE.sub("", span.rstrip(_EDGES))
        if kept.endswith(".") and not _INITIALS.search(kept):
            kept = kept.rstrip(".")
        if len(kept) == len(span):
            return start, end
        end = start + len(kept)


def _without_opener(text: str, start: int, end: int) -> int:
    """Returns where a span goes on after a leading article, or after an interjection if more follows; else `start`."""
    if article := _ARTICLE.match(text, start, end):
        return article.end()
    word = _FIRST_WORD.match(text, start, end)
    if word and word[1].casefold() in INTERJECTIONS and word.end() < end:
        return word.end()
    return start


def _is_chatter(word: str) -> bool:
    return word.casefold() in INTERJECTIONS or word.casefold() in NOBODY
