"""Converts a transcript and the statements found in it into rows of the graph: mentions, facts, relations, causes (W3,
M11).

What belongs here: plain values, each computed once from those before it. What does not: when transcripts are read, and
how earlier results are revised (`graph.knowledge.consolidation`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from hippograph.graph.database import Row
from hippograph.graph.ids import new_id
from hippograph.graph.knowledge.entity_resolution.name_mention import MentionLink, NameMention, mentions
from hippograph.graph.knowledge.transcript import Present, Transcript, TranscriptTurn
from hippograph.graph.model import EventPrecision, MemoryType, Sensitivity
from hippograph.graph.people.people import name_token
from hippograph.graph.writing.fact import Fact, Subject, in_confidence, text_key
from hippograph.nlp.emotion import intensity
from hippograph.nlp.extraction.causes import CONFIDENCE, Cause, Told
from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.statements import Statement
from hippograph.nlp.extraction.statements import Subject as Named
from hippograph.nlp.frames.frame import load_frames
from hippograph.nlp.names.recognition import Name
from hippograph.nlp.text import normalise

# By kind of statement: the type of its memory, the kind of the fact, which sets its lifetime (T3), and the fact type.
_SORTS: Final = {
    "fact": (MemoryType.SEMANTIC, "knowledge", "fact"),
    "preference": (MemoryType.SEMANTIC, "preference", "preference"),
    "relationship": (MemoryType.SEMANTIC, "relationship", "relationship"),
    "habit": (MemoryType.SEMANTIC, "knowledge", "habit"),
    "event": (MemoryType.SEMANTIC, "event", "fact"),
    "plan": (MemoryType.SEMANTIC, "task", "fact"),
}


Found = Sequence[tuple[TranscriptTurn, list[Statement]]]
"""Turns, each with the statements found in it."""


Spoken = tuple[str, Named]
"""The id of a speaker, and a subject as they name it: another speaker may mean another entity by the same name."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The entities that the statements of some turns name, except participants.

    A speaker's uses of one name for one type are a single mention. `names` and `turns` are parallel: `turns` holds the
    id of the turn that names it first. `numbers` is the index of the mention of each subject. `told` are the indexes of
    the mentions whose type follows from the slot of a frame.
    """

    names: Sequence[NameMention]
    turns: Sequence[str]
    numbers: Mapping[Spoken, int]
    told: Collection[int]

    def rows(self, links: Sequence[MentionLink]) -> list[Row]:
        """The linked mentions as rows for `consolidation/resolve`; `links` are in the order of `names`."""
        return [
            {**link.row(), "turn": turn, "number": number, "told": number in self.told}
            for number, (link, turn) in enumerate(zip(links, self.turns, strict=True))
        ]


def mentions_in(present: Present, found: Iterable[tuple[str, str, Sequence[Statement]]]) -> Mentions:
    """The mentions in statements. `found` holds the id of a turn, the id of its speaker, and its statements."""
    places: dict[tuple[str, str, str], int] = {}
    names, turns = list[NameMention](), list[str]()
    numbers: dict[Spoken, int] = {}
    told = set[int]()
    for turn, speaker, statements in found:
        named = {
            subject: Name(_in_full(present, subject.name), subject.type, 0, 0)
            for subject in chain.from_iterable(map(_named, statements))
            if not present.called(subject.name, speaker)
        }
        for mention in mentions(list(dict.fromkeys(named.values())), present.chat, speaker):
            if places.setdefault((speaker, mention.type, mention.token), len(names)) == len(names):
                names.append(mention)
                turns.append(turn)
        for subject, name in named.items():
            number = places.get((speaker, name.type.lower(), name_token(name.text)))
            if number is not None:  # a name without a letter or digit makes no mention
                numbers[speaker, subject] = number
        told |= {numbers[speaker, each] for each in map(_told, statements) if each and (speaker, each) in numbers}
    return Mentions(names, turns, numbers, told)


Key = tuple[str, str]
"""Identifies a statement: the id of its turn, and the `text_key` of its words."""

Memories = Mapping[Key, str | None]
"""The id of the memory that holds each statement; None if no memory holds it any more."""


@dataclass(frozen=True, slots=True)
class ExtractionBatch:
    """Some turns of a transcript with the statements found in them. `causes` are those of the whole transcript;
    `entities` are what the subjects mean.
    """

    transcript: Transcript
    found: Found
    causes: Sequence[Cause]
    entities: Mapping[Spoken, Subject]

    @property
    def subjects(self) -> dict[str, Subject]:
        """The possible subjects of its facts, by id."""
        return {subject.id: subject for subject in (*self.entities.values(), *self.transcript.participants)}

    def facts(self, memories: Memories) -> dict[str, dict[Key, Fact]]:
        """The facts that no memory holds or has held, by the id of the speaker, then by key."""
        new: dict[str, dict[Key, Fact]] = defaultdict(dict)
        for turn, statement in self._statements():
            key = _key(turn, statement)
            if key not in memories and key not in new[turn.speaker_id]:
                new[turn.speaker_id][key] = self._fact(turn, statement)
        return new

    def relation_rows(self, memories: Memories) -> list[Row]:
        """Relations between entities with the memory that states them, for `consolidation/relate_entities`."""
        rows = []
        for turn, statement in self._statements():
            memory = memories.get(_key(turn, statement))
            related = statement.relation
            if related is None or memory is None or turn.confided:
                continue
            source, target = self._entity(turn, related.source), self._entity(turn, related.target)
            if source and target and source != target:
                row = {"source": source, "target": target, "predicate": related.predicate, "memory": memory}
                rows.append({**row, "id": new_id(), "confidence": statement.confidence})
        return rows

    def cause_rows(self, memories: Memories) -> list[Row]:
        """Causes and effects, for `consolidation/link_causes`; each is a fact found in a turn, or the turn itself."""
        here = {turn.id for turn, _ in self.found}
        rows = []
        for link in self.causes:
            effect = self.transcript.turns[link.effect.turn]
            if effect.id in here or self.transcript.turns[link.cause.turn].id in here:
                ends = [self._memory(link.cause, memories), self._memory(link.effect, memories)]
                if all(ends) and ends[0] != ends[1]:
                    named = {"predicate": link.connective, "confidence": CONFIDENCE, "evidence": [effect.id]}
                    rows.append({"cause": ends[0], "effect": ends[1], **named})
        return rows

    def _statements(self) -> Iterator[tuple[TranscriptTurn, Statement]]:
        return ((turn, statement) for turn, statements in self.found for statement in statements)

    def _memory(self, told: Told, memories: Memories) -> str | None:
        """The id of the memory that fits some words of a turn best: at least half of the words of its statement are
        among them. Without words, the id of the turn.
        """
        turn = self.transcript.turns[told.turn]
        if not told.words:
            return turn.id
        words = set(normalise(told.words).split())
        best: tuple[float, str | None] = (0.5, None)
        for each, statement in self._statements():
            if each.id == turn.id:
                own = set(normalise(statement.content).split())
                share = len(own & words) / len(own)
                if share >= best[0]:
                    best = (share, memories.get(_key(each, statement)))
        return best[1]

    def _fact(self, turn: TranscriptTurn, statement: Statement) -> Fact:
        memory_type, kind, fact_type = _SORTS[statement.kind]
        about = list(dict.fromkeys(filter(None, (self._meant(turn, subject) for subject in statement.subjects))))
        dated = statement.event_time is not None
        related = statement.relation
        fact = Fact(
            statement.content,
            about=tuple(subject.id for subject in about),
            called=tuple(subject.name for subject in about),
            kind="event" if dated and kind == "task" else kind,
            type=memory_type,
            fact_type=fact_type,
            aspect=statement.aspect,
            value=statement.value or (related.target.name if related and statement.aspect else None),
            frame=statement.frame,
            ends=statement.ends,
            sensitivity=Sensitivity(statement.sensitivity) if statement.sensitivity else None,
            portable=False if statement.portable is False else None,
            importance=statement.importance,
            confidence=statement.confidence,
            event_time=statement.event_time or turn.event_time,
            event_precision=EventPrecision(statement.event_precision) if dated else EventPrecision.MINUTE,
            evidence=(turn.id,),
            source="consolidation" if self.transcript.whole else "extraction",
            said_at=turn.event_time,
            time_zone=turn.time_zone,
            learned_at=turn.created_at,
            emotion=intensity(turn.content),
            quotation=statement.quotation,
        )
        return in_confidence(fact, turn.speaker_id) if turn.confided else fact

    def _entity(self, turn: TranscriptTurn, subject: Named) -> str | None:
        """The id of the entity that a subject means; None for a thing without a name of its own."""
        meant = self._meant(turn, subject)
        return meant.id if meant else None

    def _meant(self, turn: TranscriptTurn, subject: Named) -> Subject | None:
        """The entity that a subject means, with its name in the turn."""
        known = self.transcript.present.called(subject.name, turn.speaker_id)
        return known or self.entities.get((turn.speaker_id, subject))


def _key(turn: TranscriptTurn, statement: Statement) -> Key:
    return turn.id, text_key(statement.content)


def _in_full(present: Present, name: str) -> str:
    """A name with the full name of a participant: "Ingrid's brother" becomes "Ingrid Solheim's brother". It stays as it
    is unless exactly one participant has that first name.
    """
    whose, apostrophe, what = name.partition("'s ")
    full = [each for each in present.full_names if first_name(each).casefold() == whose.casefold()]
    return f"{full[0]}'s {what}" if apostrophe and len(full) == 1 else name


def _named(statement: Statement) -> Iterator[Named]:
    """The subjects of a statement and the ends of its relation; of concepts only those with a capital letter."""
    ends = (statement.relation.source, statement.relation.target) if statement.relation else ()
    return (each for each in (*statement.subjects, *ends) if each.type != "Concept" or any(map(str.isupper, each.name)))


def _told(statement: Statement) -> Named | None:
    """The entity whose type follows from the slot of a frame: where somebody lives is a place, where they work an
    organization. A concept, such as what somebody owns, may be anything and counts only in the frame of pets.
    """
    related, frame = statement.relation, statement.frame
    if not related or not frame:
        return None
    named = related.source if load_frames()[frame].inward else related.target
    return None if named.type == "Concept" and frame != "pet" else named
