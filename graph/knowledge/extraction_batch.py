"""From a transcript and the statements found in it to rows of the graph: mentions, facts, relations, causes (W3, M11).

What belongs here: plain values, each computed once from those before it. What does not: when transcripts are read, and
what becomes of what was found before (`graph.knowledge.consolidation`).
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

# Of what a statement is: the type of its memory, its kind, which says how long it lasts (T3), and its fact type.
_SORTS: Final = {
    "fact": (MemoryType.SEMANTIC, "knowledge", "fact"),
    "preference": (MemoryType.SEMANTIC, "preference", "preference"),
    "relationship": (MemoryType.SEMANTIC, "relationship", "relationship"),
    "friction": (MemoryType.SEMANTIC, "knowledge", "friction"),
    "habit": (MemoryType.SEMANTIC, "knowledge", "habit"),
    "event": (MemoryType.SEMANTIC, "event", "fact"),
    "plan": (MemoryType.SEMANTIC, "task", "fact"),
    "procedure": (MemoryType.PROCEDURAL, "knowledge", "fact"),
    "opinion": (MemoryType.OPINION, "knowledge", "preference"),
}


Found = Sequence[tuple[TranscriptTurn, list[Statement]]]
"""Turns with what was found in each."""


Spoken = tuple[str, Named]
"""A subject as somebody, by their id, speaks of it."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Whom and what the statements of some turns name, but for who takes part.

    There is one mention for all that one speaker calls by the same name; `turns` are the turns that say it first,
    `numbers` which mention a subject of a speaker is. Of those that are `told` the slot of a frame says what they are.
    """

    names: Sequence[NameMention]
    turns: Sequence[str]
    numbers: Mapping[Spoken, int]
    told: Collection[int]

    def rows(self, links: Sequence[MentionLink]) -> list[Row]:
        """The resolved mentions, as `consolidation/resolve` takes them."""
        return [
            {**link.row(), "turn": turn, "number": number, "told": number in self.told}
            for number, (link, turn) in enumerate(zip(links, self.turns, strict=True))
        ]


def mentions_in(present: Present, found: Iterable[tuple[str, str, Sequence[Statement]]]) -> Mentions:
    """The mentions in statements, as the graph looks for them; each with the ids of its turn and of who said it."""
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
            if number is not None:  # a name without a letter is none
                numbers[speaker, subject] = number
        told |= {numbers[speaker, each] for each in map(_told, statements) if each and (speaker, each) in numbers}
    return Mentions(names, turns, numbers, told)


Key = tuple[str, str]
"""What tells one statement from another: its turn, and its words (`text_key`)."""

Memories = Mapping[Key, str | None]
"""Which memory holds what was found in a turn; None when it holds no more."""


@dataclass(frozen=True, slots=True)
class ExtractionBatch:
    """Some turns of a transcript with what was found in them. `entities` are what their subjects mean."""

    transcript: Transcript
    found: Found
    causes: Sequence[Cause]
    entities: Mapping[Spoken, Subject]

    @property
    def subjects(self) -> dict[str, Subject]:
        """Whom and what its facts may be about, by id."""
        return {subject.id: subject for subject in (*self.transcript.participants, *self.entities.values())}

    def facts(self, memories: Memories) -> dict[str, dict[Key, Fact]]:
        """What no memory has held yet, by who said it."""
        new: dict[str, dict[Key, Fact]] = defaultdict(dict)
        for turn, statement in self._statements():
            key = _key(turn, statement)
            if key not in memories and key not in new[turn.speaker_id]:
                new[turn.speaker_id][key] = self._fact(turn, statement)
        return new

    def relation_rows(self, memories: Memories) -> list[Row]:
        """What entities are to each other, each with the memory that says so, for `consolidation/relate_entities`."""
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
        """Which memories caused which, for `consolidation/link_causes`: what was found in a turn, or the turn."""
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
        """The memory that holds these words of a turn best: at least half of its own words are among them."""
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
        about = [self._entity(turn, subject) for subject in statement.subjects]
        dated = statement.event_time is not None
        related = statement.relation
        fact = Fact(
            statement.content,
            about=tuple(dict.fromkeys(each for each in about if each)),
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
        """The id of whom or what is meant; None for a thing without a name of its own."""
        known = self.transcript.present.called(subject.name, turn.speaker_id)
        known = known or self.entities.get((turn.speaker_id, subject))
        return known.id if known else None


def _key(turn: TranscriptTurn, statement: Statement) -> Key:
    return turn.id, text_key(statement.content)


def _in_full(present: Present, name: str) -> str:
    """A name as one tells it from others: "Ingrid's brother" by the full name of one who takes part."""
    whose, apostrophe, what = name.partition("'s ")
    full = [each for each in present.full_names if first_name(each).casefold() == whose.casefold()]
    return f"{full[0]}'s {what}" if apostrophe and len(full) == 1 else name


def _named(statement: Statement) -> Iterator[Named]:
    """Whom and what a statement is about or relates, of things only those that have a name."""
    ends = (statement.relation.source, statement.relation.target) if statement.relation else ()
    return (each for each in (*statement.subjects, *ends) if each.type != "Concept" or any(map(str.isupper, each.name)))


def _told(statement: Statement) -> Named | None:
    """Whom or what the slot of a frame names, of which it says what it is: where somebody lives is a place, and where
    they work an organization. What they own may be anything, but for a pet.
    """
    related, frame = statement.relation, statement.frame
    if not related or not frame:
        return None
    named = related.source if load_frames()[frame].inward else related.target
    return None if named.type == "Concept" and frame != "pet" else named
