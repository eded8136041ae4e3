"""Work on texts, beside the event loop where they are long: else one of them would hold every other request."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

_LONG: Final = 4_000
"""Characters that are read within a few milliseconds."""

_Result = TypeVar("_Result")


async def read_apart(characters: int, read: Callable[[], _Result]) -> _Result:
    """What reading so many characters of text gives; read in a thread when they are many."""
    return await asyncio.to_thread(read) if characters > _LONG else read()
