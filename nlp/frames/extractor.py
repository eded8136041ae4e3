"""Facts out of talk without a large language model: frames that turns fill, told in sentences.

spaCy's parse gives phrases, clauses and whom pronouns mean. The tagger (`nlp.frames.tagger`) says which frames a
sentence fills and with which words, which are told (`nlp.frames.telling`). The verifier (`nlp.frames.verifier`) says
whether the turn says that. What is sure enough is a fact; a clause that fills no frame is none. English; of other
languages nothing is extracted.
"""

import asyncio
import json
import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hippograph.nlp.errors import LanguageModelUnavailable
from hippograph.nlp.extraction.assertion import retracted
from hippograph.nlp.extraction.causes import causes
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.protocol import Dialogue, Extraction
from hippograph.nlp.extraction.quoting import Quoting, quotation
from hippograph.nlp.extraction.statements import AmbiguousReference, Extracted, Said, Statement
from hippograph.nlp.frames.dialogue import framed, names_in, parsed
from hippograph.nlp.frames.filling import Filled, Parts, fill, log_odds
from hippograph.nlp.frames.frame import NAMES, load_frames
from hippograph.nlp.frames.quotations import SHORTEST, Quotation, quotations
from hippograph.nlp.frames.stating import stated, stated_in_words
from hippograph.nlp.frames.tagger import Tagger, Tags
from hippograph.nlp.frames.telling import Told, quote, tell
from hippograph.nlp.frames.token_window import Framed
from hippograph.nlp.frames.verifier import Verifier
from hippograph.nlp.language import LanguageModel
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.logistic_regression import BIAS
from hippograph.nlp.parsing.clauses import asks
from hippograph.nlp.parsing.english import is_english
from hippograph.nlp.parsing.spelling import LONGEST_TEXT

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

CONFIDENCE: Final = "frame_confidence.json"
"""The file of the weights of confidence, beside the models: by the tags alone, and with the verifier's verdict."""
SURE: Final = 0.75
"""With this confidence a frame is told from its slots; by readers' verdicts (BENCHMARKS)."""
CLEAR: Final = 0.7
"""With this confidence the words that fill a frame are quoted, where its slots are less sure."""
WORTH_A_LOOK: Final = 0.5
"""What the tagger is less sure of is not verified, and not told."""
_MOST_LOOKS: Final = 16
"""Of a turn so many slots are verified, and so many quotations."""
EXPLICIT: Final = 0.6
"""With this confidence it is told what a fact claims that somebody says explicitly, whose words stay as they are."""
AGREED: Final = 0.9
"""The confidence of what the tagger and the parse agree on."""
log = logging.getLogger(__name__)


