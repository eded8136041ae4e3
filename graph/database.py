"""The connection to Neo4j: runs named statements, turns what comes back into plain values and what goes wrong
into our errors. It knows no statement by name and nothing of the domain.
"""

import asyncio
import itertools
import logging
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
)

Row = dict[str, Any]
Watch = Callable[[str], AbstractContextManager[object]]
T = TypeVar("T")
Work = Callable[[AsyncManagedTransaction], Awaitable[T]]

bookmarks: Final[ContextVar[frozenset[str]]] = ContextVar("bookmarks", default=frozenset())
"""The Neo4j bookmarks that this task's reads must have caught up with, as a caller brought them along."""

_TIMEOUT_S: Final = 30.0
_SCHEMA_TIMEOUT_S: Final = 3600.0
"""A migration of a large graph is one statement."""
_TIMED_OUT_PAUSE_S: Final = 0.5
"""What ran out of time is tried once more after this; those who can wait longer try again themselves."""
_CHANGED_PAUSES_S: Final = (0.02, 0.1, 0.3, 1.0)
"""What read something that was deleted meanwhile is tried again after each of these."""
_READ_PAUSES_S: Final = (0.1, 0.3, 1.0, 2.0)
_SCHEMA_PAUSES_S: Final = (0.1, 0.3, 1.0, 3.0)
"""Two who declare something at once deadlock; what they run can be run again."""
_GONE_MEANWHILE: Final = "Neo.ClientError.Statement.EntityNotFound"
"""Somebody deleted what the statement had read, such as an item of a queue that was done."""
_BAD_BOOKMARK: Final = "Neo.ClientError.Transaction.InvalidBookmark"
NO_PROCEDURE: Final = "Neo.ClientError.Procedure.ProcedureNotFound"
"""A plugin is missing."""
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
"""What the server answers from its first failure to write its files on, until it is started again."""
_TIMED_OUT: Final = frozenset(
    (
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.ClientError.Transaction.LockClientStopped",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    )
)
"""What was ended because it took too long; what waits for a lock then, or while the server goes down, hears the third.
The driver counts the first three as mistakes of the statement, but the server was busy, or others held the lock.
"""


class Transaction:
    """One open transaction, for the few writes that must look at what they did before they keep it."""

    def __init__(
        self, transaction: AsyncManagedTransaction, statements: Statements, constants: Mapping[str, object]
    ) -> None:
        self._transaction = transaction
        self._statements = statements
        self._constants = constants

    async def run(self, name: str, /, **params: object) -> list[Row]:
        """Runs a statement in this transaction; the rows with native values."""
        return await _run(self._transaction, self._statements[name], {**self._constants, **params})


class Database:
    """Runs the named statements. One for a process; safe to share between tasks.

    Reads go to any member of a cluster, writes to the one that takes them. A process reads what it wrote; to read
    elsewhere what was written here, carry `last_bookmarks()` over and set `bookmarks`.
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
        """`constants` are parameters that every statement is given that has them, such as settings that a rule reads.

        `watch` is told the name of each statement or transaction, and is open while it runs.
        """
        self._driver = driver
        self._statements = statements
        self._name = name
        self._constants = dict(constants or {})
        self._timeout_s = timeout_s
        self._watch = watch
        self._seen = AsyncGraphDatabase.bookmark_manager()
        self._on_commit: list[Callable[[], None]] = []
        self.retries: Final[Counter[str]] = Counter()
        """How often each transaction was tried again, mostly since two were in each other's way (deadlocks)."""

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
        """Opens a driver. Nothing is contacted before the first statement.

        `timeout_s` is how long a statement or transaction may take.
        """
        if not uri.startswith(("neo4j", "bolt")):
            # The driver would take an http:// address, and fail at the first statement.
            raise DatabaseRefused(f"{uri!r} is no address of a Neo4j; it looks like neo4j://host:7687")
        # It reports each transaction that it tries again, at length; they are counted in `retries`.
        logging.getLogger("neo4j.session").setLevel(logging.ERROR)
        try:
            driver = AsyncGraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=5,
                connection_acquisition_timeout=10,
                max_transaction_retry_time=5,
                initial_retry_delay=0.05,  # what is tried again was mostly two writers in each other's way
                notifications_min_severity="OFF",
                user_agent="hippograph",
                telemetry_disabled=True,  # the server would be told how the driver is used
            )
        except (DriverConfigurationError, ValueError) as error:
            raise DatabaseRefused(
                f"{uri!r} is no address of a Neo4j ({error}); it looks like neo4j://host:7687"
            ) from error
        return cls(driver, statements, name, constants, timeout_s=timeout_s, watch=watch)

    def on_commit(self, call: Callable[[], None]) -> None:
        """Has something called after each transaction that may have written."""
        self._on_commit.append(call)

    async def close(self) -> None:
        """Closes all connections."""
        await self._driver.close()

    async def run(self, statement: str, /, **params: object) -> list[Row]:
        """Runs a statement by name in a transaction of its own; the rows with native values.

        A write is committed when this returns. Raises `DatabaseUnavailable` when trying again may help
        (`DatabaseTimedOut` when it was out of time twice), else `DatabaseRefused` or `DatabaseFailed`.
        """
        return await self._execute(self._statements[statement], params)

    async def one(self, statement: str, /, **params: object) -> Row | None:
        """The first row of a statement, or None when there is none."""
        rows = await self._execute(self._statements[statement], params)
        return rows[0] if rows else None

    async def count(self, statement: str, /, **params: object) -> int:
        """The number that a statement with one column gives; 0 when it gives no row."""
        row = await self.one(statement, **params)
        if row is None:
            return 0
        [number] = row.values()
        return int(number)

    async def count_all(self, statement: str, /, *, limit: int, **params: object) -> int:
        """The sum of what a statement gives that does something at most `limit` times: it runs until it does less."""
        total, done = 0, limit
        while done >= limit:
            done = await self.count(statement, limit=limit, **params)
            total += done
        return total

    def names(self) -> list[str]:
        """The statements that there are, by name."""
        return sorted(self._statements)

    async def plan(self, statement: str, /) -> None:
        """Has the server make the plan of a statement, which it keeps for those who run it. Nothing is run."""
        known = self._statements[statement]
        query = neo4j.Query(f"EXPLAIN {known.text}", {"app": "hippograph", "statement": known.name}, self._timeout_s)
        # Plans are kept by the types of the parameters. Those outside the map are numbers.
        arguments = {"given": {}, **dict.fromkeys(known.bare, 1)}
        await self._in_session(neo4j.READ_ACCESS, lambda session: _read(session, query, arguments))

    async def transaction(
        self, label: str, work: Callable[[Transaction], Awaitable[T]], *, timeout_s: float | None = None
    ) -> T:
        """Runs `work` in one write transaction; an error that it raises takes everything back.

        `work` may run more than once, when the database asks to try again or time runs out.
        """

        @unit_of_work(metadata={"app": "hippograph", "statement": label}, timeout=timeout_s or self._timeout_s)
        @self._counting(label)
        async def run(transaction: AsyncManagedTransaction) -> T:
            return await work(Transaction(transaction, self._statements, self._constants))

        with self._watch(label):
            return await self._again(lambda: self._in_session(neo4j.WRITE_ACCESS, lambda s: s.execute_write(run)))

    async def refusal(self, statement: str, /) -> str:
        """The code of Neo4j's refusal to plan a statement, "" when it plans it. Nothing is run."""
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
        """Runs a statement of the schema by name: these open and end transactions of their own."""
        known = self._statements[statement]
        await self.apply(known.text, **known.arguments(params))

    async def apply(self, text: str, /, **params: object) -> None:
        """Runs one statement of a migration, again if another server changes the schema too. It may take an hour."""
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
        """How many connections of the driver's pool are `in_use`, and how many are `idle`."""
        opened = [one for pool in list(self._driver._pool.connections.values()) for one in list(pool)]
        in_use = sum(one.in_use for one in opened)
        return {"in_use": in_use, "idle": len(opened) - in_use}

    async def last_bookmarks(self) -> frozenset[str]:
        """What a reader elsewhere must have caught up with to see what this process wrote."""
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
            return await self._again(once)

    def _counting(self, name: str) -> Callable[[Work[T]], Work[T]]:
        """Counts how often the driver runs the work of a transaction after the first time."""

        def counting(work: Work[T]) -> Work[T]:
            tries = itertools.count()

            async def run(transaction: AsyncManagedTransaction) -> T:
                if next(tries):
                    self.retries[name] += 1
                return await work(transaction)

            return run

        return counting

    @staticmethod
    async def _again(work: Callable[[], Awaitable[T]]) -> T:
        """Does it again when it ran out of time, or met what was just deleted: the server took back what there was of
        it.
        """
        for pause in _CHANGED_PAUSES_S:
            try:
                return await work()
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
            # Texts are checked where they come in; this is for ids and keys, which only have to be equal to something.
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
    """What a Neo4j refuses that is not as it must be, and how that is mended there; None for another error."""
    if ".Security." in code:
        return "Neo4j refused the user", "see its roles there"
    if code in _READ_ONLY:
        return "Neo4j takes no writes to this database", "see server.databases.read_only there"
    if code == NO_PROCEDURE:
        return "Neo4j lacks a plugin", "`gds.…` is Graph Data Science: install it there"
    return None


async def _read(session: AsyncSession, query: neo4j.Query, arguments: dict[str, object]) -> list[Row]:
    """One round trip where a transaction takes three: a read that was cut off can simply be asked again."""
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
    """Driver values as plain Python: times as `datetime` in UTC, in lists and maps too."""
    if isinstance(value, DateTime):
        return value.to_native().astimezone(UTC)
    if isinstance(value, list):
        # A vector is a long list of numbers: nothing in it needs a look.
        return value if value and isinstance(value[0], float) else _native(value)
    if isinstance(value, dict):
        return {key: _native_value(item) for key, item in value.items()}
    return value
