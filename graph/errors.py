"""Every error that the graph package raises on purpose. Messages say what to do next.

HippographError
├── InvalidInput                the input is invalid; nothing was written
├── NotFound                    it does not exist, or the viewer may not know that it does
├── Unauthenticated             the credential is missing or invalid
├── NotAllowed                  the viewer may see it, but not do this
├── Conflict                    it conflicts with what is stored, such as a name that is taken or a concurrent change
├── FellBehind                  a follower of new memories read them too slowly
├── QueueFull                   the backlog of an owner or a group is full; nothing was written
├── DatabaseUnavailable         Neo4j does not answer now; a retry may help
│   └── DatabaseTimedOut        a statement timed out and was rolled back
│       └── DatabaseChanged     what it had read was deleted meanwhile
│           └── StaleRead       what its caller had read was changed meanwhile
├── DatabaseRefused             Neo4j cannot be used: wrong address, user or password, or it lacks what we need
├── DatabaseFailed              Neo4j rejected a statement: a bug
├── SchemaMismatch              the graph or an export is of another version, or for another embedding model
└── LocalServerError            a failure of the Neo4j that hippograph runs itself
    ├── DownloadFailed          an artifact could not be downloaded, or does not match the lock
    ├── JavaUnusable            no Java that runs Neo4j
    ├── PortTaken               a configured port is used by another program
    ├── ServerDidNotStart       Neo4j ended, or did not answer in time
    └── StoreUnusable           the data folder cannot be opened, or its password is wrong or missing
"""

from typing import ClassVar


class HippographError(Exception):
    """Base class of all errors that hippograph raises on purpose."""

    code: ClassVar[str] = "HIPPOGRAPH"
    retryable: ClassVar[bool] = False


class InvalidInput(HippographError):
    """The input is invalid; nothing was written.

    `value` is the invalid value, if it is a single one; from it an API tells which of its fields is meant.
    """

    code = "INVALID_INPUT"

    def __init__(self, message: str, *, value: object = None) -> None:
        super().__init__(message)
        self.value = value


class NotFound(HippographError):
    """It does not exist, or the viewer may not know that it does; the two cases cannot be told apart."""

    code = "NOT_FOUND"


class Unauthenticated(HippographError):
    """The credential is missing or invalid. Whether an invalid one is unknown, expired or revoked is not told."""

    code = "UNAUTHENTICATED"


class NotAllowed(HippographError):
    """The viewer may see it, but not do this."""

    code = "NOT_ALLOWED"


class Conflict(HippographError):
    """The request conflicts with what is stored: a name is taken, a key has other content, or it changed meanwhile."""

    code = "CONFLICT"


class FellBehind(HippographError):
    """A follower of new memories read them too slowly and gets no more; following again may work."""

    code = "FELL_BEHIND"
    retryable = True


class QueueFull(HippographError):
    """The backlog of an owner or a group is full. Nothing was written; a later retry helps."""

    code = "QUEUE_FULL"
    retryable = True

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most} memories of this owner or group wait to be worked on: try again later, or write more slowly"
        )


class DatabaseUnavailable(HippographError):
    """Neo4j does not answer now; a retry may help."""

    code = "DATABASE_UNAVAILABLE"
    retryable = True


class DatabaseTimedOut(DatabaseUnavailable):
    """A statement timed out and was rolled back; a retry may help."""


class DatabaseChanged(DatabaseTimedOut):
    """What a statement had read was deleted meanwhile. The statement was rolled back and should be run again."""


class StaleRead(DatabaseChanged):
    """What the caller of a transaction had read before it was changed meanwhile. The transaction was rolled back, and
    should be run again after reading again.
    """


class DatabaseRefused(HippographError):
    """Neo4j cannot be used: wrong address, user or password, or it lacks what we need."""

    code = "DATABASE_REFUSED"


class DatabaseFailed(HippographError):
    """Neo4j rejected a statement, which is a bug, or could not fill an index."""

    code = "DATABASE_FAILED"


class SchemaMismatch(HippographError):
    """The graph or an export is of another version of hippograph, or for another embedding model. Also raised if
    a migration by another process does not end, or an export was loaded only in part.
    """

    code = "SCHEMA_MISMATCH"


class LocalServerError(HippographError):
    """The Neo4j that hippograph runs itself could not do what was asked."""

    code = "LOCAL_SERVER"


class DownloadFailed(LocalServerError):
    """An artifact could not be downloaded, or does not match the lock."""

    code = "DOWNLOAD_FAILED"


class JavaUnusable(LocalServerError):
    """There is no Java that runs Neo4j, or the configured one does not."""

    code = "JAVA_UNUSABLE"


class PortTaken(LocalServerError):
    """A configured port is used by another program."""

    code = "PORT_TAKEN"


class ServerDidNotStart(LocalServerError):
    """Neo4j ended, or did not answer in time."""

    code = "SERVER_DID_NOT_START"


class StoreUnusable(LocalServerError):
    """The data folder cannot be opened, or its password is wrong or missing."""

    code = "STORE_UNUSABLE"
