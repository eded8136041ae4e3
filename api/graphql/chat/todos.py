"""Todos: what the viewer has promised, does again and again, left open or is bothered by."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, optional_id
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.errors import Failure
from hippograph.api.graphql.memory.memories import Memory, memories_of
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph.people import todos as open_things

PERSONA = "The persona it belongs to; none without it."

strawberry.enum(
    open_things.TodoKind,
    description="A commitment was promised, a habit is done regularly, a thread is left open, a friction bothers.",
)
strawberry.enum(open_things.TodoStatus, description="Whether it is to be done still: open, done, or dropped undone.")
strawberry.enum(
    open_things.TodoStanding,
    description="How an open todo stands to its time: upcoming before it, due on it, overdue after.",
)


@object_type
class Todo:
    """Something that the viewer has to do, does, or is bothered by. Nobody else sees it."""

    id: strawberry.ID = described("The id of the todo.")
    kind: open_things.TodoKind
    content: str
    status: open_things.TodoStatus = described("Whether it is open.")
    due_at: datetime | None = described("The day (at midnight) or the moment for which it is set.")
    standing: open_things.TodoStanding | None = described("Of an open one with a time.")
    created_at: datetime
    closed_at: datetime | None = described("When it was done or dropped.")
    found: strawberry.Private[open_things.Todo]

    @field
    async def found_in(self, info: Info) -> list[Memory]:
        """The memories in which it was found; none when it was set by hand."""
        return await memories_of(info.context.loaders, self.found.memory_ids)


def todo(found: open_things.Todo) -> Todo:
    """A todo as the outside sees it."""
    return to_type(Todo, found, id=global_id("Todo", found.id))


@object_type
class TodoQueries:
    """The viewer's todos."""

    @field
    async def todos(
        self,
        info: Info,
        persona_id: Annotated[strawberry.ID | None, argument(PERSONA)] = None,
        statuses: Annotated[
            list[open_things.TodoStatus] | None, argument("Of these alone; open ones without it.")
        ] = None,
        kinds: Annotated[list[open_things.TodoKind] | None, argument("Of these alone; of all without it.")] = None,
        overdue: Annotated[bool, argument("Only open ones whose time is over.")] = False,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Todo] | None:
        """The viewer's todos with a persona, newest first."""
        context = info.context
        page = await context.service.todos.all(
            context.viewer.at(None, optional_id("Persona", persona_id)),
            statuses=statuses or (open_things.TodoStatus.OPEN,),
            kinds=kinds or tuple(open_things.TodoKind),
            overdue=overdue,
            first=first,
            after=after,
        )
        return connection(page, todo, after)


@input_type
class AddTodoInput:
    """Something to do, set by hand."""

    content: str = described("Up to 500 characters.")
    kind: open_things.TodoKind = described("What sort it is.", default=open_things.TodoKind.COMMITMENT)
    due_at: datetime | None = described("When; midnight means the day.", default=None)
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class SetTodoStatusInput:
    """Which todo is open, done or dropped from now on."""

    todo_id: strawberry.ID = described("The id of the todo.")
    status: open_things.TodoStatus = described("What it is now.")


@object_type
class TodoPayload:
    """The todo as it is now."""

    todo: Todo = described("The todo.")


TodoResult = Annotated[TodoPayload | Failure, strawberry.union("TodoResult")]


@object_type
class TodoMutations:
    """Setting and closing todos."""

    @field
    async def add_todo(self, info: Info, input: AddTodoInput) -> TodoResult | None:
        """Sets a todo of the viewer's by hand."""
        viewer = info.context.viewer.at(None, optional_id("Persona", input.persona_id))
        added = await info.context.service.todos.add(viewer, input.kind, input.content, due_at=input.due_at)
        return TodoPayload(todo=todo(added))

    @field
    async def set_todo_status(self, info: Info, input: SetTodoStatusInput) -> TodoResult | None:
        """Closes, drops or opens a todo again."""
        todo_id = inner_id("Todo", input.todo_id)
        changed = await info.context.service.todos.set_status(info.context.viewer, todo_id, input.status)
        return TodoPayload(todo=todo(changed))
