"""Extraction of facts from talk without a large language model: turns fill frames, which are told in sentences.

spaCy's parse gives phrases, clauses and the referents of pronouns. The tagger (`nlp.frames.tagger`) says which frames a
sentence fills and with which words; `nlp.frames.telling` words them. The verifier (`nlp.frames.verifier`) says whether
the turn supports the result. What is sure enough becomes a fact; a clause that fills no frame does not. English only;
from other languages nothing is extracted.
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
from hippograph.nlp.extraction.assertion import invention_in, retracted
from hippograph.nlp.extraction.causes import causes
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.protocol import Dialogue, Extraction
from hippograph.nlp.extraction.quoting import Quoting, quotation
from hippograph.nlp.extraction.statements import AmbiguousReference, Extracted, Said, Statement
from hippograph.nlp.frames.dialogue import framed, names_in, parsed
from hippograph.nlp.frames.filling import Filled, Parts, fill, log_odds
from hippograph.nlp.frames.frame import NAMES, load_frames
from hippograph.nlp.frames.quotations import SHORTEST, Quotation, quotations
from hippograph.nlp.frames.requests import NOTE, requests
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
from hippograph.nlp.questions.coverage import content_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

CONFIDENCE: Final = "frame_confidence.json"
"""Name of the file, in the models' folder, with the weights of `confidence`: for tags alone, and after verifying."""
SURE: Final = 0.75
"""Minimum confidence for a frame to be told from its slots; set by readers' verdicts (BENCHMARKS)."""
CLEAR: Final = 0.7
"""Minimum confidence for the words that fill a frame to be quoted, where its slots are less sure."""
WORTH_A_LOOK: Final = 0.5
"""Minimum confidence by the tags; a candidate below it is neither verified nor told."""
_MOST_LOOKS: Final = 16
"""Maximum number of candidates of each sort that are verified in a turn; further ones are dropped."""
EXPLICIT: Final = 0.6
"""Minimum confidence for the frames of a fact that somebody states explicitly; its words stay as they are."""
AGREED: Final = 0.9
"""Minimum confidence of a frame that the parse alone finds."""
log = logging.getLogger(__name__)


class Sort(StrEnum):
    """How a frame is told: from its slots, or by a quotation of the words that fill it."""

    SLOTS = "slots"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible statement of a turn, whose confidence is still open.

    `evidence` are the features that the confidence is computed from. `sentence` is the index of the first word of its
    sentence. Candidates of the same `place` exclude each other. `agreed` says whether plain words and the parse alone
    find it.
    """

    sort: Sort
    evidence: Mapping[str, float]
    statement: Statement
    sentence: int
    place: tuple[str, int] | None = None
    agreed: bool = False


class LocalExtractor:
    """Extracts facts from talk; safe to use from several threads. Raises LanguageModelUnavailable if the spaCy model
    has no parser.
    """

    repeatable: Final = True

    def __init__(self, language: LanguageModel, executor: Executor | None = None, models: Path = MODELS) -> None:
        """`executor` runs `extract` and `read_fact`; None stands for the default one of the event loop. `models` is the
        folder of the tagger, the verifier and the weights of `confidence`.
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
        """Extracts the statements and causes of a dialogue, in the executor."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._read, dialogue)

    async def read_fact(self, said: Said, participants: Sequence[str]) -> list[Statement]:
        """Reads a fact that somebody states explicitly: the frames that it fills with their slots, in their order. Runs
        in the executor; `participants` are full names.
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
        """Finds the facts of each turn of one talk, whose turns are in order. `participants` are full names. A turn
        that raises an exception is logged and counted as dropped.
        """
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
        """Selects the statements of a turn. Frames are told from their slots if these are sure enough, the surest of
        each place. A sentence is quoted for its likeliest frame that is not told so. If anything is told of it from
        slots, it is not quoted as a note, nor for a frame that is told of another sentence: the tags of a frame reach
        into the sentences beside.

        A quotation takes over the relation of a slot candidate whose tags are sure enough, except in frames with one
        value at a time: nothing would end such a relation.
        """
        tagged = [(certain, each) for each in found if (certain := self.tagged(each)) >= WORTH_A_LOOK]
        slots = [each for _, each in tagged if each.sort is Sort.SLOTS]
        told = self._verified(slots, turns, number)
        best = _surest([(certain, each) for certain, each in told if certain >= SURE])
        frames = {NOTE, *(each.statement.frame for each in best.values())}
        typed = {(each.sentence, frame) for each in best.values() for frame in frames}
        likeliest: dict[int, Candidate] = {}
        for _, each in tagged:
            if each.sort is Sort.WORDS and (each.sentence, each.statement.frame) not in typed:
                likeliest.setdefault(each.sentence, each)
        told += self._verified(_untold(likeliest.values(), best.values()), turns, number)
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
        """The confidence of a candidate by its tags, at least `AGREED` if the parse alone finds it."""
        learned = confidence(self._weights["tagged"][found.sort], found.evidence)
        return max(learned, AGREED) if found.agreed else learned

    def look(self, found: Candidate, turns: Sequence[Said], number: int) -> dict[str, float]:
        """The features for the confidence after verification: the log-odds by the tags, and the verifier's verdict."""
        kept = self._verifier.verdict(turns, number, found.statement)
        return {"tagged": log_odds(self.tagged(found)), "kept": kept}

    def _verified(self, some: Iterable[Candidate], turns: Sequence[Said], number: int) -> list[tuple[float, Candidate]]:
        """Returns candidates with their confidence after verification. Those that the parse finds need none; of the
        others only the first `_MOST_LOOKS` are returned.
        """
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
    """Yields all possible statements of a turn, however unsure; what cannot be worded is counted in `dropped` by
    reason. Nothing is yielded for the assistant and for turns that are not English.
    """
    turn = turns[number]
    if not turn.speaker or not is_english(turn.text[:LONGEST_TEXT]):
        return
    quoting, taken_back, parts = Quoting(turn.text, doc.text), retracted(doc), read_parts(tagger, turns, number, doc)
    invented = invention_in(doc)
    for filled in fill(people, number, parts):
        if filled.sentence.start in taken_back:
            dropped["taken back"] += 1
            continue
        if filled.sentence.start >= invented and not _is_own(filled.about, people.speaker(number)):
            dropped["about somebody invented"] += 1
            continue
        try:
            told = tell(filled, people, number, turn.time)
        except AmbiguousReference as reason:
            dropped[str(reason)] += 1
            continue
        statement = _told(filled, told, people, quoting)
        place = filled.about, filled.main.words.start
        yield Candidate(Sort.SLOTS, filled.evidence, statement, filled.sentence.start, place, filled.agreed)
    for found in (*quotations(people, number, parts), *_requested(people, turns, number, parts)):
        real = found.sentence.start < invented or _is_own(found.about, people.speaker(number))
        if real and found.sentence.start not in taken_back:
            statement, agreed = _quoted(found, people, turn, quoting), found.frame.name == NOTE
            yield Candidate(Sort.WORDS, found.evidence, statement, found.sentence.start, agreed=agreed)


