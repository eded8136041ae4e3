"""How many subscriptions a credential has open. Each process counts for itself."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class OpenSubscriptions:
    """The subscriptions that are open, by credential, and how many of them each may have."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many are open in all."""
        return self._open.total()

    @contextmanager
    def one_more(self, credential: str) -> Iterator[bool]:
        """Counts a subscription while the context is open, if there is room for it; whether there was."""
        room = self._open[credential] < self.most
        self._open[credential] += room
        try:
            yield room
        finally:
            self._open[credential] -= room
            if not self._open[credential]:
                del self._open[credential]
