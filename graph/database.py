"""The connection to Neo4j: runs named statements, and converts results to plain values and failures to our errors.

It knows no statement by name and nothing of the domain.
"""

import asyncio
import itertools
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from datetime import UTC
from typing import Any, Final, TypeVar

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, AsyncResult, AsyncSession, unit_of_work
from neo4j.exceptions import (
    AuthError,
    ClientError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)
from neo4j.exceptions import ConfigurationError as DriverConfigurationError
from neo4j.time import DateTime

from hippograph.cypher import Statement, Statements
from hippograph.graph.errors import (
    DatabaseChanged,
    DatabaseFailed,
    DatabaseRefused,
    DatabaseTimedOut,
    DatabaseUnavailable,
    HippographError,
    InvalidInput,
    StaleRead,
)

Row = dict[str, Any]
Watch = Callable[[str], AbstractContextManager[object]]
T = TypeVar("T")
Work = Callable[[AsyncManagedTransaction], Awaitable[T]]

bookmarks: Final[ContextVar[frozenset[str]]] = ContextVar("bookmarks", default=frozenset())
"""Neo4j bookmarks from the caller; the transactions of this task wait until the server has caught up with them."""

_TIMEOUT_S: Final = 30.0
_SCHEMA_TIMEOUT_S: Final = 3600.0
"""Timeout of a migration statement, in seconds; a single one may process a large graph."""
_TIMED_OUT_PAUSE_S: Final = 0.5
"""Pause before the only retry after a timeout, in seconds. Callers that can wait longer retry themselves."""
_CHANGED_PAUSES_S: Final = (0.02, 0.1, 0.3, 1.0)
"""Pauses before the retries of a statement that had read something deleted meanwhile, in seconds."""
_READ_PAUSES_S: Final = (0.1, 0.3, 1.0, 2.0)
_SCHEMA_PAUSES_S: Final = (0.1, 0.3, 1.0, 3.0)
"""Pauses between attempts of a schema statement, in seconds. They can deadlock and be run again."""
_GONE_MEANWHILE: Final = "Neo.ClientError.Statement.EntityNotFound"
"""Error code if something that the statement had read was deleted, such as a finished item of a queue."""
_BAD_BOOKMARK: Final = "Neo.ClientError.Transaction.InvalidBookmark"
NO_PROCEDURE: Final = "Neo.ClientError.Procedure.ProcedureNotFound"
"""Error code if a plugin is missing."""
_READ_ONLY: Final = frozenset(
    ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase")
)
_STOPPED: Final = frozenset(
    (
        "Neo.DatabaseError.Transaction.TransactionStartFailed",
        "Neo.DatabaseError.Transaction.TransactionCommitFailed",
        "Neo.DatabaseError.Transaction.TransactionLogError",
    )
)
"""Error codes that the server returns after it failed to write its files, until it is restarted."""
_TIMED_OUT: Final = frozenset(
    (
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.ClientError.Transaction.LockClientStopped",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    )
)
"""Error codes of timeouts. The third is for a transaction that waits for a lock when it times out or the server shuts
down. The driver treats the first three as errors of the statement, but the server was busy or others held the lock.
"""


class Transaction:
    """An open write transaction, for the few writes that must check what they did before it is committed."""

    def __init__(
        self, transaction: AsyncManagedTransaction, statements: Statements, constants: Mapping[str, object]
    ) -> None:
        self._transaction = transaction
        self._statements = statements
        self._constants = constants

    async def run(self, name: str, /, **params: object) -> list[Row]:
        """Runs a statement in this transaction and returns its rows, with native values."""
        return await _run(self._transaction, self._statements[name], {**self._constants, **params})


class Database:
    """Runs the named statements. One instance per process; safe to share between tasks.

    Reads go to any member of a cluster, writes to the leader. A process reads its own writes. Another process reads
    them if it sets `bookmarks` to the `last_bookmarks()` of this one.
    """

    def __init__(
        self,
        driver: AsyncDriver,
        statements: Statements,
        name: str = "neo4j",
        constants: Mapping[str, object] | None = None,
        *,
        timeout_s: float = _TIMEOUT_S,
        watch: Watch = nullcontext,
    ) -> None:
        """`constants` are passed to every statement that declares them, such as settings that a rule reads.

        `watch` is called with the name of each statement or transaction; its context is open while that runs.
        """
        self._driver = driver
        self._statements = statements
        self._name = name
        self._constants = dict(constants or {})
        self._timeout_s = timeout_s
        self._watch = watch
        self._seen = AsyncGraphDatabase.bookmark_manager()
        self._on_commit: list[Callable[[], None]] = []
        self._running = 0
        self._ran_at = time.monotonic()
        self.retries: Final[Counter[str]] = Counter()
        """Number of retries of each write transaction, by name; most are caused by deadlocks."""

    @classmethod
    def connect(
        cls,
        uri: str,
        user: str,
        password: str,
        statements: Statements,
        name: str = "neo4j",
        constants: Mapping[str, object] | None = None,
        *,
        timeout_s: float = _TIMEOUT_S,
        watch: Watch = nullcontext,
    ) -> "Database":
        """Creates a driver; it connects with the first statement. Raises `DatabaseRefused` for an invalid address.

        `timeout_s` is the timeout of a statement or transaction, in seconds.
        """
        if not uri.startswith(("neo4j", "bolt")):
            # The driver would accept an http:// address and fail at the first statement.
            raise DatabaseRefused(f"{uri!r} is no address of a Neo4j; it looks like neo4j://host:7687")
        # The driver logs every retry at length; they are counted in `retries` instead.
        logging.getLogger("neo4j.session").setLevel(logging.ERROR)
        try:
            driver = AsyncGraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=5,
                connection_acquisition_timeout=10,
                max_transaction_retry_time=5,
                initial_retry_delay=0.05,  # most retries are due to deadlocks, which are over soon
                notifications_min_severity="OFF",
                user_agent="hippograph",
                telemetry_disabled=True,  # else the driver would report its use to the server
            )
        except (DriverConfigurationError, ValueError) as error:
            raise DatabaseRefused(
                f"{uri!r} is no address of a Neo4j ({error}); it looks like neo4j://host:7687"
            ) from error
        return cls(driver, statements, name, constants, timeout_s=timeout_s, watch=watch)

    def on_commit(self, call: Callable[[], None]) -> None:
        """Registers a function that is called after each transaction that may have written."""
        self._on_commit.append(call)

    async def close(self) -> None:
        """Closes all connections."""
        await self._driver.close()

    async def run(self, statement: str, /, **params: object) -> list[Row]:
        """Runs a statement by name in its own transaction and returns its rows, with native values.

        A write is committed when this returns. Raises `DatabaseUnavailable` if a retry may help (`DatabaseTimedOut`
        after a second timeout), else `DatabaseRefused` or `DatabaseFailed`.
        """
        return await self._execute(self._statements[statement], params)

    async def one(self, statement: str, /, **params: object) -> Row | None:
        """The first row of a statement, or None if it returns none."""
        rows = await self._execute(self._statements[statement], params)
        return rows[0] if rows else None

    async def count(self, statement: str, /, **params: object) -> int:
        """The number returned by a statement with a single column; 0 if it returns no row."""
        row = await self.one(statement, **params)
        if row is None:
            return 0
        [number] = row.values()
        return int(number)

    async def count_all(self, statement: str, /, *, limit: int, **params: object) -> int:
        """Repeats a statement that processes at most `limit` items, until it processes fewer. Returns the total."""
        total, done = 0, limit
        while done >= limit:
            done = await self.count(statement, limit=limit, **params)
            total += done
        return total

    async def quiet(self, seconds: float) -> None:
        """Waits until this process has run no statement for so long; plans do not count."""
        rest = seconds
        while rest > 0:
            rest = seconds if self._running else self._ran_at + seconds - time.monotonic()
            await asyncio.sleep(max(0, rest))

    def names(self) -> list[str]:
        """The names of all statements, sorted."""
        return sorted(self._statements)

    async def plan(self, statement: str, /) -> None:
        """Makes the server plan a statement and cache the plan, without running it."""
        known = self._statements[statement]
        query = neo4j.Query(f"EXPLAIN {known.text}", {"app": "hippograph", "statement": known.name}, self._timeout_s)
        # The cache distinguishes types of parameters. Parameters outside the map are numbers.
        arguments = {"given": {}, **dict.fromkeys(known.bare, 1)}
        await self._in_session(neo4j.READ_ACCESS, lambda session: _read(session, query, arguments))

    async def transaction(
        self, label: str, work: Callable[[Transaction], Awaitable[T]], *, timeout_s: float | None = None
    ) -> T:
        """Runs `work` in one write transaction, which is rolled back if it raises an error.

        `work` may run more than once: after a retryable error of the database, and after a timeout. It may raise
        `StaleRead`, after which it is not run again.
        """

        @unit_of_work(metadata={"app": "hippograph", "statement": label}, timeout=timeout_s or self._timeout_s)
        @self._counting(label)
        async def run(transaction: AsyncManagedTransaction) -> T:
            return await work(Transaction(transaction, self._statements, self._constants))

        with self._watch(label):
            return await self._counted(lambda: self._in_session(neo4j.WRITE_ACCESS, lambda s: s.execute_write(run)))

    async def refusal(self, statement: str, /) -> str:
        """The error code with which Neo4j refuses to plan a statement, "" if it plans it. The statement is not run."""
        query = neo4j.Query(f"EXPLAIN {self._statements[statement].text}", timeout=self._timeout_s)

        async def plan(session: AsyncSession) -> str:
            try:
                await (await session.run(query)).consume()
            except ClientError as error:
                if not error.code or ".Security." in error.code:
                    raise
                return error.code
            return ""

        return await self._in_session(neo4j.READ_ACCESS, plan)

    async def schema(self, statement: str, /, **params: object) -> None:
        """Runs a schema statement by name, in an auto-commit transaction. Retries and timeout are those of `apply`."""
        known = self._statements[statement]
        await self.apply(known.text, **known.arguments(params))

    async def apply(self, text: str, /, **params: object) -> None:
        """Runs one statement of a migration, in an auto-commit transaction. Its timeout is an hour. It is retried after
        a transient error, such as a deadlock with another server that changes the schema.
        """
        query = neo4j.Query(text, {"app": "hippograph", "statement": "migration"}, _SCHEMA_TIMEOUT_S)

        async def run(session: AsyncSession) -> None:
            for pause in (*_SCHEMA_PAUSES_S, None):
                try:
                    await (await session.run(query, params)).consume()
                    return
                except TransientError:
                    if pause is None:
                        raise
                    await asyncio.sleep(pause)

        await self._in_session(neo4j.WRITE_ACCESS, run)

    def connections(self) -> dict[str, int]:
        """The number of connections in the driver's pool, `in_use` and `idle`."""
        opened = [one for pool in list(self._driver._pool.connections.values()) for one in list(pool)]
        in_use = sum(one.in_use for one in opened)
        return {"in_use": in_use, "idle": len(opened) - in_use}

    async def last_bookmarks(self) -> frozenset[str]:
        """The bookmarks with which another process sees what this one wrote."""
        return frozenset(await self._seen.get_bookmarks())

    async def _execute(self, statement: Statement, params: Mapping[str, object]) -> list[Row]:
        params = {**self._constants, **params}
        metadata = {"app": "hippograph", "statement": statement.name}
        query = neo4j.Query(statement.text, metadata, self._timeout_s)

        @unit_of_work(metadata=metadata, timeout=self._timeout_s)
        @self._counting(statement.name)
        async def write(transaction: AsyncManagedTransaction) -> list[Row]:
            return await _run(transaction, statement, params)

        async def once() -> list[Row]:
            if statement.mode == "read":
                arguments = statement.arguments(params)
                return await self._in_session(neo4j.READ_ACCESS, lambda session: _read(session, query, arguments))
            return await self._in_session(neo4j.WRITE_ACCESS, lambda session: session.execute_write(write))

        with self._watch(statement.name):
            return await self._counted(once)

    def _counting(self, name: str) -> Callable[[Work[T]], Work[T]]:
        """A decorator that counts in `retries` each run of the work of a transaction after the first."""

        def counting(work: Work[T]) -> Work[T]:
            tries = itertools.count()

            async def run(transaction: AsyncManagedTransaction) -> T:
                if next(tries):
                    self.retries[name] += 1
                return await work(transaction)

            return run

        return counting

    async def _counted(self, work: Callable[[], Awaitable[T]]) -> T:
        self._running += 1
        try:
            return await self._again(work)
        finally:
            self._running -= 1
            self._ran_at = time.monotonic()

    @staticmethod
    async def _again(work: Callable[[], Awaitable[T]]) -> T:
        """Runs `work`, and retries it after a timeout or if something that it had read was deleted. The server has
        rolled back the failed attempt.
        """
        for pause in _CHANGED_PAUSES_S:
            try:
                return await work()
            except StaleRead:
                raise
            except DatabaseChanged:
                await asyncio.sleep(pause)
            except DatabaseTimedOut:
                await asyncio.sleep(_TIMED_OUT_PAUSE_S)
                break
        return await work()

    async def _in_session(self, access: str, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        given = neo4j.Bookmarks.from_raw_values(bookmarks.get())
        try:
            async with self._driver.session(
                database=self._name,
                default_access_mode=access,
                bookmarks=given,
                bookmark_manager=self._seen,
            ) as session:
                result = await work(session)
        except UnicodeEncodeError as error:
            # Texts are validated as input; this is for ids and keys, which are only compared.
            raise InvalidInput(f"{error.object!r} is no Unicode text: send it without half surrogates") from error
        except AuthError as error:
            raise DatabaseRefused(
                f"Neo4j refused the user or password ({error.message}); see HIPPOGRAPH_NEO4J_USER and _PASSWORD"
            ) from error
        except (ServiceUnavailable, SessionExpired) as error:
            raise DatabaseUnavailable(f"Neo4j does not answer ({error}); try again when it is back") from error
        except (Neo4jError, DriverError) as error:
            raise _translated(error) from error
        if access == neo4j.WRITE_ACCESS:
            for call in self._on_commit:
                call()
        return result


def _translated(error: Neo4jError | DriverError) -> HippographError:
    code = (error.code or "") if isinstance(error, Neo4jError) else ""
    if code == _BAD_BOOKMARK:
        return InvalidInput("this is no bookmark: pass on what an earlier answer gave, unchanged")
    if refusal := _refusal(code):
        return DatabaseRefused(f"{refusal[0]} ({error}); {refusal[1]}")
    if code == _GONE_MEANWHILE:
        return DatabaseChanged(f"what a statement had read was deleted meanwhile ({error}); try again")
    if code in _TIMED_OUT:
        return DatabaseTimedOut(f"Neo4j was too busy for a statement ({error}); try again")
    if code in _STOPPED:
        return DatabaseUnavailable(
            f"Neo4j takes no more transactions, since it could not write its files ({error}): is the disk full? Make "
            "room, then start it again (`hippograph neo4j stop`; what needs it starts it)"
        )
    if error.is_retryable():
        return DatabaseUnavailable(f"Neo4j could not finish this now ({error}); try again")
    return DatabaseFailed(f"Neo4j rejected a statement: {error}")


def _refusal(code: str) -> tuple[str, str] | None:
    """What a misconfigured server refused, and the remedy; None for another error code."""
    if ".Security." in code:
        return "Neo4j refused the user", "see its roles there"
    if code in _READ_ONLY:
        return "Neo4j takes no writes to this database", "see server.databases.read_only there"
    if code == NO_PROCEDURE:
        return "Neo4j lacks a plugin", "`gds.…` is Graph Data Science: install it there"
    return None


async def _read(session: AsyncSession, query: neo4j.Query, arguments: dict[str, object]) -> list[Row]:
    """Runs a read in an auto-commit transaction: one round trip instead of three. It is safe to retry, since it only
    reads.
    """
    for pause in (*_READ_PAUSES_S, None):
        try:
            return await _rows(await session.run(query, arguments))
        except (Neo4jError, DriverError) as error:
            if pause is None or not error.is_retryable():
                raise
            await asyncio.sleep(pause)
    raise AssertionError("the last try returns or raises")


async def _run(transaction: AsyncManagedTransaction, statement: Statement, params: Mapping[str, object]) -> list[Row]:
    return await _rows(await transaction.run(statement.text, statement.arguments(params)))


async def _rows(result: AsyncResult) -> list[Row]:
    keys = result.keys()
    return [dict(zip(keys, _native(record.values()), strict=True)) async for record in result]


def _native(values: Iterable[Any]) -> list[Any]:
    return [_native_value(value) for value in values]


def _native_value(value: Any) -> Any:
    """A driver value as a plain Python value: times become `datetime` in UTC, also within lists and maps."""
    if isinstance(value, DateTime):
        return value.to_native().astimezone(UTC)
    if isinstance(value, list):
        # A vector is a long list of floats, which need no conversion.
        return value if value and isinstance(value[0], float) else _native(value)
    if isinstance(value, dict):
        return {key: _native_value(item) for key, item in value.items()}
    return value
