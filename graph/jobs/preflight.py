"""Checks whether a Neo4j server that somebody else runs has the features that hippograph needs. The features are tried
out, since the version does not tell: Aura reports 5.27, and plugins and the roles of the user matter too.
"""

from dataclasses import dataclass
from typing import Final

from hippograph.graph.database import NO_PROCEDURE, Database, Transaction
from hippograph.graph.errors import DatabaseRefused

_INDEX_MISSING: Final = "Neo.ClientError.Schema.IndexNotFound"
"""Error code if the server supports the search but has no such index yet; the first start creates it."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A feature that a server lacks, and the remedy. `needed` says that nothing works without it."""

    what: str
    mend: str
    needed: bool = True


_NO_SEARCH: Final = Missing(
    "this Neo4j has no vector SEARCH of Cypher 25", "use Neo4j 2026.01 or newer, Community or Enterprise, or Aura"
)
_NO_WRITE: Final = "the user of Neo4j may not write to this database"
_NO_INDEX: Final = "the user of Neo4j may not create indexes in this database"
_RIGHTS: Final = (
    "give HIPPOGRAPH_NEO4J_USER a role that may (`architect`, `admin`), on a database that is not read-only"
)
_NO_GDS: Final = Missing(
    "without Graph Data Science `hippograph communities` and the notebooks do not work; all else does",
    "install its plugin in Neo4j, if you want communities",
    needed=False,
)


class _TakenBackError(Exception):
    """Rolls back a transaction that only tried whether a write is allowed."""


async def require_features(database: Database) -> None:
    """Raises `DatabaseRefused` with the missing features and their remedies if the server lacks a required one. Nothing
    is written.
    """
    if missing := await _needed(database):
        raise DatabaseRefused("\n".join(f"{each.what}: {each.mend}" for each in missing))


async def missing_features(database: Database) -> list[Missing]:
    """Returns the required features that the server lacks; if it has them all, the optional ones that it lacks. Nothing
    is written.
    """
    missing = await _needed(database)
    if missing or await database.refusal("community/find") != NO_PROCEDURE:
        return missing
    return [_NO_GDS]


async def _needed(database: Database) -> list[Missing]:
    if await database.refusal("server/vector_search") not in ("", _INDEX_MISSING):
        return [_NO_SEARCH]
    asked = {"server/write": _NO_WRITE, "server/create_index": _NO_INDEX}
    refused = {what: await _refused(database, statement) for statement, what in asked.items()}
    return [Missing(f"{what} ({why})", _RIGHTS) for what, why in refused.items() if why]


async def _refused(database: Database, statement: str) -> str:
    """Returns why a write is refused, "" if it is allowed. The write is rolled back."""

    async def attempt(transaction: Transaction) -> None:
        await transaction.run(statement)
        raise _TakenBackError

    try:
        await database.transaction(statement, attempt)
    except _TakenBackError:
        return ""
    except DatabaseRefused as error:
        return str(error)
    raise AssertionError("what is tried is taken back, or refused")
