"""Import of memories kept as text elsewhere, which become facts of the importing viewer (W11)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from hippograph.graph.background import read_apart
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import OLD_DATA, START, EventPrecision, Report, Viewer
from hippograph.graph.people.entities import known_entities
from hippograph.graph.transfer.formats.reading import Skipped, Statement
from hippograph.graph.writing.fact import Fact, Subject, claim_key
from hippograph.graph.writing.facts import MAX_FACTS, Facts
from hippograph.graph.writing.purged import PurgedKeys, import_id, statement_key
from hippograph.graph.writing.recording import Recorder
from hippograph.nlp.splitting import split_text


@dataclass(slots=True)
class ImportedStatements:
    """The result of an import of statements: the numbers of facts stored (`recorded`), already stored (`repeated`) and
    left out because they were purged; of statements that were split; of secrets removed; and the refused statements.
    """

    recorded: int = 0
    repeated: int = 0
    purged: int = 0
    split: int = 0
    secrets_removed: int = 0
    refused: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A fact made of a statement or a part of it, and its place in the file."""

    fact: Fact
    place: str


class StatementImporter:
    """Imports memories kept as text. Each is stored once: a later import does not restore a fact that was retired."""

    def __init__(self, database: Database, clock: Clock, facts: Facts, recorder: Recorder) -> None:
        self._database = database
        self._clock = clock
        self._facts = facts
        self._recorder = recorder
        self._purged = PurgedKeys(database)

    async def run(
        self,
        viewer: Viewer,
        statements: Sequence[Statement],
        progress: Report | None = None,
        *,
        name: str,
        bring_back: bool = False,
    ) -> ImportedStatements:
        """Stores statements as facts of the viewer, with the source `migration` and their headings as tags.

        Equal statements become one memory. Secrets are removed, and a text that is too long becomes several facts. The
        facts of an import can be forgotten together by its `name`. Purged statements are left out, unless `bring_back`.
        """
        imported, alone = ImportedStatements(), viewer.alone()
        me = (await known_entities(self._database, self._clock, alone, [viewer.person_id]))[viewer.person_id]
        subject = Subject(me.id, me.key, me.type)
        kept = [each for statement in statements for each in await self._facts_of(alone, name, statement, imported)]
        for start in range(0, len(kept), MAX_FACTS):
            batch = {str(each.fact.idempotency_key): each for each in kept[start : start + MAX_FACTS]}
            purged = await self._left_out(batch, bring_back=bring_back)
            imported.purged += len(purged)
            batch = {key: each for key, each in batch.items() if key not in purged}
            there = await self._there(alone, subject, [each.fact for each in batch.values()])
            new = [each for key, each in batch.items() if key not in there]
            await self._store(alone, new, imported)
            imported.repeated += len(kept[start : start + MAX_FACTS]) - len(new) - len(purged)
            if progress:
                progress(min(start + MAX_FACTS, len(kept)), len(kept), kept[start].place)
        return imported

    async def _facts_of(
        self, viewer: Viewer, name: str, statement: Statement, imported: ImportedStatements
    ) -> list[_Kept]:
        text, removed = await read_apart(len(statement.text), lambda: self._recorder.redact(statement.text))
        tags = tuple(self._recorder.redact(heading)[0] for heading in statement.headings)
        parts = split_text(text, self._recorder.max_characters)
        imported.secrets_removed += removed
        imported.split += len(parts) > 1
        day, precision = statement.day, EventPrecision.DAY if statement.day else None
        since, until = statement.since, statement.until
        if since is None and day is None and until is not None and START < until <= self._clock():
            since = until - timedelta(microseconds=1)  # only its end is known
        fact = Fact(
            text,
            tags=tags,
            event_time=day,
            event_precision=precision,
            valid_from=since,
            valid_until=statement.until,
            source=OLD_DATA,
            import_id=import_id(viewer.person_id, name),
        )
        return [
            _Kept(
                replace(fact, content=part, idempotency_key=statement_key(viewer.person_id, part)),
                statement.place,
            )
            for part in parts
        ]

    async def _left_out(self, keys: Collection[str], *, bring_back: bool) -> set[str]:
        """Returns those of the keys that were purged; with `bring_back`, releases them all and returns none."""
        if bring_back:
            await self._purged.release(keys)
            return set()
        return await self._purged.among(keys)

    async def _there(self, viewer: Viewer, subject: Subject, facts: Sequence[Fact]) -> set[str]:
        """Returns the idempotency keys of the facts that are already stored, also if retired."""
        asked = [{"key": fact.idempotency_key, "claim_key": claim_key(fact, subject)} for fact in facts]
        rows = await self._database.run("fact/imported", facts=asked, scope=viewer.person_id)
        return {row["key"] for row in rows}

    async def _store(self, viewer: Viewer, kept: Sequence[_Kept], imported: ImportedStatements) -> None:
        """Stores facts. A refused batch is halved until the refused facts are found, so that the others are stored."""
        if not kept:
            return
        try:
            await self._facts.remember(viewer, [each.fact for each in kept])
            imported.recorded += len(kept)
        except InvalidInput as error:
            if len(kept) == 1:
                imported.refused.append(Skipped(kept[0].place, str(error)))
                return
            half = len(kept) // 2
            await self._store(viewer, kept[:half], imported)
            await self._store(viewer, kept[half:], imported)
