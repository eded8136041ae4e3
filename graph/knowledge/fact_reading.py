"""Reads explicitly stated facts without an aspect (W10): infers from the words the claim, the subjects, and the
relations between entities.

Otherwise two facts about where somebody lives would both hold. The words stay as given. Reading and entity linking work
as for turns (`graph.knowledge.extraction_batch`), when the fact is written. Other names in it are linked when its
vector is made (`graph.knowledge.enrichment`).
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Protocol

from hippograph.graph.access.labels import guess
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.ids import new_id
from hippograph.graph.knowledge.entity_resolution.mentions import resolve
from hippograph.graph.knowledge.entity_resolution.name_mention import MentionLink
from hippograph.graph.knowledge.extraction_batch import Mentions, mentions_in
from hippograph.graph.knowledge.transcript import Present
from hippograph.graph.model import EntityType, EventPrecision, Sensitivity, Viewer
from hippograph.graph.people.people import time_zone
from hippograph.graph.writing.fact import Fact, Subject
from hippograph.graph.zones import wall_clock
from hippograph.nlp.extraction.statements import Said, Statement
from hippograph.nlp.extraction.statements import Subject as Named
from hippograph.nlp.extraction.validation import LONGEST_STATEMENT
from hippograph.nlp.frames.frame import load_frames

_USER: Final = re.compile(r"^(?:the )?user\b(?!name)", re.IGNORECASE)
"""How an assistant refers to the person it serves, at the beginning of a fact."""
_SUBJECTLESS: Final = re.compile(
    r"(?:(?:currently|also|still|usually|often|never|always) )?"
    r"(?:works|lives|prefers|likes|loves|hates|dislikes|enjoys|wants|speaks|studies|teaches|drives|drinks|eats|avoids|owns|"
    r"plays|moved|is|was|has|had|can't|cannot|doesn't|does not|used to)\b(?!.*\?$)",
    re.IGNORECASE,
)
"""How a fact in the third person begins that leaves out whom it is about: "Lives in Porto"."""


class FactReader(Protocol):
    """Finds the frames that an explicit fact fills."""

    async def read_fact(self, said: Said, participants: Sequence[str]) -> list[Statement]:
        """Returns a statement for each frame that is filled. `participants` are full names."""


class FactReading:
    """Infers the claims of facts that come without an aspect."""

    def __init__(self, database: Database, clock: Clock, reader: FactReader, executor: Executor) -> None:
        self._database = database
        self._clock = clock
        self._reader = reader
        self._executor = executor

    async def read(
        self, viewer: Viewer, facts: Sequence[Fact], known: Mapping[str, Subject], *, for_chat: bool
    ) -> "ReadFacts":
        """Reads facts of the viewer, or with `for_chat` of their group. `known` holds the viewer and the entities that
        the facts name as subjects, by id or key.
        """
        zone = await time_zone(self._database, self._clock, viewer)
        facts = [replace(fact, time_zone=zone) for fact in facts]
        readings = [await self._read(viewer, fact, known, for_chat=for_chat) for fact in facts]
        names = [name for each in readings for name in each.mentions.names]
        links = await resolve(self._database, self._executor, names) if names else []
        return ReadFacts(self._clock, readings, links, known)

    async def _read(self, viewer: Viewer, fact: Fact, known: Mapping[str, Subject], *, for_chat: bool) -> "_Reading":
        speaker = known[viewer.person_id]
        primary = known[fact.about[0]] if fact.about else speaker
        people = [one for one in (speaker, primary) if one.name and one.type is EntityType.PERSON]
        present = Present(viewer.chat_id or speaker.id, list(dict.fromkeys(people)))
        statements = list[Statement]()
        clear = fact.aspect is None and not fact.confided and len(fact.content) <= LONGEST_STATEMENT
        if clear and speaker.name and primary.name:
            said = Said(
                speaker.name, wall_clock(self._clock(), fact.time_zone), in_own_name(fact.content, primary.name)
            )
            statements = await self._reader.read_fact(said, present.full_names)
        if fact.about:
            statements = [each for each in statements if each.subject.casefold() == (primary.name or "").casefold()]
        about = fact.about or (() if for_chat else (speaker.id,))
        return _Reading(fact, about, present, speaker.id, statements, _claim(statements))


class ReadFacts:
    """Facts that have been read, and are yet to be stored."""

    def __init__(
        self, clock: Clock, readings: "Sequence[_Reading]", links: Sequence[MentionLink], known: Mapping[str, Subject]
    ) -> None:
        self._clock = clock
        self._readings = readings
        self._links = links
        self._known = known

    async def resolved(self, transaction: Transaction) -> tuple[list[Fact], dict[str, Subject]]:
        """Returns the facts with their claims, and their possible subjects by id or key. Creates the entities that are
        new.
        """
        rows = [{**link.row(), "number": number} for number, link in enumerate(self._links)]
        found = await transaction.run("consolidation/resolve", names=rows, now=self._clock()) if rows else []
        met = {row["number"]: Subject(row["id"], row["key"], EntityType(row["type"]), row["name"]) for row in found}
        start = 0
        for reading in self._readings:
            end = start + len(reading.mentions.names)
            reading.entities = [met.get(number) for number in range(start, end)]
            start = end
        facts = [reading.filled() for reading in self._readings]
        return facts, {**{each.id: each for each in met.values()}, **self._known}

    async def relate(self, transaction: Transaction, memories: Sequence[str]) -> None:
        """Stores the mentions and relations that the facts state. `memories` are the ids of the facts, in order."""
        read, now = list(zip(self._readings, memories, strict=True)), self._clock()
        if rows := [row for reading, memory in read for row in reading.named(memory)]:
            await transaction.run("fact/name", rows=rows, now=now)
        if rows := [row for reading, memory in read for row in reading.relations(memory)]:
            await transaction.run("consolidation/relate_entities", rows=rows, now=now)


@dataclass(slots=True)
class _Reading:
    """A fact with the statements found in it. `about` are the ids of its subjects. `claim` is the statement that stands
    for the whole fact, None if that is not clear; if no subjects were given, they are those of the claim. `present` are
    the speaker and the given primary subject, if persons. `entities` are what `mentions` mean, empty until resolved;
    None for a name that several bear.
    """

    fact: Fact
    about: tuple[str, ...]
    present: Present
    speaker_id: str
    statements: Sequence[Statement]
    claim: Statement | None
    mentions: Mentions = field(init=False)
    entities: Sequence[Subject | None] = ()

    def __post_init__(self) -> None:
        self.mentions = mentions_in(self.present, [("", self.speaker_id, self.statements)])

    def filled(self) -> Fact:
        """The fact with its claim and the names of its subjects; given values stay. Without a claim, or if the subject
        of the claim is not known, only the names are added.
        """
        fact = self._claiming()
        names = {entity.id: entity.name for entity in self.entities if entity}
        return replace(fact, called=tuple(names.get(ref) for ref in fact.about))

    def _claiming(self) -> Fact:
        if self.claim is None:
            return self.fact
        first, *others = [self._entity(subject) for subject in self.claim.subjects]
        if first is None:
            return self.fact
        is_own = self.speaker_id in {each.id for each in (first, *others) if each}
        if self.about == (self.speaker_id,) and not is_own and self._is_sensitive():
            return self.fact  # as a fact about others alone, its speaker could not see it (P1)
        if not self.fact.about:  # a fact about the speaker is about nobody else: it holds on their own authority
            beside = () if first.id == self.speaker_id else others
            self.about = tuple(dict.fromkeys(each.id for each in (first, *beside) if each))
        return _filled(replace(self.fact, about=self.about), self.claim)

    def _is_sensitive(self) -> bool:
        return (self.fact.sensitivity or guess(self.fact.content).sensitivity) is Sensitivity.SENSITIVE

    def named(self, memory: str) -> list[Row]:
        """The mentions whose type follows from the slot of a frame, as rows for `fact/name`."""
        return [
            {"memory": memory, "entity": entity.id, "token": name.token, "text": name.text, "type": name.type.value}
            for number, (name, entity) in enumerate(zip(self.mentions.names, self.entities, strict=True))
            if entity is not None and number in self.mentions.told
        ]

    def relations(self, memory: str) -> list[Row]:
        """Relations of which one end is a subject of the fact, as rows for `consolidation/relate_entities`."""
        rows = list[Row]()
        for statement in self.statements:
            if statement.relation is None:
                continue
            source, target = self._entity(statement.relation.source), self._entity(statement.relation.target)
            if source and target and source != target and {source.id, target.id} & set(self.about):
                row = {"source": source.id, "target": target.id, "predicate": statement.relation.predicate}
                rows.append({**row, "id": new_id(), "memory": memory, "confidence": statement.confidence})
        return rows

    def _entity(self, named: Named) -> Subject | None:
        """The entity that a name means; None for a thing without a name of its own."""
        number = self.mentions.numbers.get((self.speaker_id, named))
        there = self.present.called(named.name, self.speaker_id)
        return there or (None if number is None else self.entities[number])


def in_own_name(content: str, name: str) -> str:
    """Returns a fact about the person with this name in words that name them: for "The user" and "User" at its
    beginning, and before a verb in the third person without a subject. Any other fact is returned unchanged.
    """
    named = _USER.sub(lambda _: name, content, count=1)
    return f"{name} {named[0].lower()}{named[1:]}" if _SUBJECTLESS.match(named) else named


def _claim(statements: Sequence[Statement]) -> Statement | None:
    """The statement that stands for a whole fact. It is the one whose aspect has one value at a time; else the one that
    ends such an aspect; else that of the only frame, without an aspect. None if several come into question.
    """
    frames = load_frames()
    single = {each.aspect: each for each in statements if each.aspect in frames[each.frame].aspects}
    ended = {each.aspect: each for each in statements if each.ends and each.ends[0] in frames[each.frame].aspects}
    for found in (single, ended):
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    if len({(each.frame, each.subject) for each in statements}) != 1:
        return None
    return replace(statements[0], aspect=None, value=None, ends=None)


def _filled(fact: Fact, statement: Statement) -> Fact:
    """The fact with the claim of its statement; a given value and time stay."""
    when: datetime | None = fact.event_time
    precision = fact.event_precision
    if when is None and statement.event_time is not None:
        when, precision = statement.event_time, EventPrecision(statement.event_precision)
    return replace(
        fact,
        aspect=statement.aspect,
        value=fact.value or (None if statement.value == statement.frame else statement.value),  # a birthday has a day
        frame=statement.frame,
        ends=statement.ends,
        event_time=when,
        event_precision=precision,
    )
