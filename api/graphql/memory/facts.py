"""Facts that are said explicitly: remembered, corrected, confirmed, reworded, weighed, labelled and forgotten."""

from collections.abc import Awaitable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from hippograph.api.arguments import entity_reference, inner_id, optional_id
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import described, field, input_type, object_type
from hippograph.api.graphql.errors import AnyFailure, Failure, FailureOrNotAllowed
from hippograph.api.graphql.memory.memories import Memory, held_memory
from hippograph.api.graphql.nodes import global_id
from hippograph.api.graphql.vocabulary import FactSource, FactType, MemoryCategory, MemoryKind
from hippograph.graph import model
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.fact_writer import Remembered
from hippograph.graph.writing.facts import Score


@strawberry.enum(description="Whose a fact is.")
class FactScope(StrEnum):
    """Whose a fact is."""

    PERSONAL = "personal"
    CHAT = "chat"


@input_type
class FactInput:
    """A statement that stands for itself, and what is said of it."""

    content: str
    about: list[str] = described(
        "Whom or what it is about, the primary one first: ids, or keys such as `person:ben`. Without any "
        "it is about the viewer, or as a group's about the group.",
        default_factory=list,
    )
    kind: MemoryKind = described(
        "Preferences, identity, relationships and knowledge are kept for good, the others for days.",
        default=MemoryKind.KNOWLEDGE,
    )
    type: model.MemoryType = model.MemoryType.SEMANTIC
    category: MemoryCategory | None = described("Else it is inferred.", default=None)
    fact_type: FactType = FactType.FACT
    aspect: str | None = described(
        "The normalised predicate (`lives_in`): the same aspect of the same subject has one value at a "
        "time. Without it it is read off the words where they are clear; else only the same words, or words that mean "
        "the same, are a repetition.",
        default=None,
    )
    value: str | None = described("What is compared under the aspect; else the words.", default=None)
    sensitivity: model.Sensitivity | None = described("Else guessed from the words.", default=None)
    portable: bool | None = described(
        "Else guessed from the words; and false for what is told in private of another person who has an "
        "account or takes part in a chat.",
        default=None,
    )
    importance: int = described("0 trivial, 1 standard, 2 significant, 3 core identity.", default=1)
    confidence: float = 1.0
    event_time: datetime | None = described("When it happened or is to be.", default=None)
    event_precision: model.EventPrecision | None = described(
        "How exactly that is known; else midnight is a day, and any other time a minute.", default=None
    )
    valid_from: datetime | None = described("Since when it holds; else now.", default=None)
    valid_until: datetime | None = described("Until when it held; else it does.", default=None)
    ttl_seconds: int | None = described("A lifetime in place of its kind's.", default=None)
    tags: list[str] = strawberry.field(default_factory=list)
    evidence_ids: list[strawberry.ID] = described("Turns from which it follows.", default_factory=list)
    source: FactSource = FactSource.AGENT
    narrative: str | None = None
    task: str | None = None
    attributes: JSON | None = None


@input_type
class RememberFactInput:
    """A fact, whose it is, and where it was said."""

    fact: FactInput
    scope: FactScope = FactScope.PERSONAL
    chat_id: strawberry.ID | None = described("Where it was said.", default=None)
    persona_id: strawberry.ID | None = described("For one persona only.", default=None)


@input_type
class RememberFactsInput:
    """Facts, up to 100, whose they are, and where they were said."""

    facts: list[FactInput]
    scope: FactScope = FactScope.PERSONAL
    chat_id: strawberry.ID | None = described("Where they were said.", default=None)
    persona_id: strawberry.ID | None = described("For one persona only.", default=None)


@input_type
class SeedProfileInput:
    """What is known of the viewer from elsewhere."""

    facts: list[FactInput]


