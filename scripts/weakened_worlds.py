"""Worlds of the property test of the visibility rule, written to one graph once, in which weakened statements run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from benchmarks.environment import load_statements
from hippograph import cypher
from hippograph.api.service import Service
from hippograph.graph.errors import NotAllowed, NotFound
from tests.neo4j_servers import driver_of
from tests.property import test_visibility as visibility

WORLDS, FOR_EVERY_PATH = 24, 4
"""Number of random worlds beside the edge cases, and number of all worlds in which every path is checked unweakened."""
RULE = ("memory/load", "browse/memories")
"""The paths that are checked unweakened in all worlds: from where the viewer stands, and from where they see most."""


class Noting(cypher.Statements):
    """Statements that record which of them are requested."""

    def __init__(self, table: Mapping[str, cypher.Statement]) -> None:
        super().__init__(table)
        self._names: set[str] = set()

    def __getitem__(self, name: str) -> cypher.Statement:
        self._names.add(name)
        return super().__getitem__(name)

    def taken(self) -> set[str]:
        """Returns the names of the statements that were requested since the last call."""
        taken, self._names = self._names, set()
        return taken


@dataclass(frozen=True)
class Look:
    """A view of a world in the graph."""

    ground: visibility.Ground
    world: visibility.World
    view: visibility.View

    async def is_right(self, path: str, statements: cypher.Statements) -> bool:
        """Whether a path answers with these statements as the oracle does."""
        answer, oracle = visibility.PATHS[path]
        return oracle(self.world, self.view) == await answer(
            self.ground.of(self.world, statements), self.world, self.view
        )


@dataclass(frozen=True)
class Plan:
    """The plan of a world: the arguments of `visibility.build`, the changes of labels, and the views."""

    given: Sequence[Any]
    wishes: Sequence[visibility.Change]
    views: Sequence[visibility.View]

    async def laid_out(self, ground: visibility.Ground, statements: cypher.Statements) -> list[Look]:
        """Writes a new world of this plan with these statements, and returns its views. Raises `AssertionError` if
        labels differ from what they were set to.
        """
        world = visibility.build(*self.given)
        ground = ground.of(world, statements)
        await ground.load(world)
        for wish in self.wishes:
            await ground.change(world, wish)
        assert await ground.labels(world) == visibility.labels_of(world)
        return [Look(ground, world, view) for view in self.views]


class Worlds:
    """Worlds in a graph, in which statements are tried. `root` is the folder of the statements, unweakened at first."""

    def __init__(self, root: Path, ground: visibility.Ground, plans: Sequence[Plan]) -> None:
        self._root, self._ground, self._plans = root, ground, plans
        self._plain = Noting(load_statements(root))
        self._looks: list[Look] = []
        self._read: dict[str, set[str]] = {}
        self._written: set[str] = set()

    async def lay_out(self) -> None:
        """Lays the worlds out. Raises `AssertionError` if an unweakened path differs from the oracle."""
        for number, plan in enumerate(self._plans):
            looks = await plan.laid_out(self._ground, self._plain)
            self._written |= self._plain.taken()
            for path in visibility.PATHS if number < FOR_EVERY_PATH else RULE:
                for look in looks:
                    assert await look.is_right(path, self._plain), (path, look.view)
                self._read.setdefault(path, set()).update(self._plain.taken())
            self._looks += looks

    async def wrong_path(self) -> str | None:
        """Returns the first read path that differs from the oracle with the statements now in the folder, in the worlds
        laid out or in new ones that they write; "what is written" if these cannot be written or get wrong labels; None
        if all agree. Raises `AssertionError` if a laid-out world is wrong with the unweakened statements too.
        """
        cypher.load.cache_clear()
        statements = load_statements(self._root)
        changed = {name for name, each in statements.items() if each.text != self._plain[name].text}
        paths = [path for path, used in self._read.items() if used & changed]
        if (wrong := await _wrong(self._looks, paths, statements)) is not None:
            path, look = wrong
            assert await look.is_right(path, self._plain), (path, look.view)
            return path
        for plan in self._plans if self._written & changed else ():
            try:
                looks = await plan.laid_out(self._ground, statements)
            except (AssertionError, NotAllowed, NotFound, pytest.fail.Exception):
                return "what is written"
            if (wrong := await _wrong(looks, visibility.PATHS, statements)) is not None:
                return wrong[0]
        return None


async def _wrong(looks: Iterable[Look], paths: Iterable[str], statements: cypher.Statements) -> tuple[str, Look] | None:
    """Returns the first path that is wrong for one of these views, and the view; None if all are right."""
    for path, look in product(paths, looks):
        try:
            if not await look.is_right(path, statements):
                return path, look
        except AssertionError:  # a list of the search holds memories that it does not show
            return path, look
    return None


@asynccontextmanager
async def laid_out(service: Service, root: Path) -> AsyncIterator[Worlds]:
    """Yields the edge cases of the property test and random worlds, laid out. Raises `AssertionError` if an unweakened
    read path differs from the oracle.
    """
    plans: list[Plan] = []

    def draw(found, memberships, looks, wishes, legacy_disclosable, chats_of) -> None:  # type: ignore[no-untyped-def]
        plans.append(Plan((found, memberships, legacy_disclosable, chats_of), wishes, looks))

    visibility.in_worlds(WORLDS)(draw)()  # type: ignore[arg-type]
    assert service.slot
    async with driver_of(service.connection) as driver:
        with ThreadPoolExecutor(1) as executor:
            worlds = Worlds(root, visibility.Ground(service, driver, service.slot, executor), plans)
            await worlds.lay_out()
            yield worlds
