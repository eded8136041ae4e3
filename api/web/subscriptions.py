"""The limit on open subscriptions per credential. Each process counts for itself."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class OpenSubscriptions:
    """Counts the open subscriptions of each credential; `most` is the maximum per credential."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """Number of open subscriptions of all credentials."""
        return self._open.total()

    @contextmanager
    def one_more(self, credential: str) -> Iterator[bool]:
        """Yields whether the credential may open a subscription; if so, it is counted while the context is open."""
        room = self._open[credential] < self.most
        self._open[credential] += room
        try:
            yield room
        finally:
            self._open[credential] -= room
            if not self._open[credential]:
                del self._open[credential]
