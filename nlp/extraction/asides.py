"""What a sentence says in passing, questions too: my sister, who lives in Oslo; my 6-year-old son; as a nurse, I ….

What belongs here: what is said of kin, or of who speaks, beside what the sentence itself says. That one has a sister,
and that she lives in Oslo, is so even where something is asked or denied of her.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nlp.extraction.coreference import People
from nlp.parsing.lexicon import lexicon
from nlp.parsing.wording import FIRST, IT, SECOND, THIRD, third_person

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_OWN: Final = {"my", "our"}
_WHO: Final = {"who", "that"}
_PARENTS: Final = {"mother", "father", "mum", "mom", "dad", "parent", "grandmother", "grandfather"}
_FINITE: Final = {"VBZ", "VBD", "VBP"}
_OLD: Final = re.compile(r"\b(?P<count>\d{1,3})[- ](?P<unit>year|month|week)s?[- ]old\b", re.IGNORECASE)
_AGE: Final = re.compile(r"\s?\((?P<count>\d{1,2})\)")
_MOST_WORDS: Final = 12


@dataclass(frozen=True, slots=True)
class Aside:
    """What is said of somebody, by name, in the third person."""

    about: str
    content: str


def asides(people: People, turn: int, sentence: "Span") -> Iterator[Aside]:
    """What a sentence says in passing of kin and of who speaks."""
    for token in sentence:
        if _is_own_kin(token):
            name = people.name(turn, token)
            said = [*_relative(people, turn, token), *_apposition(people, turn, token), *_age(token)]
            yield from (Aside(name, f"{name} {each}") for each in said if name)
    what = _as_what(sentence)
    job = None if what is None else _words(people, turn, what)
    if job is not None:
        yield Aside(people.speaker(turn), f"{people.speaker(turn)} is {job}")


def _is_own_kin(token: "Token") -> bool:
    """Whether a word is kin of who speaks, one of them: my sister."""
    kin = token.lower_ in lexicon().words["kin"] and token.tag_ == "NN"
    return kin and any(child.dep_ == "poss" and child.lower_ in _OWN for child in token.children)


def _relative(people: People, turn: int, kin: "Token") -> Iterator[str]:
    """Who lives in Oslo."""
    for verb in kin.children:
        words = list(verb.subtree) if verb.dep_ == "relcl" else []
        who = bool(words) and words[0].lower_ in _WHO and words[0].dep_ in {"nsubj", "nsubjpass"}
        said = _words(people, turn, words[1:]) if who and sum(token.tag_ in _FINITE for token in words) == 1 else None
        if said is not None:
            yield said


def _apposition(people: People, turn: int, kin: "Token") -> Iterator[str]:
    """A nurse at the hospital."""
    being = lexicon().aspects["being"]["works_as"]
    for noun in kin.children:
        article = any(child.dep_ == "det" and child.lower_ in {"a", "an"} for child in noun.children)
        if noun.dep_ == "appos" and article and noun.lower_ in being:
            said = _words(people, turn, list(noun.subtree))
            if said:
                yield f"is {said}"


def _age(kin: "Token") -> Iterator[str]:
    """Six years old: before the word, or in brackets behind it and the name."""
    before = kin.doc[kin.left_edge.i : kin.i].text
    behind = kin.doc.text[kin.idx + len(kin) :]
    if found := _OLD.search(before):
        unit = found["unit"].lower() + ("s" if found["count"] != "1" else "")
        yield f"is {found['count']} {unit} old"
    elif found := re.match(rf"(?: [A-Z]\w+)?{_AGE.pattern}", behind):
        yield f"is {found['count']} years old"


def _as_what(sentence: "Span") -> "list[Token] | None":
    """What somebody says they are at the beginning of a sentence: as a nurse with two kids, …"""
    first = next((token for token in sentence if not token.is_punct), sentence[0])
    noun = next((child for child in first.children if child.dep_ == "pobj"), None)
    if first.lower_ != "as" or noun is None or noun.tag_ != "NN" or not _first_person(sentence):
        return None
    article = any(child.dep_ == "det" and child.lower_ in {"a", "an"} for child in noun.children)
    words, being = lexicon(), lexicon().aspects["being"]
    known = any(noun.lower_ in listed for listed in being.values()) or noun.lower_ in _PARENTS
    return list(noun.subtree) if article and (known or "states" in words.classes.get(noun.lower_, ())) else None


def _first_person(sentence: "Span") -> bool:
    """Whether who speaks is the subject of what follows, of what is so now."""
    speaks = any(token.lower_ == "i" and token.dep_ == "nsubj" for token in sentence)
    return speaks and not any(token.tag_ == "VBD" for token in sentence)


def _words(people: People, turn: int, words: "list[Token]") -> str | None:
    said = [token for token in words if not token.is_space]
    if not said or len(said) > _MOST_WORDS or any(token.lower_ in THIRD | IT | SECOND for token in said):
        return None
    return third_person(said, lambda token: people.who(turn, token) if token.lower_ in FIRST else None)
