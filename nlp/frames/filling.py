"""Filled frames of a turn: the tagger's probabilities of tokens as spans of the parse, and whom each frame is about.

What belongs here: one turn, its parse and its tags. What does not: which frames are sure enough to be kept
(`nlp.frames.extractor`), and how they are worded (`nlp.frames.telling`).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hippograph.nlp.extraction.assertion import doubted, is_denied_by_noun, is_supposed
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.naming import first_name, is_kin
from hippograph.nlp.frames.constructions import plain_sentences
from hippograph.nlp.frames.frame import NAMES, OF_THINGS, WHO, Frame, SlotType, load_frames
from hippograph.nlp.frames.noun_constructions import amounts, birthdays, favourites, named_relations
from hippograph.nlp.frames.spans import is_value, snapped
from hippograph.nlp.frames.tagger import Tags, frame_labels, slot_labels
from hippograph.nlp.frames.token_window import Framed
from hippograph.nlp.models.encoder import Vector
from hippograph.nlp.names.parsed_name import titles_of
from hippograph.nlp.parsing.clauses import Clause, asks, clause_of, pieces
from hippograph.nlp.parsing.wording import FIRST, IT, REFERRING, SECOND, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

LEAST_FRAME: Final = 0.1
"""Minimum probability of a frame in a sentence for it to be considered."""
_INSIDE: Final = 0.6
"""Minimum probability of every token in a span that fills a slot; at least one must reach `_CORE`."""
_CORE: Final = 0.75
_CORE_OF_NEEDED: Final = 0.6
"""The same as `_CORE` for whom a frame is about, and for a slot that it needs beside its main slot."""
_LIKELY_KIN: Final = 0.3
"""Minimum probability for a kin noun to fill the slot `relation`."""
_SECONDARY: Final = 0.5
_EDGE: Final = 1e-4
_ASIDE: Final = frozenset(
    {
        "above",
        "across",
        "behind",
        "below",
        "beneath",
        "beside",
        "between",
        "beyond",
        "near",
        "opposite",
        "outside",
        "over",
    }
)
"""Prepositions that make a place only a nearby one: who lives above a bar does not live in it."""
_NEGATED: Final = frozenset({"dislike", "diet", "habit", "allergy", "decision", "instruction", "secret", "promise"})
"""Frames that a negated clause may fill: I don't eat pork."""
_TURNING: Final = frozenset({"turn", "turns", "turning"})
_LEAVING: Final = frozenset({"notice", "resignation"})
_WEDDING: Final = frozenset({"marry", "get", "wed"})
_SPOKEN_TO: Final = {"npadvmod", "dep", "intj"}
"""Dependency labels that the parser gives to a name used to address somebody."""
_POINTING: Final = {"this", "that", "these", "those"}
_OF_THE_DAY: Final = {"today", "tonight", "tomorrow", "yesterday"}
_OPEN: Final = IT | REFERRING | {"there", "here"}


@dataclass(frozen=True, slots=True)
class Filler:
    """A span of the turn that fills a slot, and the mean probability of its tokens by the tagger."""

    words: "Span"
    probability: float

    @property
    def text(self) -> str:
        """The words of the span."""
        return self.words.text


@dataclass(frozen=True, slots=True)
class Filled:
    """A frame that a sentence fills, with the slots that were found. `about` names whom or what it is about, as
    `People.entity` takes it. `evidence` are the features, by name, that its confidence is computed from. `agreed` says
    whether it comes from the parse alone, and not from the tags.
    """

    frame: Frame
    slots: Mapping[str, Filler]
    about: str
    clause: Clause | None
    sentence: "Span"
    evidence: Mapping[str, float]
    agreed: bool

    @property
    def main(self) -> Filler:
        """The filler of its main slot."""
        return next(self.slots[slot] for slot in self.frame.main if slot in self.slots)


