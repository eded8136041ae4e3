"""The schema put together: its roots, its limits, and what happens to its errors."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from api.graphql.blocks import BlockMutations, BlockQueries
from api.graphql.cards import CardQueries
from api.graphql.chats import ChatMutations, ChatQueries
from api.graphql.communities import CommunityQueries
from api.graphql.contexts import ArchiveMutations, ContextQueries
from api.graphql.descriptions import describe
from api.graphql.docs import object_type
from api.graphql.entities import TYPES, EntityMutations, EntityQueries
from api.graphql.erasing import ErasureMutations, ErasureQueries
from api.graphql.errors import HANDLERS, DescribedErrors
from api.graphql.explaining import ExplanationQueries
from api.graphql.facts import FactMutations
from api.graphql.following import FeedSubscriptions
from api.graphql.labels import AccessLabelMutations
from api.graphql.limits import Limits
from api.graphql.lookup import LookupQueries
from api.graphql.maintenance import MaintenanceMutations, MaintenanceQueries, MaintenanceSubscriptions, StatsQueries
from api.graphql.memberships import InvitationQueries, MembershipMutations
from api.graphql.merging import MergeMutations, MergeQueries
from api.graphql.observed import Observed
from api.graphql.personas import PersonaMutations, PersonaQueries
from api.graphql.recording import RecordingMutations
from api.graphql.scalars import DATE_TIME
from api.graphql.searching import SearchQueries
from api.graphql.states import StateMutations, StateQueries
from api.graphql.summaries import SummaryMutations, SummaryQueries
from api.graphql.todos import TodoMutations, TodoQueries


@object_type
class Query(
    SearchQueries,
    ContextQueries,
    CardQueries,
    ExplanationQueries,
    LookupQueries,
    ChatQueries,
    InvitationQueries,
    EntityQueries,
    CommunityQueries,
    MergeQueries,
    PersonaQueries,
    StateQueries,
    BlockQueries,
    SummaryQueries,
    TodoQueries,
    StatsQueries,
    ErasureQueries,
    MaintenanceQueries,
):
    """What can be read."""


@object_type
class Mutation(
    RecordingMutations,
    FactMutations,
    AccessLabelMutations,
    StateMutations,
    BlockMutations,
    SummaryMutations,
    TodoMutations,
    ChatMutations,
    MembershipMutations,
    EntityMutations,
    MergeMutations,
    ArchiveMutations,
    PersonaMutations,
    MaintenanceMutations,
    ErasureMutations,
):
    """What can be changed."""


@object_type
class Subscription(FeedSubscriptions, MaintenanceSubscriptions):
    """What can be followed: over WebSocket (graphql-transport-ws), or as `text/event-stream`."""


class _Schema(strawberry.Schema):
    def process_errors(self, errors: Sequence[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Nothing here: `DescribedErrors` logs what is worth it, with the request's id."""


schema: Final = _Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=list(TYPES.values()),
    extensions=[Observed, DescribedErrors, Limits],
    exception_handlers=HANDLERS,
    config=StrawberryConfig(scalar_map={datetime: DATE_TIME}),
)
"""The schema. Making it opens nothing and reads no setting."""
describe(schema._schema)
