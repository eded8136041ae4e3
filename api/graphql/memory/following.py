"""Subscription to new memories. Each is sent only if the viewer may see it at the time of sending (P3)."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Final

import strawberry
from graphql import GraphQLError

from hippograph.api.arguments import optional_id
from hippograph.api.graphql.context import Context, Info
from hippograph.api.graphql.docs import argument, object_type, subscription
from hippograph.api.graphql.errors import LIMIT_EXCEEDED
from hippograph.api.graphql.memory.memories import Memory, memory
from hippograph.graph import model
from hippograph.graph.errors import DatabaseUnavailable, NotFound

RENEWED_S: Final = 5.0
"""Maximum interval between checks of a subscriber's credential, in seconds."""

_AT_ONCE: Final = 50
_FRESH_S: Final = 1.0
"""Maximum time between reading a memory and sending it, in seconds; after that it is read again."""
_PAUSE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class FeedFilter:
    """Filter of new memories: by chat, by persona (with those of none) and by type; None does not filter."""

    chat_id: str | None
    persona_id: str | None
    types: frozenset[model.MemoryType] | None

    def __contains__(self, found: model.Memory) -> bool:
        return (
            (self.chat_id is None or self.chat_id in (found.learned_in, found.chat_id))
            and (self.persona_id is None or found.persona_id in (None, self.persona_id))
            and (self.types is None or found.type in self.types)
        )


@object_type
class FeedSubscriptions:
    """Subscriptions to new memories."""

    @subscription
    async def memory_added(
        self,
        info: Info,
        chat_id: Annotated[
            strawberry.ID | None, argument("Only memories that were said in this chat or belong to it (default: any).")
        ] = None,
        persona_id: Annotated[
            strawberry.ID | None, argument("Only memories that belong to this persona or to none (default: any).")
        ] = None,
        types: Annotated[
            list[model.MemoryType] | None, argument("Only memories of these types (default: all).")
        ] = None,
    ) -> AsyncIterator[Memory]:
        """Turns and facts that are recorded from now on and that the viewer may see, each once, mostly in the order of
        recording. After an interrupted connection, read `memories` for what was recorded meanwhile.
        """
        context = info.context
        wanted = FeedFilter(
            optional_id("Chat", chat_id), optional_id("Persona", persona_id), frozenset(types) if types else None
        )
        await _check(context, wanted)
        with counted(context):
            async with aclosing(followed(context, wanted)) as following:
                async for found in following:
                    yield memory(found)


async def _check(context: Context, wanted: FeedFilter) -> None:
    """Raises `NotFound` for a chat in which the viewer takes no part, and for an unknown persona."""
    browsing = context.service.browsing
    if wanted.chat_id is not None and wanted.chat_id not in await browsing.chats_by_id(
        context.viewer, [wanted.chat_id]
    ):
        raise NotFound(f"there is no chat {wanted.chat_id}")
    if wanted.persona_id is not None and wanted.persona_id not in await browsing.personas_by_id([wanted.persona_id]):
        raise NotFound(f"there is no persona {wanted.persona_id}")


@contextmanager
def counted(context: Context) -> Iterator[None]:
    """Counts a subscription of the credential while the context is open. Raises `GraphQLError` above the limit."""
    limit = context.service.subscriptions
    with limit.one_more(context.caller.credential) as room:
        if not room:
            message = f"this credential has {limit.most} subscriptions open here, as many as it may; end one of them"
            raise GraphQLError(message, extensions={"code": LIMIT_EXCEEDED})
        yield


async def followed(context: Context, wanted: FeedFilter) -> AsyncGenerator[model.Memory, None]:
    """Yields new memories that match the filter and that the viewer may see. While the database is unavailable it waits
    and loses nothing. Raises `FellBehind` if the subscriber reads too slowly, and what `Context.renew` raises.
    """
    async with context.service.feed.follow() as follower:
        waiting: deque[str] = deque()
        while True:
            if len(waiting) < _AT_ONCE:  # the rest stays in the feed, which tells who falls behind
                waiting.extend(await follower.next(0 if waiting else RENEWED_S))
            ids = list(islice(waiting, _AT_ONCE))
            try:
                await context.renew()
                found = await context.service.browsing.memories(context.viewer, ids) if ids else {}
            except DatabaseUnavailable:
                await asyncio.sleep(_PAUSE_S)
                continue
            read_at = time.monotonic()  # after the read, so that a slow one is sent too
            while ids and time.monotonic() - read_at < _FRESH_S:
                waiting.popleft()
                if (one := found.get(ids.pop(0))) and one in wanted:
                    yield one