def log_odds(probability: float) -> float:
    """The log-odds of a probability, which is first bounded away from 0 and 1 by `_EDGE`."""
    bounded = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(bounded / (1 - bounded))


class Parts:
    """The parse of a turn and the tags of its tokens. `parts` are the windows in which it was tagged, with the
    sentences of each and their tags.
    """

    def __init__(self, doc: "Doc", parts: "Sequence[tuple[Framed, Sequence[Span], Tags]]") -> None:
        self.sentences = [sentence for _, sentences, _ in parts for sentence in sentences]
        self.clauses = [pieces(sentence) for sentence in self.sentences]
        self.frames = np.concatenate(
            [np.zeros((0, len(frame_labels())), np.float32), *(tags.frames for *_, tags in parts)]
        )
        self.slots = np.zeros((len(doc), len(slot_labels())), np.float32)
        for framed, sentences, tags in parts:
            for sentence in sentences:
                for token in sentence:
                    over = framed.over([(token.idx, token.idx + len(token))])
                    if over != (0,):
                        self.slots[token.i] = tags.slots[list(over)].max(axis=0)
        self.likeliest = _likeliest(self.slots)

    def probability(self, frame: Frame, slot: str, token: "Token") -> float:
        """The probability that a word is part of a slot, by the tagger."""
        return float(self.slots[token.i, _column(frame.name, slot)])


def _likeliest(slots: Vector) -> Vector:
    """The probabilities (tokens, slots) of the likeliest slot of each frame; all others and those of `WHO` are 0."""
    kept = np.zeros_like(slots)
    for columns in _columns().values():
        part = slots[:, columns]
        kept[:, columns] = np.where(part >= part.max(axis=1, keepdims=True), part, 0)
    return kept


@cache
def _columns() -> dict[str, list[int]]:
    """The columns of the slots of each frame, without `WHO`, which may overlap with other slots."""
    found: dict[str, list[int]] = {}
    for place, (name, slot) in enumerate(slot_labels()):
        if slot != WHO:
            found.setdefault(name, []).append(place)
    return found


@cache
def _column(frame: str, slot: str) -> int:
    return slot_labels().index((frame, slot))


def fill(people: People, turn: int, parts: Parts) -> Iterator[Filled]:
    """Yields the frames that a turn fills, sentence by sentence, however unsure. Left out are frames that lack a slot
    they need, that are asked, doubted or conditional, or that are about nobody in particular.
    """
    frames, names = load_frames(), frame_labels()
    for place, sentence in enumerate(parts.sentences):
        clauses = parts.clauses[place]
        known = list(_constructed(people, turn, sentence, clauses))
        yield from known
        if asks(sentence):
            continue
        for number in np.flatnonzero(parts.frames[place] >= LEAST_FRAME):
            frame = frames[names[number]]
            if not frame.closed:
                continue
            for slots in _instances(frame, parts, place):
                filled = _filled(frame, slots, sentence, clauses, people, turn)
                if filled is not None and not any(_says_again(filled, each) for each in known):
                    yield filled


def _constructed(people: People, turn: int, sentence: "Span", clauses: Sequence[Clause]) -> Iterator[Filled]:
    """Yields the frames that the parse alone finds."""
    for found in (
        *named_relations(people, sentence, clauses),
        *amounts(sentence, clauses),
        *birthdays(sentence, clauses),
        *favourites(sentence, clauses),
        *plain_sentences(people, clauses),
    ):
        clause = found.clause
        denied = not (clause and clause.negated) and any(map(_denied, found.slots.values()))  # from Wexford, not Cork
        if denied or (found.frame.lasting and clause is not None and is_passing(clause.main, clause)):
            continue
        about = (people.surely if found.about.lower_ in THIRD else people.name)(turn, found.about, clause)
        slots = {slot: Filler(words, 1.0) for slot, words in found.slots.items()} | {
            WHO: Filler(found.about.doc[found.about.i : found.about.i + 1], 1.0)
        }
        if about and people.is_named(about) and _can_be_about(found.frame, slots, about, people):
            evidence = {"main": log_odds(1.0), "long": math.log(len(sentence)), "named": 1.0}
            yield Filled(found.frame, slots, about, clause, sentence, evidence, agreed=True)


