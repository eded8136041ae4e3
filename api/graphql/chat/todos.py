"""Todos: what the viewer promised, does regularly, left open, or is bothered by."""

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

PERSONA = "The persona that the todo belongs to; without it, none."

strawberry.enum(
    open_things.TodoKind,
    description="The kind of a todo: a commitment was promised, a habit is done regularly, a thread was left open, a "
    "friction bothers the viewer.",
)
strawberry.enum(open_things.TodoStatus, description="Whether a todo is open, done, or dropped without being done.")
strawberry.enum(
    open_things.TodoStanding,
    description="The relation of an open todo to its due time: upcoming before it, due on it, overdue after it.",
)


@object_type
class Todo:
    """A commitment, habit, open thread or friction of the viewer. Nobody else sees it."""

    id: strawberry.ID = described("The id of the todo.")
    kind: open_things.TodoKind
    content: str
    status: open_things.TodoStatus = described("Whether it is open, done or dropped.")
    due_at: datetime | None = described(
        "The day (given as midnight) or the moment at which it is due; null if it has no due time."
    )
    standing: open_things.TodoStanding | None = described(
        "How an open todo stands to its due time; null if it is closed or has no due time."
    )
    created_at: datetime
    closed_at: datetime | None = described("When it was done or dropped; null while it is open.")
    found: strawberry.Private[open_things.Todo]

    @field
    async def found_in(self, info: Info) -> list[Memory]:
        """The memories in which it was found; empty if it was added by hand."""
        return await memories_of(info.context.loaders, self.found.memory_ids)


def todo(found: open_things.Todo) -> Todo:
    """Converts a todo to its GraphQL type."""
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
            list[open_things.TodoStatus] | None, argument("Only todos with these statuses (default: open ones).")
        ] = None,
        kinds: Annotated[
            list[open_things.TodoKind] | None, argument("Only todos of these kinds (default: all).")
        ] = None,
        overdue: Annotated[bool, argument("Only open todos that are overdue.")] = False,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Todo] | None:
        """The viewer's todos with a persona, newest first. Open appointments whose day is over are left out."""
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
    """A todo to add by hand."""

    content: str = described("What is to be done, up to 500 characters.")
    kind: open_things.TodoKind = described("The kind of the todo.", default=open_things.TodoKind.COMMITMENT)
    due_at: datetime | None = described(
        "When it is due (default: no due time); midnight means the whole day.", default=None
    )
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class SetTodoStatusInput:
    """A todo and its new status."""

    todo_id: strawberry.ID = described("The id of the todo.")
    status: open_things.TodoStatus = described("The new status.")


@object_type
class TodoPayload:
    """The todo as it is now."""

    todo: Todo = described("The todo.")


TodoResult = Annotated[TodoPayload | Failure, strawberry.union("TodoResult")]


@object_type
class TodoMutations:
    """Adding and closing todos."""

    @field
    async def add_todo(self, info: Info, input: AddTodoInput) -> TodoResult | None:
        """Adds a todo of the viewer by hand."""
        viewer = info.context.viewer.at(None, optional_id("Persona", input.persona_id))
        added = await info.context.service.todos.add(viewer, input.kind, input.content, due_at=input.due_at)
        return TodoPayload(todo=todo(added))

    @field
    async def set_todo_status(self, info: Info, input: SetTodoStatusInput) -> TodoResult | None:
        """Completes, drops or reopens a todo."""
        todo_id = inner_id("Todo", input.todo_id)
        changed = await info.context.service.todos.set_status(info.context.viewer, todo_id, input.status)
        return TodoPayload(todo=todo(changed))
