"""What is worth remembering of what people say, without a large language model: statements that stand alone.

spaCy's parse gives clauses (`nlp.clauses`), the rules of `extraction.toml` say which of them matter and what they are
(`nlp.rules`), pronouns are resolved (`nlp.people`), times worked out (`nlp.dates`), and the sentence is written anew in
the third person (`nlp.wording`). What is not clear is dropped and counted: a wrong memory does more harm than a missing
one. English; of other languages nothing is extracted.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from nlp.clauses import Clause, clauses
from nlp.dates import Dated, dated
from nlp.errors import LanguageModelUnavailable
from nlp.language import LanguageModel
from nlp.people import People
from nlp.relations import aspect, kinship, relation
from nlp.rules import Rule, fitting, judged, rules, unsure
from nlp.statements import Extracted, Relation, Said, Statement, Subject
from nlp.wording import possessive, third_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["Extracted", "Extractor", "Relation", "Said", "Statement", "Subject", "spelled"]

LONGEST_TEXT: Final = 20_000
"""Of a longer turn the rest is not read: nobody says so much at once, it was pasted."""

# Code, addresses, quotations and quoted lines are not the speaker's own words.
_NOT_SAID: Final = re.compile(
    r"```.*?```|`[^`\n]*`|https?://\S+|^[ \t]*>[^\n]*$|\"[^\"\n]*\"|“[^”\n]*”", re.DOTALL | re.MULTILINE
)
_MARKS: Final = str.maketrans("*_~|", "    ")
_ASIDES: Final = re.compile(
    r"(?:,\s*)?\b(?:by the way|btw|if you ask me|imo|imho|as you know|you know|to be honest|tbh|i mean|apart from that"
    r"|in case you wondered|of course|for the record|fingers crossed|poor thing|poor guy)\b",
    re.IGNORECASE,
)
# A name before 's is whose something is, or who is or has done something: what follows tells.
_BETWEEN: Final = r"(?:(?:not|never|always|finally|already|only|just|also|still|really|\w+ly) )*"
_IS: Final = re.compile(
    rf"\b([^\W\d_]{{2,}})['’]s (?={_BETWEEN}"
    r"(?:\w{2,}ing|in|at|on|out|off|back|from|not|never|always|a|an|the|due|away|down|up|into)\b)"
)
_HAS: Final = re.compile(
    rf"\b([^\W\d_]{{2,}})['’]s (?={_BETWEEN}"
    r"(?:got|gone|been|had|lost|bought|left|kept|quit|moved|broken|given|taken|made|done|sold|found|started|stopped)\b)"
)
_WORD: Final = re.compile(r"(?<![\w'’@#/.-])[A-Za-z]+(?![\w'’@/-])")
_TWICE: Final = re.compile(r"\b(\w+)(?: \1\b)+", re.IGNORECASE)
_SPACES: Final = re.compile(r"[ \t]{2,}")
_STEPS: Final = re.compile(r"\b(?:first|then|afterwards|before that|after that)\b", re.IGNORECASE)
_GOAL: Final = re.compile(r"^(?:.{0,40}?\bthat )?((?:to|for an?|in order to|if you want to)\s.{3,})$", re.IGNORECASE)


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
        talk = _Talk(turns, participants)
        with self._language.reading([spelled(turn.text) for turn in turns]) as docs:
            for number, doc in enumerate(docs):
                talk.hear(number, doc)
        return talk.extracted


class _Dropped(Exception):
    """A clause says nothing to remember; the message is the reason."""


class _Talk:
    """One talk as far as it was heard."""

    def __init__(self, turns: Sequence[Said], participants: Sequence[str]) -> None:
        self._turns = turns
        self._people = People([turn.speaker for turn in turns], participants)
        self.extracted = Extracted()

    def hear(self, number: int, doc: "Doc") -> None:
        """Takes the next turn. The assistant is heard, and says nothing to remember."""
        self._people.hear(number, doc)
        said = doc.sents if self._turns[number].speaker else ()
        self.extracted.turns.append([statement for sentence in said for statement in self._of(number, sentence)])

    def _of(self, number: int, sentence: "Span") -> Iterator[Statement]:
        procedure = _procedure(sentence)
        if procedure is not None:
            yield procedure
            return
        for name, owner, what in self._people.relations(number, sentence):
            one, other = self._people.entity(name), self._people.entity(owner)
            yield Statement(
                f"{name} is {possessive(owner)} {what}",
                (one, other),
                "relationship",
                0.9,
                "somebody's somebody",
                relation=kinship(one, what, other),
            )
        for clause in clauses(sentence):
            try:
                yield self._statement(number, clause)
            except _Dropped as reason:
                self.extracted.dropped[str(reason)] += 1

    def _statement(self, number: int, clause: Clause) -> Statement:
        """What a clause says. Raises `_Dropped`."""
        if reason := unsure(clause):
            raise _Dropped(reason)
        words, said = _bare(clause), self._turns[number].time
        when = dated(" ".join(token.text for token in words), said, past=clause.past)
        rule = fitting(clause, self._people.sort(clause), when)
        if rule is None:
            raise _Dropped("nothing that lasts")
        subject, content = self._worded(number, clause, words, when)
        if rule["kind"] == "opinion":
            subject = self._judge(number, clause)
            content = f"{subject} thinks {content}"
        else:
            subject = self._people.owner(number, clause) or subject
        if rule["name"] == "name" and (name := _given_name(clause)):
            self._people.call(subject, name)
            subject = name
        subjects = (self._people.entity(subject), *self._people.others(number, clause, subject))
        related = relation(rule, clause, subjects[0], lambda token: self._people.named(number, token, clause))
        return _stated(content, subjects, rule, when, clause, related)

    def _worded(self, number: int, clause: Clause, words: "Sequence[Token]", when: Dated) -> tuple[str, str]:
        """Whom a clause is about, and what it says, in the third person."""
        subject = self._people.subject(number, clause)
        content = third_person(words, lambda token: self._people.who(number, token, clause))
        if not subject or not content:
            raise _Dropped("nobody can tell who")
        if clause.implied:
            return subject, f"{subject} {_told(clause, content, when, self._turns[number].time)}"
        # The subject of the clause before it is this one's too.
        shared = clause.subject is not None and clause.subject.i < words[0].i
        return subject, f"{subject} {content}" if shared else content

    def _judge(self, number: int, clause: Clause) -> str:
        """Who thinks so."""
        token = clause.under.subject if judged(clause) and clause.under is not None else None
        name = self._people.speaker(number) if token is None else self._people.name(number, token)
        if name is None:
            raise _Dropped("nobody can tell who")
        return name


def _stated(
    content: str, subjects: tuple[Subject, ...], rule: Rule, when: Dated, clause: Clause, related: Relation | None
) -> Statement:
    if related is not None and related.target.type == "Person" and related.target not in subjects:
        subjects = (*subjects, related.target)
    personal = related is not None and related.target.type == "Person" and rule["kind"] == "fact"
    return Statement(
        content,
        subjects,
        "relationship" if personal else rule["kind"],
        confidence=rule["confidence"],
        rule=rule["name"],
        aspect=aspect(rule, clause),
        importance=rule.get("importance", 1),
        event_time=when.day if rule["kind"] in {"event", "plan"} else None,
        relation=related,
    )


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


def _bare(clause: Clause) -> "list[Token]":
    """The words without fillers before and behind them."""
    fillers, words = rules().words["fillers"], list(clause.words)
    while len(words) > 1 and (words[0].lower_ in fillers or words[0].is_punct) and words[0] != clause.subject:
        words.pop(0)
    while len(words) > 1 and (words[-1].lower_ in fillers or words[-1].is_punct):
        words.pop()
    return words


def _procedure(sentence: "Span") -> Statement | None:
    """How something is done: to do this, first that, then that."""
    text = " ".join(sentence.text.split())
    goal = _GOAL.match(text)
    if goal is None or not (_STEPS.search(text) or "you " in text) or text.endswith("?"):
        return None
    if not any(token.tag_ == "VB" and _commands(token) for token in sentence):
        return None
    end = next((token.i for token in sentence if token.lower_ in {",", "first", "you"}), sentence.end)
    nouns = [t for t in sentence if t.i < end and t.pos_ in {"NOUN", "PROPN"} and t.dep_ != "compound"]
    if not nouns:
        return None
    subject = " ".join(t.text for t in nouns[-1].subtree if t == nouns[-1] or (t.dep_ == "compound" and t.i < end))
    return Statement(goal[1].rstrip(" .!"), (Subject(subject, "Concept"),), "procedure", 0.8, "to do this, first that")


def _commands(token: "Token") -> bool:
    """Whether a verb tells somebody what to do."""
    return not any(child.dep_ in {"nsubj", "aux"} and child.lower_ not in {"you", "to"} for child in token.children)


def spelled(text: str) -> str:
    """The speaker's own words, spelled as they would be: without what is quoted, asides, and words said twice."""
    own = _NOT_SAID.sub(" ", text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")).translate(_MARKS)
    spelling = rules().spelling
    own = _HAS.sub(r"\1 has ", _IS.sub(r"\1 is ", _ASIDES.sub(" ", own)))
    own = _WORD.sub(lambda match: spelling.get(match[0].casefold(), match[0]), own)
    return _TWICE.sub(r"\1", _SPACES.sub(" ", own))
