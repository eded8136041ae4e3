"""What a clause says one entity is to another, and of which aspect of somebody it is the only value.

What belongs here: predicates. A wrong aspect makes a new statement replace a true one, so there is one only where a
person has a single value by nature (one home, one diet), and only where the clause gives that value.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nlp.extraction.statements import Relation, Subject
from nlp.parsing.clauses import Clause
from nlp.parsing.lexicon import Predicate, lemma, lexicon

if TYPE_CHECKING:
    from spacy.tokens import Token

Named = Callable[["Token"], Subject | None]
"""The entity that a noun or a pronoun names; None when nobody can tell, or when it names none."""

_NOT_SLUG: Final = str.maketrans("- ", "__", "'’")
_FAVOURITE: Final = {"favourite", "favorite", "fave"}
_NO_EMPLOYER: Final = {"PERSON", "GPE", "LOC", "DATE", "TIME"}
_WHAT_ONE_IS: Final = {"attr", "acomp", "oprd"}


def kinship(one: Subject, what: str, other: Subject) -> Relation:
    """Who is somebody's sister, boss or dog."""
    return _between(one, f"{_slug(what)}_of", other)


def _between(source: Subject, predicate: str, target: Subject) -> Relation:
    """A relation, whose ends are persons where it is one between persons."""
    if predicate in lexicon().words["personal"] or predicate.removesuffix("_of") in lexicon().words["kin"]:
        return Relation(replace(source, type="Person"), predicate, replace(target, type="Person"))
    return Relation(source, predicate, target)


def aspect(clause: Clause) -> str | None:
    """The predicate that has one value at a time, of a state that holds now, began or ended; else None."""
    ended = _ended(clause)
    fading = any(token.lower_ in lexicon().words["fading"] for token in clause.words)
    if (clause.negated and not ended) or clause.modal or clause.future or _coming(clause) or fading:
        return None
    told = [each for each in _predicates(clause) if each.changes == _past(clause) or ended]
    for word, noun in _joined(clause):
        found = next((each.aspects[word] for each in told if word in each.aspects), None)
        if found is not None and _tells(found, word, noun, changes=not ended and _past(clause)):
            return found
    if lemma(clause.head) != "be" and clause.head.tag_ != "VBN" and not _became(clause):
        return None
    what = next((found for noun in _complements(clause) if (found := _what_one_is(noun))), None)
    if _past(clause):
        return what if _became(clause) else None
    return what or _favourite(clause) or _own(clause)


def lasting(clause: Clause) -> bool:
    """Whether what happened leads to a state, that lasts: moved to Lisbon, got married, was diagnosed."""
    if aspect(clause) is not None or lemma(clause.main) in lexicon().words["lasting"] or _became(clause):
        return True
    object_ = {child.lower_ for child in clause.main.children if child.dep_ in {"dobj", "attr"}}
    return lemma(clause.main) in {"have", "get", "lose", "quit", "leave", "take"} and not object_.isdisjoint(
        lexicon().words["possessed"]
    )


def _past(clause: Clause) -> bool:
    """Whether it was, and not since then: I have lived here since 2014 holds still."""
    since = clause.perfect and any(token.lower_ in {"since", "for"} for token in clause.words)
    return clause.past and not since


def _ended(clause: Clause) -> bool:
    """Whether it is so no longer: I don't work there any more."""
    said = " ".join(token.lower_ for token in clause.words)
    return any(each in said for each in ("any more", "anymore", "no longer", "any longer"))


def _coming(clause: Clause) -> bool:
    """Whether it goes on, or is about to be: is moving, is getting married."""
    return any(token.tag_ == "VBG" for token in (clause.head, *clause.auxiliaries))


def _became(clause: Clause) -> bool:
    """Whether it came to be so: got married."""
    got = any(token.lemma_ in {"get", "become"} for token in (clause.head, *clause.auxiliaries))
    return (
        got
        and clause.past
        and any(_one_of("being", noun.lower_) == "relationship_status" for noun in _complements(clause))
    )


def relation(kind: str, clause: Clause, source: Subject, named: Named) -> Relation | None:
    """What the subject of a clause of a kind is to another entity, if the clause says so and names that one."""
    if clause.negated or clause.modal or clause.future or (clause.past and kind not in {"event", "relationship"}):
        return None
    told = [each for each in _predicates(clause) if each.changes == _past(clause)]
    for word, noun in _joined(clause):
        predicate = next((each.relations[word] for each in told if word in each.relations), None)
        target = named(noun) if predicate else None
        if predicate == "works_at" and not _tells(predicate, word, noun, changes=clause.past):
            continue
        if predicate and target is not None and target != source:
            return _between(source, predicate, target)
    for noun in _complements(clause):
        found = _with_complement(noun, source, named)
        if found is not None and found.target != source:
            return found
    return None


