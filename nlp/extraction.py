"""What is worth remembering of what people say, without a large language model: statements that stand alone.

spaCy's parse gives clauses (`nlp.clauses`), the rules of `extraction.toml` say which of them matter and what they are
(`nlp.rules`), pronouns are resolved (`nlp.people`), times worked out (`nlp.dates`), and the sentence is written anew in
the third person (`nlp.wording`). What is not clear is dropped and counted: a wrong memory does more harm than a missing
one. English; of other languages nothing is extracted.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from nlp.answers import answered
from nlp.clauses import Clause, clauses, open_ended
from nlp.dates import Dated, dated, read_later
from nlp.english import is_english
from nlp.errors import LanguageModelUnavailable
from nlp.language import LanguageModel
from nlp.people import People, first_name
from nlp.procedures import procedures
from nlp.relations import aspect, kinship, relation
from nlp.rules import Rule, fitting, judged, often, rules, unsure
from nlp.spelling import LONGEST_TEXT, handles_of, known_names, spelled
from nlp.statements import Extracted, Relation, Said, Statement, Subject
from nlp.wording import IT, SECOND, THIRD, possessive, third_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["Extracted", "Extractor", "Relation", "Said", "Statement", "Subject"]

_ENDS: Final = {".", "!", "…", "..."}
_DATED: Final = {"event", "plan"}
_INCOMPLETE: Final = {"is", "are", "was", "were", "be", "been", "not", "moved", "moves", "starts", "ends", "falls"}
_ARTICLE: Final = re.compile(r"^(?:The|An?|This|That|These|Those|Some|All|Every|No|Both|Each) ")
_THE: Final = re.compile(r"^the ", re.IGNORECASE)
_DASHES: Final = {"-", "–", "—", "--"}
_POINTING: Final = {"that", "this", "those", "these"}


class Extractor:
    """Extracts statements; safe to use from several threads. Raises LanguageModelUnavailable for a model that does not
    parse.
    """

    def __init__(self, language: LanguageModel) -> None:
        if "parser" not in language.pipes:
            raise LanguageModelUnavailable("spaCy's model does not parse; choose one with the pipe parser.")
        self._language = language

    def extract(self, turns: Sequence[Said], participants: Sequence[str] = ()) -> Extracted:
        """The statements of each turn of one talk, whose turns are in order. `participants` are full names."""
        names = {
            *known_names(turn.text for turn in turns if turn.speaker),
            *(first_name(name) for name in participants),
        }
        talk = _Talk(turns, participants, names)
        handles = handles_of([*participants, *(turn.speaker for turn in turns if turn.speaker)])
        texts = [spelled(turn.text, names, handles) for turn in turns]
        with self._language.reading(texts) as docs:
            for number, doc in enumerate(docs):
                talk.hear(number, doc)
        return talk.extracted


class _Dropped(Exception):
    """A clause says nothing to remember; the message is the reason."""


class _Talk:
    """One talk as far as it was heard."""

    def __init__(self, turns: Sequence[Said], participants: Sequence[str], names: Collection[str]) -> None:
        self._turns = turns
        self._people = People([turn.speaker for turn in turns], participants, names)
        self._last: Clause | None = None
        self.extracted = Extracted()

    def hear(self, number: int, doc: "Doc") -> None:
        """Takes the next turn. The assistant is heard, and says nothing to remember."""
        self._people.hear(number, doc)
        found: list[Statement] = []
        self._last = None
        if self._turns[number].speaker and is_english(self._turns[number].text[:LONGEST_TEXT]):
            steps = list(procedures(doc))
            found += [
                Statement(text, (Subject(what, "Concept"),), "procedure", 0.8, "steps") for text, what, *_ in steps
            ]
            for place, sentence in enumerate(doc.sents):
                if not any(start <= sentence.start < end for _, _, start, end in steps):
                    found += [*(self._answer(number, sentence) if place == 0 else ()), *self._of(number, sentence)]
        self.extracted.turns.append(found)

    def _answer(self, number: int, sentence: "Span") -> Iterator[Statement]:
        """What the first words of a turn say as an answer to the turn before."""
        asked = self._turns[number - 1] if number > 0 else None
        read = None if asked is None or asked.speaker == self._turns[number].speaker else answered(asked.text, sentence)
        if read is not None:
            question, said = read
            who = self._people.speaker(number)
            content = question["says"].format(who=who, answer=said, what=question.get("what", ""))
            aspect = question.get("aspect", "").format(what=question.get("what", "")) or None
            yield Statement(content, (self._people.entity(who),), question["kind"], 0.8, "answered", aspect)

    def _of(self, number: int, sentence: "Span") -> Iterator[Statement]:
        said = list(clauses(sentence))
        related = [*self._people.relations(number, sentence)]
        related += [each for clause in said for each in self._people.introductions(number, clause)]
        for name, owner, what in dict.fromkeys(related):
            one, other = self._people.entity(name), self._people.entity(owner)
            yield Statement(
                f"{name} is {possessive(owner)} {what}",
                (one, other),
                "relationship",
                0.9,
                "somebody's somebody",
                relation=kinship(one, what, other),
            )
        for clause in said:
            try:
                yield self._statement(number, clause)
            except _Dropped as reason:
                self.extracted.dropped[str(reason)] += 1

    def _statement(self, number: int, clause: Clause) -> Statement:
        """What a clause says. Raises `_Dropped`."""
        self._last = self._last if clause.implied else clause
        if reason := unsure(clause):
            raise _Dropped(reason)
        words, said = self._bare(clause), self._turns[number].time
        when = dated(" ".join(token.text for token in words), said, past=clause.past)
        if clause.head not in words or open_ended(words) or any(_ends(token) for token in words):
            raise _Dropped("not a fact")
        rule = fitting(clause, self._people.sort(number, clause), when)
        if rule is None or (
            rule["kind"] in {"preference", "opinion", "habit"} and any(t.lower_ in SECOND for t in words)
        ):
            raise _Dropped("nothing that lasts")
        kind = _kind(rule, clause, when)
        later = _read_later(words, said, past=clause.past, kept=kind not in _DATED) if not often(clause) else {}
        subject, content = self._worded(number, clause, words, when, later)
        if rule["name"] == "name" and self._has_one_already(number, clause):
            raise _Dropped("nobody can tell who")
        subject, content = self._concerned(number, clause, rule, subject, content)
        if rule["name"] == "name" and (name := _given_name(clause)):
            self._people.call(subject, name)
            subject = name
        subjects = (self._people.entity(subject), *self._people.others(number, clause, subject))
        related = relation(rule, clause, subjects[0], lambda token: self._people.named(number, token, clause))
        return _stated(content, subjects, rule, kind, when, clause, related)

    def _worded(
        self, number: int, clause: Clause, words: "Sequence[Token]", when: Dated, later: dict[int, str]
    ) -> tuple[str, str]:
        """Whom a clause is about, and what it says, in the third person."""
        subject = self._people.subject(number, clause)
        if clause.implied and words[0].i > 0 and words[0].nbor(-1).text == ",":
            subject = self._before(number)  # the sentence before it goes on, without saying its subject anew
        content = third_person(words, lambda token: self._people.who(number, token, clause), later)
        content = content and _complete(content, later, when)
        if not subject or not content:
            raise _Dropped("nobody can tell who")
        if any(_points(token) for token in words):
            raise _Dropped("nobody can tell what")
        if clause.implied:
            return subject, f"{subject} {_told(clause, content, when, self._turns[number].time)}"
        # The subject of the clause before it is this one's too.
        shared = clause.subject is not None and clause.subject.i < words[0].i
        return subject, f"{subject} {content}" if shared else content

    def _bare(self, clause: Clause) -> "list[Token]":
        """The words without fillers before and behind them, and without whom they are said to."""
        fillers, words = rules().words["fillers"], _up_to_end(clause)
        while len(words) > 1 and (words[0].lower_ in fillers or words[0].is_punct) and words[0] != clause.subject:
            words.pop(0)
        while len(words) > 1 and (
            words[-1].lower_ in fillers or words[-1].is_punct or self._people.addressed(words[-1])
        ):
            words.pop()
        return [token for token in words if not _adds_nothing(token)]

    def _has_one_already(self, number: int, clause: Clause) -> bool:
        """Whether a name is told of one who takes part, so that somebody else is meant: his name is Kyle."""
        told = clause.subject if clause.subject is not None and clause.subject.lower_ == "name" else None
        whose = next((child for child in told.children if child.dep_ == "poss"), None) if told is not None else None
        name = None if whose is None or whose.lower_ not in THIRD else self._people.name(number, whose, clause)
        return name is not None and self._people.takes_part(name)

    def _concerned(self, number: int, clause: Clause, rule: Rule, subject: str, content: str) -> tuple[str, str]:
        """Whom it is about first of all: who thinks so, who suffers from it, who owns it; and what it says of them."""
        if rule["name"] in {"thinks", "judged"}:
            judge = self._judge(number, clause)
            return judge, f"{judge} thinks {_ARTICLE.sub(lambda article: article[0].lower(), content)}"
        if rule.get("whose") == "object":
            return self._people.sufferer(number, clause) or subject, content
        owner = self._people.owner(number, clause)
        if rule["name"] == "ails" and owner is None:
            owner = self._people.speaker(number)
            return owner, f"{possessive(owner)} {_THE.sub('', content)}"
        return owner or subject, content

    def _before(self, number: int) -> str | None:
        """Whom the clause before is about."""
        return None if self._last is None else self._people.subject(number, self._last)

    def _judge(self, number: int, clause: Clause) -> str:
        """Who thinks so."""
        token = clause.under.subject if judged(clause) and clause.under is not None else None
        name = self._people.speaker(number) if token is None else self._people.name(number, token)
        if name is None:
            raise _Dropped("nobody can tell who")
        return name


def _kind(rule: Rule, clause: Clause, when: Dated) -> str:
    """What a clause is that fits a rule: what is so on one day is an event, or a plan."""
    if when.day is not None and rule["kind"] in {"fact", "habit", "preference"} and not often(clause):
        return "event" if clause.past else "plan"
    return str(rule["kind"])


def _read_later(words: "Sequence[Token]", said: datetime, *, past: bool, kept: bool) -> dict[int, str]:
    """What to write for the words that tell a time only to those who know when they were said, by their places. Raises
    `_Dropped` for those that something is said of: tomorrow is a holiday.
    """
    later: dict[int, str] = {}
    text = " ".join(token.text for token in words)
    starts = list(accumulate((len(token.text) + 1 for token in words), initial=0))
    for start, end, instead in read_later(text, said, past=past, kept=kept):
        within = [token for token, at in zip(words, starts, strict=False) if start <= at < end]
        if any(token.dep_ in {"nsubj", "nsubjpass", "compound"} and token.head not in within for token in within):
            raise _Dropped("nobody can tell when")
        later |= {token.i: instead if token == within[0] else "" for token in within}
    return later


def _complete(content: str, later: dict[int, str], when: Dated) -> str:
    """What is said, with the day where without it nothing would be: the interview is on 4 May."""
    if not later or content.rpartition(" ")[2].lower() not in _INCOMPLETE:
        return content
    if when.day is None:
        raise _Dropped("nobody can tell when")
    return f"{content} on {when.day.day} {when.day:%B}"


def _stated(
    content: str,
    subjects: tuple[Subject, ...],
    rule: Rule,
    kind: str,
    when: Dated,
    clause: Clause,
    related: Relation | None,
) -> Statement:
    if related is not None and related.target.type == "Person" and related.target not in subjects:
        subjects = (*subjects, related.target)
    personal = related is not None and related.target.type == "Person" and kind == "fact"
    return Statement(
        content,
        subjects,
        "relationship" if personal else kind,
        confidence=rule["confidence"],
        rule=rule["name"],
        aspect=aspect(rule, clause),
        importance=rule.get("importance", 1),
        event_time=when.day if kind in _DATED else None,
        relation=related,
    )


def _ends(token: "Token") -> bool:
    """Whether a sentence ends with it, or what follows is but an afterthought."""
    return token.text in _ENDS or (token.text in _DASHES and bool(token.nbor(-1).whitespace_ and token.whitespace_))


def _adds_nothing(token: "Token") -> bool:
    """Whether a word in the midst of a clause is no part of what it says: I just moved."""
    if token.dep_ != "advmod" or token.lower_ not in rules().words["adverbs"] or token.head.pos_ not in {"VERB", "AUX"}:
        return False
    return token.i == 0 or token.nbor(-1).dep_ != "neg"


def _points(token: "Token") -> bool:
    """Whether a word points at what only those who were there can see: that one."""
    if token.lower_ in IT and token.dep_ == "dobj":
        return any(child.dep_ == "prt" for child in token.head.children)
    if token.lower_ in {"there", "here"} and token.dep_ == "advmod":
        return True
    if token.lower_ not in _POINTING or token.dep_ not in {"det", "dobj", "pobj"}:
        return False
    return token.dep_ != "det" or token.head.lower_ not in rules().words["times"]


def _given_name(clause: Clause) -> str | None:
    """The name that a clause says somebody has: her name is Pepper."""
    if clause.subject is None or clause.subject.lower_ != "name":
        return None
    name = next((child for child in clause.head.children if child.dep_ in {"attr", "acomp"}), None)
    return name.text if name is not None and name.pos_ == "PROPN" else None


def _told(clause: Clause, content: str, when: Dated, said: datetime) -> str:
    """What is said without saying who: "moved to Graz", and of what is to come "flying to Oslo tomorrow"."""
    lower = content[0].lower() + content[1:]
    if clause.head.tag_ != "VBG":
        return lower
    if when.day is None or when.day <= said:
        raise _Dropped("a command")
    return f"is {lower}"


def _up_to_end(clause: Clause) -> "list[Token]":
    """The words up to where a sentence ends in their midst, which the parser has overlooked."""
    words = list(clause.words)
    end = next((at for at, token in enumerate(words) if _ends(token) and token.i > clause.head.i), len(words))
    return words[:end]
