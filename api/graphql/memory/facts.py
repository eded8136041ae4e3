"""Explicit writes of facts: remember, correct, confirm, reword, share, pin, reinforce, label and forget."""

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


@strawberry.enum(description="Whose fact it is.")
class FactScope(StrEnum):
    """The scope of a fact: it is the viewer's own or belongs to the chat."""

    PERSONAL = "personal"
    CHAT = "chat"


@input_type
class FactInput:
    """A self-contained statement and its properties."""

    content: str
    about: list[str] = described(
        "The people and things that it is about, the primary one first: up to 20 ids, or keys such as "
        "`person:ben`. Without any, it is about the viewer or, with the scope `CHAT`, about the group.",
        default_factory=list,
    )
    kind: MemoryKind = described(
        "The kind, which determines the lifetime: preferences, identity, relationships and knowledge do not "
        "expire, the other kinds do after some days.",
        default=MemoryKind.KNOWLEDGE,
    )
    type: model.MemoryType = model.MemoryType.SEMANTIC
    category: MemoryCategory | None = described("The area that it belongs to (default: inferred).", default=None)
    fact_type: FactType = FactType.FACT
    aspect: str | None = described(
        "The normalised predicate (`lives_in`): the same aspect of the same subject has one value at a time. "
        "Default: inferred from the words if they are clear; otherwise only the same words, or words that "
        "mean the same, count as a repetition.",
        default=None,
    )
    value: str | None = described("The value that is compared under the aspect (default: the words).", default=None)
    sensitivity: model.Sensitivity | None = described(
        "How carefully it is to be shown (default: guessed from the words).", default=None
    )
    portable: bool | None = described(
        "Whether it is of use outside the chat where it was said. Default: guessed from the words; false for "
        "what is told in private about another person who has an account or takes part in a chat.",
        default=None,
    )
    importance: int = described("The importance: 0 trivial, 1 standard, 2 significant, 3 core identity.", default=1)
    confidence: float = 1.0
    event_time: datetime | None = described("When it happened or will happen.", default=None)
    event_precision: model.EventPrecision | None = described(
        "How exactly `eventTime` is known (default: `DAY` if it is midnight, else `MINUTE`).", default=None
    )
    valid_from: datetime | None = described(
        "Since when it holds (default: now, or `eventTime` if that is earlier).", default=None
    )
    valid_until: datetime | None = described(
        "Until when it held or will hold (default: no end is known).", default=None
    )
    ttl_seconds: int | None = described("The lifetime in seconds, in place of that of its kind.", default=None)
    tags: list[str] = strawberry.field(default_factory=list)
    evidence_ids: list[strawberry.ID] = described("The ids of the turns that it follows from.", default_factory=list)
    source: FactSource = FactSource.AGENT
    narrative: str | None = None
    task: str | None = None
    attributes: JSON | None = None


@input_type
class RememberFactInput:
    """A fact, its scope, and where it was said."""

    fact: FactInput
    scope: FactScope = FactScope.PERSONAL
    chat_id: strawberry.ID | None = described(
        "The chat where it was said; required for the scope `CHAT`.", default=None
    )
    persona_id: strawberry.ID | None = described(
        "The only persona for which it counts (default: all personas).", default=None
    )


@input_type
class RememberFactsInput:
    """Facts (1 to 100), their scope, and where they were said."""

    facts: list[FactInput]
    scope: FactScope = FactScope.PERSONAL
    chat_id: strawberry.ID | None = described(
        "The chat where they were said; required for the scope `CHAT`.", default=None
    )
    persona_id: strawberry.ID | None = described(
        "The only persona for which they count (default: all personas).", default=None
    )


@input_type
class SeedProfileInput:
    """Facts about the viewer that are known from elsewhere."""

    facts: list[FactInput]


@input_type
class WordsInput:
    """A memory, and new words or tags for it."""

    memory_id: strawberry.ID
    content: str | None = described("The new words; `updateMemory` may omit them if it is given tags.", default=None)
    value: str | None = described(
        "The value that is compared under its aspect (`Brightwater`), if it has one (default: the words).", default=None
    )
    tags: list[str] | None = described(
        "For `updateMemory`: the tags that replace its present ones; without them, it keeps those.", default=None
    )


