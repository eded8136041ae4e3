"""What is done to a whole graph at once."""

from hippograph.graph.database import Database


async def wipe(database: Database, kept: str) -> None:
    """Deletes everything but the schema and the node of the id `kept`. Only for graphs of benchmarks and tests."""
    await database.schema("upkeep/wipe", kept=kept)
