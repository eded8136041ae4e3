"""Tools that change what is remembered: facts, their weight, and the user's state."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from api.arguments import entity_reference, moment, words
from api.mcp.forms import ChangedForm, RememberedForm, ScoreForm, StateChangeForm, StatesForm, state_form
from api.mcp.recalling import Chat, Cursor, First, ForGroups, MemoryId, Persona
from api.mcp.tool_context import ADDS, READS, REPLACES, ToolCall, ToolContext, Work, cursor_of
from graph.model import MemoryType, Sensitivity
from graph.writing.fact import Fact
from nlp.statement_kinds import kind_of

Statement = Annotated[str, Field(description="A statement that stands for itself, with names in place of pronouns.")]
Value = Annotated[str | None, Field(description="What is compared under its aspect (`Graz`); else the words.")]
Moment = Annotated[str | None, Field(description="2026-03-01, or with a time: 2026-03-01T12:00+01:00.")]


class Remembering:
    """Tools that change what is remembered."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def tools(self) -> list[Tool]:
        """All of them."""
        work: dict[Work, ToolAnnotations] = {
            self.remember_fact: ADDS,
            self.correct_fact: REPLACES,
            self.confirm_fact: ADDS,
            self.update_memory: REPLACES,
            self.forget: REPLACES,
            self.reinforce: ADDS,
            self.demote: ADDS,
            self.update_user_state: ADDS,
            self.user_state_history: READS,
        }
        return [self._context.tool(each, hints) for each, hints in work.items()]

    async def remember_fact(
        self,
        call: ToolCall,
        content: Statement,
        about: Annotated[
            Sequence[str], Field(description="Whom it is about: names, or keys (person:ben); else the user.")
        ] = (),
        aspect: Annotated[
            str | None,
            Field(description="What is said of them, of which one value holds: lives_in; else read off the words."),
        ] = None,
        value: Value = None,
        kind: Annotated[
            str | None,
            Field(
                description="preference, identity, relationship, knowledge: kept; context, event, task, observation: "
                "for days. Without it the words say."
            ),
        ] = None,
        type: Annotated[
            MemoryType, Field(description="semantic, procedural (how to do a thing) or opinion.")
        ] = MemoryType.SEMANTIC,
        category: Annotated[str | None, Field(description="profile, people, project; else inferred.")] = None,
        importance: Annotated[int, Field(description="0 trivial, 1 standard, 2 significant, 3 core identity.")] = 1,
        sensitivity: Annotated[Sensitivity | None, Field(description="Else guessed from the words.")] = None,
        event_time: Annotated[str | None, Field(description="When it happened or will: 2026-03-01.")] = None,
        valid_from: Annotated[str | None, Field(description="Since when it holds; else now.")] = None,
        valid_until: Annotated[str | None, Field(description="Until when it held; else it does.")] = None,
        ttl_seconds: Annotated[int | None, Field(le=10**10, description="A lifetime in place of its kind's.")] = None,
        tags: Sequence[str] = (),
        evidence: Annotated[Sequence[str], Field(description="Ids of turns from which it follows.")] = (),
        from_tool: Annotated[bool, Field(description="A tool of yours answered it; the user did not say it.")] = False,
        narrative: Annotated[str, Field(description="A word of your own for the narrative it belongs to.")] = "",
        task: Annotated[str, Field(description="A word of your own for the task it belongs to.")] = "",
        chat: Chat = None,
        for_chat: Annotated[bool, Field(description="It is the group's of `chat`, not the user's own.")] = False,
        persona: Annotated[str | None, Field(description="For this persona only, by name or id.")] = None,
    ) -> RememberedForm:
        """Remember one fact. Of the same subject and aspect a new value ends the one before; the same one confirms it.
        For what was never true use `correct_fact`.
        """
        viewer = await self._context.viewer(call, chat, persona)
        browsing = self._context.service.browsing
        subjects = [await browsing.entity_called(viewer, entity_reference(each)) for each in about]
        fact = Fact(
            content,
            tuple(subject.key for subject in subjects),
            aspect=aspect,
            value=value,
            kind=kind or kind_of(content),
            type=type,
            category=category,
            importance=importance,
            sensitivity=sensitivity,
            event_time=moment(event_time) if event_time else None,
            valid_from=moment(valid_from) if valid_from else None,
            valid_until=moment(valid_until) if valid_until else None,
            ttl=None if ttl_seconds is None else timedelta(seconds=ttl_seconds),
            tags=words(tags),
            evidence=tuple([await self._context.memory(viewer, turn) for turn in evidence]),
            source="tool_result" if from_tool else "agent",
            narrative=narrative,
            task=task,
        )
        [stored] = await self._context.service.facts.remember(viewer, [fact], for_chat=for_chat)
        return RememberedForm(stored.memory_id, fact.kind, stored.confirmed)

    async def correct_fact(
        self, call: ToolCall, memory_id: MemoryId, content: Statement, value: Value = None
    ) -> ChangedForm:
        """Say that a fact was never true, and what was: the new one holds in its place. What others said is corrected
        in the user's own name, and stays where it is of themselves.
        """
        viewer = await self._context.viewer(call)
        wrong = await self._context.memory(viewer, memory_id)
        return ChangedForm(await self._context.service.facts.correct(viewer, wrong, content, value=value))

    async def confirm_fact(self, call: ToolCall, memory_id: MemoryId) -> ChangedForm:
        """Say that a fact is certain, because the user vouches for it: it neither fades nor runs out."""
        viewer = await self._context.viewer(call)
        known = await self._context.memory(viewer, memory_id)
        await self._context.service.facts.confirm(viewer, known)
        return ChangedForm(known)

    async def update_memory(
        self,
        call: ToolCall,
        memory_id: MemoryId,
        content: Annotated[str | None, Field(description="Better words for it; without them they stay.")] = None,
        value: Value = None,
        tags: Annotated[Sequence[str] | None, Field(description="Its tags from now on; else those it has.")] = None,
    ) -> ChangedForm:
        """Put a fact in better words, or give it other tags; the earlier words are kept in its history. The words of
        another person stay: use `correct_fact`.
        """
        viewer = await self._context.viewer(call)
        known = await self._context.memory(viewer, memory_id)
        await self._context.service.facts.update(viewer, known, content, value=value, tags=tags)
        return ChangedForm(known)

    async def forget(
        self,
        call: ToolCall,
        memory_id: MemoryId,
        with_sources: Annotated[
            bool, Field(description="Also the turns in which nothing else was found, where the user may.")
        ] = False,
    ) -> ChangedForm:
        """Stop believing a memory from now on, because the user wants it gone. For a wrong one use `correct_fact`."""
        viewer = await self._context.viewer(call)
        known = await self._context.memory(viewer, memory_id)
        await self._context.service.facts.forget(viewer, known, with_sources=with_sources)
        return ChangedForm(known)

    async def reinforce(self, call: ToolCall, memory_id: MemoryId) -> ScoreForm:
        """Say that a memory served your answer."""
        viewer = await self._context.viewer(call)
        known = await self._context.memory(viewer, memory_id)
        return ScoreForm(known, await self._context.service.facts.reinforce(viewer, known))

    async def demote(self, call: ToolCall, memory_id: MemoryId) -> ScoreForm:
        """Say that a memory misled you."""
        viewer = await self._context.viewer(call)
        known = await self._context.memory(viewer, memory_id)
        return ScoreForm(known, await self._context.service.facts.demote(viewer, known))

    async def update_user_state(
        self,
        call: ToolCall,
        key: Annotated[str, Field(description="name, nickname, preferred_address, or any other key.")],
        value: Annotated[str, Field(description="Up to 2,000 characters.")],
        persona: Persona = None,
        for_groups: ForGroups = None,
        valid_from: Moment = None,
    ) -> StateChangeForm:
        """Set what the user is called, how they wish to be addressed, or any other key; the value before ends."""
        viewer = await self._context.viewer(call, None, persona)
        since = moment(valid_from) if valid_from else None
        result = await self._context.service.states.set_state(
            viewer, key, value, for_groups=for_groups, valid_from=since
        )
        return StateChangeForm(state_form(result.state), result.changed)

    async def user_state_history(
        self,
        call: ToolCall,
        key: Annotated[str, Field(description="name, nickname, preferred_address, or any other key.")],
        persona: Persona = None,
        first: First = 20,
        cursor: Cursor = None,
    ) -> StatesForm:
        """List all values of a key of the user's state, the last to begin first."""
        viewer = await self._context.viewer(call, None, persona)
        page = await self._context.service.states.history(viewer, key, first=first, after=cursor)
        return StatesForm([state_form(listed.item) for listed in page.items], cursor_of(page))
