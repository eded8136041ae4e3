"""Names of people, places, organizations and things in a text.

What belongs here: spaCy's entities, cleaned of what chat does to them, and the names that its small model misses
but that are sure: handles and people who are addressed. What does not: who or what a name means (that needs the graph).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from nlp.errors import LanguageModelUnavailable
from nlp.language import LanguageModel
from nlp.names.known_types import known_type
from nlp.names.listed import is_family, is_given
from nlp.names.normalization import words_of
from nlp.names.parsed_name import titles_of
from nlp.parsing.english import is_english
from nlp.parsing.informal_words import ADDRESSING, CALENDAR, INTERJECTIONS, NOBODY, REACTIONS, ROOM_HANDLES
from nlp.parsing.lexicon import lexicon

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

EntityType = Literal["Person", "Organization", "Place", "Project", "Concept", "Tool"]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType)

# Dates, times and numbers are no entities. Nor is NORP (nationalities, religions, parties): mostly adjectives, that
# is properties of something else, and in chat more often than not somebody's name mistaken. No label means Project.
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

UNUSED_PIPES = (
    "run_on_sentences",
    "names_at_the_start",
    "parser",
    "attribute_ruler",
    "lemmatizer",
    "senter",
    "morphologizer",
)
LONGEST_TEXT = 100_000
LONGEST_NAME = 80
_LONGEST_WORD_BEFORE = len("great-grandmother ")

_HANDLE = re.compile(r"(?<![\w@./])@(?=\w)(?:\w|[.-](?=\w)){1,64}(?![\w@/])")
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([\w-]+)\.?\s$")
_FIRST_WORD = re.compile(r"([^\W_]+(?:['’][^\W_]+)*)[\W_]*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_EDGES = " \t\r\n\v\f\"'`“”‘’«»„*_~()[]{}<>|/\\,;:!?…-–—=+#&^·•"
_INITIALS = re.compile(r"(?:\b[^\W\d_]\.)+$")
_NOT_A_NAME = re.compile(r"://|www\.|@|\n|\S\.(?:com|org|net|io)\b|[{}<>|=*`~\\\[\]]", re.IGNORECASE)
_DRAWN_OUT = re.compile(r"([a-z])\1\1")  # Nooo, Yesss, Hmmm; in capitals it may be a number, as in Henry VIII
_MARKDOWN = str.maketrans("*`~|", "    ")
_LETTER = re.compile(r"[^\W\d_]")


def _after(openers: frozenset[str], closing: str) -> re.Pattern[str]:
    """At the start of a sentence one of these words, then one word, then what closes an address."""
    words = "|".join(sorted(map(re.escape, openers), key=len, reverse=True))
    name = r"(?P<name>[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_])){1,30})"
    return re.compile(rf"(?:^|(?<=[.!?…\n]))\s{{0,4}}(?i:{words}),?[ \t]{{1,4}}{name}(?=[ \t]{{0,4}}(?:{closing}))")


_ADDRESSED = _after(ADDRESSING, r"[,.!?…:;\n]|[-–—]|$")
_ANSWERED = _after(REACTIONS, r"[,!]")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text: `source[start:end] == text`."""

    text: str
    type: EntityType
    start: int
    end: int


class NameFinder:
    """Finds names; safe to use from several threads. Raises LanguageModelUnavailable for a model that finds none."""

    def __init__(self, language: LanguageModel) -> None:
        if "ner" not in language.pipes:
            raise LanguageModelUnavailable("spaCy's model finds no names; choose one with the pipe ner.")
        self._language = language
        self._tags_tell = language.name == "en" and "tagger" in language.pipes

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """The names of each text, in the order of the text and each once, where it stands first.

        Handles (`@bob`) are persons, their text starting with `@`. Only the first 100,000 characters of a text are
        read.
        """
        readable = [_readable(text) for text in texts]
        with self._language.reading(readable, without=UNUSED_PIPES) as docs:
            return [self._names(text, doc) for text, doc in zip(texts, docs, strict=True)]

    def _names(self, text: str, doc: "Doc") -> list[Name]:
        names: list[Name] = []
        known: set[str] = set()
        for name in self._candidates(text, doc):
            key = name.text.casefold()
            if key not in known and not any(name.start < o.end and o.start < name.end for o in names):
                known.add(key)
                names.append(name)
        return sorted(names, key=lambda name: name.start)

    def _candidates(self, text: str, doc: "Doc") -> Iterator[Name]:
        """The surest first: whoever comes later does not contradict them."""
        yield from _handles(doc.text)
        yield from _addressed(doc)
        foreign = self._language.name == "en" and not is_english(doc.text)
        for span in doc.ents:
            if span.label_ not in TYPES or (foreign and not _like_a_name(span.text)):
                continue
            if self._tags_tell and _is_common(span):
                continue
            first, last = _own_words(span) if self._tags_tell else (span[0], span[-1])
            yield from _cleaned(text, first.idx, last.idx + len(last), TYPES[span.label_])


