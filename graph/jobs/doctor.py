"""Finds problems of a graph and says how to repair them: what Neo4j Community cannot enforce by constraints, and the
state of migrations, indexes, queues and the language model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import SchemaMismatch
from hippograph.graph.jobs.model_uses import ModelUses
from hippograph.graph.jobs.queue import Queue
from hippograph.graph.schema import VectorSlot, check_indexes, pending_migrations
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.embedding.parts import vector_checks

_STUCK_AFTER: Final = timedelta(minutes=10)

_RESTORE: Final = "nothing of ours writes this: look at what else writes to this graph, and restore from a backup"
_CHECKS: Final = {
    "check/malformed_memories": ("memories that lack a property or have one of a wrong type", _RESTORE),
    "check/malformed_entities": ("entities that lack a property or whose key is not of their type", _RESTORE),
    "check/dangling_turns": ("turns without their speaker, chat or session", _RESTORE),
    "check/dangling_sessions": ("sessions without their chat", _RESTORE),
    "check/stale_labels": ("memories whose index entries for whom they are about carry other labels", _RESTORE),
    "check/tangled_states": ("values of people's state that belong to nobody or hold beside another", _RESTORE),
    "check/half_merged": (
        "entities that were merged by half, or on which something hangs that came after",
        "merge them again, or take the merge back; else restore from a backup",
    ),
    "check/broken_chains": ("sessions whose turns are not one chain", _RESTORE),
    "check/broken_session_chains": ("sessions that do not lead to the next of their chat", _RESTORE),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem: what it is, how often it occurs, some ids or details as examples, and how to repair it."""

    what: str
    count: int
    examples: tuple[str, ...]
    mend: str


class Doctor:
    """Checks a graph, without writing to it."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        queues: Sequence[Queue],
        *,
        slot: VectorSlot | None,
        embedder: Embedder | None,
        analyzer: str,
        model_uses: ModelUses,
    ) -> None:
        """`embedder` is the model whose vectors fill `slot`."""
        self._database = database
        self._clock = clock
        self._queues = tuple(queues)
        self._slot = slot
        self._embedder = embedder
        self._analyzer = analyzer
        self._model_uses = model_uses

    async def examine(self) -> list[Finding]:
        """All problems found; empty for a healthy graph. Most checks scan the whole graph."""
        findings = await self._schema()
        for statement, (what, mend) in _CHECKS.items():
            findings += await self._count(statement, what, mend, now=self._clock())
        findings += await self._work()
        findings += await self._language_model()
        return findings

    async def _schema(self) -> list[Finding]:
        try:
            missing = await pending_migrations(self._database)
        except SchemaMismatch as error:
            return [Finding(str(error), 1, (), "see the message")]
        found = []
        if missing:
            names = tuple(migration.source for migration in missing)
            found.append(Finding("migrations that were not applied", len(missing), names, "run `hippograph migrate`"))
        for problem in await check_indexes(self._database, self._slot, self._analyzer):
            mend = "drop the index in Neo4j Browser (`DROP INDEX name`) and start again: it is made anew from the graph"
            found.append(Finding(problem, 1, (), mend))
        return found

    async def _work(self) -> list[Finding]:
        found = []
        if self._slot and self._embedder:
            found += await self._count(
                f"check/lost_vectors.{self._slot.name}",
                f"memories without a vector of {self._slot.model}, or entities without sounds, in no queue",
                "start a worker again: at its start it queues what lacks a vector",
                model=self._slot.model,
                dimensions=self._slot.dimensions,
                **vector_checks(self._embedder),
            )
        found += await self._count(
            "check/stuck_work",
            f"memories and entities that have waited for over {_STUCK_AFTER.seconds // 60} minutes",
            "is a worker running? start one with `hippograph worker`",
            before=self._clock() - _STUCK_AFTER,
        )
        for queue in self._queues:
            backlog = await queue.backlog()
            if backlog.failed:
                reasons = tuple(f"{times}x {reason}" for reason, times in backlog.reasons.items())
                mend = "mend the cause, then run `hippograph worker --retry-failed`"
                found.append(Finding(f"items that the job {queue.job!r} gave up", backlog.failed, reasons, mend))
        return found

    async def _language_model(self) -> list[Finding]:
        """A finding for each use of the language model whose last call failed."""
        return [
            Finding(
                f"calls of the language model for {use.name} that failed, the last one too",
                use.asked - use.answered,
                (f"the last one: {use.failure}",),
                "run `hippograph settings --check`; what is local serves meanwhile, and the model is asked again",
            )
            for use in await self._model_uses.counts()
            if use.fails
        ]

    async def _count(self, statement: str, what: str, mend: str, **params: object) -> list[Finding]:
        row = await self._database.one(statement, **params)
        if row is None or not row["found"]:
            return []
        return [Finding(what, row["found"], tuple(row["examples"]), mend)]
