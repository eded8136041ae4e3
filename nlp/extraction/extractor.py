"""What is worth remembering of what people say, without a large language model: statements that stand alone.

spaCy's parse gives the pieces of a talk (`nlp.extraction.reading`): pronouns are resolved, times worked out, sentences
written anew in the third person. `nlp.extraction.relevance` tells which of them are worth it, what they are, and whom
they are about. What cannot be said clearly is dropped and counted: a wrong memory does more harm than a missing one.
English; of other languages nothing is extracted.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nlp.errors import LanguageModelUnavailable
from nlp.extraction.answers import answered
from nlp.extraction.asides import asides
from nlp.extraction.assertion import doubted, opinion_only, retracted
from nlp.extraction.causes import causes
from nlp.extraction.dialogue import parsed
from nlp.extraction.framing import Framed
from nlp.extraction.gates import Candidate, objection
from nlp.extraction.kinship import introductions, relations
from nlp.extraction.procedures import procedures
from nlp.extraction.protocol import Dialogue, Extraction
from nlp.extraction.quoting import Quoting, paraphrased
from nlp.extraction.reading import Piece, Reading
from nlp.extraction.relations import aspect, kinship, lasting, relation
from nlp.extraction.relevance import Judge, Vector, Verdict, confidence, judge
from nlp.extraction.statements import Extracted, Relation, Said, Statement, Subject, Unclear
from nlp.language import LanguageModel
from nlp.parsing.clauses import Clause
from nlp.parsing.english import is_english
from nlp.parsing.lexicon import lemma, lexicon
from nlp.parsing.spelling import LONGEST_TEXT
from nlp.parsing.wording import possessive

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["Extracted", "LocalExtractor", "Relation", "Said", "Statement", "Subject"]

log = logging.getLogger(__name__)

CAUSAL_CONFIDENCE: Final = 0.7
"""How sure a cause is that people name."""
_LEAST: Final = 0.5
"""What is found with less confidence is not even worded."""
_IN_PASSING: Final = 0.85
"""How sure what is said of somebody in passing is so."""
_NAMED: Final = 0.8
"""How sure it is that somebody or something has the name that is said to be theirs."""


class LocalExtractor:
    """Extracts statements; safe to use from several threads. Raises LanguageModelUnavailable for a model that does not
    parse, and EmbedderUnavailable without MiniLM's package.
    """

    repeatable: Final = True

    def __init__(self, language: LanguageModel, executor: Executor | None = None) -> None:
        """`executor` runs `extract`; without one that of the event loop."""
        if "parser" not in language.pipes:
            raise LanguageModelUnavailable("spaCy's model does not parse; choose one with the pipe parser.")
        self._language = language
        self._executor = executor
        self._judge = judge()

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """What a dialogue says, read in the executor."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._read, dialogue)

    def _read(self, dialogue: Dialogue) -> Extraction:
        named = [(cause, CAUSAL_CONFIDENCE) for cause in causes(dialogue.turns)]
        return Extraction(self.find(dialogue.turns, dialogue.participants), named)

    def find(self, turns: Sequence[Said], participants: Sequence[str] = ()) -> Extracted:
        """The statements of each turn of one talk, whose turns are in order. `participants` are full names."""
        told = _Told(turns, Reading(turns, participants), self._judge)
        for number, doc in self.read(turns, participants, told.reading):
            told.hear(number, doc)
        return told.extracted

    def read(self, turns: Sequence[Said], participants: Sequence[str], reading: Reading) -> "Iterator[tuple[int, Doc]]":
        """The turns by their numbers as spaCy reads them, each as soon as `reading` has heard of whom it speaks."""
        for number, doc in enumerate(parsed(self._language, turns, participants, reading.names)):
            reading.hear(number, doc)
            yield number, doc


