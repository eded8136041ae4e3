"""Worlds of the property test of the rule, laid out once in one graph, in which weakened statements are run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.environment import load_statements
from hippograph import cypher
from hippograph.api.service import Service
from tests.neo4j_servers import driver_of
from tests.property import test_visibility as visibility

RANDOM_WORLDS = 6


@dataclass(frozen=True)
class Look:
    """A view of a world, and what each read path has to show there."""

    ground: visibility.Ground
    world: visibility.World
    view: visibility.View
    expected: Mapping[str, set[str]]


class Worlds:
    """What the read paths have to show in some worlds. `root` is the folder of the statements, as they are now."""

    def __init__(self, looks: Sequence[Look], root: Path) -> None:
        self._looks = looks
        self._root = root
        self._plain = load_statements(root)

    async def wrong_path(self) -> str | None:
        """The first read path that answers otherwise than the oracle, by the statements that are in the folder now."""
        cypher.load.cache_clear()
        statements = load_statements(self._root)
        changed = {name for name, each in statements.items() if each.text != self._plain[name].text}
        for name in sorted(visibility.PATHS, key=lambda path: path.partition(",")[0] not in changed):
            for look in self._looks:
                ground = look.ground.of(look.world, statements)
                try:
                    if await visibility.PATHS[name][0](ground, look.world, look.view) != look.expected[name]:
                        return name
                except AssertionError:  # what a search found is not what it shows
                    return name
        return None


@asynccontextmanager
async def laid_out(service: Service, root: Path) -> AsyncIterator[Worlds]:
    """The edges of the property test and some worlds that are made at random. Raises `AssertionError` where a read path
    answers otherwise than the oracle as it is.
    """
    drawn: list[dict[str, Any]] = []

    def draw(found, memberships, looks, wishes, legacy_disclosable, chats_of) -> None:  # type: ignore[no-untyped-def]
        drawn.append({"looks": looks, "wishes": wishes, "given": (found, memberships, legacy_disclosable, chats_of)})

    visibility.in_worlds(RANDOM_WORLDS)(draw)()  # type: ignore[arg-type]
    assert service.slot
    async with driver_of(service.connection) as driver:
        with ThreadPoolExecutor(1) as executor:
            nowhere, looks = visibility.Ground(service, driver, service.slot, executor), []
            for each in drawn:
                world = visibility.build(*each["given"])
                ground = nowhere.of(world)
                await ground.load(world)
                for wish in each["wishes"]:
                    await ground.change(world, wish)
                await visibility.agrees(ground, world, each["looks"], visibility.PATHS)
                for view in each["looks"]:
                    expected = {name: oracle(world, view) for name, (_, oracle) in visibility.PATHS.items()}
                    looks.append(Look(ground, world, view, expected))
            yield Worlds(looks, root)
