"""Retrievers that walk from the best results along relationships: to causes and effects, to what was before and after,
and to what was recalled together.

A walk is one statement. It follows no path through a memory that the viewer may not see.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.retrieval.fusion import CO_RECALLED, CONTEXT
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, Ranked, RankedList, Request

_MOST_PATHS: Final = 40
"""Maximum number of paths from each seed, the shortest first; for `co_recalled`, of memories in all."""
_ASKING: Final = 80
"""A text of fewer characters that ends with a question mark only asks: a temporal path does not lead to it."""
_FADING: Final = 0.9
"""Factor by which each hop after the first reduces the strength of a path."""


class Walk:
    """Finds memories by walking from `Request.found` along `causal`, `temporal` or, one step, `co_recalled` links."""

    def __init__(self, name: str, database: Database, clock: Clock, slot: str) -> None:
        self._name = name
        self._database = database
        self._clock = clock
        self._statement = f"search/{'co_recalled' if name == CO_RECALLED else 'walked'}.{slot}"

    @property
    def name(self) -> str:
        """The name of its list."""
        return self._name

    async def retrieve(self, request: Request) -> RankedList:
        """The memories up to `Request.hops` away, each with the seeds that lead to it and the shortest path."""
        seeds = [item.id for item in request.found[: CONTEXT.seeds]]
        if not seeds:
            return EMPTY
        row = await self._database.one(
            self._statement,
            seeds=seeds,
            type=self._name.upper(),
            most=_MOST_PATHS,
            asking=_ASKING,
            **request.params(self._clock) | {"vector": request.vector, "depth": request.hops},
        )
        assert row is not None
        reached = _by_end(row["paths"])
        return RankedList([self._ranked(Ranked(**each), reached[each["id"]]) for each in row["found"]])

    def _ranked(self, item: Ranked, paths: Iterable[Row]) -> Ranked:
        seeds: dict[str, float] = {}
        for path in paths:
            strength = path["strength"] * _FADING ** (path["hops"] - 1)
            seeds[path["seed"]] = max(strength, seeds.get(path["seed"], 0.0))
        shortest = min(paths, key=lambda path: path["hops"])
        return replace(item, seeds=seeds, path=(shortest["seed"], *shortest["steps"]))


def _by_end(paths: Iterable[Row]) -> dict[str, list[Row]]:
    ends: dict[str, list[Row]] = {}
    for path in paths:
        ends.setdefault(path["steps"][-1], []).append(path)
    return ends