def _is_own(about: str, speaker: str) -> bool:
    """Whether a name is that of the speaker, or a relative of theirs without a name: Ada's mum."""
    return about == speaker or (about.startswith(f"{speaker}'s ") and len(about.split()) == len(speaker.split()) + 1)


def _requested(people: People, turns: Sequence[Said], number: int, parts: Parts) -> Iterator[Quotation]:
    """Yields the requests of a turn to the assistant: nobody else is there, or the assistant answers it."""
    if people.has_one_person or (number + 1 < len(turns) and turns[number + 1].speaker is None):
        yield from requests(people, number, parts)


def read_parts(tagger: Tagger, turns: Sequence[Said], number: int, doc: "Doc") -> Parts:
    """A turn with its tags. A part whose sentences are all questions or of one or two words is not tagged: it fills no
    frame by tags.
    """
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
    """The statement of a frame that is told from its slots."""
    words = quoting.sentence(filled.sentence.start_char, filled.sentence.end_char)
    return stated(filled.frame, told, people.entity(filled.about), _named(filled), words)


def _quoted(found: Quotation, people: People, turn: Said, quoting: Quoting) -> Statement:
    """The statement of a frame that is told by a quotation."""
    words, when = quote(found, turn.time, quoting)
    content = quotation(people.short(turn.speaker or ""), words)
    source = quoting.sentence(found.sentence.start_char, found.sentence.end_char)
    return stated_in_words(found.frame, content, people.entity(found.about), when, source)


def _named(filled: Filled) -> set[str]:
    """The slots that are filled with a name, and not with a description."""
    return {
        slot
        for slot, filler in filled.slots.items()
        if filled.frame.slots[slot] in NAMES | {"phrase"}
        and any(token.pos_ == "PROPN" and token.text[:1].isupper() for token in filler.words)
    }


def _untold(quoted: Iterable[Candidate], told: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yields the quotations that have a content word which what is told of their sentence from slots lacks."""
    words: dict[int, frozenset[str]] = {}
    for each in told:
        words[each.sentence] = words.get(each.sentence, frozenset()) | content_words(each.statement.content)
    for each in quoted:
        if not content_words(each.statement.content) <= words.get(each.sentence, frozenset()):
            yield each


def _surest(told: Sequence[tuple[float, Candidate]]) -> dict[tuple[str, int] | None, Candidate]:
    """Maps each place to its surest candidate; `told` has the confidence of each."""
    return {each.place: each for _, each in sorted(told, key=lambda pair: (pair[0], pair[1].evidence["main"]))}


def confidence(weights: Mapping[str, float], evidence: Mapping[str, float]) -> float:
    """The confidence of a filled frame, from 0 to 1: a logistic regression over its evidence."""
    total = weights[BIAS] + sum(weights.get(name, 0.0) * value for name, value in evidence.items())
    return 1 / (1 + math.exp(-total))


def open_dialogue(
    language: LanguageModel, turns: Sequence[Said], participants: Sequence[str], models: Path = MODELS
) -> "tuple[People, Iterator[tuple[int, Doc]]]":
    """Returns the people of a talk and an iterator over its turns by number, parsed by spaCy with the names that the
    tagger in the folder `models` finds. `People.hear` gets each turn just before it is yielded.
    """
    names = names_in(turns, participants)
    people = People([turn.speaker for turn in turns], participants, names)

    def read() -> "Iterator[tuple[int, Doc]]":
        for number, doc in enumerate(parsed(language, turns, participants, names, models)):
            people.hear(number, doc)
            yield number, doc

    return people, read()


def windows(turns: Sequence[Said], number: int, doc: "Doc") -> "list[tuple[Framed, list[Span]]]":
    """The parts of a turn for the tagger, each with its sentences; parts without a sentence are left out."""
    found: list[tuple[Framed, list[Span]]] = [(part, []) for part in framed(turns, number, doc)]
    for sentence in doc.sents:
        if sentence.text.strip():
            next(each for part, each in found if sentence.start_char < part.end).append(sentence)
    return [(part, sentences) for part, sentences in found if sentences]