def _says_again(filled: Filled, known: Filled) -> bool:
    """Whether a frame repeats one of the parse: it is the same or both have `beside`, and their slots overlap."""
    among = filled.frame == known.frame or bool(filled.frame.beside and known.frame.beside)
    return among and any(_overlap(each, other) for each in filled.slots.values() for other in known.slots.values())


def _instances(frame: Frame, parts: Parts, place: int) -> Iterator[dict[str, Filler]]:
    """Yields the slots of each instance of a frame in a sentence, one for each filler of its main slot. A slot without
    a filler may take one from a neighbouring sentence that does not fill the main slot.
    """
    sentence = parts.sentences[place]
    found = {slot: list(_fillers(frame, slot, parts, sentence)) for slot in frame.slots}
    if frame.main == (WHO,) and len(found[WHO]) == 2 and (other := _other_person(frame)):
        found[WHO], found[other] = found[WHO][:1], found[other] or found[WHO][1:]  # Ana married Tom: of Ana, with Tom
    main = next((slot for slot in frame.main if found[slot]), None)
    if main is None:
        return
    near = [
        parts.sentences[at]
        for at in (place + 1, place - 1)
        if 0 <= at < len(parts.sentences)
        and not any(True for slot in frame.main for _ in _fillers(frame, slot, parts, parts.sentences[at]))
    ]
    for filler in found[main]:
        slots = {main: filler}
        for slot in frame.slots:
            if slot == main:
                continue
            options = found[slot] or [
                each for other in near if slot != WHO for each in _fillers(frame, slot, parts, other)
            ]
            options = [each for each in options if not _overlap(each, filler) or slot == WHO]
            if options:
                slots[slot] = min(options, key=lambda each: abs(each.words.start - filler.words.start))
        who = slots.get(WHO)
        slots = {
            slot: each
            for slot, each in slots.items()
            if slot in (WHO, main) or frame.slots[slot] not in NAMES or who is None or not _overlap(each, who)
        }
        if frame.complete(slots):
            yield slots


def _other_person(frame: Frame) -> str | None:
    """The slot for the other person of a couple, if the frame has one."""
    return next((slot for slot, sort in frame.slots.items() if sort == "person"), None)


def likeliest(frame: Frame, slots: Sequence[str], parts: Parts, sentence: "Span") -> "tuple[Token, float]":
    """The word of a sentence with the highest probability to be part of one of the slots, and that probability."""
    found = parts.slots[sentence.start : sentence.end][:, [_column(frame.name, slot) for slot in slots]].max(axis=1)
    found = _unaddressed(sentence, found)
    return sentence[int(found.argmax())], float(found.max())


def is_addressed(token: "Token") -> bool:
    """Whether a name is only used to address somebody, and is not part of what is said: I'm frightened, Atlas."""
    name = token.head if token.dep_ == "compound" else token
    if token.pos_ != "PROPN" or (name.dep_ not in _SPOKEN_TO and name.head.pos_ != "INTJ"):
        return False
    doc, start, end = token.doc, name.left_edge.i, name.i + 1
    begins, ends = start == token.sent.start, end == token.sent.end
    return (begins or doc[start - 1].text == ",") and (ends or doc[end].is_punct) and not (begins and ends)


def _unaddressed(sentence: "Span", column: Vector) -> Vector:
    """The probabilities of the words of a sentence, 0 for a name that addresses somebody."""
    spoken_to = [place for place in np.flatnonzero(column >= LEAST_FRAME) if is_addressed(sentence[int(place)])]
    if not spoken_to:
        return column
    left = column.copy()
    left[spoken_to] = 0
    return left


