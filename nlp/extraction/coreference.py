"""Coreference in a talk: its participants, the people and things they name, and what their pronouns stand for.

"She" and "he" are resolved when exactly one person fits. Otherwise they stay unresolved, and the statement is dropped,
as are statements about "it" and "them".
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.naming import (
    ARTICLE,
    SUBJECTS,
    appositions,
    family_called,
    first_name,
    gender_of,
    is_hyphen,
    is_kin,
    is_one_thing,
    is_within,
    may_be_somebody,
    name_beside,
    names_somebody,
    owner_of,
    sentence_of,
    spelled_out,
    was_named,
    without_kin,
)
from hippograph.nlp.extraction.statements import Subject
from hippograph.nlp.names.listed import is_given
from hippograph.nlp.names.recognition import TYPES, EntityType
from hippograph.nlp.parsing.clauses import Clause
from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.parsing.wording import FIRST, IT, SECOND, THIRD, is_own_parent, possessive, third_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PRONOUNS: Final = FIRST | SECOND | THIRD | IT
SHE: Final = {"she", "her", "hers", "herself"}
HE: Final = {"he", "him", "his", "himself"}
_WINDOW: Final = 4
"""Maximum number of turns that a pronoun may refer back."""
_PLACING: Final = {"in", "to", "from", "at"}
_OLD: Final = re.compile(r"\b\d+[- ](?:year|month|week)s?[- ]old ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of somebody: the name, and the indexes of the turn, of the sentence in it and of the token (`at`).
    `gender` is "she", "he", or empty where either pronoun fits.
    """

    name: str
    turn: int
    sentence: int
    at: int
    gender: str = ""

    def fits(self, pronoun: str) -> bool:
        """Whether a form of "she" or "he" may stand for them."""
        return self.gender in ("", "she" if pronoun in SHE else "he")


