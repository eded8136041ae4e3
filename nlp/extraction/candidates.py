"""Whom and what a piece of talk may be about, and how it names them.

What belongs here: the candidates among which `nlp.extraction.relevance` chooses. What does not: whom a pronoun means
(`nlp.extraction.coreference`).
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from nlp.extraction.coreference import PRONOUNS, People
from nlp.extraction.mentions import HE, SHE, latest, same_name
from nlp.extraction.naming import SUBJECTS, owner_of, reference, sentence_of
from nlp.parsing.clauses import Clause
from nlp.parsing.wording import IT, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Token

_MOST: Final = 8
"""So many things a piece may be about for being named near it."""
_NEAR: Final = 1
"""So many turns or sentences back something is near."""
_SPEAKING: Final = {"speaker", "implied"}
_OBJECTS: Final = {"nsubj", "ROOT", "dobj"}
_PLACES: Final = {"dobj", "pobj", "poss", "dative", "nsubj", "appos", "conj", "attr"}
_LONGEST_CHAIN: Final = 3
"""Maya's sister's husband's."""
_WORD: Final = re.compile(r"\w")


def spoken_of(
    people: People, turn: int, piece: Clause, words: "Sequence[Token]", before: str | None
) -> dict[str, set[str]]:
    """Whom and what a piece of talk may be about, by name, and how it names them: as who speaks, as its subject, as
    the owner of that, as an object, …; `before` is whom the piece before it is about.
    """
    found: dict[str, tuple[str, set[str]]] = {}
    for role, name in _roles(people, turn, piece, words):
        if name and (role in _SPEAKING or (name.lower() not in PRONOUNS and _WORD.search(name))):
            short = people.short(name)
            found.setdefault(same_name(short), (short, set()))[1].add(role)
    if before is not None:
        found.setdefault(same_name(before), (before, set()))[1].add("before")
    for name in _others(people, turn, piece) & found.keys():
        if not found[name][1] & _SPEAKING:
            del found[name]
    return dict(found.values())


def _others(people: People, turn: int, piece: Clause) -> set[str]:
    """Who or what the subject of a piece, a pronoun, surely does not stand for."""
    if piece.subject is None or piece.subject.lower_ not in THIRD | IT:
        return set()
    before = people.before(turn, piece.subject)
    no = {same_name(each.name) for each in before if each.is_no(piece.subject.lower_)}
    return no - {same_name(each.name) for each in before if each.fits(piece.subject.lower_)}


def _roles(people: People, turn: int, piece: Clause, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
    yield "speaker", people.speaker(turn)
    if piece.implied:
        yield "implied", people.speaker(turn)
    subject = piece.subject
    pronoun = None if subject is None else reference(subject)
    if subject is not None:
        yield from _in_subject(people, turn, piece, subject)
    yield from _lately(people, turn, words) if pronoun is None else _mentioned(people, turn, pronoun)
    yield from _beside(people, turn, words)
    if piece.under is not None and piece.under.subject is not None:
        yield "above", people.name(turn, piece.under.subject, piece.under)
    yield from _in_words(people, turn, piece, words)


def _in_words(people: People, turn: int, piece: Clause, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
    """What a piece names beside its subject."""
    within = set() if piece.subject is None else {token.i for token in piece.subject.subtree}
    for token in words:
        if token.i in within or token.is_punct or token.is_space or token.dep_ == "compound":
            continue
        somebody = token.lower_ in PRONOUNS or people.is_person(token)
        if somebody or token.pos_ == "PROPN" or (token.pos_ == "NOUN" and token.dep_ in _OBJECTS):
            role = token.dep_ if token.dep_ in _PLACES else "else"
            name = people.name(turn, token, piece)
            yield f"{role} {'somebody' if somebody else 'something'}", name
            if token == words[0]:
                yield "first word", name


def _in_subject(people: People, turn: int, piece: Clause, subject: "Token") -> Iterator[tuple[str, str | None]]:
    name = people.name(turn, subject, piece)
    yield "subject", name
    yield from (("subject", member) for member in people.members(name))
    owner, depth = owner_of(subject), 1
    while owner is not None and depth <= _LONGEST_CHAIN:
        yield f"owner {depth}", people.name(turn, owner, piece)
        owner, depth = owner_of(owner), depth + 1
    for token in subject.subtree:
        if token == subject:
            continue
        if token.dep_ == "conj":
            yield "beside subject", people.name(turn, token, piece)
        if token.dep_ in {"pobj", "poss"} and people.is_somebody(token):
            yield "in subject", people.name(turn, token, piece)


def _lately(people: People, turn: int, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
    """What was mentioned last, of which a piece may be without naming it: the boiler; delivery on Friday."""
    before = [each for each in people.before(turn, words[-1]) if each.turn >= turn - _NEAR]
    sentence = sentence_of(words[0])
    for passed, each in enumerate(latest(before)[:_MOST]):
        near = each.distance(turn, sentence)
        yield f"lately, {each.sort} {near}{', leading' if each.leads else ''}", each.name
        yield f"lately, {near}, {min(passed, 3)} between", each.name


def _beside(people: People, turn: int, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
    """What a sentence and the one before it name last, however the parser takes them."""
    sentence = sentence_of(words[0])
    nouns = [each for each in people.nouns if sentence - _NEAR <= each[0] <= sentence and each[1].i <= words[-1].i]
    for number, token in nouns[-_MOST:]:
        leading = ", leading" if token.dep_ in SUBJECTS else ""
        role = f"noun, {token.ent_type_ or token.pos_} {sentence - number}{leading}"
        yield role, people.noun(turn, token)


def _mentioned(people: People, turn: int, pronoun: "Token") -> Iterator[tuple[str, str | None]]:
    """Whom and what a pronoun may stand for: all that was mentioned lately, and how."""
    said, sentence = pronoun.lower_, sentence_of(pronoun)
    sort = "it" if said in IT else "she" if said in SHE else "he" if said in HE else "they"
    passed = 0
    for each in latest(people.before(turn, pronoun)):
        if each.is_no(said):
            continue
        fits = each.fits(said)
        near = each.distance(turn, sentence)
        yield f"meant, {sort} for {each.sort} {each.gender}", each.name
        yield f"meant, {'fits' if fits else 'no'}, {min(passed, 3)} between", each.name
        yield f"meant, {sort}, {near}", each.name
        yield f"meant, {near}{', leading' if each.leads else ''}, {min(passed, 3)} between", each.name
        if people.asked(each.turn):
            yield "meant, asked", each.name
        passed += fits