def _overlap(one: Filler, other: Filler) -> bool:
    return one.words.start < other.words.end and other.words.start < one.words.end


def _fillers(frame: Frame, slot: str, parts: Parts, sentence: "Span") -> "Iterator[Filler]":
    """Yields the spans of a sentence that fill a slot."""
    known = parts.slots if slot == WHO else parts.likeliest
    column = _unaddressed(sentence, known[sentence.start : sentence.end, _column(frame.name, slot)])
    if slot == "relation":
        kin = np.array([is_kin(token) for token in sentence]) & (column >= _LIKELY_KIN)
        column = np.where(kin, np.maximum(column, _CORE), column)
    needed = slot == WHO or any(slot in group for group in frame.needs[:-1])
    start, core = None, _CORE_OF_NEEDED if needed else _CORE
    for at in range(len(column) + 1):
        inside = at < len(column) and column[at] >= _INSIDE
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            if column[start:at].max() >= core:
                words = snapped(sentence, start, at, frame.slots[slot], who=slot == WHO)
                if words is not None:
                    yield Filler(words, float(column[start:at].mean()))
            start = None


def _filled(
    frame: Frame,
    slots: dict[str, Filler],
    sentence: "Span",
    clauses: Sequence[Clause],
    people: People,
    turn: int,
) -> Filled | None:
    main = next(slots[slot] for slot in frame.main if slot in slots)
    clause = clause_of(main.words.root, clauses)
    if any(_is_open(frame.slots[slot], slots[slot]) for slot in frame.main if slot in slots and slot != WHO):
        return None
    if main.words.root.dep_ == "pobj" and main.words.root.head.lower_ in _ASIDE:
        return None
    slots = {
        slot: filler
        for slot, filler in slots.items()
        if slot in frame.main
        or (filler.probability >= _SECONDARY and not _is_open(frame.slots[slot], filler))
        or slot == WHO
    }
    if not _is_stated(frame, main, clause):
        return None
    if frame.name == "health" and is_value(main.words):
        return None
    if frame.name == "relative" and not any(people.is_person(token) for token in slots["name"].words):
        return None
    who = slots.get(WHO)
    if who is not None and who is not main and who.words.root.pos_ == "PROPN" and who.words.start == main.words.start:
        return None  # the parse takes a sentence for one noun: Maya dislikes sushi
    about, source = _about(frame, slots, clause, people, turn)
    if not about or not _can_be_about(frame, slots, about, people):
        return None
    evidence = {
        "main": log_odds(main.probability),
        "long": math.log(len(sentence)),
        "named": float(_is_name(main)),
        f"who {source}": 1.0,
    }
    return Filled(frame, slots, about, clause, sentence, evidence, agreed=False)


def _is_name(filler: Filler) -> bool:
    return any(token.pos_ == "PROPN" and token.text[:1].isupper() for token in filler.words)


def _is_stated(frame: Frame, main: Filler, clause: Clause | None) -> bool:
    """Whether a frame is stated to be filled: not supposed, denied, doubted or only passing."""
    if is_supposed(main.words.root) or is_denied_by_noun(main.words.root) or _denied(main.words):
        return False
    if is_not_now(frame, main.words.root, clause) or (frame.lasting and is_passing(main.words.root, clause)):
        return False
    if clause is None:
        return True
    if clause.conditions or clause.hedged or doubted(clause):
        return False
    if frame.name == "work" and any(token.lower_ in _LEAVING for token in clause.words):
        return False  # I handed in my notice at Deltaroute
    if frame.name == "marriage" and clause.main.lemma_ in _WEDDING and not (clause.past or clause.perfect):
        return False
    return not clause.negated or frame.name in _NEGATED


