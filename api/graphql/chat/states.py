"""User state: values by key, such as name and preferred address, each for an interval of time."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import optional_id
from hippograph.api.graphql.chat.chats import AsOf, KnownAt
from hippograph.api.graphql.chat.personas import Persona, persona_of
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.errors import Failure
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph.people import user_state as states

FOR_GROUPS = (
    "Whether it also appears in the contexts of groups, where an assistant answers to all members; "
    "`name` and `preferred_address` always do."
)
OfPersona = Annotated[
    strawberry.ID | None,
    argument("The persona; its values take precedence over those of no persona (default: only those of no persona)."),
]


@object_type
class UserState:
    """One value of one key of the viewer's state, for one interval of time. Nobody else sees it."""

    id: strawberry.ID
    key: str = described("The key, in lower case: `name`, `nickname`, `preferred_address`, or any other.")
    value: str
    for_groups: bool = described(FOR_GROUPS)
    valid_from: datetime = described("Since when the value holds.")
    valid_until: datetime | None = described("Until when the value holds; null while no end is known.")
    created_at: datetime = described("When the value was recorded with this interval.")
    is_current: bool = described("Whether this is the value that holds at `asOf` (default: now).")
    found: strawberry.Private[states.UserState]

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona to which it belongs; null if it holds for every persona that has no value of its own."""
        return await persona_of(info.context.loaders, self.found.persona_id)


def user_state(found: states.UserState) -> UserState:
    """Converts a value of a person's state to its GraphQL type."""
    return to_type(UserState, found, id=global_id("UserState", found.id))


@object_type
class JobState:
    """When a job last ran on the viewer's private chats, and its results."""

    ran_at: datetime | None = described("When it last ran; null before the first time.")
    memories: int = described(
        "The number of memories it ran on: the sources of the latest summary, or the turns of all sessions."
    )
    succeeded: int = described("The number of times that it succeeded.")
    failed: int = described("The number of items that fail now.")
    failure: str | None = described("Why one of them fails; null if none does.")


@object_type
class SessionState:
    """The state between the viewer and a persona that lasts from session to session."""

    message_count: int = described("The number of messages of the viewer.")
    last_interaction_at: datetime | None = described("The time of the last message of anybody.")
    last_message_at: datetime | None = described("The time of the last message of the viewer.")
    last_message: str | None = described("The text of the last message of the viewer.")
    summaries: JobState = described("The state of the job that writes summaries.")
    curator: JobState = described("The state of the job that consolidates sessions.")


@object_type
class StateQueries:
    """The viewer's state at any two times, and its history."""

    @field
    async def session_state(
        self,
        info: Info,
        persona_id: Annotated[
            strawberry.ID | None, argument("The persona; without it, the state of talk with no persona.")
        ] = None,
    ) -> SessionState | None:
        """The state between the viewer and a persona that lasts from session to session."""
        viewer = info.context.viewer.at(None, optional_id("Persona", persona_id))
        found = await info.context.service.session_states.read(viewer)
        jobs = {"summaries": to_type(JobState, found.summaries), "curator": to_type(JobState, found.curator)}
        return to_type(SessionState, found, **jobs)

    @field
    async def user_state(
        self, info: Info, persona_id: OfPersona = None, as_of: AsOf = None, known_at: KnownAt = None
    ) -> list[UserState] | None:
        """The viewer's state: one value of each key, ordered by key."""
        context = info.context
        viewer = context.viewer.at(None, optional_id("Persona", persona_id))
        found = await context.service.states.current(viewer, context.times(as_of, known_at))
        return [user_state(one) for one in found]

    @field
    async def user_state_history(
        self,
        info: Info,
        key: str,
        persona_id: OfPersona = None,
        first: int = 20,
        after: str | None = None,
        as_of: Annotated[datetime | None, argument("The time to which `isCurrent` refers (default: now).")] = None,
        known_at: KnownAt = None,
    ) -> Connection[UserState] | None:
        """All values of a key of the viewer's state, of the persona and of none, the latest start first."""
        context = info.context
        viewer = context.viewer.at(None, optional_id("Persona", persona_id))
        times = context.times(as_of, known_at)
        return connection(
            await context.service.states.history(viewer, key, times, first=first, after=after), user_state, after
        )


@input_type
class UpdateUserStateInput:
    """A value for a key of the viewer's state, from a moment on."""

    key: str = described("The key: any text of up to 100 characters; case makes no difference.")
    value: str = described("The value, up to 2,000 characters.")
    persona_id: strawberry.ID | None = described(
        "The persona that the value is for; without it, the value is for all.", default=None
    )
    for_groups: bool | None = described(
        f"{FOR_GROUPS} Default: false for a new value; an unchanged value keeps its setting.", default=None
    )
    valid_from: datetime | None = described(
        "Since when the value holds (default: now). If that is in the past, it holds until the next value "
        "begins, and it replaces a value that begins at the same time.",
        default=None,
    )


@object_type
class UpdateUserStatePayload:
    """The value that was set, and the interval for which it holds."""

    user_state: UserState
    changed: bool = described("False if the value already held and nothing was written.")


UpdateUserStateResult = Annotated[UpdateUserStatePayload | Failure, strawberry.union("UpdateUserStateResult")]


@object_type
class StateMutations:
    """Setting the viewer's state."""

    @field
    async def update_user_state(self, info: Info, input: UpdateUserStateInput) -> UpdateUserStateResult | None:
        """Sets a value of the viewer's state and ends the previous one, in one write. Its history is kept."""
        context = info.context
        viewer = context.viewer.at(None, optional_id("Persona", input.persona_id))
        result = await context.service.states.set_state(
            viewer, input.key, input.value, for_groups=input.for_groups, valid_from=input.valid_from
        )
        return UpdateUserStatePayload(user_state=user_state(result.state), changed=result.changed)
