"""Explanations of why a memory is or was believed."""

from datetime import datetime

import strawberry

from hippograph.api.arguments import inner_id
from hippograph.api.graphql.chat.chats import Chat, chat_of
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import described, field, object_type
from hippograph.api.graphql.entity.entities import Entity, entity
from hippograph.api.graphql.nodes import global_id, to_type
from hippograph.api.graphql.vocabulary import MemorySource, RetirementReason
from hippograph.graph.model import Sensitivity
from hippograph.graph.reading import explanation as explaining


@object_type
class Wording:
    """An earlier wording of a memory, and the time until which it was in use."""

    content: str
    until: datetime
    changed_by_id: strawberry.ID = described("The id of the person who changed it.")


@object_type
class ExplanationStep:
    """A memory as one step of an explanation."""

    memory_id: strawberry.ID
    content: str
    speaker_name: str | None
    source: MemorySource
    sensitivity: Sensitivity
    event_time: datetime
    created_at: datetime = described("Since when it is or was believed.")
    valid_from: datetime = described("Since when it holds or held.")
    valid_until: datetime | None = described("Until when it holds or held; null while no end is known.")
    ended_at: datetime | None = described("When its end became known; null while no end is known.")
    retired_at: datetime | None = described("When it was retired; null while it is believed.")
    retired_by: RetirementReason | None = described("Why it was retired; null while it is believed.")
    changed_by_id: strawberry.ID | None = described(
        "The id of the person who corrected or forgot it; null if nobody did."
    )
    wordings: list[Wording]


@object_type
class Share:
    """A share of a memory with a group."""

    memory_id: strawberry.ID = described("The id of the copy.")
    since: datetime
    chat_id: strawberry.Private[str]

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The group; null if the viewer no longer takes part in it."""
        return await chat_of(info.context.loaders, self.chat_id)


@object_type
class Explanation:
    """The explanation of a memory, as far as the viewer may see each part of it."""

    chain: list[ExplanationStep] = described(
        "The memory itself, the memories it replaced and those that replaced it, ordered by the time for "
        "which they held."
    )
    sources: list[ExplanationStep] = described("The turns that it follows from.")
    contradictions: list[ExplanationStep] = described("The memories that contradict it.")
    entities: list[Entity] = described("The entities that it is about or names, ordered by key.")
    shares: list[Share] = described(
        "The viewer's shares of it with groups, up to 100, the latest first; empty unless it is the viewer's "
        "own memory."
    )


@object_type
class ExplanationQueries:
    """Queries that explain memories."""

    @field
    async def explain(self, info: Info, memory_id: strawberry.ID) -> Explanation | None:
        """Why a memory is or was believed: its sources, its changes and their times, what contradicts it, and the
        entities it names or is about.
        """
        inner = inner_id("Memory", memory_id)
        found = await info.context.service.explaining.explain(info.context.viewer, inner)
        return Explanation(
            chain=[_step(step) for step in found.chain],
            sources=[_step(step) for step in found.sources],
            contradictions=[_step(step) for step in found.contradictions],
            entities=[entity(one) for one in found.entities],
            shares=[
                Share(memory_id=global_id("Memory", one.memory_id), since=one.since, chat_id=one.chat_id)
                for one in found.shares
            ],
        )


def _step(step: explaining.Step) -> ExplanationStep:
    return to_type(
        ExplanationStep,
        step,
        memory_id=global_id("Memory", step.memory_id),
        source=MemorySource(step.source),
        retired_by=RetirementReason(step.retired_by) if step.retired_by else None,
        changed_by_id=global_id("Person", step.changed_by) if step.changed_by else None,
        wordings=[
            to_type(Wording, wording, changed_by_id=global_id("Person", wording.changed_by))
            for wording in step.wordings
        ],
    )
