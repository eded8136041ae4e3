"""Who is meant in a talk: those who take part, whom they name, and whom their pronouns stand for.

A pronoun is resolved when one person alone fits; else nobody is meant, and what is said with it is dropped.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nlp.clauses import Clause
from nlp.names import TYPES, EntityType
from nlp.rules import rules
from nlp.statements import Subject
from nlp.wording import FIRST, SECOND, THIRD, third_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

PRONOUNS: Final = FIRST | SECOND | THIRD
_WINDOW: Final = 3
"""So many turns back a pronoun may reach."""
_SHE: Final = {"she", "her", "hers", "herself"}
_HE: Final = {"he", "him", "his", "himself"}
_BESIDE: Final = {"compound", "nmod", "appos"}
_DAYS: Final = {"yesterday", "today", "tonight", "tomorrow"}
_POSSESSIVE: Final = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class _Mention:
    """Somebody who was named: by what name, in which turn and where in it, and how one refers to them."""

    name: str
    turn: int
    at: int
    gender: str = ""


class People:
    """The people of one talk, as far as it was heard."""

    def __init__(self, speakers: Sequence[str | None], participants: Sequence[str]) -> None:
        """`speakers` are those of the turns, by their full names; None is the assistant."""
        self._speakers = speakers
        everybody = dict.fromkeys([*participants, *(name for name in speakers if name)])
        self._first_names = {first_name(name).casefold(): name for name in everybody}
        self._mentions: list[_Mention] = []
        self._types: dict[str, EntityType] = {}

    def hear(self, turn: int, doc: "Doc") -> None:
        """Notes who is named in a turn."""
        self._mentions += self._mentioned(turn, doc)

    def call(self, name: str, by: str) -> None:
        """Somebody who was spoken of (the greyhound) has a name; pronouns stand for it from now on."""
        self._mentions = [replace(each, name=by) if each.name == name else each for each in self._mentions]
        self._types[by] = "Person"

    def speaker(self, turn: int) -> str:
        """The first name of who speaks."""
        return first_name(self._speakers[turn] or "")

    def full_name(self, name: str) -> str:
        """The full name of one who takes part; of others the name as it is."""
        return self._first_names.get(name.casefold(), name)

    def entity(self, name: str) -> Subject:
        """What a name stands for: somebody who takes part by their full name, and what it is."""
        full = self.full_name(name)
        return Subject(full, "Person" if full in self._first_names.values() else self._types.get(name, "Concept"))

    def named(self, turn: int, token: "Token", clause: Clause) -> Subject | None:
        """The entity that a noun or a pronoun names; None when it has no name of its own, and is nobody's kin."""
        if token.lower_ not in PRONOUNS and token.pos_ != "PROPN" and not _kin(token):
            return None
        name = self.name(turn, token, clause)
        return None if not name or token.lower_ == name.lower() in PRONOUNS else self.entity(name)

    def others(self, turn: int, clause: Clause, first: str) -> Iterator[Subject]:
        """Whom a clause is about besides the first: Maya and Ben moved."""
        beside = [] if clause.subject is None else [each for each in clause.subject.subtree if each.dep_ == "conj"]
        for token in beside:
            if token.lower_ in PRONOUNS or self.is_person(token):
                subject = self.named(turn, token, clause)
                if subject is not None and subject.type == "Person" and subject != self.entity(first):
                    yield subject

    def is_person(self, token: "Token") -> bool:
        """Whether a noun is somebody: a name, kin, a pet."""
        words = rules().words
        if token.ent_type_ == "PERSON" or token.lower_ in self._first_names:
            return True
        if any(token.lower_ in words[name] for name in ("kin", "pets", "she", "he")):
            return True
        subject = token.dep_ in {"nsubj", "nsubjpass"}
        return token.pos_ == "PROPN" and subject and token.ent_type_ in {"", "GPE", "ORG"}

    def sort(self, clause: Clause) -> str:
        """Whether a clause is about a `person` or a `thing`; empty when neither can be told."""
        token = clause.subject
        if clause.implied:
            return "person"
        if token is None:
            return ""
        if token.lower_ in FIRST | THIRD or self.is_person(token):
            return "person"
        return "thing" if token.pos_ in {"NOUN", "PROPN"} else ""

    def subject(self, turn: int, clause: Clause) -> str | None:
        """Whom or what a clause is about, by name; None when nobody can tell."""
        return self.speaker(turn) if clause.subject is None else self.name(turn, clause.subject, clause)

    def owner(self, turn: int, clause: Clause) -> str | None:
        """Whom a thing belongs to that a clause is about: "my phone died" is about me."""
        token = clause.subject
        if token is None or token.pos_ != "NOUN" or self.is_person(token):
            return None
        whose = _whose(token)
        return None if whose is None else self.name(turn, whose, clause)

    def name(self, turn: int, token: "Token", clause: Clause | None = None) -> str | None:
        """A noun or a pronoun as a name."""
        return self.who(turn, token, clause) if token.lower_ in PRONOUNS else self._noun(turn, token)

    def who(self, turn: int, token: "Token", clause: Clause | None = None) -> str | None:
        """The name that a pronoun stands for; the pronoun itself where it means the subject of its own clause."""
        if token.lower_ in FIRST:
            return self.speaker(turn)
        if token.lower_ in SECOND:
            return None
        if clause is not None and _its_own(token, clause.subject):
            return token.text
        above = clause.under.subject if clause is not None and clause.under is not None else None
        if above is not None and above.lower_ not in PRONOUNS and self.is_person(above):
            return self._noun(turn, above)
        return self._meant(turn, token)

    def relations(self, turn: int, sentence: "Span") -> Iterator[tuple[str, str, str]]:
        """Who is whose what, said in passing: my sister Ana is Maya's sister. Name, owner, what."""
        for token in sentence:
            if token.lower_ not in rules().words["kin"] | rules().words["pets"]:
                continue
            named, whose = _name_beside(token), _whose(token)
            if named is None or named.lower_ in rules().words["kin"]:
                continue
            owner = self.name(turn, whose or _whose(named) or named)
            if owner and (whose or _whose(named)):
                name = _bare(_spelled_out(named))
                self._types[name] = "Person"
                yield name, owner, token.lower_

    def _noun(self, turn: int, token: "Token") -> str | None:
        """A noun as a name: who is named beside it, else it with whose it is."""
        named = token if token.pos_ == "PROPN" else next(_appositions(token), None)
        if named is not None:
            return self._typed(_bare(_spelled_out(named)), self._type(named))
        words = [each for each in token.subtree if each.dep_ != "punct" and not _within(each, token)]
        return self._typed(third_person(words, lambda each: self.who(turn, each)), self._type(token))

    def _typed(self, name: str | None, type_: EntityType) -> str | None:
        if name and self._types.get(name) != "Person":
            self._types[name] = type_
        return name

    def _type(self, token: "Token") -> EntityType:
        """What a noun is: of names what spaCy says, except that who says or does something is a person."""
        if token.pos_ != "PROPN":
            return "Person" if _kin(token) else "Concept"
        type_ = TYPES.get(token.ent_type_, "Concept")
        person = self.is_person(token) and type_ in {"Place", "Concept"}
        return "Person" if person or token.lower_ in self._first_names else type_

    def _meant(self, turn: int, token: "Token") -> str | None:
        """Who alone fits a pronoun: of those named before it in its turn, else in the turns before."""
        gender = "she" if token.lower_ in _SHE else "he" if token.lower_ in _HE else "they"
        for number in range(turn, max(-1, turn - _WINDOW - 1), -1):
            names = {
                mention.name
                for mention in self._mentions
                if mention.turn == number and (number < turn or mention.at < token.i)
                if mention.name != self.speaker(turn) and mention.gender in ("", gender) and gender != "they"
            }
            if names:
                return names.pop() if len(names) == 1 else None
        return None

    def _mentioned(self, turn: int, doc: "Doc") -> Iterator[_Mention]:
        words = rules().words
        for token in doc:
            if token.lower_ in words["pets"] and _whose(token) is None:
                yield _Mention(f"the {token.lower_}", turn, token.i)
            elif token.lower_ in words["kin"] | words["pets"]:
                name = None if _name_beside(token) is not None or _whose(token) is None else self._noun(turn, token)
                if name:
                    yield _Mention(name, turn, token.i, _gender(token))
            elif token.dep_ != "compound" and token.pos_ in {"PROPN", "NOUN"} and self.is_person(token):
                kin = [*token.children, *([token.head] if token.dep_ == "appos" else [])]
                gender = next((_gender(each) for each in kin if each.lower_ in words["kin"]), "")
                yield _Mention(first_name(_bare(_spelled_out(token))), turn, token.i, gender)


