"""`bench communities`: times finding, storing and reading the communities of one group with many memories.

The people belong to circles, so that there are communities to find. Each memory is about two people.
"""

import random
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from benchmarks.environment import Report, Row, group_chat, neo4j_memory
from benchmarks.oracle import Record
from benchmarks.synthetic_data import BATCH, SEED, Maker, fill
from benchmarks.synthetic_population import USERS
from hippograph.api.service import Service
from hippograph.graph.access.parameters import read_params
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, Chat, Viewer
from hippograph.graph.schema import await_indexes
from hippograph.graph.summaries.communities import Scope

T = TypeVar("T")
CIRCLE: Final = 20
"""Number of people in a circle."""
WITHIN: Final = 0.9
"""Share of the memories that are about two people of one circle; others are about any two."""


async def measure(service: Service, memories: int, report: Report) -> list[Row]:
    """Fills a group with so many memories; times each step alone, then all of them with storing, and reading."""
    group = await _gather(service, memories, report)
    scope, rows = Scope(group.id, group.id), []
    database, asked = service.database, read_params(Viewer(group.id), None, service.clock)
    report(0, 0, "communities")

    async def step(what: str, work: Callable[[], Awaitable[T]]) -> T:
        started = time.perf_counter()
        done = await work()
        rows.append(Row(what, {"s": time.perf_counter() - started}))
        return done

    sources = await step(
        f"what all may see of {memories} memories",
        lambda: database.run("community/sources", scope=group.id, group=group.id, persona="", **asked),
    )
    ids, name = [row["id"] for row in sources], "bench"
    try:
        await step("projection", lambda: database.run("community/project", name=name, sources=ids))
        await step("Leiden and PageRank", lambda: database.run("community/find", name=name))
    finally:
        await database.run("community/drop", name=name)
    found = await step("all of it, estimated before and kept", lambda: service.community_finder.find(scope, write=True))
    rows[-1].numbers["MiB"] = found.bytes / 2**20
    await step("the first page, read by a viewer", lambda: service.communities.members(service.viewer(group.id)))
    communities = len({member.community for member in found.members})
    rows.append(
        Row("found", {"entities": len(found.members), "communities": communities, "modularity": found.modularity})
    )
    return rows + neo4j_memory(service, "Neo4j")


async def _gather(service: Service, memories: int, report: Report) -> Chat:
    """Fills an empty graph with a group, its people and its memories. Returns the group."""
    dice, maker = random.Random(SEED), Maker(service.slot.dimensions if service.slot else 1)  # noqa: S311
    group, people = await group_chat(service, "communities"), []
    for number in range(min(USERS, 2 * CIRCLE + memories // CIRCLE // CIRCLE * CIRCLE)):
        report(number, USERS, "people")
        people.append((await service.people.create_person(INTERNAL, f"Member{number} Crowd")).id)
    circles = [people[first : first + CIRCLE] for first in range(0, len(people), CIRCLE)]
    said = service.clock() - timedelta(days=1)
    for first in range(0, memories, BATCH):
        report(first, memories, "memories")
        batch = []
        for _ in range(min(BATCH, memories - first)):
            about = frozenset(dice.sample(dice.choice(circles) if dice.random() < WITHIN else people, 2))
            batch.append((new_id(), _record(group.id, dice.choice(people), about, said)))
        made = maker.rows(batch, maker.vectors(len(batch)), first)
        await fill(service.database, made, service.settings.embedding_model)
    await await_indexes(service.database)
    return group


def _record(group_id: str, speaker_id: str, about: frozenset[str], said: datetime) -> Record:
    return Record(
        owner_id=None,
        chat_id=group_id,
        persona_id=None,
        created_at=said,
        learned_at=said,
        valid_from=said,
        learned_in=group_id,
        speaker_id=speaker_id,
        source="conversation",
        about=about,
    )
