"""Tools for blocks of working memory, the user's state, todos, and people."""

from collections.abc import Sequence
from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from hippograph.api.arguments import entity_reference, todo_reference
from hippograph.api.mcp.forms import Form, block_form, given, state_form, todo_form
from hippograph.api.mcp.recalling import Budget
from hippograph.api.mcp.tool_context import ADDS, READS, REPLACES, ToolCall, ToolContext, Work, told_time
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.people.todos import TodoKind, TodoStatus

ForGroups = Annotated[bool | None, Field(description="whether groups see it too")]
Name = Annotated[str, Field(description="persona_state, user_model, active_context, or any")]
Key = Annotated[str, Field(description="name, nickname, preferred_address, or any")]


class Keeping(ToolContext):
    """Tools for blocks, state, todos and people."""

    def tools(self) -> list[Tool]:
        """All tools of this class."""
        work: dict[Work, ToolAnnotations] = {
            self.block_write: ADDS,
            self.block_read: READS,
            self.block_delete: REPLACES,
            self.update_user_state: ADDS,
            self.user_state_history: READS,
            self.todo_write: ADDS,
            self.todo_list: READS,
            self.person_write: ADDS,
        }
        return [self.tool(each, hints) for each, hints in work.items()]

    async def block_write(
        self,
        call: ToolCall,
        name: Name,
        content: str,
        persona: str | None = None,
        description: str | None = None,
        for_groups: ForGroups = None,
        version: int | None = None,
    ) -> Form:
        """Write a block of working memory, which is in every context. To overwrite one, give the version you read."""
        viewer = await self.viewer(call, None, persona)
        block = await self.service.blocks.write(
            viewer, name, content, description=description, for_groups=for_groups, version=version
        )
        return given(name=block.name, version=block.version)

    async def block_read(
        self, call: ToolCall, name: str | None = None, persona: str | None = None, budget: Budget = None
    ) -> Form:
        """Read a block of working memory, or all of them."""
        viewer, blocks = await self.viewer(call, None, persona), self.service.blocks
        if name is not None:
            one = await blocks.read(viewer, name)
            if one is None:
                raise NotFound(f"there is no block {name!r}: read all without a name")
            [form] = await self.fitting({}, "", [block_form(one)], budget, least=1)
            return form
        every = [block_form(one) for one in await blocks.all(viewer)]
        names = [form["name"] for form in every]
        kept = await self.fitting({"others": names}, "blocks", every, budget)
        return {"blocks": kept, **given(others=names[len(kept) :])}

    async def block_delete(
        self, call: ToolCall, name: str, persona: str | None = None, version: int | None = None
    ) -> Form:
        """Delete a block of working memory."""
        viewer = await self.viewer(call, None, persona)
        gone = await self.service.blocks.delete(viewer, name, version=version)
        return {"deleted": gone is not None}

    async def update_user_state(
        self, call: ToolCall, key: Key, value: str, persona: str | None = None, for_groups: ForGroups = None
    ) -> Form:
        """Set the user's name, how to address them, or any other key of their state."""
        viewer = await self.viewer(call, None, persona)
        result = await self.service.states.set_state(viewer, key, value, for_groups=for_groups)
        return {**state_form(result.state), "changed": result.changed}

    async def user_state_history(
        self, call: ToolCall, key: str, persona: str | None = None, first: int = 20, cursor: str | None = None
    ) -> Form:
        """List all values of a key of the user's state, latest first."""
        viewer = await self.viewer(call, None, persona)
        page = await self.service.states.history(viewer, key, first=first, after=cursor)
        return await self.page("states", page, state_form)

    async def todo_write(
        self,
        call: ToolCall,
        content: Annotated[str | None, Field(description="of a new one")] = None,
        kind: TodoKind = TodoKind.COMMITMENT,
        due: Annotated[str | None, Field(description="2026-03-01")] = None,
        persona: str | None = None,
        todo_id: Annotated[str | None, Field(description="of one that is there")] = None,
        status: TodoStatus | None = None,
    ) -> Form:
        """Add a todo for the user, or mark one as done, dropped or open again."""
        todos = self.service.todos
        if (content is None) == (todo_id is None) or (todo_id is None) != (status is None):
            raise InvalidInput("give `content` for a new todo, or `todo_id` and `status` for one that is there")
        if todo_id is not None and status is not None:
            viewer = await self.viewer(call)
            known = await todos.called(viewer, todo_reference(todo_id))
            return todo_form(await todos.set_status(viewer, known, status))
        viewer = await self.viewer(call, None, persona)
        return todo_form(await todos.add(viewer, kind, content or "", due_at=told_time(due)))

    async def todo_list(
        self,
        call: ToolCall,
        persona: str | None = None,
        statuses: Sequence[TodoStatus] = (TodoStatus.OPEN,),
        first: int = 20,
        cursor: str | None = None,
        budget: Budget = None,
    ) -> Form:
        """List the user's todos, newest first."""
        viewer = await self.viewer(call, None, persona)
        page = await self.service.todos.all(viewer, statuses=statuses, first=first, after=cursor)
        return await self.page("todos", page, todo_form, budget)

    async def person_write(
        self,
        call: ToolCall,
        name: Annotated[str | None, Field(description="of a new person, or a new name")] = None,
        person: Annotated[str | None, Field(description="who is there: key or name")] = None,
        alias: str | None = None,
    ) -> Form:
        """Add a person, or give a known person a new name or an alias."""
        service, viewer = self.service, self.caller(call)
        if name is None and (person is None or alias is None):
            raise InvalidInput("give the `name` of a new person, or `person` with a `name` or an `alias`")
        if person is None:
            known = (await service.people.create_person(viewer, name or "")).id
        else:
            known = (await service.browsing.entity_called(viewer, entity_reference(person))).id
            if name is not None:
                await service.people.rename(viewer, known, name)
        if alias is not None:
            await service.people.add_alias(viewer, known, alias)
        made = (await service.browsing.entities_by(viewer, [known]))[known]
        return given(key=made.key, name=made.canonical_name, aliases=list(made.aliases))