class People:
    """The people of one talk and what they mention, up to the last turn that was heard."""

    def __init__(
        self, speakers: Sequence[str | None], participants: Sequence[str], names: Collection[str] = ()
    ) -> None:
        """`speakers` are the full names of the turns' speakers, None for the assistant; `names` are known names."""
        self._names = names
        self._speakers = speakers
        self._everybody = list(dict.fromkeys([*participants, *(name for name in speakers if name)]))
        self._first_names: dict[str, list[str]] = {}
        for name in self._everybody:
            self._first_names.setdefault(first_name(name).casefold(), []).append(name)
        self._mentions: list[Mention] = []
        self._types: dict[str, EntityType] = {}
        self._resolved: dict[tuple[int, int], str | None] = {}

    def hear(self, turn: int, doc: "Doc") -> None:
        """Records the people mentioned in a turn, and drops mentions that are too old."""
        self._mentions = [each for each in self._mentions if each.turn >= turn - _WINDOW]
        for number, sentence in enumerate(doc.sents):
            for token in sentence:
                mention = self._mention(turn, number, token)
                if mention is not None:
                    self._mentions.append(mention)

    @property
    def has_one_person(self) -> bool:
        """Whether the talk has one participant, with or without an assistant."""
        return len(self._everybody) == 1

    def speaker(self, turn: int) -> str:
        """The short name of the speaker of a turn."""
        return self.short(self._speakers[turn] or "")

    def full_name(self, name: str) -> str:
        """The full name of the only participant with this name; otherwise the name unchanged."""
        if name in self._everybody:
            return name
        namesakes = self._first_names.get(first_name(name).casefold(), [])
        known = [full for full in namesakes if name.casefold() in full.casefold()]
        return known[0] if len(known) == 1 else name

    def takes_part(self, name: str) -> bool:
        """Whether a name is that of a participant, or a first name that several participants share."""
        return self.full_name(name) in self._everybody or self.is_shared(name)

    def is_named(self, words: str) -> bool:
        """Whether words are a name: they begin with a capital, or with a participant's name (`ana_k's sister`). "The
        dentist" at the beginning of a sentence is no name.
        """
        article = ARTICLE.match(words)
        name = words[:1].isupper() and not (article and words[article.end() :][:1].islower())
        return name or self.takes_part(words.partition("'s ")[0])

    def entity(self, name: str) -> Subject:
        """The entity that a name stands for, with its type; a participant has the full name."""
        full = self.full_name(name)
        return Subject(full, "Person" if full in self._everybody else self._types.get(name, "Concept"))

    def is_person(self, token: "Token") -> bool:
        """Whether a noun stands for somebody: a name, a relative, a pet, or a role such as an occupation."""
        words = lexicon().words
        if not any(map(str.isalpha, token.text)):
            return False  # the parser takes some full stops for names
        if token.ent_type_ == "PERSON" or token.lower_ in self._first_names or token.lower_ in words["names"]:
            return True
        if any(token.lower_ in words[name] for name in ("kin", "pets", "she", "he", "roles")):
            return token.tag_ != "NNS" or token.lower_ in words["kin"]
        numbered = token.i + 1 < len(token.doc) and token.nbor(1).dep_ == "nummod"
        if token.pos_ != "PROPN" or numbered or any(map(str.isdigit, token.text)):
            return False
        if self._types.get(token.text) == "Person":
            return True
        # A capital at the beginning of a sentence makes no name: Queue is 74.
        spelled_so = not token.is_sent_start or token.text in self._names or is_given(token.lower_)
        return token.dep_ in SUBJECTS and (token.ent_type_ in {"GPE", "ORG"} or (not token.ent_type_ and spelled_so))

    def name(self, turn: int, token: "Token", clause: Clause | None = None) -> str | None:
        """The name that a noun or a pronoun stands for; None if it is unknown."""
        return self.who(turn, token, clause) if token.lower_ in PRONOUNS else self.noun(turn, token)

    def who(self, turn: int, token: "Token", clause: Clause | None = None) -> str | None:
        """The name that a pronoun stands for, if known; the pronoun itself where it means the subject of its clause."""
        if token.lower_ in FIRST:
            return self.speaker(turn)
        if is_own_parent(token):
            return self._typed(f"{possessive(self.speaker(turn))} {token.lower_}", "Person")
        if token.lower_ in SECOND:
            return self._addressed(turn)
        if (clause is not None and _its_own(token, clause.subject)) or _of_whoever(token):
            return token.text
        return self._somebody_else(turn, token, clause)

    def certain(self, turn: int, token: "Token", clause: Clause) -> bool:
        """Whether a third-person pronoun is resolved with certainty: to the subject of its own clause, or to the only
        person who fits in this turn or, failing that, in the one before.
        """
        if _its_own(token, clause.subject) or _of_whoever(token):
            return True
        name = self.who(turn, token, clause)
        if name is None or token.lower_ not in SHE | HE:
            return False
        fitting = [each for each in self.before(turn, token) if each.fits(token.lower_)]
        others = [each for each in fitting if each.name == name or not self.takes_part(each.name)]
        near = [each for each in others if each.turn == turn]
        if near:
            last = [each for each in near if each.sentence == near[-1].sentence]
            alone = [name] == _distinct(near) or (token.dep_ in SUBJECTS and [name] == _distinct(last))
            return alone and not self._named_between(near[-1], token)
        if not self.takes_part(name) and was_named(name, token):
            return True
        before = [each for each in others if each.turn == turn - 1]
        return token.dep_ in SUBJECTS and [name] == _distinct(before) and not names_somebody(token)

    def surely(self, turn: int, token: "Token", clause: Clause | None) -> str | None:
        """The name that a third-person pronoun certainly means; None if that is open, or if its turn mentions anybody
        but them and the speaker before it.
        """
        name = None if clause is None else self.name(turn, token, clause)
        if clause is None or not name or not self.certain(turn, token, clause):
            return None
        named = {each.name for each in self.before(turn, token) if each.turn == turn}
        return name if named <= {name, self.speaker(turn)} else None

    def _named_between(self, mention: Mention, pronoun: "Token") -> bool:
        """Whether another possible name of a person stands between a mention and a pronoun."""
        return any(
            may_be_somebody(each) and each.text not in mention.name for each in pronoun.doc[mention.at + 1 : pronoun.i]
        )

    def _somebody_else(self, turn: int, token: "Token", clause: Clause | None) -> str | None:
        """The name that a third-person pronoun stands for; None if it is unknown."""
        if clause is not None and clause.under is not None and _told_somebody(clause.under.head):
            return None
        above = clause.under.subject if clause is not None and clause.under is not None else None
        if above is not None and above.lower_ not in PRONOUNS and token.lower_ not in IT and self.is_person(above):
            return self.noun(turn, above)
        if token.lower_ not in SHE | HE or (clause is not None and self._somebody_between(clause, token)):
            return None
        if (turn, token.i) not in self._resolved:
            self._resolved[turn, token.i] = self._meant(turn, token, self._other_than(turn, token, clause))
        return self._resolved[turn, token.i]

    def _other_than(self, turn: int, token: "Token", clause: Clause | None) -> str | None:
        """The name that an object cannot mean: the subject of its own clause, which would need a reflexive pronoun."""
        if clause is None or clause.subject is None or token == clause.subject or token.tag_ == "PRP$":
            return None
        governs = token.head
        while governs.pos_ in {"ADP", "ADV"} and governs.head != governs:
            governs = governs.head
        return self.short(self.name(turn, clause.subject, clause) or "") if governs == clause.head else None

    def before(self, turn: int, token: "Token") -> list[Mention]:
        """The recent mentions before a token."""
        said = [each for each in self._mentions if each.turn < turn or (each.turn == turn and each.at < token.i)]
        return [each for each in said if each.turn >= turn - _WINDOW]

    def _mention_again(self, mention: Mention, turn: int, pronoun: "Token") -> None:
        self._mentions.append(replace(mention, turn=turn, sentence=sentence_of(pronoun), at=pronoun.i))

    def _somebody_between(self, clause: Clause, pronoun: "Token") -> bool:
        """Whether the clause has a noun for somebody else before a pronoun that may mean them: a girl in her home."""
        own = set() if clause.subject is None else {token.i for token in clause.subject.subtree}
        return any(
            token.i < pronoun.i and token.i not in own and token.pos_ == "NOUN" and self.is_person(token)
            for token in clause.words
        )

    def _addressed(self, turn: int) -> str | None:
        """The name that "you" stands for: the other of two people who talk to each other, or whoever is alone with the
        assistant, in its turns; None in other talks.
        """
        speaker = self._speakers[turn]
        others = [name for name in self._everybody if name != speaker]
        alone = len(others) == 1 and (speaker is None or None not in self._speakers)
        return self.short(others[0]) if alone else None

    def is_somebody(self, token: "Token") -> bool:
        """Whether a word is a pronoun, or a noun that stands for somebody."""
        return token.lower_ in PRONOUNS or self.is_person(token)

    def noun(self, turn: int, token: "Token") -> str | None:
        """The name of a noun: the name beside it, else its phrase with the owner. None for a body part (Achilles)."""
        if is_own_parent(token):
            return self.who(turn, token)
        named = token if token.pos_ == "PROPN" else next(appositions(token), None)
        if named is not None:
            if named.lower_ in lexicon().words["body"]:
                return None
            return self._typed(self._called(turn, named), self._type(named))
        words = [
            each
            for each in token.subtree
            if each == token
            or (
                each.dep_ != "punct"
                and not is_within(each, token)
                and not _is_its_ending(each, token)
                and not _is_called_to(each, token)
            )
        ]
        while words[0].i > 1 and is_hyphen(words[0].nbor(-1)):
            words[:0] = [words[0].nbor(-2), words[0].nbor(-1)]  # cut-over
        while len(words) > 1 and words[0].lower_ in lexicon().words["fillers"]:
            words.pop(0)
        name = third_person(words, lambda each: self.who(turn, each))
        return self._typed(name and _OLD.sub("", name), self._type(token))

    def _typed(self, name: str | None, type_: EntityType) -> str | None:
        if name and self._types.get(name) != "Person":
            self._types[name] = type_
        return name

    def _type(self, token: "Token") -> EntityType:
        """The type of a noun: for names it is spaCy's, unless the context or a list shows that they are persons."""
        if token.pos_ != "PROPN":
            person = is_kin(token) or token.lower_ in lexicon().words["roles"]
            return "Person" if person else "Concept"
        type_ = TYPES.get(token.ent_type_, "Concept")
        person = self.is_person(token) and type_ in {"Place", "Concept"}
        known = token.lower_ in self._first_names or token.lower_ in lexicon().words["names"]
        return "Person" if person or known or _is_behind_kin(token) else type_

    def _meant(self, turn: int, token: "Token", other_than: str | None) -> str | None:
        """The only person who fits a pronoun in the nearest sentence that mentions one; None if several fit."""
        others = [each for each in self.before(turn, token) if each.name not in (self.speaker(turn), other_than)]
        fitting = [each for each in others if each.fits(token.lower_)]
        if not fitting:
            return None
        last = fitting[-1]
        near = [each for each in fitting if (each.turn, each.sentence) == (last.turn, last.sentence)]
        names = _distinct(near)
        if self._speakers[last.turn] is None:  # of those of whom the assistant speaks, nobody else may be meant
            names = _distinct([each for each in fitting if each.turn >= last.turn - 1])
        if len(names) != 1:
            return None
        self._mention_again(replace(near[-1], name=names[0]), turn, token)
        return names[0]

    def _mention(self, turn: int, sentence: int, token: "Token") -> Mention | None:
        words = lexicon().words
        if token.lower_ in words["pets"] and not (owner_of(token) or name_beside(token)) and token.tag_ != "NNS":
            return Mention(f"the {token.lower_}", turn, sentence, token.i)
        if is_own_parent(token) or (
            token.lower_ in words["kin"] | words["pets"] | words["roles"] and token.tag_ not in {"NNS", "NNP"}
        ):
            return self._relative(turn, sentence, token)
        noun = token.dep_ != "compound" and token.pos_ in {"PROPN", "NOUN"} and token.tag_ != "NNS"
        if not noun or not self.is_person(token) or self._is_where(token):
            return None
        name = self._called(turn, token)
        self._typed(name, self._type(token))
        if name is None:
            return None
        if token.ent_type_ == "ORG" and token.lower_ not in words["names"] and token.lower_ not in self._first_names:
            return None
        kin = [*token.children, *([token.head] if token.dep_ == "appos" else [])]
        first = next((each for each in token.lefts if each.dep_ == "compound" and each.pos_ == "PROPN"), token)
        gender = next((gender_of(each) for each in kin if gender_of(each)), "") or gender_of(first)
        return Mention(self.short(name), turn, sentence, token.i, gender)

    def _is_where(self, token: "Token") -> bool:
        """Whether a name stands where places do, and is no known person's: she goes back to Coimbra."""
        known = token.lower_ in lexicon().words["names"] or token.lower_ in self._first_names
        return token.pos_ == "PROPN" and token.dep_ == "pobj" and token.head.lower_ in _PLACING and not known

    def _relative(self, turn: int, sentence: int, token: "Token") -> Mention | None:
        """A mention without a name: my sister, the plumber. None if a name beside it is a mention of its own."""
        if name_beside(token) is not None or token.dep_ in {"compound", "attr"}:
            return None
        if (
            owner_of(token) is None
            and not is_own_parent(token)
            and not any(child.dep_ == "det" for child in token.children)
        ):
            return None
        name = self.noun(turn, token)
        return None if name is None else Mention(ARTICLE.sub("the ", name), turn, sentence, token.i, gender_of(token))

    def short(self, name: str) -> str:
        """The first name of a participant, or the full name where it is shared; other names are returned unchanged."""
        full = self.full_name(name)
        if full not in self._everybody:
            return name
        first = first_name(full)
        return first if len(self._first_names[first.casefold()]) == 1 else full

    def is_shared(self, name: str) -> bool:
        """Whether several participants share this first name."""
        return len(self._first_names.get(name.casefold(), [])) > 1

    def _called(self, turn: int, token: "Token") -> str | None:
        """The name of whom or what a word names. A relative with the first name of a participant is called by the
        relation: Ben's daughter. A first name that several participants share means the one who is not speaking. None
        where that leaves more than one, or it is unknown whose relative it is.
        """
        family = family_called(token) if token.lower_ in self._first_names else None
        if family is not None:
            whose = self.name(turn, family[0])
            return f"{possessive(whose)} {family[1].lower_}" if whose else None
        name = without_kin(spelled_out(token))
        if not self.is_shared(name):
            return name
        others = [full for full in self._first_names[name.casefold()] if full != self._speakers[turn]]
        return others[0] if len(others) == 1 else None


