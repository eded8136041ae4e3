"""Checks whether a started Neo4j answers, and explains why it does not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import neo4j
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from hippograph.graph.errors import LocalServerError, PortTaken, ServerDidNotStart, StoreUnusable
from hippograph.graph.local import logs
from hippograph.graph.local.folder import Folder

USER = "neo4j"
DATABASE = "neo4j"

# Logged by Neo4j when a database does not open. It may keep running without that database, or hang.
NOT_OPENED = "Failed to start DatabaseId"
LOCKED = ("StoreLockException", "FileLockException", "Unable to obtain lock on")
PORT_TAKEN = ("PortBindException", "Address already in use")


def answers(uri: str, password: str, folder: Folder) -> bool:
    """Whether the database answers queries. Raises `StoreUnusable` if it refuses the password."""
    with _quiet(), _driver(uri, password) as driver:
        try:
            driver.execute_query("RETURN 1", database_=DATABASE)
        except AuthError as error:
            raise StoreUnusable(
                f"Neo4j refuses the password in {folder.password}: it is not the one this data folder was made with. "
                f"Put the right one back, or, if its data may go, remove {folder.root}."
            ) from error
        except (Neo4jError, DriverError):
            return False
    return True


def check(folder: Folder, since: int) -> None:
    """Raises the error of `explain` if Neo4j has logged, from the offset `since` on, that a database does not open."""
    for error in logs.errors(folder, since):
        if error.startswith(NOT_OPENED):
            raise explain(folder, since, "Neo4j cannot open its store")


def explain(folder: Folder, since: int, reason: str) -> LocalServerError:
    """The error for a server that did not become ready, for a `reason`, with what its logs say from `since` on."""
    found = logs.for_message(folder, since)
    if any(sign in found for sign in PORT_TAKEN):
        return PortTaken(f"{reason}: another program took one of its ports meanwhile. Start it again.{found}")
    if any(sign in found for sign in LOCKED):
        return StoreUnusable(f"{reason}: another Neo4j has {folder.root} open. End that one, then try again.{found}")
    if NOT_OPENED in found:
        return StoreUnusable(
            f"{reason}. Restore the data folder {folder.root} from a backup, or, if its data may go, remove the folder "
            f"and import again.{found}"
        )
    return ServerDidNotStart(
        f"{reason}. The log below, or {folder.debug_log}, tells why; see to it and start it again.{found}"
    )


def _driver(uri: str, password: str) -> neo4j.Driver:
    return neo4j.GraphDatabase.driver(
        uri, auth=(USER, password), connection_timeout=5, max_transaction_retry_time=0, user_agent="hippograph-local"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the driver from logging that a starting server does not answer yet."""
    logger = logging.getLogger("neo4j")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
