"""Communities: which entities belong together where the viewer stands, and which of them are central."""

from datetime import datetime
from typing import Annotated

from hippograph.api.graphql.chat.chats import AsOf, ForPersona, InChat, KnownAt
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import argument, described, field, object_type
from hippograph.api.graphql.entity.entities import Entity, entity
from hippograph.api.graphql.nodes import Connection, connection, to_type
from hippograph.graph.reading import communities


@object_type
class CommunityMember:
    """An entity, and its place among those that come up together with it."""

    entity: Entity
    community: int = described("The number of its community; 1 is the largest.")
    centrality: float = described("How central it is (PageRank): comparable within one version.")
    version: int = described("How often communities were computed there.")
    algorithm: str = described("By what they were computed.")
    modularity: float = described("How far apart the communities are, -0.5 to 1; 0 is what chance would give.")
    computed_at: datetime = described("When they were computed.")


@object_type
class CommunityQueries:
    """What belongs together."""

    @field
    async def communities(
        self,
        info: Info,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        community: Annotated[int | None, argument("The number of one; without it, of all.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[CommunityMember] | None:
        """The entities of the communities of a group, or without one of the viewer's own memories: community by
        community, the most central first. Whoever runs the service computes them (`hippograph communities --write`), of
        what everybody there may see. They are gone when one of those memories fades, or is forgotten, reworded,
        archived or more private.
        """
        context = info.context
        page = await context.service.communities.members(
            await context.viewer_in(chat_id, persona_id),
            community=community,
            times=context.times(as_of, known_at),
            first=first,
            after=after,
        )
        return connection(page, _member, after)


def _member(found: communities.CommunityMember) -> CommunityMember:
    return to_type(CommunityMember, found, entity=entity(found.entity))
