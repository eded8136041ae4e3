"""Frames filled by the parse alone, from a noun with an owner: *my cousin Rui*, *my rent is 820 a month*.

Relationships have the forms: my cousin Rui; Sabine, my ward manager; Rui is my cousin. They hold in questions, denials
and conditions too: whoever asks whether my sister Ana came has a sister Ana. Their nouns are the lists of the lexicon
that `frames.toml` names (`beside`). What does not belong here: what verbs say (`nlp.frames.constructions`), and the
resolution of people (`nlp.frames.filling`).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.naming import begin_of, is_hyphen, owner_before
from hippograph.nlp.frames.constructions import (
    CALLED,
    COMPLEMENTS,
    MOST_OF_KIND,
    Constructed,
    by_noun,
    is_capitalised,
    is_plain,
    kind_phrase,
)
from hippograph.nlp.frames.frame import load_frames
from hippograph.nlp.parsing.clauses import Clause, asks, clause_of
from hippograph.nlp.parsing.lexicon import lemma, lexicon

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_SOMEBODY: Final = frozenset({"PERSON", "GPE"})
"""The spaCy labels that unknown names of people get."""

_PRESENT: Final = frozenset({"new", "current", "monthly", "weekly", "yearly", "annual"})
"""Adjectives that may stand before a sum; they say that it is paid now."""

_BEHIND_AMOUNT: Final = {"CCONJ", "SCONJ", "PRON", "VERB"}

_GIVEN: Final = frozenset({"oprd", "attr", "acomp"})

_FAVOURITE: Final = frozenset({"favourite", "favorite"})

_TELLING: Final = frozenset(
    {"best", "late", "former", "old", "older", "younger", "elder", "eldest", "oldest", "youngest"}
)
"""Adjectives kept as part of a relation, because they tell who somebody is; others are left out."""

_ENDEARING: Final = frozenset({"friend", "mate", "child", "baby", "son", "lassie"})
"""Nouns that are also used to address somebody: come on Ana, my friend."""


def named_relations(people: People, sentence: "Span", clauses: Sequence[Clause]) -> Iterator[Constructed]:
    """Yields the relationships of a sentence in which the noun has a name beside it: *my cousin Rui*."""
    doc = sentence.doc
    for noun in sentence:
        if noun.lower_ not in by_noun() or noun.tag_ == "NNS" or noun.pos_ not in {"NOUN", "PROPN"}:
            continue
        frame, relation, called = by_noun()[noun.lower_]
        first = begin_of(sentence, noun)
        owner = owner_before(sentence, first)
        if owner is None:
            continue
        name = _name_behind(noun) or _name_before(noun, owner, people) or _subject(noun) or _name_given(noun)
        if name is None or not _is_called(name, people, pet=frame.name == "pet"):
            continue
        family, called_by = lexicon().words["family"], name.root.lower_
        if noun.lower_ in family and (called_by in family or (people.takes_part(name.text) and len(name) == 1)):
            continue  # "my daughter Maya" is named by whose daughter she is, not the participant Maya; Nana's my mother
        while doc[first].pos_ == "ADJ" and doc[first].lower_ not in _TELLING and first < noun.i:
            first += 1
        yield Constructed(frame, owner, clause_of(owner, clauses), {relation: doc[first : noun.i + 1], called: name})


def amounts(sentence: "Span", clauses: Sequence[Clause]) -> Iterator[Constructed]:
    """Yields what somebody earns, pays or has for something: *my rent* is *820 a month*."""
    for noun in sentence:
        clause = _being(noun, clauses) if noun.lower_ in lexicon().words["sums"] else None
        owner = next((each for each in noun.children if each.dep_ == "poss"), None)
        if owner is None or clause is None:
            continue
        said = next((child for child in noun.head.children if child.dep_ == "attr" and child.i > noun.i), None)
        if said is None or clause.past or clause.modal or clause.negated or clause.future or not is_plain(clause):
            continue
        amount = _amount(said)
        if amount is not None and all(each.lower_ in _PRESENT for each in noun.children if each.dep_ == "amod"):
            what = noun.doc[noun.i : noun.i + 1]
            yield Constructed(load_frames()["money"], owner, clause, {"what": what, "amount": amount})


def _amount(noun: "Token") -> "Span | None":
    """Returns a number with what it counts, up to punctuation or another clause: *820 a month*, which I can manage.
    None without a number, and for more than `MOST_OF_KIND` words.
    """
    words = noun.doc[noun.left_edge.i : noun.right_edge.i + 1]
    end = next((word.i for word in words if word.is_punct or word.pos_ in _BEHIND_AMOUNT), words.end)
    amount = noun.doc[words.start : end]
    return amount if 0 < len(amount) <= MOST_OF_KIND and any(word.like_num for word in amount) else None


def birthdays(sentence: "Span", clauses: Sequence[Clause]) -> Iterator[Constructed]:
    """Yields whose birthday is on which day: *his* birthday is on *the 20th*."""
    for noun in sentence:
        clause = _being(noun, clauses) if noun.lower_ == "birthday" else None
        owner = owner_before(sentence, noun.i)
        if owner is None or clause is None:
            continue
        days = [each for each in sentence.ents if each.label_ == "DATE" and noun.head in each.root.ancestors]
        if len(days) == 1 and is_plain(clause) and not (clause.past or clause.modal):
            yield Constructed(load_frames()["birthday"], owner, clause, {"day": days[0]})


def favourites(sentence: "Span", clauses: Sequence[Clause]) -> Iterator[Constructed]:
    """Yields what somebody likes best: *my* favourite *colour* is *green*."""
    for noun in sentence:
        if noun.tag_ == "NNS" or noun.i == sentence.start or noun.nbor(-1).lower_ not in _FAVOURITE:
            continue
        owner, clause = owner_before(sentence, noun.i - 1), _being(noun, clauses)
        if owner is None or clause is None:
            continue
        said = next((child for child in noun.head.children if child.dep_ in COMPLEMENTS and child.i > noun.i), None)
        if said is None or said.conjuncts or clause.past or clause.modal or clause.negated or not is_plain(clause):
            continue
        alone = said.pos_ == "ADJ" and not any(said.children)
        thing = said.doc[said.i : said.i + 1] if alone else kind_phrase(said)
        if thing is not None:
            category = noun.doc[noun.i : noun.i + 1]
            yield Constructed(load_frames()["favourite"], owner, clause, {"category": category, "thing": thing})


def _being(noun: "Token", clauses: Sequence[Clause]) -> Clause | None:
    """Returns the clause of which a noun is the subject and a form of "be" the verb: my *rent* is …"""
    clause = clause_of(noun, clauses)
    says = clause is not None and clause.main == noun.head and lemma(noun.head) == "be"
    return clause if says and noun.dep_ == "nsubj" else None


def _name_behind(noun: "Token") -> "Span | None":
    """Returns the name right behind a noun: my cousin *Rui*, my friend *Jean-Luc*."""
    doc, end = noun.doc, noun.i + 1
    while end < len(doc) and (is_capitalised(doc[end]) or is_hyphen(doc[end])):
        end += 1
    return doc[noun.i + 1 : end] if end > noun.i + 1 and not is_hyphen(doc[noun.i + 1]) else None


def _name_before(noun: "Token", owner: "Token", people: People) -> "Span | None":
    """Returns the name before a noun and its owner: *Sabine*, my ward manager, … None for a participant, who may be
    addressed.
    """
    doc, comma = noun.doc, owner.left_edge.i - 1
    ends = noun.i + 1 == len(doc) or doc[noun.i + 1].is_punct
    if comma < 1 or doc[comma].text != "," or not ends or noun.lower_ in _ENDEARING:
        return None
    start = comma
    while start > 0 and (is_capitalised(doc[start - 1]) or is_hyphen(doc[start - 1])):
        start -= 1
    leads = start == noun.sent.start or noun.dep_ == "appos"
    return doc[start:comma] if start < comma and leads and not people.takes_part(doc[start:comma].text) else None


def _subject(noun: "Token") -> "Span | None":
    """Returns the subject of which a noun is the complement: *Rui* is my cousin."""
    verb = noun.head
    if noun.dep_ != "attr" or verb.lemma_ != "be" or verb.tag_ != "VBZ" or asks(noun.sent):
        return None
    if any(child.dep_ in {"neg", "mark", "aux"} for child in verb.children):
        return None
    subject = next((child for child in verb.children if child.dep_ == "nsubj" and is_capitalised(child)), None)
    return noun.doc[subject.left_edge.i : subject.i + 1] if subject is not None else None


def _name_given(noun: "Token") -> "Span | None":
    """Returns the name that a clause gives to a noun: my cousin is called *Rui*; my cousin is *Rui*; my cousin's name
    is *Rui*; the name of my cousin is *Rui*.
    """
    of = noun.head if noun.dep_ == "pobj" and noun.head.lower_ == "of" else noun
    named = of.head.lower_ == "name" and of.dep_ in {"poss", "prep"}
    subject = of.head if named else noun
    verb = subject.head
    gives = lemma(verb) == "be" or (not named and verb.lower_ in CALLED)
    if subject.dep_ not in {"nsubj", "nsubjpass"} or not gives or asks(noun.sent):
        return None
    if any(child.dep_ in {"neg", "mark"} or child.tag_ in {"MD", "VBD"} for child in (verb, *verb.children)):
        return None
    name = next((each for each in verb.children if each.dep_ in _GIVEN and is_capitalised(each)), None)
    if name is None or any(child.dep_ == "det" for child in name.children):
        return None  # my groom is a Scot
    if not named and verb.lower_ not in CALLED and name.ent_type_ in {"", "NORP"}:
        return None  # my cat is Siamese
    first = next(each.i for each in noun.doc[name.left_edge.i : name.i + 1] if each.pos_ == "PROPN")
    return noun.doc[first : name.i + 1]


def _is_called(name: "Span", people: People, *, pet: bool) -> bool:
    """Whether words are the name of a person; for a pet, any name that is not a day or a time."""
    kind = name.root.ent_type_
    if pet:
        return kind not in {"DATE", "TIME"}
    known = lexicon().words["names"]
    return kind in _SOMEBODY or any(each.lower_ in known or people.takes_part(each.text) for each in name)
