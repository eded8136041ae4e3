"""User state: what a person is called, how they wish to be addressed, any key, each value for its time."""

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
    "Whether it stands in the contexts of groups too, from which an assistant answers to all of them; `name` and "
    "`preferred_address` do anyway."
)
OfPersona = Annotated[
    strawberry.ID | None, argument("Whose view: what belongs to this persona stands before what belongs to none.")
]


@object_type
class UserState:
    """One value of one key of the viewer's state, for one stretch of time. Nobody else sees it."""

    id: strawberry.ID
    key: str = described("`name`, `nickname`, `preferred_address`, or any other, in lower case.")
    value: str
    for_groups: bool = described(FOR_GROUPS)
    valid_from: datetime = described("Since when it holds.")
    valid_until: datetime | None = described("Until when it holds; null while no end is known.")
    created_at: datetime = described("When it was recorded with this stretch.")
    is_current: bool = described("Whether it is the one that holds, now or at `asOf`.")
    found: strawberry.Private[states.UserState]

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona it belongs to; null when it belongs to none and holds for each that has no value of its own."""
        return await persona_of(info.context.loaders, self.found.persona_id)


def user_state(found: states.UserState) -> UserState:
    """A value of a person's state as the outside sees it."""
    return to_type(UserState, found, id=global_id("UserState", found.id))


@object_type
class JobState:
    """When a job last ran on the viewer's private talk, and what came of it."""

    ran_at: datetime | None = described("Null as long as it never did.")
    memories: int = described("On how many memories it ran.")
    succeeded: int = described("How often it succeeded.")
    failed: int = described("What fails now.")
    failure: str | None = described("Why; null when nothing does.")


@object_type
class SessionState:
    """What the viewer and a persona carry over from session to session."""

    message_count: int = described("How many messages of the viewer's there are.")
    last_interaction_at: datetime | None = described("When something was last said, by anybody.")
    last_message_at: datetime | None = described("When the viewer last said something.")
    last_message: str | None = described("What the viewer last said.")
    summaries: JobState = described("The summaries.")
    curator: JobState = described("The consolidation of sessions.")


@object_type
class StateQueries:
    """The viewer's state, at any two times, and how it came to be."""

    @field
    async def session_state(
        self,
        info: Info,
        persona_id: Annotated[strawberry.ID | None, argument("With which persona.")] = None,
    ) -> SessionState | None:
        """What the viewer and a persona carry over from session to session."""
        viewer = info.context.viewer.at(None, optional_id("Persona", persona_id))
        found = await info.context.service.session_states.read(viewer)
        jobs = {"summaries": to_type(JobState, found.summaries), "curator": to_type(JobState, found.curator)}
        return to_type(SessionState, found, **jobs)

    @field
    async def user_state(
        self, info: Info, persona_id: OfPersona = None, as_of: AsOf = None, known_at: KnownAt = None
    ) -> list[UserState] | None:
        """The viewer's state: one value of each key, by key."""
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
        as_of: Annotated[datetime | None, argument("When `isCurrent` is of.")] = None,
        known_at: KnownAt = None,
    ) -> Connection[UserState] | None:
        """All values of a key of the viewer's state, of the persona and of none, the last to begin first."""
        context = info.context
        viewer = context.viewer.at(None, optional_id("Persona", persona_id))
        times = context.times(as_of, known_at)
        return connection(
            await context.service.states.history(viewer, key, times, first=first, after=after), user_state, after
        )


@input_type
class UpdateUserStateInput:
    """What a key of the viewer's state is from a moment on."""

    key: str = described("Any text of up to 100 characters; case makes no difference.")
    value: str = described("Up to 2,000 characters.")
    persona_id: strawberry.ID | None = described("The persona it is for; for all without it.", default=None)
    for_groups: bool | None = described(f"{FOR_GROUPS} Without it another value is not.", default=None)
    valid_from: datetime | None = described(
        "Since when it is so; from now on without it. In the past it holds until the next value begins; "
        "where another begins, it takes that one's place.",
        default=None,
    )


@object_type
class UpdateUserStatePayload:
    """What was set, and the stretch for which it holds."""

    user_state: UserState
    changed: bool = described("False when it was so already and nothing was written.")


UpdateUserStateResult = Annotated[UpdateUserStatePayload | Failure, strawberry.union("UpdateUserStateResult")]


@object_type
class StateMutations:
    """Setting the viewer's state."""

    @field
    async def update_user_state(self, info: Info, input: UpdateUserStateInput) -> UpdateUserStateResult | None:
        """Sets a value of the viewer's state and ends the one before, in one write; nothing is lost of the past."""
        context = info.context
        viewer = context.viewer.at(None, optional_id("Persona", input.persona_id))
        result = await context.service.states.set_state(
            viewer, input.key, input.value, for_groups=input.for_groups, valid_from=input.valid_from
        )
        return UpdateUserStatePayload(user_state=user_state(result.state), changed=result.changed)
