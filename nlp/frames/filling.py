"""What a turn fills frames with: the tagger's opinion of tokens as spans of the parse, and whom each frame is about.

What belongs here: one turn, its parse and its tags. What does not: what of it is sure enough to be kept
(`nlp.frames.extractor`), and how it is told (`nlp.frames.telling`).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hippograph.nlp.extraction.assertion import doubted, is_supposed
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.naming import first_name, is_kin
from hippograph.nlp.frames.constructions import plain_sentences
from hippograph.nlp.frames.frame import NAMES, OF_THINGS, WHO, Frame, SlotType, load_frames
from hippograph.nlp.frames.noun_constructions import amounts, birthdays, favourites, named_relations
from hippograph.nlp.frames.spans import snapped
from hippograph.nlp.frames.tagger import Tags, frame_labels, slot_labels
from hippograph.nlp.frames.token_window import Framed
from hippograph.nlp.models.encoder import Vector
from hippograph.nlp.names.parsed_name import titles_of
from hippograph.nlp.parsing.clauses import Clause, asks, clause_of, pieces
from hippograph.nlp.parsing.wording import FIRST, IT, REFERRING, SECOND, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

LEAST_FRAME: Final = 0.1
"""A frame of less probability is not looked at."""
_INSIDE: Final = 0.6
"""A token of this probability belongs to a slot, if another beside it has more than `_CORE`."""
_CORE: Final = 0.75
_CORE_OF_NEEDED: Final = 0.6
"""Where the main slot of the frame needs this one beside it."""
_LIKELY_KIN: Final = 0.3
"""A word for kin of this probability says what somebody is to whom."""
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
"""Prepositions after which a place is only near: who lives above a bar does not live in it."""
_NEGATED: Final = frozenset({"dislike", "diet", "habit", "allergy", "decision", "instruction", "secret", "promise"})
"""The frames that a denial may fill: I don't eat pork."""
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
    """What fills a slot: words of the turn, and how probable the tagger finds them."""

    words: "Span"
    probability: float

    @property
    def text(self) -> str:
        """The words."""
        return self.words.text


@dataclass(frozen=True, slots=True)
class Filled:
    """A frame that a sentence fills, with the slots that were found; `about` names whom or what it is about, as
    `People.entity` takes it. `evidence` are numbers that tell how sure it is, by name. `agreed` says whether the parse
    of a short sentence says the same as the tags.
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
        """What fills its main slot."""
        return next(self.slots[slot] for slot in self.frame.main if slot in self.slots)


def log_odds(probability: float) -> float:
    """The logarithm of the odds, of a probability that is not quite 0 or 1."""
    bounded = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(bounded / (1 - bounded))


class Parts:
    """The parse of a turn beside the tags of its tokens. `parts` are the windows in which it was tagged, with the
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
        """How probable the tagger finds it that a word is part of a slot."""
        return float(self.slots[token.i, _column(frame.name, slot)])


def _likeliest(slots: Vector) -> Vector:
    """The same probabilities, but of each frame only that of the likeliest slot of a token; and who it is about."""
    kept = np.zeros_like(slots)
    for columns in _columns().values():
        part = slots[:, columns]
        kept[:, columns] = np.where(part >= part.max(axis=1, keepdims=True), part, 0)
    return kept


@cache
def _columns() -> dict[str, list[int]]:
    """The columns of the slots of each frame, but for whom it is about, which other slots may be part of."""
    found: dict[str, list[int]] = {}
    for place, (name, slot) in enumerate(slot_labels()):
        if slot != WHO:
            found.setdefault(name, []).append(place)
    return found


@cache
def _column(frame: str, slot: str) -> int:
    return slot_labels().index((frame, slot))


