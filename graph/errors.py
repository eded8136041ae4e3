"""Every error the graph package raises on purpose. Messages say what to do next.

HippographError
├── InvalidInput                what was given cannot be taken; nothing was written
├── NotFound                    it does not exist, or the viewer may not know that it does
├── Unauthenticated             no credential, or one that opens nothing
├── NotAllowed                  the viewer may see it, but not do this
├── Conflict                    something else already has this name, or this key other content
├── FellBehind                  who follows what is new read it too slowly
├── QueueFull                   too much of theirs waits to be worked on; nothing was written
├── DatabaseUnavailable         Neo4j does not answer now; trying again may help
│   └── DatabaseTimedOut        a statement took longer than it may; nothing of it was kept
│       └── DatabaseChanged     what it had read was deleted meanwhile
├── DatabaseRefused             Neo4j is not ours to use: wrong address, user or password, or it lacks what we need
├── DatabaseFailed              Neo4j rejected a statement: a mistake of ours
├── SchemaMismatch              the graph was made by another version, or for another embedding model
└── LocalServerError            the Neo4j that hippograph runs by itself
    ├── DownloadFailed          an artifact could not be fetched, or is not the one the lock names
    ├── JavaUnusable            no Java that runs Neo4j
    ├── PortTaken               a configured port belongs to another program
    ├── ServerDidNotStart       Neo4j ended, or did not answer in time
    └── StoreUnusable           the data folder cannot be opened, or its password does not fit
"""

from typing import ClassVar


class HippographError(Exception):
    """Something went wrong that hippograph knows about."""

    code: ClassVar[str] = "HIPPOGRAPH"
    retryable: ClassVar[bool] = False


class InvalidInput(HippographError):
    """What was given cannot be taken; nothing was written.

    `value` is what cannot, where it is one value: by it an interface knows which of its fields is meant.
    """

    code = "INVALID_INPUT"

    def __init__(self, message: str, *, value: object = None) -> None:
        super().__init__(message)
        self.value = value


class NotFound(HippographError):
    """It does not exist, or the viewer may not know that it does: both are answered alike."""

    code = "NOT_FOUND"


class Unauthenticated(HippographError):
    """No credential, or one that opens nothing; which of the two is not told."""

    code = "UNAUTHENTICATED"


class NotAllowed(HippographError):
    """The viewer may see it, but not do this."""

    code = "NOT_ALLOWED"


class Conflict(HippographError):
    """Something else already has this name, or this key stands for other content."""

    code = "CONFLICT"


class FellBehind(HippographError):
    """Who follows what is new read it too slowly, and is told no more; following again may work."""

    code = "FELL_BEHIND"
    retryable = True


class QueueFull(HippographError):
    """Too much of an owner or a group waits to be worked on. Nothing was written; trying again later helps."""

    code = "QUEUE_FULL"
    retryable = True

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most} memories of this owner or group wait to be worked on: try again later, or write more slowly"
        )


class DatabaseUnavailable(HippographError):
    """Neo4j does not answer now; trying again may help."""

    code = "DATABASE_UNAVAILABLE"
    retryable = True


class DatabaseTimedOut(DatabaseUnavailable):
    """A statement took longer than it may, and nothing of it was kept; trying again may help."""


class DatabaseChanged(DatabaseTimedOut):
    """What a statement had read was deleted meanwhile, and nothing of it was kept; it is right to run it again."""


class DatabaseRefused(HippographError):
    """Neo4j is not ours to use: wrong address, user or password, or it lacks what we need."""

    code = "DATABASE_REFUSED"


class DatabaseFailed(HippographError):
    """Neo4j rejected a statement: a mistake of ours."""

    code = "DATABASE_FAILED"


class SchemaMismatch(HippographError):
    """The graph was made by another version of hippograph, or for another embedding model."""

    code = "SCHEMA_MISMATCH"


class LocalServerError(HippographError):
    """The embedded Neo4j could not do what was asked."""

    code = "LOCAL_SERVER"


class DownloadFailed(LocalServerError):
    """An artifact could not be fetched, or is not the one the lock names."""

    code = "DOWNLOAD_FAILED"


class JavaUnusable(LocalServerError):
    """There is no Java that runs Neo4j, or the configured one does not."""

    code = "JAVA_UNUSABLE"


class PortTaken(LocalServerError):
    """A configured port belongs to another program."""

    code = "PORT_TAKEN"


class ServerDidNotStart(LocalServerError):
    """Neo4j ended, or did not answer in time."""

    code = "SERVER_DID_NOT_START"


class StoreUnusable(LocalServerError):
    """The data folder cannot be opened, or its password does not fit."""

    code = "STORE_UNUSABLE"