@input_type
class WordsInput:
    """A memory and other words for it, or other tags."""

    memory_id: strawberry.ID
    content: str | None = described(
        "The words; `updateMemory` may leave them out where it is given tags.", default=None
    )
    value: str | None = described(
        "What is compared under its aspect (`Brightwater`), if it has one; else the words.", default=None
    )
    tags: list[str] | None = described(
        "For `updateMemory`: its tags from now on; without them it keeps those that it has.", default=None
    )


@input_type
class ForgetInput:
    """A memory that is to be forgotten."""

    memory_id: strawberry.ID
    with_sources: bool = described(
        "Forget as well the turns in which nothing else was found, as far as the viewer may.", default=False
    )


@input_type
class ShareMemoryInput:
    """A memory of the viewer's own, and the group that is to have a copy of it."""

    memory_id: strawberry.ID
    chat_id: strawberry.ID


@input_type
class UnshareMemoryInput:
    """A memory of the viewer's own, and the group from which its copy is taken back."""

    memory_id: strawberry.ID
    chat_id: strawberry.ID | None = described("The group; without it all groups.", default=None)


@input_type
class MemoryInput:
    """A memory."""

    memory_id: strawberry.ID


@input_type
class SetSensitivityInput:
    """How carefully a memory is to be shown from now on."""

    memory_id: strawberry.ID
    sensitivity: model.Sensitivity


@input_type
class SetPortableInput:
    """Whether a memory is of use outside the chat where it was said."""

    memory_id: strawberry.ID
    portable: bool


@object_type
class RememberFactPayload:
    """The memory that holds a fact."""

    stored: strawberry.Private[Remembered]
    memory_id: strawberry.ID
    confirmed: bool = described("Whether it was there already, and is surer now.")

    @field
    async def memory(self, info: Info) -> Memory | None:
        """The memory itself; null where the viewer may not see it, though they said it."""
        return await held_memory(info, self.stored.memory_id)


@object_type
class RememberFactsPayload:
    """The memories that hold the facts, in their order."""

    facts: list[RememberFactPayload]


@object_type
class SeedProfilePayload:
    """The memories that hold the facts, in their order."""

    facts: list[RememberFactPayload]


@object_type
class FactPayload:
    """The memory as it is now; null where the viewer does not see it any more."""

    memory: Memory | None


@object_type
class ForgetPayload:
    """What was forgotten."""

    memory_id: strawberry.ID


@object_type
class ScorePayload:
    """The score of a memory as it is now."""

    memory_id: strawberry.ID
    score: int
    counts: bool = described(
        "Whether it ranks the memory for the viewer: only what is their own. Of anything else it is 0."
    )
    memory: Memory | None = described("Null where the viewer does not see it any more.")


@object_type
class AccessLabelsPayload:
    """The memory with its new labels; null where the viewer does not see it any more."""

    memory: Memory | None


RememberFactResult = Annotated[RememberFactPayload | FailureOrNotAllowed, strawberry.union("RememberFactResult")]
ShareMemoryResult = Annotated[RememberFactPayload | AnyFailure, strawberry.union("ShareMemoryResult")]
RememberFactsResult = Annotated[RememberFactsPayload | FailureOrNotAllowed, strawberry.union("RememberFactsResult")]
SeedProfileResult = Annotated[SeedProfilePayload | FailureOrNotAllowed, strawberry.union("SeedProfileResult")]
FactResult = Annotated[FactPayload | AnyFailure, strawberry.union("FactResult")]
ForgetResult = Annotated[ForgetPayload | FailureOrNotAllowed, strawberry.union("ForgetResult")]
ScoreResult = Annotated[ScorePayload | Failure, strawberry.union("ScoreResult")]
AccessLabelsResult = Annotated[AccessLabelsPayload | FailureOrNotAllowed, strawberry.union("AccessLabelsResult")]


