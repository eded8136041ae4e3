"""What was purged, as an import knows it again: by hashes, which tell nothing of the words (M13)."""

from collections.abc import Collection

from hippograph.graph.database import Database
from hippograph.graph.ids import derived_id
from hippograph.graph.writing.fact import text_key


def statement_key(person_id: str, content: str) -> str:
    """The hash by which a statement that somebody imports is known again: the same words are one memory."""
    return derived_id("statement", person_id, text_key(content))


def import_id(person_id: str, name: str) -> str:
    """The hash by which memories say with which of somebody's imports they came: by the name that it was given."""
    return derived_id("import", person_id, name)


class PurgedKeys:
    """Reads and releases the hashes of what was purged."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def among(self, keys: Collection[str]) -> set[str]:
        """Which of these hashes are of what was purged."""
        rows = await self._database.run("forgetting/purged", keys=list(keys)) if keys else []
        return {row["key"] for row in rows}

    async def release(self, keys: Collection[str]) -> None:
        """Lets what was purged under these hashes be imported again."""
        if keys:
            await self._database.run("forgetting/release_keys", keys=list(keys))
