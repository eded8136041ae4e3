"""How many requests a credential may make in a stretch of time. Each process counts for itself."""

import math
import time
from typing import Final

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

DEFAULT_RATE: Final = "1200/minute"
"""What a credential of one person may do where nobody says otherwise."""


class RateLimit:
    """At most so many requests of a credential in any stretch of time: `600/minute`."""

    def __init__(self, rate: str, *, spares_services: bool = False) -> None:
        """With `spares_services` a service for everybody may ask as often as it likes."""
        self.spares_services: Final = spares_services
        self._rate = parse(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def wait_s(self, credential: str) -> int:
        """Counts a request, and says in how many seconds there is room for it: 0 for now."""
        if await self._limiter.hit(self._rate, credential):
            return 0
        window = await self._limiter.get_window_stats(self._rate, credential)
        return max(1, math.ceil(window.reset_time - time.time()))
