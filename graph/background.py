"""Work beside the event loop: tasks that end with a context, and long texts read in threads."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeVar

_LONG: Final = 4_000
"""Characters that are read within a few milliseconds."""

_Result = TypeVar("_Result")


@asynccontextmanager
async def in_background(work: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Runs a coroutine as a task for as long as the context is open. An error that ended it is raised at the end."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def read_apart(characters: int, read: Callable[[], _Result]) -> _Result:
    """What reading so many characters of text gives; read in a thread when they are many."""
    return await asyncio.to_thread(read) if characters > _LONG else read()
