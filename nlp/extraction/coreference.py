"""Who is meant in a talk: those who take part, whom and what they name, and what their pronouns stand for.

A pronoun is resolved when one person or thing alone fits; else nobody is meant, and what is said with it is dropped.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from nlp.extraction.statements import Subject
from nlp.names.recognition import TYPES, EntityType
from nlp.parsing.clauses import Clause
from nlp.parsing.lexicon import lexicon
from nlp.parsing.wording import FIRST, IT, SECOND, THIRD, is_own_parent, possessive, third_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

PRONOUNS: Final = FIRST | SECOND | THIRD | IT
_WINDOW: Final = 4
"""So many turns back a pronoun may reach for a person."""
_MOST: Final = 8
"""So many things a piece may be about for being named near it."""
_NEAR: Final = 1
"""So many turns back for a thing or a group."""
_THEIRS: Final = {"their", "theirs"}
_SHE: Final = {"she", "her", "hers", "herself"}
_HE: Final = {"he", "him", "his", "himself"}
_SPEAKING: Final = {"speaker", "implied"}
_BESIDE: Final = {"compound", "nmod", "appos"}
_SUBJECTS: Final = {"nsubj", "nsubjpass"}
_NAMED: Final = {*_SUBJECTS, "dobj", "pobj"}
_POINTED: Final = {"this", "that", "these", "those", "such"}
_OBJECTS: Final = {"nsubj", "ROOT", "dobj"}
_PLACES: Final = {"dobj", "pobj", "poss", "dative", "nsubj", "appos", "conj", "attr"}
_LONGEST_CHAIN: Final = 3
"""Maya's sister's husband's."""
_LONGEST_NAME: Final = 6
_IN_NAMES: Final = {
    "&",
    "of",
    "de",
    "da",
    "di",
    "van",
    "von",
    "der",
    "la",
    "le",
    "el",
    "al",
    "the",
    "-",
    ".",
    "'s",
    "’s",
}
_DAYS: Final = {"yesterday", "today", "tonight", "tomorrow"}
_TIMES: Final = {"DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY"}
_ARTICLE: Final = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_WORD: Final = re.compile(r"\w")
_POSSESSIVE: Final = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class _Mention:
    """Somebody or something that was named: by what name, in which turn, sentence and place, and how one refers to it.

    `sort` is "person" (`gender` she, he, or empty where either will do), "thing", "group", or "firm", which is both.
    """

    name: str
    turn: int
    sentence: int
    at: int
    sort: str = "person"
    gender: str = ""
    leads: bool = False

    def fits(self, pronoun: str) -> bool:
        """Whether a pronoun may stand for it."""
        if pronoun in _SHE | _HE:
            return self.sort == "person" and self.gender in ("", "she" if pronoun in _SHE else "he")
        return self.sort in ({"thing", "firm"} if pronoun in IT else {"group", "firm"})

    def is_no(self, pronoun: str) -> bool:
        """Whether a pronoun surely stands for another: he for a sister, it for a landlord; a name tells nothing."""
        return bool(self.gender) and pronoun in IT | _SHE | _HE and not self.fits(pronoun)

    def distance(self, turn: int, sentence: int) -> str:
        """How far before a sentence of a turn it is."""
        return f"{min(sentence - self.sentence, 3)} before" if self.turn == turn else f"turn {turn - self.turn}"


