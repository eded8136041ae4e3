"""Who is whose sister, boss or dog, as sentences say in passing: my sister Ana; my coach is Bongani."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from nlp.extraction.coreference import People
from nlp.extraction.naming import TIMES, appositions, is_kin, kin_words, name_beside, owner_of, spelled_out, without_kin
from nlp.parsing.clauses import Clause
from nlp.parsing.lexicon import lexicon
from nlp.parsing.wording import SECOND, possessive

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


def relations(people: People, turn: int, sentence: "Span") -> Iterator[tuple[str, str, str]]:
    """Who is whose what, said in passing: my sister Ana is Maya's sister. Name, owner, what."""
    for token in sentence:
        if token.lower_ not in _related():
            continue
        named, whose = name_beside(token), owner_of(token)
        if token.pos_ == "PROPN" and token.text[0].isupper() and not token.is_sent_start:
            continue  # part of a name
        if named is None or named.lower_ in lexicon().words["kin"] or _calls(people, token, named, whose):
            continue
        owner = people.name(turn, whose or owner_of(named) or named)
        name = without_kin(spelled_out(named))
        if owner and (whose or owner_of(named)) and people.entity(name) != people.entity(owner):
            people.know(name)
            yield name, owner, kin_words(token)


def introductions(people: People, turn: int, clause: Clause) -> Iterator[tuple[str, str, str]]:
    """Who is said to be whose what: my coach is Bongani. Name, owner, what."""
    token = clause.subject
    if (
        token is None
        or clause.head.lemma_ != "be"
        or not is_kin(token)
        or token.tag_ == "NNS"
        or owner_of(token) is None
    ):
        return
    told = next((c for c in clause.head.children if c.dep_ == "attr"), None)
    named = told if told is None or told.pos_ == "PROPN" else next(appositions(told), None)
    owner = people.name(turn, owner_of(token) or token, clause)
    if named is not None and owner and named.ent_type_ not in TIMES | {"GPE", "NORP", "LANGUAGE"}:
        name = without_kin(spelled_out(named))
        people.call(f"{possessive(owner)} {token.lower_}", name)
        yield name, owner, kin_words(token)


def _calls(people: People, kin: "Token", named: "Token", whose: "Token | None") -> bool:
    """Whether the name behind a kin word calls somebody else: about your dad, Deborah; my therapist (hi Dana)."""
    between = kin.doc[kin.i + 1 : named.i]
    apart = any(token.text in {",", "(", "-", "–"} for token in between)
    yours = whose is not None and whose.lower_ in SECOND
    called = people.takes_part(named.text) or yours
    return (apart and called) or not (named.text[:1].isupper() or named.lower_ in lexicon().words["names"])


@cache
def _related() -> frozenset[str]:
    """What somebody is to somebody: kin, a pet, or who works for them."""
    words = lexicon().words
    return words["kin"] | words["pets"] | lexicon().aspects["being"]["works_as"]
