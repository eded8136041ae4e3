"""Background work: tasks bound to a context, and threads for the processing of long texts."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeVar

_LONG: Final = 4_000
"""Maximum number of characters processed on the event loop, which takes a few milliseconds."""

_Result = TypeVar("_Result")


@asynccontextmanager
async def in_background(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Runs a coroutine as a task while the context is open. If it failed, its error is raised when the context ends."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def read_apart(characters: int, read: Callable[[], _Result]) -> _Result:
    """Returns the result of `read`, which processes so many `characters` of text; a long text is read in a thread."""
    return await asyncio.to_thread(read) if characters > _LONG else read()
