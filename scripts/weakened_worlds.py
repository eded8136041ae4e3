"""Worlds of the property test of the rule, laid out once in one graph, in which weakened statements are run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.environment import load_statements
from hippograph import cypher
from hippograph.api.service import Service
from tests.neo4j_servers import driver_of
from tests.property import test_visibility as visibility

WORLDS, FOR_EVERY_PATH = 24, 4
"""How many worlds are made at random beside the edges, and in how many of all every path is walked."""
RULE = ("memory/load", "browse/memories")
"""The paths that are walked in all worlds: from where one stands, and from where one sees most."""


class Noting(cypher.Statements):
    """Statements, and the names of those that were asked for."""

    def __init__(self, table: Mapping[str, cypher.Statement]) -> None:
        super().__init__(table)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> cypher.Statement:
        self.names.add(name)
        return super().__getitem__(name)


@dataclass(frozen=True)
class Look:
    """A view of a world, and what read paths have to show there."""

    ground: visibility.Ground
    world: visibility.World
    view: visibility.View
    expected: dict[str, set[str]] = field(default_factory=dict)

    async def answer(self, path: str, statements: cypher.Statements) -> set[str]:
        """What a path shows by these statements."""
        return await visibility.PATHS[path][0](self.ground.of(self.world, statements), self.world, self.view)


class Worlds:
    """What the read paths have to show in some worlds. `root` is the folder of the statements, as they are now."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._plain = Noting(load_statements(root))
        self._looks: list[Look] = []
        self._used: dict[str, set[str]] = {}

    async def add(self, look: Look, paths: Iterable[str]) -> None:
        """Takes a view, in which each path shows what the oracle says by the statements as they are."""
        for path in paths:
            self._plain.names.clear()
            look.expected[path] = visibility.PATHS[path][1](look.world, look.view)
            assert look.expected[path] == await look.answer(path, self._plain), (path, look.view)
            self._used.setdefault(path, set()).update(self._plain.names)
        self._looks.append(look)

    async def wrong_path(self) -> str | None:
        """The first read path that answers otherwise than the oracle, by the statements that are in the folder now."""
        cypher.load.cache_clear()
        statements = load_statements(self._root)
        changed = {name for name, each in statements.items() if each.text != self._plain[name].text}
        for path in dict.fromkeys((*RULE, *self._used)):
            for look in self._looks if self._used[path] & changed else ():
                try:
                    if path in look.expected and await look.answer(path, statements) != look.expected[path]:
                        return path
                except AssertionError:  # what a search found is not what it shows
                    return path
        return None


@asynccontextmanager
async def laid_out(service: Service, root: Path) -> AsyncIterator[Worlds]:
    """The edges of the property test and worlds that are made at random. Raises `AssertionError` where a read path
    answers otherwise than the oracle as it is.
    """
    drawn: list[dict[str, Any]] = []

    def draw(found, memberships, looks, wishes, legacy_disclosable, chats_of) -> None:  # type: ignore[no-untyped-def]
        drawn.append({"looks": looks, "wishes": wishes, "given": (found, memberships, legacy_disclosable, chats_of)})

    visibility.in_worlds(WORLDS)(draw)()  # type: ignore[arg-type]
    assert service.slot
    async with driver_of(service.connection) as driver:
        with ThreadPoolExecutor(1) as executor:
            ground, worlds = visibility.Ground(service, driver, service.slot, executor), Worlds(root)
            for number, each in enumerate(drawn):
                world = visibility.build(*each["given"])
                await ground.of(world).load(world)
                for wish in each["wishes"]:
                    await ground.of(world).change(world, wish)
                for view in each["looks"]:
                    await worlds.add(Look(ground, world, view), visibility.PATHS if number < FOR_EVERY_PATH else RULE)
            yield worlds