def fill(people: People, turn: int, parts: Parts) -> Iterator[Filled]:
    """The frames that a turn fills, sentence by sentence, however unsure. Frames that lack what they need, are asked,
    doubted or hold only under a condition, and those of nobody in particular, are left out.
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
    """What the parse alone is believed."""
    for found in (
        *named_relations(people, sentence, clauses),
        *amounts(sentence, clauses),
        *birthdays(sentence, clauses),
        *favourites(sentence, clauses),
        *plain_sentences(people, clauses),
    ):
        clause = found.clause
        if found.frame.lasting and clause is not None and is_passing(clause.main, clause):
            continue
        named = people.surely if found.about.lower_ in THIRD else people.name
        about = named(turn, found.about, clause)
        slots = {slot: Filler(words, 1.0) for slot, words in found.slots.items()} | {
            WHO: Filler(found.about.doc[found.about.i : found.about.i + 1], 1.0)
        }
        if about and people.is_named(about) and _can_be_about(found.frame, slots, about, people):
            evidence = {"main": log_odds(1.0), "long": math.log(len(sentence)), "named": 1.0}
            yield Filled(found.frame, slots, about, clause, sentence, evidence, agreed=True)


def _says_again(filled: Filled, known: Filled) -> bool:
    """Whether a frame tells of words what is known of them."""
    among = filled.frame == known.frame or bool(filled.frame.beside and known.frame.beside)
    return among and any(_overlap(each, other) for each in filled.slots.values() for other in known.slots.values())


def _instances(frame: Frame, parts: Parts, place: int) -> Iterator[dict[str, Filler]]:
    """The slots of each time that a sentence fills a frame: once for each filler of its main slot."""
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
    """The slot of the other one of a couple, if the frame is about one."""
    return next((slot for slot, sort in frame.slots.items() if sort == "person"), None)


def likeliest(frame: Frame, slots: Sequence[str], parts: Parts, sentence: "Span") -> "tuple[Token, float]":
    """The word of a sentence that is likeliest part of one of the slots of a frame, and how probable that is."""
    found = parts.slots[sentence.start : sentence.end][:, [_column(frame.name, slot) for slot in slots]].max(axis=1)
    found = _unaddressed(sentence, found)
    return sentence[int(found.argmax())], float(found.max())


def is_addressed(token: "Token") -> bool:
    """Whether a name says to whom a sentence is spoken, and is no part of what it says: I'm frightened, Atlas."""
    name = token.head if token.dep_ == "compound" else token
    if token.pos_ != "PROPN" or (name.dep_ not in _SPOKEN_TO and name.head.pos_ != "INTJ"):
        return False
    doc, start, end = token.doc, name.left_edge.i, name.i + 1
    begins, ends = start == token.sent.start, end == token.sent.end
    return (begins or doc[start - 1].text == ",") and (ends or doc[end].is_punct) and not (begins and ends)


def _unaddressed(sentence: "Span", column: Vector) -> Vector:
    """The probabilities of the words of a sentence, none for whom it is spoken to."""
    spoken_to = [place for place in np.flatnonzero(column >= LEAST_FRAME) if is_addressed(sentence[int(place)])]
    if not spoken_to:
        return column
    left = column.copy()
    left[spoken_to] = 0
    return left


def _overlap(one: Filler, other: Filler) -> bool:
    return one.words.start < other.words.end and other.words.start < one.words.end


def _fillers(frame: Frame, slot: str, parts: Parts, sentence: "Span") -> "Iterator[Filler]":
    """The words of a sentence that fill a slot."""
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
    """Whether a frame is said to be filled, and neither supposed nor denied."""
    if is_supposed(main.words.root) or _denied(main.words):
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
    """Whether an age is one that somebody turns some day, or had: before I turn 35; my son was three then."""
    if frame.name != "age":
        return False
    was = clause is not None and clause.main.lemma_ == "be" and clause.past and not clause.perfect
    return was or (age.i > 0 and age.nbor(-1).lower_ in _TURNING)


def _denied(words: "Span") -> bool:
    """Whether a denial stands right before words: not 60."""
    return words.start > 0 and words.doc[words.start - 1].lower_ in {"not", "n't"}


def _can_be_about(frame: Frame, slots: Mapping[str, Filler], about: str, people: People) -> bool:
    """Whether it is about a person, or an animal, and about nobody who fills a slot of it: my brother Hannes, Maya's GP
    is Dr. Anna Feld.
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
    """Whether a noun means what is there just then, or its clause speaks of the day: I hate this weather."""
    noun = token.head if token.dep_ == "compound" else token
    words = {word.lower_ for word in (clause.words if clause else noun.subtree)}
    return not words.isdisjoint(_OF_THE_DAY) or any(child.lower_ in _POINTING for child in noun.children)


def _is_open(sort: SlotType, filler: Filler) -> bool:
    """Whether words refer to something that they do not name."""
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
    """Whom a frame is about, and how one knows: by a pronoun of the first or another person, by name or as kin. Empty
    where nobody is named.
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
    """The word for what has an age or a birthday, by the word that the tags tell: my *dog* is eight."""
    return token.head if token.tag_ == "PRP$" and token.head.lemma_ not in {"age", "birthday"} else token


def _somebody(who: Filler) -> "Token | None":
    """The word that says whom a frame is about: a pronoun of the first person, else the last noun or pronoun."""
    words = [token for token in who.words if token.pos_ in {"PRON", "NOUN", "PROPN"} or token.tag_ == "PRP$"]
    return next((token for token in words if token.lower_ in FIRST and len(words) == 1), words[-1] if words else None)