def first_name(name: str) -> str:
    """The first word of a name."""
    return name.split()[0] if name else ""


def _kin(token: "Token") -> bool:
    return token.lower_ in rules().words["kin"] and token.pos_ == "NOUN"


def _whose(token: "Token") -> "Token | None":
    return next((child for child in token.children if child.dep_ == "poss"), None)


def _appositions(token: "Token") -> "Iterator[Token]":
    return (child for child in token.children if child.dep_ == "appos" and child.pos_ == "PROPN")


def _name_beside(token: "Token") -> "Token | None":
    """The name of whom a noun says what they are: my sister Ana."""
    if token.dep_ in _BESIDE and token.head.pos_ == "PROPN":
        return token.head
    return next(_appositions(token), None)


def _gender(token: "Token") -> str:
    """How one refers to somebody who is this to somebody: she, he, or either."""
    words = rules().words
    return "she" if token.lower_ in words["she"] else "he" if token.lower_ in words["he"] else ""


def _spelled_out(token: "Token") -> str:
    """A name with all its words."""
    span = next((ent for ent in token.doc.ents if ent.start <= token.i < ent.end), None)
    if span is not None:
        named = [each for each in span if each.pos_ == "PROPN" and each.lower_ not in _DAYS] or [token]
        text = token.doc[named[0].i : named[-1].i + 1].text
        return _POSSESSIVE.sub("", text).lstrip("@")
    return " ".join(t.text for t in token.subtree if t.dep_ in {"compound", "flat"} or t == token).lstrip("@")


def _bare(name: str) -> str:
    """A name without what somebody is: cousin Youssef."""
    kin = rules().words["kin"]
    return " ".join(word for word in name.split() if word.casefold() not in kin) or name


def _its_own(token: "Token", subject: "Token | None") -> bool:
    """Whether a pronoun means the subject of its own clause: she broke her hip."""
    if subject is None or token == subject or subject.lower_ in FIRST | SECOND or subject.i > token.i:
        return False
    return token.tag_ == "PRP$" or token.lower_.endswith(("self", "selves"))


def _within(token: "Token", top: "Token") -> bool:
    """Whether a word belongs to what is said of a noun, or to another noun beside it."""
    while token not in (top, token.head):
        if token.dep_ in {"relcl", "conj", "cc"}:
            return True
        token = token.head
    return False
