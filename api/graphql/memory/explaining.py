"""Why something is believed."""

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
    """An earlier wording of a memory, and until when it stood."""

    content: str
    until: datetime
    changed_by_id: strawberry.ID = described("The person who changed it.")


@object_type
class ExplanationStep:
    """A memory as a step of how something came to be believed."""

    memory_id: strawberry.ID
    content: str
    speaker_name: str | None
    source: MemorySource
    sensitivity: Sensitivity
    event_time: datetime
    created_at: datetime = described("Since when it was believed.")
    valid_from: datetime = described("Since when it held.")
    valid_until: datetime | None = described("Until when it held; null while it does.")
    ended_at: datetime | None = described("When its end became known.")
    retired_at: datetime | None = described("When it was given up; null while it is believed.")
    retired_by: RetirementReason | None = described("Why it was given up.")
    changed_by_id: strawberry.ID | None = described("The person who corrected or forgot it; null where nobody did.")
    wordings: list[Wording]


@object_type
class Share:
    """That a memory was shared with a group."""

    memory_id: strawberry.ID = described("The copy.")
    since: datetime
    chat_id: strawberry.Private[str]

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The group; null where the viewer takes no part in it any more."""
        return await chat_of(info.context.loaders, self.chat_id)


@object_type
class Explanation:
    """What is behind a memory, as far as the viewer may see it."""

    chain: list[ExplanationStep] = described(
        "Itself, what it replaced and what replaced it, in the order of the time for which they held."
    )
    sources: list[ExplanationStep] = described("The turns it follows from.")
    contradictions: list[ExplanationStep] = described("What others say instead.")
    entities: list[Entity] = described("What it is about or names, by key.")
    shares: list[Share] = described(
        "The groups with which the viewer shared it, up to 100, the latest first; of what is their own."
    )


@object_type
class ExplanationQueries:
    """Asking why."""

    @field
    async def explain(self, info: Info, memory_id: strawberry.ID) -> Explanation | None:
        """Why a memory is believed, or was: its sources, what changed and when, what speaks against it, and whom
        and what it names.
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
