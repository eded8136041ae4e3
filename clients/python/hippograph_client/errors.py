"""Every error of the client. Messages are the service's own, and say what to do next.

HippographError
├── InvalidInput        what was given cannot be taken; nothing was written
├── NotFound            it does not exist, or the viewer may not know that it does
├── NotAllowed          the viewer may see it, but not do this
├── Conflict            something else has this name, or this key other content
├── Unauthenticated     no token, or one that opens nothing
├── Unavailable         the service is busy or its database away; nothing was written, and trying again may help
│   └── RateLimited     too many requests of this credential
├── Unreachable         no service answered, or not in time: what was asked for may have been done or not
└── ServiceError        a mistake of the client's or the service's: another version, too large a request, a failure
"""

from typing import Any


class HippographError(Exception):
    """Something went wrong. `code` is one word for programs, such as `NOT_FOUND`."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def message(self) -> str:
        """What was wrong, and what to do about it."""
        return str(self)


class InvalidInput(HippographError):
    """What was given cannot be taken; nothing was written. `field` is the path of what was refused, where known."""

    def __init__(self, message: str, *, code: str, field: str | None = None) -> None:
        super().__init__(message, code=code)
        self.field = field


class NotFound(HippographError):
    """It does not exist, or the viewer may not know that it does."""


class NotAllowed(HippographError):
    """The viewer may see it, but not do this."""


class Conflict(HippographError):
    """Something else has this name, or this key stands for other content."""


class Unauthenticated(HippographError):
    """No token, or one that opens nothing."""


class Unavailable(HippographError):
    """The service is busy or its database away. Nothing was written; trying again may help.

    `retry_after_s` is in how many seconds, where the service says so.
    """

    retry_after_s: float = 0.0


class RateLimited(Unavailable):
    """Too many requests of this credential. Nothing was written; trying again may help."""


class Unreachable(HippographError):
    """No service answered, or not in time. What was asked for may have been done or not."""


class ServiceError(HippographError):
    """A mistake of the client's or the service's: another version, too large a request, a failure inside."""


_BY_CODE: dict[str, type[HippographError]] = {
    "INVALID_INPUT": InvalidInput,
    "NOT_FOUND": NotFound,
    "NOT_ALLOWED": NotAllowed,
    "CONFLICT": Conflict,
    "UNAUTHENTICATED": Unauthenticated,
    "DATABASE_UNAVAILABLE": Unavailable,
    "QUEUE_FULL": Unavailable,
    "RATE_LIMITED": RateLimited,
}


def error_of(code: str, message: str, field: str | None = None) -> HippographError:
    """The error of a code."""
    kind = _BY_CODE.get(code, ServiceError)
    return InvalidInput(message, code=code, field=field) if kind is InvalidInput else kind(message, code=code)


def error_in(answer: Any) -> HippographError | None:
    """The error in an answer of GraphQL: in `errors`, or as a member of a mutation's union; None without one."""
    if errors := answer.get("errors"):
        return error_of(errors[0].get("extensions", {}).get("code", "INTERNAL"), errors[0]["message"])
    for given in (answer.get("data") or {}).values():
        if isinstance(given, dict) and str(given.get("__typename", "")).endswith("Error"):
            return error_of(given["code"], given["message"], given.get("field"))
    return None
