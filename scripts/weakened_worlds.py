"""Worlds of the property test of the rule, laid out once in one graph, in which weakened statements are run."""

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
"""How many worlds are made at random beside the edges, and in how many of all every path is walked as it is."""
RULE = ("memory/load", "browse/memories")
"""The paths that are walked as they are in all worlds: from where one stands, and from where one sees most."""


class Noting(cypher.Statements):
    """Statements that note which of them were asked for."""

    def __init__(self, table: Mapping[str, cypher.Statement]) -> None:
        super().__init__(table)
        self._names: set[str] = set()

    def __getitem__(self, name: str) -> cypher.Statement:
        self._names.add(name)
        return super().__getitem__(name)

    def taken(self) -> set[str]:
        """The names of those that were asked for since this was called last."""
        taken, self._names = self._names, set()
        return taken


@dataclass(frozen=True)
class Look:
    """A view of a world."""

    ground: visibility.Ground
    world: visibility.World
    view: visibility.View

    async def is_right(self, path: str, statements: cypher.Statements) -> bool:
        """Whether a path shows by these statements what the oracle says."""
        answer, oracle = visibility.PATHS[path]
        return oracle(self.world, self.view) == await answer(
            self.ground.of(self.world, statements), self.world, self.view
        )


@dataclass(frozen=True)
class Plan:
    """What a world is built of, who changes labels in it, and who looks."""

    given: Sequence[Any]
    wishes: Sequence[visibility.Change]
    views: Sequence[visibility.View]

    async def laid_out(self, ground: visibility.Ground, statements: cypher.Statements) -> list[Look]:
        """The views of a new world of this kind, which these statements wrote. Raises `AssertionError` where labels are
        others than they were set to.
        """
        world = visibility.build(*self.given)
        ground = ground.of(world, statements)
        await ground.load(world)
        for wish in self.wishes:
            await ground.change(world, wish)
        assert await ground.labels(world) == visibility.labels_of(world)
        return [Look(ground, world, view) for view in self.views]


class Worlds:
    """Worlds in a graph, and what statements do there. `root` is the folder of the statements, as they are now."""

    def __init__(self, root: Path, ground: visibility.Ground, plans: Sequence[Plan]) -> None:
        self._root, self._ground, self._plans = root, ground, plans
        self._plain = Noting(load_statements(root))
        self._looks: list[Look] = []
        self._read: dict[str, set[str]] = {}
        self._written: set[str] = set()

    async def lay_out(self) -> None:
        """Lays the worlds out. Raises `AssertionError` where a path answers otherwise than the oracle as it is."""
        for number, plan in enumerate(self._plans):
            looks = await plan.laid_out(self._ground, self._plain)
            self._written |= self._plain.taken()
            for path in visibility.PATHS if number < FOR_EVERY_PATH else RULE:
                for look in looks:
                    assert await look.is_right(path, self._plain), (path, look.view)
                self._read.setdefault(path, set()).update(self._plain.taken())
            self._looks += looks

    async def wrong_path(self) -> str | None:
        """The first read path that answers otherwise than the oracle by the statements that are in the folder now; or
        the first thing that is wrong in a world which they wrote. Raises `AssertionError` where a path did before.
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
    """The first path that is wrong for one of these views, and the view."""
    for path, look in product(paths, looks):
        try:
            if not await look.is_right(path, statements):
                return path, look
        except AssertionError:  # what a search found is not what it shows
            return path, look
    return None


@asynccontextmanager
async def laid_out(service: Service, root: Path) -> AsyncIterator[Worlds]:
    """The edges of the property test and worlds that are made at random. Raises `AssertionError` where a read path
    answers otherwise than the oracle as it is.
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