def is_not_now(frame: Frame, age: "Token", clause: Clause | None) -> bool:
    """Whether an age is a future or a former one: before I turn 35; my son was three then. False for other frames."""
    if frame.name != "age":
        return False
    was = clause is not None and clause.main.lemma_ == "be" and clause.past and not clause.perfect
    return was or (age.i > 0 and age.nbor(-1).lower_ in _TURNING)


def _denied(words: "Span") -> bool:
    """Whether a negation stands right before the words: not 60."""
    return words.start > 0 and words.doc[words.start - 1].lower_ in {"not", "n't"}


def _can_be_about(frame: Frame, slots: Mapping[str, Filler], about: str, people: People) -> bool:
    """Whether a frame may be about an entity: a person or an animal (but for `OF_THINGS`) that does not fill a slot of
    it as well: my brother Hannes, Maya's GP is Dr. Anna Feld.
    """
    if frame.name not in OF_THINGS and people.entity(about).type != "Person":
        return False
    known, titles = about.casefold(), titles_of("all")
    called = {known, first_name(known)}
    return not any(
        " ".join(word for word in filler.text.casefold().split() if word.strip(".") not in titles) in called
        for slot, filler in slots.items()
        if slot != WHO and frame.slots[slot] in NAMES
    )


def is_passing(token: "Token", clause: Clause | None) -> bool:
    """Whether a noun refers to something of the moment, or its clause is about the day: I hate this weather."""
    noun = token.head if token.dep_ == "compound" else token
    words = {word.lower_ for word in (clause.words if clause else noun.subtree)}
    return not words.isdisjoint(_OF_THE_DAY) or any(child.lower_ in _POINTING for child in noun.children)


def _is_open(sort: SlotType, filler: Filler) -> bool:
    """Whether a filler refers to something that it does not name, as a pronoun does."""
    if sort in {"day", "amount", "word"}:
        return False
    for token in filler.words:
        if token.lower_ in THIRD or (token.lower_ in SECOND | FIRST and len(filler.words) == 1):
            return True
        referring = token.pos_ in {"PRON", "DET", "ADJ", "NOUN", "ADV"} and token.dep_ != "expl" and token.tag_ != "IN"
        if token.lower_ in _OPEN and referring:
            return True
    return False


def _about(
    frame: Frame, slots: Mapping[str, Filler], clause: Clause | None, people: People, turn: int
) -> tuple[str, str]:
    """The name of whom a frame is about, and how it was found: first, second, certain or other pronoun, participant,
    kin or name. Both are empty if nobody is named; only the name, if it cannot be resolved.
    """
    who = slots.get(WHO)
    token = None if who is None else _somebody(who)
    if token is None:
        return "", ""
    token = aged(token) if frame.name == "age" else token
    if token.lower_ in FIRST:
        return people.speaker(turn), "first"
    if token.lower_ in SECOND:
        return people.name(turn, token, clause) or "", "second"
    if token.lower_ in IT and frame.name not in OF_THINGS:
        return "", ""
    if token.lower_ in THIRD | IT:
        name = people.name(turn, token, clause) or ""
        sure = clause is not None and bool(name) and people.certain(turn, token, clause)
        return name, "certain" if sure else "pronoun"
    name = people.noun(turn, token) or ""
    kind = "participant" if name and people.takes_part(name) else "kin" if "'s " in name else "name"
    return name, kind


def aged(token: "Token") -> "Token":
    """The owner of an age or a birthday, given the word that the tags find: my *dog* is eight."""
    return token.head if token.tag_ == "PRP$" and token.head.lemma_ not in {"age", "birthday"} else token


def _somebody(who: Filler) -> "Token | None":
    """The word for whom a frame is about: a lone pronoun of the first person, else the last noun or pronoun."""
    words = [token for token in who.words if token.pos_ in {"PRON", "NOUN", "PROPN"} or token.tag_ == "PRP$"]
    return next((token for token in words if token.lower_ in FIRST and len(words) == 1), words[-1] if words else None)