def _readable(text: str) -> str:
    """The text as spaCy can take it, every character in its place: no half surrogates, no marks of Markdown."""
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8").translate(_MARKDOWN)


def _handles(text: str) -> Iterator[Name]:
    for match in _HANDLE.finditer(text):
        if match[0].casefold() not in ROOM_HANDLES:
            yield Name(match[0], "Person", match.start(), match.end())


def _addressed(doc: "Doc") -> Iterator[Name]:
    """People spoken to. After a mere reaction ("Wow, Paris!") the model's opinion counts, if it has one."""
    for match in _ADDRESSED.finditer(doc.text):
        yield from _person(match)
    elsewhere = {span.start_char for span in doc.ents if span.label_ not in {"PERSON", "PER", "NORP"}}
    for match in _ANSWERED.finditer(doc.text):
        if match.start("name") not in elsewhere:
            yield from _person(match)


def _person(match: re.Match[str]) -> Iterator[Name]:
    word = match["name"]
    text = _POSSESSIVE.sub("", word)
    if word[:1].isupper() and not _is_chatter(text):
        yield Name(text, "Person", match.start("name"), match.start("name") + len(text))


def _is_common(span: "Span") -> bool:
    """Whether the words are common ones that the model took for a name, for instance since they begin a sentence.

    Places are rarely mistaken, and titles of several words are often made of common ones.
    """
    if TYPES[span.label_] == "Place" or (TYPES[span.label_] == "Concept" and len(span) > 1):
        return False
    return span.text.islower() or all(token.tag_ not in {"NNP", "NNPS"} for token in span)


def _own_words(span: "Span") -> "tuple[Token, Token]":
    """The first and the last word of a name, without verbs and numbers that the model takes for parts of it: Took
    Doris, Herr Pichler rang, Achilles 4, Second Brightwater. A surname stays in small letters too: Tom smith.
    """
    words = list(span)
    person = TYPES[span.label_] == "Person" and not words[0].is_lower
    while len(words) > 1 and words[-1].is_lower and _is_no_name(words[-1], person=person):
        words.pop()
    while person and len(words) > 1 and words[-1].like_num:
        words.pop()
    opener = person and len(words) > 1 and not _begins_a_name(words[0])
    if opener and (words[0].like_num or any(map(is_given, words_of(words[1].text)))):
        words.pop(0)
    return words[0], words[-1]


def _is_no_name(token: "Token", *, person: bool) -> bool:
    """Whether a word in small letters is no part of the name before it; of a person's, what is no surname."""
    if token.tag_.startswith(("VB", "RB", "IN")):
        return True
    return person and not any(map(is_family, words_of(token.text)))


def _begins_a_name(token: "Token") -> bool:
    """Whether a word may be the first of somebody's name; at the start of a sentence any word has a capital."""
    first = token.i == 0 or token.nbor(-1).is_punct or token.nbor(-1).is_space
    return not first or any(
        is_given(word) or is_family(word) or word in titles_of("all") for word in words_of(token.text)
    )


def _like_a_name(text: str) -> bool:
    """Whether words in a text of another language than the model's look like a name: each has a capital, in a script
    that has them, and none is a small word of that language.
    """
    words = [word for word in _FIRST_WORD.findall(text) if _LETTER.search(word)]
    return bool(words) and all(
        word[0].isupper() and word[0] != word[0].lower() and word.casefold() not in lexicon().words["foreign"]
        for word in words
    )


def _cleaned(text: str, start: int, end: int, type_: EntityType) -> Iterator[Name]:
    """The span without what is around a name, if a name is left."""
    start, end = _trimmed(text, start, end)
    while (rest := _without_opener(text, start, end)) > start:
        start, end = _trimmed(text, rest, end)
    found = text[start:end]
    if len(found) < 2 or len(found) > LONGEST_NAME or not _LETTER.search(found):
        return
    if _NOT_A_NAME.search(found) or _DRAWN_OUT.search(found):
        return
    if found.casefold() in CALENDAR or _is_chatter(found):
        return
    before = _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD_BEFORE), start)
    if (known := known_type(found, type_, before=before[1].lower() if before else "")) is not None:
        yield Name(found, known, start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut at the line's end, then quotes, punctuation and the possessive off."""
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
    """Where the span goes on after a leading article or interjection; its start if there is none or no more."""
    if article := _ARTICLE.match(text, start, end):
        return article.end()
    word = _FIRST_WORD.match(text, start, end)
    if word and word[1].casefold() in INTERJECTIONS and word.end() < end:
        return word.end()
    return start


def _is_chatter(word: str) -> bool:
    return word.casefold() in INTERJECTIONS or word.casefold() in NOBODY
