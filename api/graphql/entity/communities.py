"""Communities of entities in the viewer's current scope, and the centrality of each entity."""

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
    """An entity, its community among the entities that occur in the same memories, and its centrality."""

    entity: Entity
    community: int = described("The number of its community; 1 is the largest.")
    centrality: float = described("How central the entity is (PageRank); comparable only within one version.")
    version: int = described("The version of the communities of this scope, counted from 1.")
    algorithm: str = described("The algorithms by which the communities and the centrality were computed.")
    modularity: float = described("How well the communities are separated, -0.5 to 1; 0 is expected by chance.")
    computed_at: datetime = described("When they were computed.")


@object_type
class CommunityQueries:
    """Communities of entities."""

    @field
    async def communities(
        self,
        info: Info,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        community: Annotated[int | None, argument("The number of one community (default: all).")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[CommunityMember] | None:
        """The entities of the communities of a group or, without one, of the viewer's own memories: by community, and
        within it the most central first. The operator of the service computes them (`hippograph communities --write`)
        from memories that all members may see. They disappear when one of these memories fades or is forgotten,
        reworded, archived or made more private.
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
