"""Assembles the schema: its root types, its limits, and its error handling."""

from collections.abc import Sequence
from datetime import datetime
from operator import methodcaller
from typing import Final

import strawberry
from graphql import GraphQLError
from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext
from strawberry.types.scalar import ScalarDefinition

from hippograph.api.arguments import read_time
from hippograph.api.graphql.chat.blocks import BlockMutations, BlockQueries
from hippograph.api.graphql.chat.chats import ChatMutations, ChatQueries
from hippograph.api.graphql.chat.memberships import InvitationQueries, MembershipMutations
from hippograph.api.graphql.chat.personas import PersonaMutations, PersonaQueries
from hippograph.api.graphql.chat.recording import RecordingMutations
from hippograph.api.graphql.chat.spaces import SpaceMutations, SpaceQueries
from hippograph.api.graphql.chat.states import StateMutations, StateQueries
from hippograph.api.graphql.chat.todos import TodoMutations, TodoQueries
from hippograph.api.graphql.context import reload_in_mutations
from hippograph.api.graphql.descriptions import describe
from hippograph.api.graphql.docs import object_type
from hippograph.api.graphql.entity.cards import CardQueries
from hippograph.api.graphql.entity.communities import CommunityQueries
from hippograph.api.graphql.entity.entities import TYPES, EntityMutations, EntityQueries
from hippograph.api.graphql.entity.merging import MergeMutations, MergeQueries
from hippograph.api.graphql.entity.summaries import SummaryMutations, SummaryQueries
from hippograph.api.graphql.errors import HANDLERS, DescribedErrors
from hippograph.api.graphql.http.limits import Limits
from hippograph.api.graphql.http.observed import Observed
from hippograph.api.graphql.memory.contexts import ArchiveMutations, ContextQueries
from hippograph.api.graphql.memory.explaining import ExplanationQueries
from hippograph.api.graphql.memory.facts import AccessLabelMutations, FactMutations
from hippograph.api.graphql.memory.following import FeedSubscriptions
from hippograph.api.graphql.memory.forgetting import ForgettingMutations, ForgettingQueries
from hippograph.api.graphql.memory.lookup import LookupQueries
from hippograph.api.graphql.memory.searching import SearchQueries
from hippograph.api.graphql.memory.uses import UseQueries
from hippograph.api.graphql.operation.erasing import ErasureMutations, ErasureQueries
from hippograph.api.graphql.operation.maintenance import (
    MaintenanceMutations,
    MaintenanceQueries,
    MaintenanceSubscriptions,
    StatsQueries,
)
from hippograph.graph.errors import InvalidInput


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
    """All read operations."""


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
    """All write operations."""


@object_type
class Subscription(FeedSubscriptions, MaintenanceSubscriptions):
    """All subscriptions: over WebSocket (graphql-transport-ws), or as server-sent events (`text/event-stream`)."""


def _parse(given: object) -> datetime:
    if not isinstance(given, str):
        raise StrawberryInputCoercionError(f"{given!r} is no time; write it as text, like 2026-03-01T12:00+01:00")
    try:
        return read_time(given)
    except InvalidInput as error:
        raise StrawberryInputCoercionError(str(error)) from error


DATE_TIME: Final[ScalarDefinition] = strawberry.scalar(
    name="DateTime",
    description="A point in time. Responses give it in UTC, in the format of RFC 3339 (`2026-03-01T11:00:00+00:00`). "
    "Accepted are a time with an offset, a time without one, which is read as UTC, and a day "
    "(`2026-03-01`), which stands for its midnight in UTC.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
    serialize=methodcaller("isoformat"),
    parse_value=_parse,
)


class _Schema(strawberry.Schema):
    def process_errors(self, errors: Sequence[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Does nothing: `DescribedErrors` logs unexpected errors, with the request's id."""


schema: Final = _Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=list(TYPES.values()),
    extensions=[Observed, DescribedErrors, Limits],
    exception_handlers=HANDLERS,
    config=StrawberryConfig(scalar_map={datetime: DATE_TIME}),
)
"""The schema. Creating it opens no connection and reads no setting."""
describe(schema._schema)
reload_in_mutations(schema._schema)
