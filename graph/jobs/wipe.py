"""Deletion of a whole graph."""

from hippograph.graph.database import Database


async def wipe(database: Database, kept: str) -> None:
    """Deletes all nodes except those of the schema and the one with the id `kept`. For benchmarks and tests only."""
    await database.schema("upkeep/wipe", kept=kept)