def _predicates(clause: Clause) -> list[Predicate]:
    """What the verb of a clause tells of its subject."""
    verb, particles = lemma(clause.head), {child.lower_ for child in clause.head.children if child.dep_ == "prt"}
    return [
        each
        for each in lexicon().predicates
        if verb in each.verbs and (not each.particle or each.particle in particles)
    ]


def _with_complement(noun: "Token", source: Subject, named: Named) -> Relation | None:
    """Ben is engaged to Priya; Ana is Maya's sister; Tom is a friend of Ana's."""
    words, beside = lexicon().words, lexicon().beside
    for word, object_ in _prepositions(noun):
        predicate = beside.get(f"{noun.lower_} {word}")
        if predicate is None and word == "of" and noun.lower_ in words["kin"]:
            predicate = f"{_slug(noun.lower_)}_of"
        target = named(object_) if predicate else None
        if predicate and target is not None:
            return _between(source, predicate, target)
    whose = next((child for child in noun.children if child.dep_ == "poss"), None)
    if whose is not None and noun.lower_ in words["kin"]:
        target = named(whose)
        return None if target is None else kinship(source, noun.lower_, target)
    return None


def _joined(clause: Clause) -> "Iterator[tuple[str, Token]]":
    """What stands with the verb: each preposition with its noun, and the object (with the empty word)."""
    yield from _prepositions(clause.head)
    for child in clause.head.children:
        if child.dep_ == "dobj":
            yield "", child
            if child.lower_ in lexicon().words["posts"]:
                yield from ((f"job {word}", noun) for word, noun in _prepositions(child))


def _prepositions(token: "Token") -> "Iterator[tuple[str, Token]]":
    for child in token.children:
        if child.dep_ in {"prep", "agent"}:
            yield from ((child.lower_, noun) for noun in child.children if noun.dep_ == "pobj")


def _complements(clause: Clause) -> "Iterator[Token]":
    """What somebody is or was made: engaged, a nurse, Maya's sister."""
    yield from (child for child in clause.head.children if child.dep_ in _WHAT_ONE_IS)
    if any(
        child.dep_ == "auxpass" or (child.dep_ == "aux" and child.lemma_ == "get") for child in clause.head.children
    ):
        yield clause.head


def _tells(found: str, word: str, noun: "Token", *, changes: bool) -> bool:
    """Whether a noun is a value of an aspect: a place for a home, an employer, an occupation. One leaves and joins much
    besides an employer: an object has to be one by name, or a job.
    """
    words = lexicon().words
    if found == "relationship_status":
        return True
    if found == "works_as":
        return noun.pos_ in {"NOUN", "PROPN"}
    if found == "works_at" and changes and not word:
        return (noun.pos_ == "PROPN" and noun.ent_type_ == "ORG") or noun.lower_ in words["posts"]
    if found == "works_at":
        return (noun.pos_ == "PROPN" and noun.ent_type_ not in _NO_EMPLOYER) or noun.lower_ in words["workplaces"]
    return noun.pos_ == "PROPN" and noun.ent_type_ not in {"DATE", "TIME", "PERSON"}


def _what_one_is(noun: "Token") -> str | None:
    """One is one kind of eater, one has one relationship status, and says one occupation."""
    if noun.dep_ == "attr" and any(child.dep_ in {"poss", "prep", "relcl"} for child in noun.children):
        return None
    return _one_of("being", noun.lower_)


def _one_of(table: str, word: str) -> str | None:
    return next((name for name, listed in lexicon().aspects[table].items() if word in listed), None)


def _own(clause: Clause) -> str | None:
    """What somebody has one of: my birthday is on 3 June."""
    noun = clause.subject
    if noun is None or not any(child.dep_ == "poss" for child in noun.children):
        return None
    return _one_of("own", noun.lower_)


def _favourite(clause: Clause) -> str | None:
    """The favourite of each class of things."""
    noun = clause.subject
    if noun is None or lemma(clause.head) != "be" or noun.tag_ == "NNS":
        return None
    words = [token for token in noun.lefts if token.dep_ in {"amod", "compound"}]
    if not any(token.lower_ in _FAVOURITE for token in words):
        return None
    named = [token.lemma_.lower() for token in words if token.lower_ not in _FAVOURITE]
    return _slug("_".join(["favourite", *named, noun.lemma_.lower()]))


def _slug(text: str) -> str:
    return text.lower().translate(_NOT_SLUG)
