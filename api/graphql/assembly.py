"""The schema put together: its roots, its limits, and what happens to its errors."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from hippograph.api.graphql.blocks import BlockMutations, BlockQueries
from hippograph.api.graphql.cards import CardQueries
from hippograph.api.graphql.chats import ChatMutations, ChatQueries
from hippograph.api.graphql.communities import CommunityQueries
from hippograph.api.graphql.contexts import ArchiveMutations, ContextQueries
from hippograph.api.graphql.descriptions import describe
from hippograph.api.graphql.docs import object_type
from hippograph.api.graphql.entities import TYPES, EntityMutations, EntityQueries
from hippograph.api.graphql.erasing import ErasureMutations, ErasureQueries
from hippograph.api.graphql.errors import HANDLERS, DescribedErrors
from hippograph.api.graphql.explaining import ExplanationQueries
from hippograph.api.graphql.facts import FactMutations
from hippograph.api.graphql.following import FeedSubscriptions
from hippograph.api.graphql.forgetting import ForgettingMutations, ForgettingQueries
from hippograph.api.graphql.labels import AccessLabelMutations
from hippograph.api.graphql.limits import Limits
from hippograph.api.graphql.lookup import LookupQueries
from hippograph.api.graphql.maintenance import (
    MaintenanceMutations,
    MaintenanceQueries,
    MaintenanceSubscriptions,
    StatsQueries,
)
from hippograph.api.graphql.memberships import InvitationQueries, MembershipMutations
from hippograph.api.graphql.merging import MergeMutations, MergeQueries
from hippograph.api.graphql.observed import Observed
from hippograph.api.graphql.personas import PersonaMutations, PersonaQueries
from hippograph.api.graphql.recording import RecordingMutations
from hippograph.api.graphql.scalars import DATE_TIME
from hippograph.api.graphql.searching import SearchQueries
from hippograph.api.graphql.spaces import SpaceMutations, SpaceQueries
from hippograph.api.graphql.states import StateMutations, StateQueries
from hippograph.api.graphql.summaries import SummaryMutations, SummaryQueries
from hippograph.api.graphql.todos import TodoMutations, TodoQueries
from hippograph.api.graphql.uses import UseQueries


@object_type
class Query(
    SearchQueries,
    ContextQueries,
    CardQueries,
    ExplanationQueries,
    UseQueries,
    LookupQueries,
    ChatQueries,
    SpaceQueries,
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
    ForgettingQueries,
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
    SpaceMutations,
    MembershipMutations,
    EntityMutations,
    MergeMutations,
    ArchiveMutations,
    PersonaMutations,
    MaintenanceMutations,
    ForgettingMutations,
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
