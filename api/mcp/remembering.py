"""Tools that store, change, rate and delete memories."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Final

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from hippograph.api.arguments import entity_reference, limited, words
from hippograph.api.global_ids import short
from hippograph.api.mcp.forms import Form, given
from hippograph.api.mcp.tool_context import ADDS, REPLACES, ToolCall, ToolContext, Work, told_time
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import MemoryType, Sensitivity, Viewer
from hippograph.graph.transfer.forgetting import EXAMPLES, Selection
from hippograph.graph.writing.fact import Fact
from hippograph.nlp.statement_kinds import kind_of

Statement = Annotated[str, Field(description="one statement, with names in place of pronouns")]
Value = Annotated[str | None, Field(description="what is compared: Graz")]
_PURGE_PATIENCE_S: Final = 10.0
"""Maximum time to wait for a purge, in seconds; then it continues in the background."""


class Mark(StrEnum):
    """A rating of a memory: it was useful, was misleading, is certain, or is always to be in contexts."""

    REINFORCE = "reinforce"
    DEMOTE = "demote"
    CONFIRM = "confirm"
    PIN = "pin"
    UNPIN = "unpin"


class Remembering(ToolContext):
    """Tools that store, change, rate and delete memories."""

    def tools(self) -> list[Tool]:
        """All tools of this class."""
        work: dict[Work, ToolAnnotations] = {
            self.remember_fact: ADDS,
            self.correct_fact: REPLACES,
            self.update_memory: REPLACES,
            self.mark_memory: ADDS,
            self.forget: REPLACES,
            self.purge: REPLACES,
        }
        return [self.tool(each, hints) for each, hints in work.items()]

    async def remember_fact(
        self,
        call: ToolCall,
        content: Statement,
        about: Annotated[Sequence[str], Field(description="names or keys; else the user")] = (),
        aspect: Annotated[str | None, Field(description="of which one value holds: lives_in; else read off")] = None,
        value: Value = None,
        kind: Annotated[
            str | None,
            Field(
                description="preference, identity, relationship, knowledge; for days: context, event, task, observation"
            ),
        ] = None,
        type: MemoryType = MemoryType.SEMANTIC,
        importance: Annotated[int, Field(description="0 trivial to 3 core identity")] = 1,
        sensitivity: Sensitivity | None = None,
        event_time: Annotated[str | None, Field(description="when it happens: 2026-03-01")] = None,
        valid_until: str | None = None,
        tags: Sequence[str] = (),
        evidence: Annotated[Sequence[str], Field(description="ids of turns")] = (),
        from_tool: Annotated[bool, Field(description="a tool said it, not the user")] = False,
        for_chat: Annotated[bool, Field(description="it belongs to all in the chat")] = False,
        chat: str | None = None,
        persona: str | None = None,
    ) -> Form:
        """Remember a statement. It supersedes an earlier one with the same aspect."""
        service = self.service
        viewer = await self.viewer(call, chat, persona)
        subjects = [await service.browsing.entity_called(viewer, entity_reference(each)) for each in about]
        fact = Fact(
            content,
            tuple(subject.key for subject in subjects),
            aspect=aspect,
            value=value,
            kind=kind or kind_of(content),
            type=type,
            importance=importance,
            sensitivity=sensitivity,
            event_time=told_time(event_time),
            valid_until=told_time(valid_until),
            tags=words(tags),
            evidence=tuple([await self.memory(viewer, turn) for turn in limited(evidence)]),
            source="tool_result" if from_tool else "agent",
        )
        [stored] = await service.facts.remember(viewer, [fact], for_chat=for_chat)
        return given(id=short(stored.memory_id), kind=fact.kind, confirmed=stored.confirmed)

    async def correct_fact(self, call: ToolCall, memory_id: str, content: Statement, value: Value = None) -> Form:
        """Replace a fact that was never true with the correct one."""
        viewer = await self.viewer(call)
        wrong = await self.memory(viewer, memory_id)
        return given(id=short(await self.service.facts.correct(viewer, wrong, content, value=value)))

    async def update_memory(
        self,
        call: ToolCall,
        memory_id: str,
        content: str | None = None,
        value: Value = None,
        tags: Sequence[str] | None = None,
    ) -> Form:
        """Reword a fact, or replace the tags of a memory."""
        viewer = await self.viewer(call)
        known = await self.memory(viewer, memory_id)
        await self.service.facts.update(viewer, known, content, value=value, tags=tags)
        return given(id=short(known))

    async def mark_memory(self, call: ToolCall, memory_ids: Sequence[str], mark: Mark) -> Form:
        """Mark memories as useful (reinforce), misleading (demote), certain (confirm), or always in contexts (pin)."""
        facts, viewer = self.service.facts, await self.viewer(call)
        known = [await self.memory(viewer, each) for each in limited(memory_ids)]
        for each in known:
            match mark:
                case Mark.REINFORCE:
                    await facts.reinforce(viewer, each)
                case Mark.DEMOTE:
                    await facts.demote(viewer, each)
                case Mark.CONFIRM:
                    await facts.confirm(viewer, each)
                case Mark.PIN | Mark.UNPIN:
                    await facts.pin(viewer, each, mark is Mark.PIN)
        return {"marked": [short(each) for each in known]}

    async def forget(
        self,
        call: ToolCall,
        memory_id: str,
        with_sources: Annotated[bool, Field(description="also the turns it alone was found in")] = False,
    ) -> Form:
        """Stop believing a memory that the user wants forgotten."""
        viewer = await self.viewer(call)
        known = await self.memory(viewer, memory_id)
        await self.service.facts.forget(viewer, known, with_sources=with_sources)
        return given(id=short(known))

    async def purge(self, call: ToolCall, memory_ids: Sequence[str] = (), plan: str | None = None) -> Form:
        """Plan to delete memories for good. Show the user the plan; only when they agree, call again with it alone."""
        viewer, service = await self.viewer(call), self.service
        if bool(plan) == bool(memory_ids):
            raise InvalidInput("give either ids of memories, for a plan, or a plan that the user has agreed to")
        if plan:
            await service.forgettings.purge(viewer, plan)
            done = await service.forgettings.finished(viewer, plan, within_s=_PURGE_PATIENCE_S)
            return {"status": done.status.value}
        if len(memory_ids) > EXAMPLES:
            raise InvalidInput(f"up to {EXAMPLES} memories in one plan, so that the user reads the text of each")
        ids = tuple([await self.memory(viewer, each) for each in memory_ids])
        planned = await service.forgettings.plan(viewer, Selection(ids=ids))
        texts = [await self._text(viewer, each) for each in planned.examples]
        return {"plan": planned.id, "counts": planned.counts, "texts": texts}

    async def _text(self, viewer: Viewer, memory_id: str) -> str:
        """The text of a memory, even if it was retired."""
        found = await self.service.explaining.explain(viewer, memory_id)
        return next(step.content for step in found.chain if step.memory_id == memory_id)
