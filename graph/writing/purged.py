"""Hashes by which an import recognises what was purged; they reveal nothing of the words (M13)."""

from collections.abc import Collection

from hippograph.graph.database import Database
from hippograph.graph.ids import derived_id
from hippograph.graph.writing.fact import text_key


def statement_key(person_id: str, content: str) -> str:
    """The hash that identifies a statement that a person imports: the same words are one memory."""
    return derived_id("statement", person_id, text_key(content))


def import_id(person_id: str, name: str) -> str:
    """The hash that memories carry for the import they came with: one for each person and name of an import."""
    return derived_id("import", person_id, name)


class PurgedKeys:
    """Reads and deletes the stored hashes of what was purged."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def among(self, keys: Collection[str]) -> set[str]:
        """Returns those of the hashes that belong to something that was purged."""
        rows = await self._database.run("forgetting/purged", keys=list(keys)) if keys else []
        return {row["key"] for row in rows}

    async def release(self, keys: Collection[str]) -> None:
        """Deletes these hashes, so that what was purged under them can be imported again."""
        if keys:
            await self._database.run("forgetting/release_keys", keys=list(keys))
