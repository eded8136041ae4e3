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
        "`one_liner`, `what_mattered`, `open_loops` or `commitments` of a session, `latest` of the latest "
        "talk, `profile`, `projects`, `people` or `open_loops` of the viewer."
    )
    text: str = described("The words.")
    found: strawberry.Private[summaries.Sentence]

    @field
    async def sources(self, info: Info) -> list[Memory]:
        """The memories that say so."""
        return await memories_of(info.context.loaders, self.found.memory_ids)


@object_type
class Summary:
    """One version of a summary. Who may see all that it is made of sees it; when a source goes, it is made anew."""

    id: strawberry.ID = described("The id of the version.")
    version: int = described("Counts from 1; `knownAt` reads older ones.")
    content: str
    one_liner: str | None = described("A session in one sentence.")
    what_mattered: list[str] = described("What a session was about.")
    open_loops: list[str] = described("What was left open.")
    commitments: list[str] = described("What people promised.")
    people: list[Entity] = described("Whom its sources name, and who said them.")
    tone: str | None = described("`positive`, `negative` or `mixed`; null when nobody was moved.")
    sentences: list[SummarySentence] = described("All that it says, each with its sources.")
    created_at: datetime
    until: datetime = described("When the last turn was said that it knows of.")


@object_type
class SummariesHere:
    """The summaries of where the viewer stands; what there is not is null."""

    session: Summary | None = described("Of the latest session.")
    rolling: Summary | None = described("Of the latest talk, in at most 600 characters.")
    spine: Summary | None = described("Of what is known of the viewer.")


def summary(found: summaries.Summary) -> Summary:
    """A summary as the outside sees it."""
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
        """What the latest session and the latest talk here were about, and what is known of the viewer in short."""
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
        session_id: Annotated[strawberry.ID, argument("Of which session.")],
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> Summary | None:
        """The summary of a session; null where there is none that the viewer may see."""
        context, inner = info.context, inner_id("Session", session_id)
        times = context.times(as_of, known_at)
        found = await context.service.summary_reader.of_sessions(context.viewer, [inner], times)
        return summary(found[inner]) if inner in found else None


@input_type
class SummarizeSessionInput:
    """Which session is to be summarised."""

    session_id: strawberry.ID


@object_type
class SummarizeSessionPayload:
    """The summary; null when nothing was said that all may see who take part."""

    summary: Summary | None = described("The summary as it is now.")


SummarizeSessionResult = Annotated[SummarizeSessionPayload | Failure, strawberry.union("SummarizeSessionResult")]


@object_type
class SummaryMutations:
    """Summarising."""

    @field
    async def summarize_session(self, info: Info, input: SummarizeSessionInput) -> SummarizeSessionResult | None:
        """Summarises a session now, open or not: before a client shortens its own history."""
        context, inner = info.context, inner_id("Session", input.session_id)
        await context.service.talk_summaries.summarize_session(context.viewer, inner)
        found = await context.service.summary_reader.of_sessions(context.viewer, [inner])
        return SummarizeSessionPayload(summary=summary(found[inner]) if inner in found else None)