class Sort(StrEnum):
    """How a frame is told: from its slots, or in the words that fill it."""

    SLOTS = "slots"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a turn may say, as a statement whose confidence is still open; `evidence` are numbers that tell
    how sure it is. It stands in the sentence that begins at the word `sentence`; those of one `place` exclude each
    other. `agreed` says whether the parse alone says the same.
    """

    sort: Sort
    evidence: Mapping[str, float]
    statement: Statement
    sentence: int
    place: tuple[str, int] | None = None
    agreed: bool = False


class LocalExtractor:
    """Finds facts in talk; safe to use from several threads. Raises LanguageModelUnavailable for a model that does not
    parse.
    """

    repeatable: Final = True

    def __init__(self, language: LanguageModel, executor: Executor | None = None, models: Path = MODELS) -> None:
        """`executor` runs `extract`; without one that of the event loop. `models` has the tagger, the verifier and the
        weights of confidence.
        """
        if "parser" not in language.pipes:
            raise LanguageModelUnavailable("spaCy's model does not parse; choose one with the pipe parser.")
        self._language = language
        self._executor = executor
        self._models = models
        self._tagger = Tagger(models)
        self._verifier = Verifier(models)
        weights = json.loads((models / CONFIDENCE).read_text("utf-8"))
        self._weights: dict[str, dict[str, dict[str, float]]] = {by: weights[by] for by in ("tagged", "verified")}

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """What a dialogue says, read in the executor."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._read, dialogue)

    async def read_fact(self, said: Said, participants: Sequence[str]) -> list[Statement]:
        """What a fact says that somebody states explicitly: the frames that it fills with their slots, in
        their order. Read in the executor; `participants` are full names.
        """
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._read_fact, said, participants)

    def _read_fact(self, said: Said, participants: Sequence[str]) -> list[Statement]:
        found = list[tuple[float, Candidate]]()
        people, docs = open_dialogue(self._language, [said], participants, self._models)
        for number, doc in docs:
            found += [
                (certain, each)
                for each in candidates(self._tagger, people, [said], number, doc, Counter())
                if each.sort is Sort.SLOTS and (certain := self.tagged(each)) >= EXPLICIT
            ]
        surest = _surest(found)
        return [replace(each.statement, confidence=certain) for certain, each in found if surest[each.place] is each]

    def _read(self, dialogue: Dialogue) -> Extraction:
        return Extraction(self.find(dialogue.turns, dialogue.participants), causes(dialogue.turns))

    def find(self, turns: Sequence[Said], participants: Sequence[str] = ()) -> Extracted:
        """The facts of each turn of one talk, whose turns are in order. `participants` are full names."""
        extracted = Extracted()
        people, docs = open_dialogue(self._language, turns, participants, self._models)
        for number, doc in docs:
            found: list[Statement] = []
            try:
                possible = candidates(self._tagger, people, turns, number, doc, extracted.dropped)
                found = self._statements(list(possible), turns, number)
            except Exception:
                log.exception("a turn could not be read")
                extracted.dropped["could not be read"] += 1
            extracted.turns.append(found)
        return extracted

    def _statements(self, found: Sequence[Candidate], turns: Sequence[Said], number: int) -> list[Statement]:
        """Frames whose slots are sure, of the same words the surest, and the words that fill others, of a sentence in
        its likeliest frame. They relate what slots say of which the tags are sure, but for matters that have one value
        at a time: nothing would end such a relation.
        """
        tagged = [(certain, each) for each in found if (certain := self.tagged(each)) >= WORTH_A_LOOK]
        slots = [each for _, each in tagged if each.sort is Sort.SLOTS]
        told = self._verified(slots, turns, number)
        best = _surest([(certain, each) for certain, each in told if certain >= SURE])
        typed = {(each.sentence, each.statement.frame) for each in best.values()}
        likeliest: dict[int, Candidate] = {}
        for _, each in tagged:
            if each.sort is Sort.WORDS and (each.sentence, each.statement.frame) not in typed:
                likeliest.setdefault(each.sentence, each)
        told += self._verified(likeliest.values(), turns, number)
        related = {
            (each.sentence, each.statement.frame, each.statement.subject): each.statement.relation
            for certain, each in tagged
            if each.sort is Sort.SLOTS and certain >= CLEAR and load_frames()[each.statement.frame].identity
        }
        return [
            replace(each.statement, confidence=certain)
            if each.sort is Sort.SLOTS
            else replace(
                each.statement,
                confidence=certain,
                relation=related.get((each.sentence, each.statement.frame, each.statement.subject)),
            )
            for certain, each in told
            if (best.get(each.place) is each if each.sort is Sort.SLOTS else certain >= CLEAR)
        ]

    def tagged(self, found: Candidate) -> float:
        """How sure it is by its tags, or by the parse where that says the same."""
        learned = confidence(self._weights["tagged"][found.sort], found.evidence)
        return max(learned, AGREED) if found.agreed else learned

    def look(self, found: Candidate, turns: Sequence[Said], number: int) -> dict[str, float]:
        """What tells how sure something is: its tags, and the verifier's verdict on it beside its turn."""
        kept = self._verifier.verdict(turns, number, found.statement)
        return {"tagged": log_odds(self.tagged(found)), "kept": kept}

    def _verified(self, some: Iterable[Candidate], turns: Sequence[Said], number: int) -> list[tuple[float, Candidate]]:
        """How sure each is after the last look, which the first of them get. The parse needs none."""
        left, told = _MOST_LOOKS, list[tuple[float, Candidate]]()
        for each in some:
            if each.agreed:
                told.append((self.tagged(each), each))
            elif left:
                left -= 1
                told.append((confidence(self._weights["verified"][each.sort], self.look(each, turns, number)), each))
        return told