def _is_called_to(word: "Token", noun: "Token") -> bool:
    """Whether a word after a noun and a comma addresses the listener: my late husband, *dear*."""
    return word.i > noun.i and word.dep_ == "amod" and word.nbor(-1).is_punct


def _told_somebody(verb: "Token") -> bool:
    """Whether a verb has an object that is somebody else, so that "she" may be the teller or the one told."""
    objects = [child for child in verb.children if child.dep_ in {"dobj", "dative"}]
    return any(each.lower_ not in FIRST and each.pos_ in {"PROPN", "PRON", "NOUN"} for each in objects)


def _its_own(token: "Token", subject: "Token | None") -> bool:
    """Whether a pronoun means the subject of its own clause: she broke her hip."""
    if subject is None or token == subject or subject.lower_ in FIRST | SECOND or subject.i > token.i:
        return False
    own = token.tag_ == "PRP$" or token.lower_.endswith(("self", "selves"))
    return own and token not in subject.subtree and not (token.lower_ in THIRD and is_one_thing(subject))


def _of_whoever(token: "Token") -> bool:
    """Whether a pronoun refers to the head of its own relative clause: folks who lost their jobs."""
    verb = token
    while verb.head != verb and verb.dep_ != "relcl":
        verb = verb.head
    return (
        verb.dep_ == "relcl"
        and token.lower_ in THIRD
        and any(child.dep_ in SUBJECTS and child.tag_ in {"WP", "WDT"} for child in verb.children)
    )


def _is_behind_kin(token: "Token") -> bool:
    """Whether a name follows a word for a relative: my brother Lars Holm."""
    first = token.i
    while first > 0 and token.doc[first - 1].pos_ == "PROPN":
        first -= 1
    return first > 0 and token.doc[first - 1].lower_ in lexicon().words["kin"]


def _is_its_ending(token: "Token", noun: "Token") -> bool:
    """Whether a word is the possessive ending of a noun: my mother's birthday."""
    return token.dep_ == "case" and token.head == noun


def _distinct(mentions: Sequence[Mention]) -> list[str]:
    """The distinct names of mentions; a name that is part of another is left out (Olga beside Olga Lindt)."""
    names = list(dict.fromkeys(each.name for each in mentions))
    return [name for name in names if not any(name != other and name in other for other in names)]