@object_type
class FactMutations:
    """Writing facts, and changing what is remembered."""

    @field
    async def remember_fact(self, info: Info, input: RememberFactInput) -> RememberFactResult | None:
        """Stores a fact. One of the same subject and aspect that held before ends with it, or is confirmed by it."""
        [stored] = await _remember(info, input, [input.fact])
        return stored

    @field
    async def remember_facts(self, info: Info, input: RememberFactsInput) -> RememberFactsResult | None:
        """Stores facts in their order, all of them or none, each as `rememberFact` does."""
        return RememberFactsPayload(facts=await _remember(info, input, input.facts))

    @field
    async def seed_profile(self, info: Info, input: SeedProfileInput) -> SeedProfileResult | None:
        """Stores what is known of a new user from elsewhere: all of it, or nothing."""
        context = info.context
        stored = await context.service.facts.seed_profile(context.viewer, [_fact(fact) for fact in input.facts])
        return SeedProfilePayload(facts=[_remembered(one) for one in stored])

    @field
    async def correct_fact(self, info: Info, input: WordsInput) -> FactResult | None:
        """Says that a fact was never so, and what was: for its owner or a member of its chat. Who corrects what another
        person said states the new one; what that person said of themselves stays beside it, contradicted.
        """
        memory_id = inner_id("Memory", input.memory_id)
        viewer, facts = info.context.viewer, info.context.service.facts
        new = await facts.correct(viewer, memory_id, input.content or "", value=input.value)
        return FactPayload(memory=await held_memory(info, new))

    @field
    async def update_memory(self, info: Info, input: WordsInput) -> FactResult | None:
        """Words a memory anew, or gives it other tags; the earlier wording is kept in its history. Another person's
        words stay as they are: `correctFact` says in the viewer's own name what is true.
        """
        memory_id = inner_id("Memory", input.memory_id)
        facts = info.context.service.facts
        change = facts.update(info.context.viewer, memory_id, input.content, value=input.value, tags=input.tags)
        return await _changed(info, memory_id, change)

    @field
    async def unfold_memory(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Takes a fact out of the one that it was folded into as the same in other words (`explain` shows both): it is
        told anew beside it.
        """
        facts, memory_id = info.context.service.facts, inner_id("Memory", input.memory_id)
        return FactPayload(memory=await held_memory(info, await facts.unfold(info.context.viewer, memory_id)))

    @field
    async def share_memory(self, info: Info, input: ShareMemoryInput) -> ShareMemoryResult | None:
        """Shares a fact of the viewer's own with a group in which they take part: the group gets a copy of the words,
        stated by the viewer, and learns nothing else of the original. Correcting, rewording or forgetting the original
        takes the copy back. `memory` is the copy; shared twice, there is one.
        """
        memory_id, chat_id = inner_id("Memory", input.memory_id), inner_id("Chat", input.chat_id)
        return _remembered(await info.context.service.facts.share(info.context.viewer, memory_id, chat_id))

    @field
    async def unshare_memory(self, info: Info, input: UnshareMemoryInput) -> FactResult | None:
        """Takes back what was shared of a memory, from one group or from all; the memory itself stays."""
        memory_id, chat_id = inner_id("Memory", input.memory_id), optional_id("Chat", input.chat_id)
        await info.context.service.facts.unshare(info.context.viewer, memory_id, chat_id)
        return FactPayload(memory=await held_memory(info, memory_id))

    @field
    async def confirm_fact(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Says that a fact is certain: it neither fades nor runs out."""
        memory_id = inner_id("Memory", input.memory_id)
        return await _changed(info, memory_id, info.context.service.facts.confirm(info.context.viewer, memory_id))

    @field
    async def pin(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Pins a memory: it counts as of importance 3 and does not run out."""
        memory_id = inner_id("Memory", input.memory_id)
        return await _changed(info, memory_id, info.context.service.facts.pin(info.context.viewer, memory_id))

    @field
    async def unpin(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Unpins a memory: it is again what it was."""
        memory_id = inner_id("Memory", input.memory_id)
        facts = info.context.service.facts
        return await _changed(info, memory_id, facts.pin(info.context.viewer, memory_id, pinned=False))

    @field
    async def forget(self, info: Info, input: ForgetInput) -> ForgetResult | None:
        """Stops believing a memory from now on; what was known before stays readable as it was."""
        memory_id = inner_id("Memory", input.memory_id)
        facts = info.context.service.facts
        await facts.forget(info.context.viewer, memory_id, with_sources=input.with_sources)
        return ForgetPayload(memory_id=input.memory_id)

    @field
    async def reinforce(self, info: Info, input: MemoryInput) -> ScoreResult | None:
        """Says that a memory served: its score goes up. That counts for its owner alone."""
        memory_id = inner_id("Memory", input.memory_id)
        score = await info.context.service.facts.reinforce(info.context.viewer, memory_id)
        return await _scored(info, input, score)

    @field
    async def demote(self, info: Info, input: MemoryInput) -> ScoreResult | None:
        """Says that a memory misled: its score goes down. That counts for its owner alone."""
        memory_id = inner_id("Memory", input.memory_id)
        score = await info.context.service.facts.demote(info.context.viewer, memory_id)
        return await _scored(info, input, score)


@object_type
class AccessLabelMutations:
    """Changing who may see a memory: for its owner, whom it is about, and who stated it."""

    @field
    async def set_sensitivity(self, info: Info, input: SetSensitivityInput) -> AccessLabelsResult | None:
        """Says how carefully a memory is to be shown; a guess becomes somebody's word."""
        memory_id = inner_id("Memory", input.memory_id)
        await info.context.service.labels.set_sensitivity(info.context.viewer, memory_id, input.sensitivity)
        return AccessLabelsPayload(memory=await held_memory(info, memory_id))

    @field
    async def set_portable(self, info: Info, input: SetPortableInput) -> AccessLabelsResult | None:
        """Says whether a memory is of use outside the chat where it was said; a guess becomes somebody's word."""
        memory_id = inner_id("Memory", input.memory_id)
        await info.context.service.labels.set_portable(info.context.viewer, memory_id, input.portable)
        return AccessLabelsPayload(memory=await held_memory(info, memory_id))


async def _changed(info: Info, memory_id: str, change: Awaitable[None]) -> FactPayload:
    await change
    return FactPayload(memory=await held_memory(info, memory_id))


def _remembered(stored: Remembered) -> RememberFactPayload:
    return RememberFactPayload(
        stored=stored, memory_id=global_id("Memory", stored.memory_id), confirmed=stored.confirmed
    )


async def _scored(info: Info, input: MemoryInput, score: Score) -> ScorePayload:
    known = await held_memory(info, inner_id("Memory", input.memory_id))
    return ScorePayload(memory_id=input.memory_id, score=score.value, counts=score.counts, memory=known)


async def _remember(
    info: Info, place: RememberFactInput | RememberFactsInput, facts: Sequence[FactInput]
) -> list[RememberFactPayload]:
    context = info.context
    viewer = context.viewer.at(optional_id("Chat", place.chat_id), optional_id("Persona", place.persona_id))
    given = [_fact(fact) for fact in facts]
    stored = await context.service.facts.remember(viewer, given, for_chat=place.scope is FactScope.CHAT)
    return [_remembered(one) for one in stored]


def _fact(given: FactInput) -> Fact:
    return Fact(
        content=given.content,
        about=tuple(entity_reference(ref) for ref in given.about),
        kind=given.kind.value,
        type=given.type,
        category=given.category.value if given.category else None,
        fact_type=given.fact_type.value,
        aspect=given.aspect,
        value=given.value,
        sensitivity=given.sensitivity,
        portable=given.portable,
        importance=given.importance,
        confidence=given.confidence,
        event_time=given.event_time,
        event_precision=given.event_precision,
        valid_from=given.valid_from,
        valid_until=given.valid_until,
        ttl=None if given.ttl_seconds is None else timedelta(seconds=given.ttl_seconds),
        tags=tuple(given.tags),
        evidence=tuple(inner_id("Memory", turn) for turn in given.evidence_ids),
        source=given.source.value,
        narrative=given.narrative or "",
        task=given.task or "",
        attributes=given.attributes,
    )
