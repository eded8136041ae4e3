"""What a fact that somebody says explicitly claims, where they do not name the aspect: read off its words (W10).

Without it two facts about where somebody lives would stand beside each other. The words stay as they were given.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from datetime import datetime
from typing import Final, Protocol

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.knowledge.mentions import mentions, resolve
from hippograph.graph.model import EntityType, EventPrecision, Viewer
from hippograph.graph.people.entities import known_entities
from hippograph.graph.writing.fact import Fact, Subject
from hippograph.nlp.extraction.statements import Said, Statement
from hippograph.nlp.extraction.validation import LONGEST_STATEMENT
from hippograph.nlp.names.recognition import Name

_USER: Final = re.compile(r"^(?:the )?user\b(?!name)", re.IGNORECASE)
"""How an assistant that remembers something calls whom it serves."""


class FactReader(Protocol):
    """Reads the one frame that a statement fills."""

    async def read_fact(self, said: Said, participants: Sequence[str]) -> Statement | None:
        """What it claims; None where that is not clear."""


class FactReading:
    """Fills in aspect, value, frame, time and subject of facts that came without an aspect."""

    def __init__(self, database: Database, clock: Clock, reader: FactReader, executor: Executor) -> None:
        self._database = database
        self._clock = clock
        self._reader = reader
        self._executor = executor

    async def read(
        self, viewer: Viewer, facts: Sequence[Fact], known: Mapping[str, Subject]
    ) -> tuple[list[Fact], dict[str, Subject]]:
        """The facts as read, and all whom and what they are about, by id and by key. `known` holds the viewer and whom
        the facts name already.
        """
        subjects = dict(known)
        return [await self._read(viewer, fact, subjects) for fact in facts], subjects

    async def _read(self, viewer: Viewer, fact: Fact, subjects: dict[str, Subject]) -> Fact:
        speaker = subjects[viewer.person_id]
        if fact.aspect is not None or fact.confided or not speaker.name or len(fact.content) > LONGEST_STATEMENT:
            return fact
        primary = subjects[fact.about[0]] if fact.about else speaker
        if not primary.name:
            return fact
        people = [one.name for one in (speaker, primary) if one.name and one.type is EntityType.PERSON]
        said = Said(speaker.name, self._clock(), _USER.sub(primary.name, fact.content, count=1))
        statement = await self._reader.read_fact(said, list(dict.fromkeys(people)))
        if statement is None:
            return fact
        if statement.subject.casefold() != primary.name.casefold():
            other = None if fact.about else await self._called(viewer, statement.subject)
            if other is None:
                return fact
            subjects[other.id] = other
            fact = replace(fact, about=(other.id,))
        return _filled(fact, statement)

    async def _called(self, viewer: Viewer, name: str) -> Subject | None:
        """The one person whom the viewer means by a name, as in talk (W7); None where that is not clear."""
        named = mentions([Name(name, "Person", 0, 0)], viewer.chat_id or "", viewer.person_id, makes=False)
        links = await resolve(self._database, self._executor, named)
        if len(links) != 1 or len(links[0].known) != 1:
            return None
        found = await known_entities(self._database, self._clock, viewer, set(links[0].known))
        return next((Subject(one.id, one.key, one.type, one.canonical_name) for one in found.values()), None)


def _filled(fact: Fact, statement: Statement) -> Fact:
    """The fact with what its statement claims. What was given stays."""
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
