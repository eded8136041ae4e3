"""Who is let in: the credential of a request, its share of requests, and what a refusal says (P5)."""

from collections.abc import Sequence
from typing import Final

from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.graph.errors import DatabaseUnavailable, InvalidInput, NotAllowed, Unauthenticated

AUTHORIZATION: Final = "authorization"
ACTING_FOR: Final = "hippograph-user"
"""The header in which a service names the account that it acts for."""


class Refused(Exception):
    """A request that is not looked at further: its status, its code, and headers of the answer."""

    def __init__(self, status: int, code: str, message: str, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers


async def admitted(service: Service, credential: str | None, acting_for: str | None) -> Caller:
    """On whose behalf a request is made. Raises `Refused`, also for who made too many of them."""
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
    """Whose credential it is. Raises `Refused`."""
    try:
        return await service.authenticator.authenticate(credential, acting_for)
    except Unauthenticated as error:
        raise Refused(401, error.code, str(error), [(b"www-authenticate", b"Bearer")]) from error
    except (NotAllowed, InvalidInput) as error:
        raise Refused(403, error.code, str(error)) from error
    except DatabaseUnavailable as error:
        raise Refused(503, error.code, "the database does not answer now; try again") from error
