"""Summaries of sessions, of the latest talk and of the viewer."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id
from hippograph.api.graphql.chat.chats import AsOf, ForPersona, InChat, KnownAt
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.entity.entities import Entity, entity
from hippograph.api.graphql.errors import Failure
from hippograph.api.graphql.memory.memories import Memory, memories_of
from hippograph.api.graphql.nodes import global_id, to_type
from hippograph.graph.people import summaries


@object_type
class SummarySentence:
    """A sentence of a summary."""

    section: str = described(
        "The section: `one_liner`, `what_mattered`, `open_loops` or `commitments` for a session, `latest` "
        "for the latest talk; `profile`, `projects`, `people` or `open_loops` for the viewer."
    )
    text: str = described("The sentence.")
    found: strawberry.Private[summaries.Sentence]

    @field
    async def sources(self, info: Info) -> list[Memory]:
        """The memories that the sentence is based on."""
        return await memories_of(info.context.loaders, self.found.memory_ids)


@object_type
class Summary:
    """One version of a summary. Viewers who may see all of its sources see it; it is made again when a source goes."""

    id: strawberry.ID = described("The id of the version.")
    version: int = described("The number of the version, from 1; `knownAt` reads older ones.")
    content: str
    one_liner: str | None = described("The session in one sentence; null if there is none.")
    what_mattered: list[str] = described("What the session was about.")
    open_loops: list[str] = described("What was left open.")
    commitments: list[str] = described("What people promised.")
    people: list[Entity] = described("The people whom its sources name, and the speakers of its sources.")
    tone: str | None = described("The tone: `positive`, `negative` or `mixed`; null if the sources show no emotion.")
    sentences: list[SummarySentence] = described("All sentences of the summary, each with its sources.")
    created_at: datetime
    until: datetime = described("The time of the last turn that it covers.")


@object_type
class SummariesHere:
    """The summaries in the viewer's current scope; null where there is none."""

    session: Summary | None = described("The summary of the latest session.")
    rolling: Summary | None = described("The summary of the latest talk, at most 600 characters long.")
    spine: Summary | None = described("The summary of what is known about the viewer.")


def summary(found: summaries.Summary) -> Summary:
    """Converts a summary to its GraphQL type."""
    return to_type(
        Summary,
        found,
        id=global_id("Summary", found.id),
        one_liner=next(iter(found.of("one_liner")), None),
        what_mattered=found.of("what_mattered"),
        open_loops=found.of("open_loops"),
        commitments=found.of("commitments"),
        people=[entity(one) for one in found.people],
        tone=found.tone or None,
        sentences=[to_type(SummarySentence, one) for one in found.sentences],
    )


@object_type
class SummaryQueries:
    """Summaries."""

    @field
    async def summaries(
        self,
        info: Info,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> SummariesHere | None:
        """The summaries of the latest session and the latest talk in the current scope, and that of the viewer."""
        context = info.context
        viewer = await context.viewer_in(chat_id, persona_id)
        here = await context.service.summary_reader.here(viewer, context.times(as_of, known_at))
        return SummariesHere(
            session=summary(here.session) if here.session else None,
            rolling=summary(here.rolling) if here.rolling else None,
            spine=summary(here.spine) if here.spine else None,
        )

    @field
    async def session_summary(
        self,
        info: Info,
        session_id: Annotated[strawberry.ID, argument("The id of the session.")],
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> Summary | None:
        """The summary of a session; null if there is none that the viewer may see."""
        context, inner = info.context, inner_id("Session", session_id)
        times = context.times(as_of, known_at)
        found = await context.service.summary_reader.of_sessions(context.viewer, [inner], times)
        return summary(found[inner]) if inner in found else None


@input_type
class SummarizeSessionInput:
    """The session to summarise."""

    session_id: strawberry.ID


@object_type
class SummarizeSessionPayload:
    """The summary; null if nothing was said that all participants may see."""

    summary: Summary | None = described("The summary as it is now.")


SummarizeSessionResult = Annotated[SummarizeSessionPayload | Failure, strawberry.union("SummarizeSessionResult")]


@object_type
class SummaryMutations:
    """Making summaries."""

    @field
    async def summarize_session(self, info: Info, input: SummarizeSessionInput) -> SummarizeSessionResult | None:
        """Summarises a session now, open or not. Clients can call it before they shorten their own history."""
        context, inner = info.context, inner_id("Session", input.session_id)
        await context.service.talk_summaries.summarize_session(context.viewer, inner)
        found = await context.service.summary_reader.of_sessions(context.viewer, [inner])
        return SummarizeSessionPayload(summary=summary(found[inner]) if inner in found else None)
