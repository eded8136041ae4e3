"""Leases: files that processes lock while they need the server. The kernel unlocks them however the process ends."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from pathlib import Path

from hippograph.graph.local.supervisor import hold, is_held

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Lease:
    """One held file, and the open descriptor that holds its lock."""

    path: Path
    descriptor: int

    @classmethod
    def take(cls, leases: Path) -> Lease:
        """Creates and holds a new file; it is locked before it appears in the folder `leases`."""
        name = f"{os.getpid()}-{next(_numbers)}"
        new = leases.parent / f"lease-{name}"
        descriptor = hold(new)
        assert descriptor is not None, f"{new} is this process's own"
        path = leases / name
        new.replace(path)
        return cls(path, descriptor)

    def release(self) -> None:
        """Removes and unlocks the file; the supervisor notices."""
        self.path.unlink(missing_ok=True)
        os.close(self.descriptor)


def count(leases: Path) -> int:
    """The number of leases that are held."""
    return sum(is_held(path) for path in leases.iterdir()) if leases.exists() else 0