class People:
    """The people of one talk, and what is spoken of, as far as it was heard."""

    def __init__(
        self, speakers: Sequence[str | None], participants: Sequence[str], names: Collection[str] = ()
    ) -> None:
        """`speakers` are those of the turns, by their full names (None is the assistant); `names` are known names."""
        self._names = names
        self._asking: set[int] = set()
        self._speakers = speakers
        everybody = dict.fromkeys([*participants, *(name for name in speakers if name)])
        self._first_names = {first_name(name).casefold(): name for name in everybody}
        self._mentions: list[_Mention] = []
        self._types: dict[str, EntityType] = {}
        self._members: dict[str, list[str]] = {}
        self._settled: dict[tuple[int, int], str] = {}
        self._resolved: dict[tuple[int, int], str | None] = {}
        self._nouns: list[tuple[int, Token]] = []

    def hear(self, turn: int, doc: "Doc") -> None:
        """Notes who and what is named in a turn; what is too long ago is forgotten."""
        self._mentions = [each for each in self._mentions if each.turn >= turn - _WINDOW]
        self._nouns = [(number, token) for number, sentence in enumerate(doc.sents) for token in _nouns(sentence)]
        if "?" in doc.text:
            self._asking.add(turn)
        for number, sentence in enumerate(doc.sents):
            for token in sentence:
                mention = self._mention(turn, number, token)
                if mention is not None:
                    self._mentions.append(mention)

    def call(self, name: str, by: str) -> None:
        """Somebody who was spoken of (the greyhound) has a name; pronouns stand for it from now on."""
        self._mentions = [
            replace(each, name=by, sort="person") if each.name == name else each for each in self._mentions
        ]
        self._types[by] = "Person"

    def speaker(self, turn: int) -> str:
        """The first name of who speaks."""
        return first_name(self._speakers[turn] or "")

    def full_name(self, name: str) -> str:
        """The full name of one who takes part; of others the name as it is."""
        full = self._first_names.get(first_name(name).casefold(), name)
        return full if name.casefold() in full.casefold() else name

    def takes_part(self, name: str) -> bool:
        """Whether a name is that of one who takes part, who has it already."""
        return self.full_name(name) in self._first_names.values()

    def entity(self, name: str) -> Subject:
        """What a name stands for: somebody who takes part by their full name, and what it is."""
        full = self.full_name(name)
        return Subject(full, "Person" if full in self._first_names.values() else self._types.get(name, "Concept"))

    def named(self, turn: int, token: "Token", clause: Clause) -> Subject | None:
        """The entity that a noun or a pronoun names; None when it has no name of its own, and is nobody's kin."""
        if token.lower_ not in PRONOUNS and token.pos_ != "PROPN" and not _kin(token):
            return None
        name = self.name(turn, token, clause)
        return None if not name or name.lower() in PRONOUNS else self.entity(name)

    def others(self, turn: int, clause: Clause, first: str) -> Iterator[Subject]:
        """Whom a clause is about besides the first: Maya and Ben moved."""
        if clause.subject is None:
            return
        beside = [each for each in clause.subject.subtree if each.dep_ == "conj" and self._one(each)]
        names = [self.name(turn, each, clause) for each in (clause.subject, *beside)] if beside else []
        names += self._members.get(self.name(turn, clause.subject, clause) or "", [])
        for name in names:
            subject = self.entity(name) if name else None
            if subject is not None and subject.type == "Person" and subject != self.entity(first):
                yield subject

    def is_person(self, token: "Token") -> bool:
        """Whether a noun is somebody: a name, kin, a pet, somebody known by what they do."""
        words = lexicon().words
        if token.ent_type_ == "PERSON" or token.lower_ in self._first_names or token.lower_ in words["names"]:
            return True
        if any(token.lower_ in words[name] for name in ("kin", "pets", "she", "he", "roles")):
            return token.tag_ != "NNS" or token.lower_ in words["kin"]
        numbered = token.i + 1 < len(token.doc) and token.nbor(1).dep_ == "nummod"
        if token.pos_ != "PROPN" or numbered:
            return False
        return self._types.get(token.text) == "Person" or (
            token.dep_ in _SUBJECTS and token.ent_type_ in {"", "GPE", "ORG"}
        )

    def addressed(self, token: "Token") -> bool:
        """Whether a word is but the name of who is spoken to: you know, Joost."""
        if token.dep_ in {"compound", "poss"} or token.pos_ not in {"PROPN", "NOUN", "INTJ"}:
            return False
        if token.dep_ == "conj" and token.head.pos_ in {"PROPN", "PRON"}:
            return False  # I met Ben, Maya
        somebody = token.pos_ == "PROPN" and (token.head.tag_ == "NNS" or token.head.pos_ in {"VERB", "PRON"})
        takes_part = token.lower_ in self._first_names
        if not takes_part and not somebody:
            return False
        last = token.i + 1 == len(token.doc) or token.nbor(1).is_punct
        return token.i > 0 and token.nbor(-1).text == "," and ((takes_part and last) or not any(token.children))

    def spoken_of(self, turn: int, piece: Clause, words: "Sequence[Token]", before: str | None) -> dict[str, set[str]]:
        """Whom and what a piece of talk may be about, by name, and how it names them: as who speaks, as its subject, as
        the owner of that, as an object, …; `before` is whom the piece before it is about.
        """
        found: dict[str, tuple[str, set[str]]] = {}
        for role, name in self._roles(turn, piece, words):
            if name and (role in _SPEAKING or (name.lower() not in PRONOUNS and _WORD.search(name))):
                short = self._short(name)
                found.setdefault(_same(short), (short, set()))[1].add(role)
        if before is not None:
            found.setdefault(_same(before), (before, set()))[1].add("before")
        for name in self._others(turn, piece) & found.keys():
            if not found[name][1] & _SPEAKING:
                del found[name]
        return dict(found.values())

    def _others(self, turn: int, piece: Clause) -> set[str]:
        """Who or what the subject of a piece, a pronoun, surely does not stand for."""
        if piece.subject is None or piece.subject.lower_ not in THIRD | IT:
            return set()
        before = self._before(turn, piece.subject)
        no = {_same(each.name) for each in before if each.is_no(piece.subject.lower_)}
        return no - {_same(each.name) for each in before if each.fits(piece.subject.lower_)}

    def _roles(self, turn: int, piece: Clause, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
        yield "speaker", self.speaker(turn)
        if piece.implied:
            yield "implied", self.speaker(turn)
        subject = piece.subject
        pronoun = None if subject is None else reference(subject)
        if subject is not None:
            yield from self._in_subject(turn, piece, subject)
        yield from self._lately(turn, words) if pronoun is None else self._mentioned(turn, pronoun)
        yield from self._beside(turn, words)
        if piece.under is not None and piece.under.subject is not None:
            yield "above", self.name(turn, piece.under.subject, piece.under)
        yield from self._in_words(turn, piece, words)

    def _in_words(self, turn: int, piece: Clause, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
        """What a piece names beside its subject."""
        within = set() if piece.subject is None else {token.i for token in piece.subject.subtree}
        for token in words:
            if token.i in within or token.is_punct or token.is_space or token.dep_ == "compound":
                continue
            somebody = token.lower_ in PRONOUNS or self.is_person(token)
            if somebody or token.pos_ == "PROPN" or (token.pos_ == "NOUN" and token.dep_ in _OBJECTS):
                role = token.dep_ if token.dep_ in _PLACES else "else"
                name = self.name(turn, token, piece)
                yield f"{role} {'somebody' if somebody else 'something'}", name
                if token == words[0]:
                    yield "first word", name

    def _in_subject(self, turn: int, piece: Clause, subject: "Token") -> Iterator[tuple[str, str | None]]:
        name = self.name(turn, subject, piece)
        yield "subject", name
        yield from (("subject", member) for member in self._members.get(name or "", []))
        owner, depth = _whose(subject), 1
        while owner is not None and depth <= _LONGEST_CHAIN:
            yield f"owner {depth}", self.name(turn, owner, piece)
            owner, depth = _whose(owner), depth + 1
        for token in subject.subtree:
            if token == subject:
                continue
            if token.dep_ == "conj":
                yield "beside subject", self.name(turn, token, piece)
            if token.dep_ in {"pobj", "poss"} and self._one(token):
                yield "in subject", self.name(turn, token, piece)

    def _lately(self, turn: int, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
        """What was mentioned last, of which a piece may be without naming it: the boiler; delivery on Friday."""
        before = [each for each in self._before(turn, words[-1]) if each.turn >= turn - _NEAR]
        sentence = _sentence(words[0])
        for passed, each in enumerate(_latest(before)[:_MOST]):
            near = each.distance(turn, sentence)
            yield f"lately, {each.sort} {near}{', leading' if each.leads else ''}", each.name
            yield f"lately, {near}, {min(passed, 3)} between", each.name

    def _beside(self, turn: int, words: "Sequence[Token]") -> Iterator[tuple[str, str | None]]:
        """What a sentence and the one before it name last, however the parser takes them."""
        sentence = _sentence(words[0])
        nouns = [each for each in self._nouns if sentence - _NEAR <= each[0] <= sentence and each[1].i <= words[-1].i]
        for number, token in nouns[-_MOST:]:
            leading = ", leading" if token.dep_ in _SUBJECTS else ""
            role = f"noun, {token.ent_type_ or token.pos_} {sentence - number}{leading}"
            yield role, self._noun(turn, token)

    def _mentioned(self, turn: int, pronoun: "Token") -> Iterator[tuple[str, str | None]]:
        """Whom and what a pronoun may stand for: all that was mentioned lately, and how."""
        said, sentence = pronoun.lower_, _sentence(pronoun)
        sort = "it" if said in IT else "she" if said in _SHE else "he" if said in _HE else "they"
        passed = 0
        for each in _latest(self._before(turn, pronoun)):
            if each.is_no(said):
                continue
            fits = each.fits(said)
            near = each.distance(turn, sentence)
            yield f"meant, {sort} for {each.sort} {each.gender}", each.name
            yield f"meant, {'fits' if fits else 'no'}, {min(passed, 3)} between", each.name
            yield f"meant, {sort}, {near}", each.name
            yield f"meant, {near}{', leading' if each.leads else ''}, {min(passed, 3)} between", each.name
            if each.turn in self._asking:
                yield "meant, asked", each.name
            passed += fits

    def name(self, turn: int, token: "Token", clause: Clause | None = None) -> str | None:
        """A noun or a pronoun as a name."""
        return self.who(turn, token, clause) if token.lower_ in PRONOUNS else self._noun(turn, token)

    def who(self, turn: int, token: "Token", clause: Clause | None = None) -> str | None:
        """The name that a pronoun stands for; the pronoun itself where it means the subject of its own clause."""
        if (turn, token.i) in self._settled:
            return self._settled[turn, token.i]
        if token.lower_ in FIRST:
            return self.speaker(turn)
        if is_own_parent(token):
            return self._typed(f"{possessive(self.speaker(turn))} {token.lower_}", "Person")
        if token.lower_ in SECOND:
            return self._addressed(turn)
        if (clause is not None and _its_own(token, clause.subject)) or _of_whoever(token):
            return token.text
        return self._somebody_else(turn, token, clause)

    def _somebody_else(self, turn: int, token: "Token", clause: Clause | None) -> str | None:
        """Whom or what a pronoun of the third person stands for."""
        if clause is not None and clause.under is not None and _told_somebody(clause.under.head):
            return None
        above = clause.under.subject if clause is not None and clause.under is not None else None
        if above is not None and above.lower_ not in PRONOUNS and token.lower_ not in IT and self.is_person(above):
            return self._noun(turn, above)
        if clause is not None and token.lower_ in _SHE | _HE and self._somebody_between(clause, token):
            return None
        if (turn, token.i) not in self._resolved:
            self._resolved[turn, token.i] = self._meant(turn, token, self._other_than(turn, token, clause))
        return self._resolved[turn, token.i]

    def _other_than(self, turn: int, token: "Token", clause: Clause | None) -> str | None:
        """Whom an object does not mean: the subject of its own clause, which would be "itself"."""
        if clause is None or clause.subject is None or token == clause.subject or token.tag_ == "PRP$":
            return None
        governs = token.head
        while governs.pos_ in {"ADP", "ADV"} and governs.head != governs:
            governs = governs.head
        return self._short(self.name(turn, clause.subject, clause) or "") if governs == clause.head else None

    def settle(self, turn: int, pronoun: "Token", name: str) -> None:
        """Lets a pronoun stand for somebody or something that was mentioned before; for nothing else but a person whom
        the parser missed, and not for who speaks, or for one of those for whom it stands already.
        """
        if name in self._members.get(self._resolved.get((turn, pronoun.i)) or "", []) or name == self.speaker(turn):
            return
        before = [each for each in self._before(turn, pronoun) if each.name == name]
        fitting = [each for each in before if not each.is_no(pronoun.lower_)]
        if fitting:
            self._settled[turn, pronoun.i] = name
            self._mention_again(fitting[-1], turn, pronoun)
        elif not before and pronoun.lower_ in _SHE | _HE and pronoun.dep_ in _SUBJECTS and _was_named(name, pronoun):
            self._settled[turn, pronoun.i] = name

    def _before(self, turn: int, token: "Token") -> list[_Mention]:
        """What was mentioned lately."""
        said = [each for each in self._mentions if each.turn < turn or (each.turn == turn and each.at < token.i)]
        return [each for each in said if each.turn >= turn - _WINDOW]

    def _mention_again(self, mention: _Mention, turn: int, pronoun: "Token") -> None:
        self._mentions.append(replace(mention, turn=turn, sentence=_sentence(pronoun), at=pronoun.i))

    def _somebody_between(self, clause: Clause, pronoun: "Token") -> bool:
        """Whether the clause itself names somebody else before a pronoun, whom it may mean: a girl in her home."""
        own = set() if clause.subject is None else {token.i for token in clause.subject.subtree}
        return any(
            token.i < pronoun.i and token.i not in own and token.pos_ == "NOUN" and self.is_person(token)
            for token in clause.words
        )

    def relations(self, turn: int, sentence: "Span") -> Iterator[tuple[str, str, str]]:
        """Who is whose what, said in passing: my sister Ana is Maya's sister. Name, owner, what."""
        for token in sentence:
            if token.lower_ not in _related():
                continue
            named, whose = _name_beside(token), _whose(token)
            if token.pos_ == "PROPN" and token.text[0].isupper() and not token.is_sent_start:
                continue  # part of a name
            if named is None or named.lower_ in lexicon().words["kin"]:
                continue
            owner = self.name(turn, whose or _whose(named) or named)
            if owner and (whose or _whose(named)):
                name = _bare(_spelled_out(named))
                self._types[name] = "Person"
                yield name, owner, _what(token)

    def _addressed(self, turn: int) -> str | None:
        """Whom "you" means: of two people who talk to each other, the other one."""
        others = [name for name in self._first_names.values() if name != self._speakers[turn]]
        alone = len(others) == 1 and None not in self._speakers
        return first_name(others[0]) if alone else None

    def introductions(self, turn: int, clause: Clause) -> Iterator[tuple[str, str, str]]:
        """Who is said to be whose what: my coach is Bongani. Name, owner, what."""
        token = clause.subject
        if (
            token is None
            or clause.head.lemma_ != "be"
            or not _kin(token)
            or token.tag_ == "NNS"
            or _whose(token) is None
        ):
            return
        told = next((c for c in clause.head.children if c.dep_ == "attr"), None)
        named = told if told is None or told.pos_ == "PROPN" else next(_appositions(told), None)
        owner = self.name(turn, _whose(token) or token, clause)
        if named is not None and owner and named.ent_type_ not in _TIMES | {"GPE", "NORP", "LANGUAGE"}:
            name = _bare(_spelled_out(named))
            self._types[name] = "Person"
            self.call(f"{possessive(owner)} {token.lower_}", name)
            yield name, owner, _what(token)

    def _one(self, token: "Token") -> bool:
        return token.lower_ in PRONOUNS or self.is_person(token)

    def _noun(self, turn: int, token: "Token") -> str | None:
        """A noun as a name: who is named beside it, else it with whose it is."""
        if is_own_parent(token):
            return self.who(turn, token)
        named = token if token.pos_ == "PROPN" else next(_appositions(token), None)
        if named is not None:
            return self._typed(_bare(_spelled_out(named)), self._type(named))
        words = [each for each in token.subtree if each == token or (each.dep_ != "punct" and not _within(each, token))]
        while words[0].i > 1 and _hyphen(words[0].nbor(-1)):
            words[:0] = [words[0].nbor(-2), words[0].nbor(-1)]  # cut-over
        while len(words) > 1 and words[0].lower_ in lexicon().words["fillers"]:
            words.pop(0)
        return self._typed(third_person(words, lambda each: self.who(turn, each)), self._type(token))

    def _typed(self, name: str | None, type_: EntityType) -> str | None:
        if name and self._types.get(name) != "Person":
            self._types[name] = type_
        return name

    def _type(self, token: "Token") -> EntityType:
        """What a noun is: of names what spaCy says, except that who says or does something is a person."""
        if token.pos_ != "PROPN":
            person = _kin(token) or token.lower_ in lexicon().words["roles"]
            return "Person" if person else "Concept"
        type_ = TYPES.get(token.ent_type_, "Concept")
        person = self.is_person(token) and type_ in {"Place", "Concept"}
        known = token.lower_ in self._first_names or token.lower_ in lexicon().words["names"]
        return "Person" if person or known else type_

    def _meant(self, turn: int, token: "Token", other_than: str | None) -> str | None:
        """Who or what alone fits a pronoun, in the nearest sentence before it that names one who fits."""
        pronoun, person = token.lower_, token.lower_ in _SHE | _HE
        own = self.speaker(turn)
        fitting = [
            each
            for each in self._before(turn, token)
            if pronoun not in _THEIRS or each.sort != "group" or each.name in self._members
            if (person or each.turn >= turn - _NEAR)
            if each.name not in (own, other_than)
            and each.fits(pronoun)
            and (person or each.turn == turn or each.turn in self._asking)
        ]
        if not fitting:
            return None
        last = fitting[-1]
        near = [each for each in fitting if (each.turn, each.sentence) == (last.turn, last.sentence)]
        names = _distinct(near)
        if len(names) > 1 and not person:
            names = _distinct([each for each in near if each.leads])
        if len(names) != 1:
            return None
        self._mention_again(replace(near[-1], name=names[0]), turn, token)
        return names[0]

    def _mention(self, turn: int, sentence: int, token: "Token") -> _Mention | None:
        words, leads = lexicon().words, token.dep_ in _SUBJECTS
        if token.lower_ in words["pets"] and not (_whose(token) or _name_beside(token)) and token.tag_ != "NNS":
            return _Mention(f"the {token.lower_}", turn, sentence, token.i, leads=leads)
        if is_own_parent(token) or (
            token.lower_ in words["kin"] | words["pets"] | words["roles"] and token.tag_ not in {"NNS", "NNP"}
        ):
            return self._relative(turn, sentence, token)
        if (
            token.dep_ != "compound"
            and token.pos_ in {"PROPN", "NOUN"}
            and token.tag_ != "NNS"
            and self.is_person(token)
        ):
            kin = [*token.children, *([token.head] if token.dep_ == "appos" else [])]
            gender = next((_gender(each) for each in kin if _gender(each)), "") or _gender(token)
            name = _bare(_spelled_out(token))
            self._typed(name, self._type(token))
            sort = "firm" if token.ent_type_ == "ORG" and name not in words["names"] else "person"
            if any(each.dep_ == "conj" for each in token.children) and leads:
                self._group(turn, sentence, token)
            return _Mention(self._short(name), turn, sentence, token.i, sort, gender, leads)
        return self._thing(turn, sentence, token)

    def _relative(self, turn: int, sentence: int, token: "Token") -> _Mention | None:
        """My sister, the plumber; not who is named beside it, which is a mention of its own."""
        if _name_beside(token) is not None or token.dep_ in {"compound", "attr"}:
            return None
        if (
            _whose(token) is None
            and not is_own_parent(token)
            and not any(child.dep_ == "det" for child in token.children)
        ):
            return None
        if any(each.dep_ == "conj" for each in token.children) and token.dep_ in _SUBJECTS:
            self._group(turn, sentence, token)
        name = self._noun(turn, token)
        if name is None:
            return None
        name = _ARTICLE.sub("the ", name)
        return _Mention(name, turn, sentence, token.i, "person", _gender(token), token.dep_ in _SUBJECTS)

    def _thing(self, turn: int, sentence: int, token: "Token") -> _Mention | None:
        if token.pos_ not in {"NOUN", "PROPN"} or token.dep_ not in _NAMED or token.ent_type_ in _TIMES:
            return None
        definite = any(child.dep_ == "poss" or child.lower_ == "the" for child in token.children)
        bought = token.dep_ == "dobj" and any(child.lower_ in {"a", "an"} for child in token.children)
        named = token.pos_ == "PROPN" and not token.is_sent_start
        if not (definite or bought or named or token.tag_ == "NNS" or token.dep_ in _SUBJECTS):
            return None
        if token.right_edge.i - token.left_edge.i >= _LONGEST_NAME:
            return None
        if any(each.lower_ in _POINTED | SECOND for each in token.subtree):
            return None  # clear only to whoever is there
        if token.lower_ in lexicon().words["vague"] | lexicon().words["trifles"]:
            return None
        sort = "group" if token.tag_ in {"NNS", "NNPS"} else "firm" if token.ent_type_ == "ORG" else "thing"
        name = self._noun(turn, token)
        if name is None:
            return None
        name = _ARTICLE.sub("the ", name)
        return _Mention(name, turn, sentence, token.i, sort, leads=token.dep_ in _SUBJECTS)

    def _group(self, turn: int, sentence: int, token: "Token") -> None:
        """Two or more persons, for whom "they" stands."""
        names = [self.name(turn, each) for each in (token, *(t for t in token.subtree if t.dep_ == "conj"))]
        members = [name for name in names if name]
        if len(members) > 1 and len(members) == len(names):
            name = f"{', '.join(members[:-1])} and {members[-1]}"
            self._members[name] = members
            self._mentions.append(_Mention(name, turn, sentence, token.i, "group", leads=True))

    def _short(self, name: str) -> str:
        """Who takes part is called by the first name."""
        return first_name(name) if self.full_name(name) in self._first_names.values() else name


def reference(subject: "Token") -> "Token | None":
    """The pronoun that is a subject or owns it, where it is not of who speaks or is spoken to."""
    token = subject if subject.lower_ in THIRD | IT else _whose(subject)
    return token if token is not None and token.lower_ in THIRD | IT else None


def first_name(name: str) -> str:
    """The first word of a name."""
    return name.split()[0] if name else ""


def _latest(mentions: Sequence[_Mention]) -> list[_Mention]:
    """The last mention of each name, the latest first."""
    last = {each.name: each for each in sorted(mentions, key=lambda each: (each.turn, each.at))}
    return sorted(last.values(), key=lambda each: (each.turn, each.at), reverse=True)


def _same(name: str) -> str:
    """What names have in common that are one: The printer, a printer."""
    return _ARTICLE.sub("the ", name).casefold()


def _nouns(sentence: "Span") -> "Iterator[Token]":
    """What a sentence names: the heads of its noun phrases, and names that are no heads."""
    for token in sentence:
        head = token.pos_ in {"NOUN", "PROPN"} and token.dep_ != "compound"
        if (head or token.lower_ in lexicon().words["names"]) and token.ent_type_ not in _TIMES:
            yield token


def _sentence(token: "Token") -> int:
    """In which sentence of its text a word stands."""
    return sum(each.end <= token.i for each in token.doc.sents)


def _distinct(mentions: Sequence[_Mention]) -> list[str]:
    """The names, of which one that is part of another is the same: Olga, Olga Lindt."""
    names = list(dict.fromkeys(each.name for each in mentions))
    return [name for name in names if not any(name != other and name in other for other in names)]


@cache
def _related() -> frozenset[str]:
    """What somebody is to somebody: kin, a pet, or who works for them."""
    words = lexicon().words
    return words["kin"] | words["pets"] | lexicon().aspects["being"]["works_as"]


def _kin(token: "Token") -> bool:
    return token.lower_ in lexicon().words["kin"] and token.pos_ == "NOUN"


def _whose(token: "Token") -> "Token | None":
    return next((child for child in token.children if child.dep_ == "poss"), None)


def _what(token: "Token") -> str:
    """What somebody is: best friend, not only friend."""
    closer = [each.lower_ for each in token.children if each.lower_ in lexicon().words["closer"]]
    return " ".join([*closer, token.lower_])


def _appositions(token: "Token") -> "Iterator[Token]":
    return (child for child in token.children if child.dep_ == "appos" and child.pos_ == "PROPN")


def _name_beside(token: "Token") -> "Token | None":
    """The name of whom a noun says what they are: my sister Ana."""
    if token.dep_ in _BESIDE and token.head.pos_ == "PROPN" and not token.head.text.islower():
        return token.head
    return next(_appositions(token), None)


def _was_named(name: str, pronoun: "Token") -> bool:
    """Whether a name stands before a pronoun in its turn, though the parser took it for none."""
    said = pronoun.doc[: pronoun.i].text.casefold()
    return not _ARTICLE.match(name) and name.rpartition(" ")[2].casefold() in said


def _gender(token: "Token") -> str:
    """How one refers to somebody who is this to somebody, or has this name: she, he, or either."""
    words = lexicon().words
    return "she" if token.lower_ in words["she"] else "he" if token.lower_ in words["he"] else ""


def _spelled_out(token: "Token") -> str:
    """A name with all its words."""
    span = next((ent for ent in token.doc.ents if ent.start <= token.i < ent.end), None)
    if span is not None and token.pos_ == "PROPN":
        first, last = token.i, token.i
        while first > span.start and _of_name(token.doc[first - 1]):
            first -= 1
        while last + 1 < span.end and _of_name(token.doc[last + 1]) and not _uncapitalised(token.doc[last + 1], token):
            last += 1
        while last > token.i and token.doc[last].pos_ != "PROPN":
            last -= 1
        if (
            first > 0
            and token.doc[first - 1].lower_ in lexicon().words["titles"]
            and token.doc[first - 1].text.istitle()
        ):
            first -= 1
        return _POSSESSIVE.sub("", token.doc[first : last + 1].text).lstrip("@")
    parts = [t for t in token.subtree if (t.dep_ in {"compound", "flat"} and t.pos_ == "PROPN") or t == token]
    if token.i + 1 < len(token.doc) and token.nbor(1).dep_ == "nummod" and token.nbor(1).head == token:
        parts.append(token.nbor(1))  # Dimmer 7
    between = [t for t in token.doc[parts[0].i : parts[-1].i] if t not in parts]
    if between and all(_hyphen(t) for t in between):
        return token.doc[parts[0].i : parts[-1].i + 1].text.lstrip("@")
    return " ".join(t.text for t in parts).lstrip("@")


def _hyphen(token: "Token") -> bool:
    """Whether it makes one word of two."""
    return token.text == "-" and not token.whitespace_ and token.i > 0 and not token.nbor(-1).whitespace_


def _uncapitalised(token: "Token", name: "Token") -> bool:
    """Whether it is no part of a name that is written with a capital: Mrs Vogt rang."""
    return token.text.islower() and token.lower_ not in _IN_NAMES and not name.text.islower()


def _of_name(token: "Token") -> bool:
    return token.lower_ not in _DAYS and (token.pos_ == "PROPN" or token.lower_ in _IN_NAMES)


def _bare(name: str) -> str:
    """A name without what somebody is: cousin Youssef."""
    kin = lexicon().words["kin"]
    return " ".join(word for word in name.split() if word not in kin) or name


def _told_somebody(verb: "Token") -> bool:
    """Whether somebody else was told it: who "she" is, who told or who was told, is open."""
    objects = [child for child in verb.children if child.dep_ in {"dobj", "dative"}]
    return any(each.lower_ not in FIRST and each.pos_ in {"PROPN", "PRON", "NOUN"} for each in objects)


def _its_own(token: "Token", subject: "Token | None") -> bool:
    """Whether a pronoun means the subject of its own clause: she broke her hip."""
    if subject is None or token == subject or subject.lower_ in FIRST | SECOND or subject.i > token.i:
        return False
    own = token.tag_ == "PRP$" or token.lower_.endswith(("self", "selves"))
    return own and token not in subject.subtree and not (token.lower_ in THIRD and _thing(subject))


def _thing(subject: "Token") -> bool:
    """Whether a subject is one thing, of which nobody says he, she or they."""
    words = lexicon().words
    return (
        subject.tag_ == "NN"
        and not subject.text.istitle()
        and not any(subject.lower_ in words[each] for each in ("kin", "pets", "roles", "she", "he"))
    )


def _of_whoever(token: "Token") -> bool:
    """Whether a pronoun means those of whom the same words tell: folks who lost their jobs."""
    verb = token
    while verb.head != verb and verb.dep_ != "relcl":
        verb = verb.head
    return (
        verb.dep_ == "relcl"
        and token.lower_ in THIRD
        and any(child.dep_ in _SUBJECTS and child.tag_ in {"WP", "WDT"} for child in verb.children)
    )


def _within(token: "Token", top: "Token") -> bool:
    """Whether a word belongs to what is said of a noun, or to another noun beside it."""
    while token not in (top, token.head):
        if token.dep_ in {"relcl", "conj", "cc"}:
            return True
        token = token.head
    return False
