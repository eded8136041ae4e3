"""Suggests merges of existing entities whose names sound alike (T8).

When mentions are resolved, only a new entity is compared with the others. This compares existing entities with each
other, since they get aliases, and come up in more chats, later.
"""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.knowledge.entity_resolution.entity_linking import Candidate, Mention, Outcome, decide
from hippograph.graph.knowledge.entity_resolution.mentions import candidate
from hippograph.graph.knowledge.entity_resolution.name_mention import sounds

MOST: Final = 3
"""Maximum number of merges that are suggested for one entity at a time."""


class MergeSuggestions:
    """Finds entities that may be the same, and stores a suggestion to merge them."""

    def __init__(self, database: Database, clock: Clock, executor: Executor | None) -> None:
        """`executor` runs the comparison of names; None stands for the default one of the event loop."""
        self._database = database
        self._clock = clock
        self._executor = executor

    async def look(self, position: str, limit: int) -> tuple[int, str | None]:
        """Compares up to `limit` entities whose ids come after `position`. Returns the number of new suggestions, and
        the position from which to continue; None at the end.
        """
        [row] = await self._database.run("merge/named", position=position, limit=limit)
        alike = await asyncio.get_running_loop().run_in_executor(self._executor, _queries, row["entities"])
        found = await self._database.run(
            "enrichment/candidates",
            chats=[],
            queries=alike,
            ids=[{"id": each["id"], "speaker": None} for each in row["entities"]],
        )
        rows = await asyncio.get_running_loop().run_in_executor(self._executor, _suggested, found)
        written = await self._database.one("merge/suggest", rows=rows, now=self._clock()) if rows else None
        return (int(written["suggested"]) if written else 0), row["position"]


def _queries(entities: Sequence[Row]) -> list[Row]:
    keys = {each["id"]: sounds(each["names"], each["type"]) for each in entities}
    return [
        {"place": each["id"], "speaker": None, "query": f"sounds:({' '.join(keys[each['id']])})", "type": each["type"]}
        for each in entities
        if keys[each["id"]]
    ]


def _suggested(found: Sequence[Row]) -> list[Row]:
    """The pairs of entities that may be the same: each entity with its likeliest candidates (at most `MOST`)."""
    known = {row["entity"]["id"]: candidate(row["entity"]) for row in found if row["place"] is None}
    alike: dict[str, list[Candidate]] = {}
    for row in found:
        if row["place"] is not None:
            alike.setdefault(row["place"], []).append(candidate(row["entity"]))
    pairs: dict[tuple[str, str], Row] = {}
    for one_id, one in known.items():
        for other in _likeliest(one, alike.get(one_id, []), pairs):
            pairs.setdefault((min(one_id, other["other"]), max(one_id, other["other"])), other)
    return list(pairs.values())


def _likeliest(one: Candidate, alike: Sequence[Candidate], known: Mapping[tuple[str, str], Row]) -> list[Row]:
    rows: list[Row] = []
    for other in alike:
        if other.id == one.id or (min(one.id, other.id), max(one.id, other.id)) in known:
            continue
        verdict = decide(_mention(one, other), other)
        if verdict.outcome is not Outcome.OTHER:
            rows.append({"one": one.id, "other": other.id, "score": verdict.score, "reason": verdict.reason})
    return sorted(rows, key=lambda row: (-row["score"], row["other"]))[:MOST]


def _mention(one: Candidate, other: Candidate) -> Mention:
    """The name of `one` as a mention that may mean `other`, whose own name and id do not count as company."""
    company, people = one.company - {other.names[0]}, one.people - {other.id}
    return Mention(one.names[0], one.type, _chat(one, other), company, people)


def _chat(one: Candidate, other: Candidate) -> str:
    """The id of a chat in which both come up; without such a chat, one in which `one` does; empty without any."""
    return min(one.chats & other.chats or one.chats, default="")
