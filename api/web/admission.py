"""Admission of requests: authentication, the rate limit, and the error of a refusal (P5)."""

from collections.abc import Sequence
from typing import Final

from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.graph.errors import DatabaseUnavailable, InvalidInput, NotAllowed, Unauthenticated

AUTHORIZATION: Final = "authorization"
ACTING_FOR: Final = "hippograph-user"
"""The header with the account that a service acts for."""


class Refused(Exception):
    """A request that is refused: the HTTP status, the error code, and further headers of the response."""

    def __init__(self, status: int, code: str, message: str, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers


async def admitted(service: Service, credential: str | None, acting_for: str | None) -> Caller:
    """Authenticates a request and counts it against the rate limit. Raises `Refused`, also above the limit."""
    caller = await recognised(service, credential, acting_for)
    limit = service.rate_limit
    if limit is None or (limit.spares_services and caller.viewer.rights.serves_all):
        return caller
    if wait_s := await limit.wait_s(caller.credential):
        service.observation.metrics.rate_limited.inc()
        retry_after = [(b"retry-after", str(wait_s).encode())]
        raise Refused(429, "RATE_LIMITED", f"too many requests; try again in {wait_s} s", retry_after)
    return caller


async def recognised(service: Service, credential: str | None, acting_for: str | None) -> Caller:
    """Authenticates a request, without the rate limit. Raises `Refused`."""
    try:
        return await service.authenticator.authenticate(credential, acting_for)
    except Unauthenticated as error:
        raise Refused(401, error.code, str(error), [(b"www-authenticate", b"Bearer")]) from error
    except (NotAllowed, InvalidInput) as error:
        raise Refused(403, error.code, str(error)) from error
    except DatabaseUnavailable as error:
        raise Refused(503, error.code, "the database does not answer now; try again") from error