def candidates(
    tagger: Tagger, people: People, turns: Sequence[Said], number: int, doc: "Doc", dropped: Counter[str]
) -> Iterator[Candidate]:
    """All that a turn may say, however unsure; what cannot be told is counted by the reason. The assistant is heard,
    and says nothing to remember.
    """
    turn = turns[number]
    if not turn.speaker or not is_english(turn.text[:LONGEST_TEXT]):
        return
    quoting, taken_back, parts = Quoting(turn.text, doc.text), retracted(doc), read_parts(tagger, turns, number, doc)
    for filled in fill(people, number, parts):
        if filled.sentence.start in taken_back:
            dropped["taken back"] += 1
            continue
        try:
            told = tell(filled, people, number, turn.time)
        except AmbiguousReference as reason:
            dropped[str(reason)] += 1
            continue
        statement = _told(filled, told, people, quoting)
        place = filled.about, filled.main.words.start
        yield Candidate(Sort.SLOTS, filled.evidence, statement, filled.sentence.start, place, filled.agreed)
    for found in quotations(people, number, parts):
        if found.sentence.start not in taken_back:
            statement = _quoted(found, people, turn, quoting)
            yield Candidate(Sort.WORDS, found.evidence, statement, found.sentence.start)


def read_parts(tagger: Tagger, turns: Sequence[Said], number: int, doc: "Doc") -> Parts:
    """A turn with its tags. What asks, and what is a word or two, fills no frame by them, and is not tagged."""
    return Parts(
        doc, [(part, sentences, _tags(tagger, part, sentences)) for part, sentences in windows(turns, number, doc)]
    )


def _tags(tagger: Tagger, part: Framed, sentences: "Sequence[Span]") -> Tags:
    if all(asks(sentence) or _is_short(sentence) for sentence in sentences):
        return Tags.none(len(sentences), len(part.ids))
    return tagger.tag(part.ids, [part.over([(each.start_char, each.end_char)]) for each in sentences])


def _is_short(sentence: "Span") -> bool:
    return sum(not (token.is_punct or token.is_space) for token in sentence) < SHORTEST


def _told(filled: Filled, told: Told, people: People, quoting: Quoting) -> Statement:
    """A filled frame as a statement."""
    words = quoting.sentence(filled.sentence.start_char, filled.sentence.end_char)
    return stated(filled.frame, told, people.entity(filled.about), _named(filled), words)


def _quoted(found: Quotation, people: People, turn: Said, quoting: Quoting) -> Statement:
    """Words that fill a frame as a statement."""
    words, when = quote(found, turn.time, quoting)
    content = quotation(people.short(turn.speaker or ""), words)
    source = quoting.sentence(found.sentence.start_char, found.sentence.end_char)
    return stated_in_words(found.frame, content, people.entity(found.about), when, source)


def _named(filled: Filled) -> set[str]:
    """The slots that hold a name, and not a description."""
    return {
        slot
        for slot, filler in filled.slots.items()
        if filled.frame.slots[slot] in NAMES | {"phrase"}
        and any(token.pos_ == "PROPN" and token.text[:1].isupper() for token in filler.words)
    }


def _surest(told: Sequence[tuple[float, Candidate]]) -> dict[tuple[str, int] | None, Candidate]:
    """Of frames that are told from the same words the surest, with how sure each is."""
    return {each.place: each for _, each in sorted(told, key=lambda pair: (pair[0], pair[1].evidence["main"]))}


def confidence(weights: Mapping[str, float], evidence: Mapping[str, float]) -> float:
    """How sure a filled frame is, from 0 to 1: a logistic regression over its evidence."""
    total = weights[BIAS] + sum(weights.get(name, 0.0) * value for name, value in evidence.items())
    return 1 / (1 + math.exp(-total))


def open_dialogue(
    language: LanguageModel, turns: Sequence[Said], participants: Sequence[str], models: Path = MODELS
) -> "tuple[People, Iterator[tuple[int, Doc]]]":
    """The people of a talk, and its turns by their numbers as spaCy reads them with the names that the tagger in the
    folder `models` finds, each heard by the people before.
    """
    names = names_in(turns, participants)
    people = People([turn.speaker for turn in turns], participants, names)

    def read() -> "Iterator[tuple[int, Doc]]":
        for number, doc in enumerate(parsed(language, turns, participants, names, models)):
            people.hear(number, doc)
            yield number, doc

    return people, read()


def windows(turns: Sequence[Said], number: int, doc: "Doc") -> "list[tuple[Framed, list[Span]]]":
    """A turn as the tagger reads it, in parts, and the sentences of each."""
    found: list[tuple[Framed, list[Span]]] = [(part, []) for part in framed(turns, number, doc)]
    for sentence in doc.sents:
        if sentence.text.strip():
            next(each for part, each in found if sentence.start_char < part.end).append(sentence)
    return [(part, sentences) for part, sentences in found if sentences]