@input_type
class ForgetInput:
    """A memory to forget."""

    memory_id: strawberry.ID
    with_sources: bool = described(
        "Also forgets the turns in which nothing else was found, as far as the viewer may forget them.", default=False
    )


@input_type
class ShareMemoryInput:
    """A memory of the viewer's own, and the group that gets a copy of it."""

    memory_id: strawberry.ID
    chat_id: strawberry.ID


@input_type
class UnshareMemoryInput:
    """A memory of the viewer's own, and the group from which its copy is taken back."""

    memory_id: strawberry.ID
    chat_id: strawberry.ID | None = described("The group (default: all groups).", default=None)


@input_type
class MemoryInput:
    """A memory."""

    memory_id: strawberry.ID


@input_type
class SetSensitivityInput:
    """A memory and its new sensitivity."""

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
    confirmed: bool = described("Whether the memory existed already; then its confidence has grown.")

    @field
    async def memory(self, info: Info) -> Memory | None:
        """The memory itself; null if the viewer may not see it, even though they stated it."""
        return await held_memory(info, self.stored.memory_id)


@object_type
class RememberFactsPayload:
    """The memories that hold the facts, in the order of the input."""

    facts: list[RememberFactPayload]


@object_type
class SeedProfilePayload:
    """The memories that hold the facts, in the order of the input."""

    facts: list[RememberFactPayload]


@object_type
class FactPayload:
    """The memory as it is now; null if the viewer no longer sees it."""

    memory: Memory | None


@object_type
class ForgetPayload:
    """The memory that was forgotten."""

    memory_id: strawberry.ID


@object_type
class ScorePayload:
    """The current score of a memory."""

    memory_id: strawberry.ID
    score: int
    counts: bool = described(
        "Whether the score affects the ranking for the viewer, as it does only for their own memories; for "
        "any other memory the score is 0."
    )
    memory: Memory | None = described("The memory as it is now; null if the viewer no longer sees it.")


