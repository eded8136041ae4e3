"""Saying how carefully a memory is to be shown, and whether it is of use elsewhere."""

from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import field, input_type, object_type
from hippograph.api.graphql.errors import FailureOrNotAllowed
from hippograph.api.graphql.memories import Memory, held_memory
from hippograph.graph.model import Sensitivity


@input_type
class SetSensitivityInput:
    """How carefully a memory is to be shown from now on."""

    memory_id: strawberry.ID
    sensitivity: Sensitivity


@input_type
class SetPortableInput:
    """Whether a memory is of use outside the chat where it was said."""

    memory_id: strawberry.ID
    portable: bool


@object_type
class AccessLabelsPayload:
    """The memory with its new labels; null where the viewer does not see it any more."""

    memory: Memory | None


AccessLabelsResult = Annotated[AccessLabelsPayload | FailureOrNotAllowed, strawberry.union("AccessLabelsResult")]


@object_type
class AccessLabelMutations:
    """Changing who may see a memory: for its owner, whom it is about, and who stated it."""

    @field
    async def set_sensitivity(self, info: Info, input: SetSensitivityInput) -> AccessLabelsResult | None:
        """Says how carefully a memory is to be shown; a guess becomes somebody's word."""
        memory_id = inner_id("Memory", input.memory_id)
        await info.context.service.labels.set_sensitivity(info.context.viewer, memory_id, input.sensitivity)
        return await _payload(info, memory_id)

    @field
    async def set_portable(self, info: Info, input: SetPortableInput) -> AccessLabelsResult | None:
        """Says whether a memory is of use outside the chat where it was said; a guess becomes somebody's word."""
        memory_id = inner_id("Memory", input.memory_id)
        await info.context.service.labels.set_portable(info.context.viewer, memory_id, input.portable)
        return await _payload(info, memory_id)


async def _payload(info: Info, memory_id: str) -> AccessLabelsPayload:
    return AccessLabelsPayload(memory=await held_memory(info, memory_id))
