"""Rate limits of credentials. Each process counts for itself."""

import math
import time
from typing import Final

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

DEFAULT_RATE: Final = "1200/minute"
"""Default rate limit of a credential."""


class RateLimit:
    """A limit on the requests of each credential within a moving window of time, such as `600/minute`."""

    def __init__(self, rate: str, *, spares_services: bool = False) -> None:
        """With `spares_services`, credentials that serve everybody have no limit; `admitted` exempts them."""
        self.spares_services: Final = spares_services
        self._rate = parse(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def wait_s(self, credential: str) -> int:
        """Counts a request and returns 0 if it is within the limit; else returns the seconds until it would be."""
        if await self._limiter.hit(self._rate, credential):
            return 0
        window = await self._limiter.get_window_stats(self._rate, credential)
        return max(1, math.ceil(window.reset_time - time.time()))