class _Told:
    """What one talk has told so far."""

    def __init__(self, turns: Sequence[Said], reading: Reading, judge: Judge) -> None:
        self._turns = turns
        self._judge = judge
        self._before: str | None = None
        self._part: tuple[Framed, Vector] | None = None
        self.reading = reading
        self.extracted = Extracted()

    def hear(self, number: int, doc: "Doc") -> None:
        """Takes the next turn; one that cannot be read costs only itself."""
        self._before = None
        found: list[Statement] = []
        try:
            found = list(self._found(number, doc))
        except Exception:
            log.exception("a turn could not be read")
            self.extracted.dropped["could not be read"] += 1
        self.extracted.turns.append(found)

    def _found(self, number: int, doc: "Doc") -> Iterator[Statement]:
        """What a turn says. The assistant is heard, and says nothing to remember."""
        if not self._turns[number].speaker or not is_english(self._turns[number].text[:LONGEST_TEXT]):
            return
        steps, quoting = list(procedures(doc)), Quoting(self._turns[number].text, doc.text)
        for text, what, start, end in steps:
            words = quoting.sentence(doc[start].idx, doc[end - 1].idx + len(doc[end - 1]))
            yield Statement(text, (Subject(what, "Concept"),), "procedure", 0.8, quotation=words)
        taken_back = retracted(doc)
        for place, sentence in enumerate(doc.sents):
            if sentence.start in taken_back:
                self.extracted.dropped["taken back"] += 1
            elif not any(start <= sentence.start < end for _, _, start, end in steps):
                words = quoting.sentence(sentence.start_char, sentence.end_char)
                found = [*(self._answer(number, sentence) if place == 0 else ()), *self._of(number, sentence)]
                yield from (replace(each, quotation=words) for each in found)

    def _answer(self, number: int, sentence: "Span") -> Iterator[Statement]:
        """What the first words of a turn say as an answer to the turn before."""
        asked = self._turns[number - 1] if number > 0 else None
        if asked is None or asked.speaker == self._turns[number].speaker:
            return
        read = answered(asked.text, sentence, of_anybody=not self.reading.people.many)
        if read is not None:
            question, said = read
            people = self.reading.people
            who = people.speaker(number)
            content = question["says"].format(who=who, answer=said, what=question.get("what", ""))
            aspect = question.get("aspect", "").format(what=question.get("what", "")) or None
            yield Statement(content, (people.entity(who),), question["kind"], 0.8, aspect)

    def _of(self, number: int, sentence: "Span") -> Iterator[Statement]:
        people, read = self.reading.people, list(self.reading.pieces(number, sentence))
        related = [*relations(people, number, sentence)]
        related += [each for piece in read for each in introductions(people, number, piece.clause)]
        for name, owner, what in dict.fromkeys(related):
            one, other = people.entity(name), people.entity(owner)
            yield Statement(
                f"{name} is {possessive(owner)} {what}",
                (one, other),
                "relationship",
                0.9,
                relation=kinship(one, what, other),
            )
        for said in asides(people, number, sentence):
            yield Statement(said.content, (people.entity(said.about),), "fact", _IN_PASSING)
        for piece in read:
            try:
                yield self._judged(piece)
            except Unclear as reason:
                self.extracted.dropped[str(reason)] += 1

    def _judged(self, piece: Piece) -> Statement:
        """A piece that is worth remembering. Raises `Unclear` for others."""
        verdict = self._verdict(piece)
        if (name := _given_name(piece.clause)) is not None:
            verdict = replace(verdict, subject=name.text, sure=1.0)
        elif (named := self.reading.people.grammatical(piece.turn, piece.clause)) is not None:
            verdict = replace(verdict, subject=named)
        self._before = verdict.subject
        if "subject nobody" in piece.seen.features:
            raise Unclear("nobody can tell who")
        if piece.clause.conditions or piece.clause.hedged or doubted(piece.clause):
            raise Unclear("not a fact")
        certain = _NAMED if name is not None else confidence(verdict.worth, verdict.sure)
        if certain < _LEAST:
            raise Unclear("nothing to remember")
        return self._statement(piece, verdict, certain, name)

    def _verdict(self, piece: Piece) -> Verdict:
        if self._part is None or self._part[0] is not piece.framed:
            self._part = piece.framed, self._judge.read(piece.framed)
        return self._judge.verdict(self._part[1], piece.seen, self.reading.subjects(piece, self._before))

    def _statement(self, piece: Piece, verdict: Verdict, certain: float, name: "Token | None") -> Statement:
        """What a piece says about its subject, or which name it gives. Raises `Unclear`."""
        clause, people, subject = piece.clause, self.reading.people, verdict.subject
        kind = self._judge.kind(piece.seen, verdict)
        if opinion_only(clause) and kind != "opinion":
            raise Unclear("not a fact")
        told = kind
        if kind == "event" and people.of_somebody(clause) and lasting(clause):
            kind = "fact"
        content = self.reading.worded(piece, subject, kind)
        if reason := objection(Candidate(piece, content, subject, people)):
            raise Unclear(reason)
        if name is not None:
            self._call(piece, name)
        subjects = (people.entity(subject), *people.others(piece.turn, clause, subject))
        related = relation(told, clause, subjects[0], lambda token: people.named(piece.turn, token, clause))
        if related is not None and related.target.type == "Person":
            subjects = subjects if related.target in subjects else (*subjects, related.target)
            kind = "relationship" if kind == "fact" else kind
        when = self.reading.day(piece, told)
        return Statement(
            content,
            subjects,
            kind,
            confidence=certain,
            aspect=aspect(clause),
            importance=_importance(clause, kind),
            event_time=when.start,
            relation=related,
            event_precision=when.precision,
            paraphrased=paraphrased(clause, piece.words),
        )

    def _call(self, piece: Piece, name: "Token") -> None:
        """Notes the name of somebody who was spoken of. Raises `Unclear` for one who takes part, and has one."""
        people, clause = self.reading.people, piece.clause
        whose = next((child for child in name.head.children if child.dep_ in {"nsubj", "nsubjpass"}), name)
        owner = next((child for child in whose.children if child.dep_ == "poss"), None)
        called = None if owner is None else people.name(piece.turn, owner, clause)
        if called is None or people.takes_part(called):
            raise Unclear("nobody can tell who")
        people.call(called, name.text)


def _importance(clause: Clause, kind: str) -> int:
    """2 of what changes a life, or makes it up; else 1."""
    weighty = kind in {"fact", "event", "relationship"} and lemma(clause.main) in lexicon().words["weighty"]
    return 2 if weighty else 1


def _given_name(clause: Clause) -> "Token | None":
    """The name that a clause says somebody has: her name is Pepper."""
    if clause.subject is None or clause.subject.lower_ != "name":
        return None
    name = next((child for child in clause.head.children if child.dep_ in {"attr", "acomp"}), None)
    return name if name is not None and name.pos_ == "PROPN" else None