@object_type
class AccessLabelsPayload:
    """The memory with its new labels; null if the viewer no longer sees it."""

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
    """Mutations that write facts and change memories."""

    @field
    async def remember_fact(self, info: Info, input: RememberFactInput) -> RememberFactResult | None:
        """Stores a fact. It ends or confirms the fact with the same subject and aspect that held before."""
        [stored] = await _remember(info, input, [input.fact])
        return stored

    @field
    async def remember_facts(self, info: Info, input: RememberFactsInput) -> RememberFactsResult | None:
        """Stores facts in their order, all or none, each like `rememberFact`."""
        return RememberFactsPayload(facts=await _remember(info, input, input.facts))

    @field
    async def seed_profile(self, info: Info, input: SeedProfileInput) -> SeedProfileResult | None:
        """Stores what is known about a new user from elsewhere, all facts or none."""
        context = info.context
        stored = await context.service.facts.seed_profile(context.viewer, [_fact(fact) for fact in input.facts])
        return SeedProfilePayload(facts=[_remembered(one) for one in stored])

    @field
    async def correct_fact(self, info: Info, input: WordsInput) -> FactResult | None:
        """Replaces a fact that was never true; for its owner and the members of its chat. A viewer who corrects another
        person's words states the new fact themselves. What that person said of themselves stays and is contradicted.
        """
        memory_id = inner_id("Memory", input.memory_id)
        viewer, facts = info.context.viewer, info.context.service.facts
        new = await facts.correct(viewer, memory_id, input.content or "", value=input.value)
        return FactPayload(memory=await held_memory(info, new))

    @field
    async def update_memory(self, info: Info, input: WordsInput) -> FactResult | None:
        """Rewords a fact, or replaces the tags of a memory. The earlier wording is kept in its history. Turns cannot be
        reworded, nor can another person's words: `correctFact` states in the viewer's own name what is true.
        """
        memory_id = inner_id("Memory", input.memory_id)
        facts = info.context.service.facts
        change = facts.update(info.context.viewer, memory_id, input.content, value=input.value, tags=input.tags)
        return await _changed(info, memory_id, change)

    @field
    async def unfold_memory(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Restores a fact that was folded into another one as its paraphrase (`explain` shows both). It is believed
        again beside the other, under a new id.
        """
        facts, memory_id = info.context.service.facts, inner_id("Memory", input.memory_id)
        return FactPayload(memory=await held_memory(info, await facts.unfold(info.context.viewer, memory_id)))

    @field
    async def share_memory(self, info: Info, input: ShareMemoryInput) -> ShareMemoryResult | None:
        """Shares a fact of the viewer's own with a group in which they take part. The group gets a copy of the words,
        stated by the viewer, and learns nothing else of the original. Correcting, rewording or forgetting the original
        retires the copy. `memory` is the copy; sharing again makes no second one.
        """
        memory_id, chat_id = inner_id("Memory", input.memory_id), inner_id("Chat", input.chat_id)
        return _remembered(await info.context.service.facts.share(info.context.viewer, memory_id, chat_id))

    @field
    async def unshare_memory(self, info: Info, input: UnshareMemoryInput) -> FactResult | None:
        """Retires the copies of a memory in one group or in all groups. The memory itself stays."""
        memory_id, chat_id = inner_id("Memory", input.memory_id), optional_id("Chat", input.chat_id)
        await info.context.service.facts.unshare(info.context.viewer, memory_id, chat_id)
        return FactPayload(memory=await held_memory(info, memory_id))

    @field
    async def confirm_fact(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Marks a fact as certain: its confidence does not decay, and it does not expire."""
        memory_id = inner_id("Memory", input.memory_id)
        return await _changed(info, memory_id, info.context.service.facts.confirm(info.context.viewer, memory_id))

    @field
    async def pin(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Pins a memory for the viewer: it has importance 3 for them and does not expire."""
        memory_id = inner_id("Memory", input.memory_id)
        return await _changed(info, memory_id, info.context.service.facts.pin(info.context.viewer, memory_id))

    @field
    async def unpin(self, info: Info, input: MemoryInput) -> FactResult | None:
        """Unpins a memory: its former importance applies again, and its former expiry once nobody pins it."""
        memory_id = inner_id("Memory", input.memory_id)
        facts = info.context.service.facts
        return await _changed(info, memory_id, facts.pin(info.context.viewer, memory_id, pinned=False))

    @field
    async def forget(self, info: Info, input: ForgetInput) -> ForgetResult | None:
        """Retires a memory: it is no longer believed. Reads of an earlier time still find it."""
        memory_id = inner_id("Memory", input.memory_id)
        facts = info.context.service.facts
        await facts.forget(info.context.viewer, memory_id, with_sources=input.with_sources)
        return ForgetPayload(memory_id=input.memory_id)

    @field
    async def reinforce(self, info: Info, input: MemoryInput) -> ScoreResult | None:
        """Notes that a memory was useful and raises its score. This affects only its owner's ranking."""
        memory_id = inner_id("Memory", input.memory_id)
        score = await info.context.service.facts.reinforce(info.context.viewer, memory_id)
        return await _scored(info, input, score)

    @field
    async def demote(self, info: Info, input: MemoryInput) -> ScoreResult | None:
        """Notes that a memory misled and lowers its score. This affects only its owner's ranking."""
        memory_id = inner_id("Memory", input.memory_id)
        score = await info.context.service.facts.demote(info.context.viewer, memory_id)
        return await _scored(info, input, score)


@object_type
class AccessLabelMutations:
    """Mutations of who may see a memory; for its owner, its subjects, and the person who stated it."""

    @field
    async def set_sensitivity(self, info: Info, input: SetSensitivityInput) -> AccessLabelsResult | None:
        """Sets the sensitivity of a memory. The label is then explicit and no longer inferred."""
        memory_id = inner_id("Memory", input.memory_id)
        await info.context.service.labels.set_sensitivity(info.context.viewer, memory_id, input.sensitivity)
        return AccessLabelsPayload(memory=await held_memory(info, memory_id))

    @field
    async def set_portable(self, info: Info, input: SetPortableInput) -> AccessLabelsResult | None:
        """Sets whether a memory is of use outside the chat where it was said. The label is then explicit and no longer
        inferred.
        """
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
