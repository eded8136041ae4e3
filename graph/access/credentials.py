"""API keys: made, listed, revoked and recognised (P5). The graph keeps a hash of each, never the key itself."""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from graph.checks import checked_name, moment_after
from graph.clock import Clock
from graph.database import Database, Row
from graph.errors import InvalidInput, NotFound, Unauthenticated
from graph.ids import new_id
from graph.model import NO_END

PREFIX: Final = "hippo"
EVERYBODY: Final = "*"
"""Among `acts_for`: a service that may act for any user."""

_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is known: whose account it is, and for which other accounts it may act (`*`: for all).

    One that may act for others is a trusted service's.
    """

    id: str
    name: str
    account: str
    person_id: str
    acts_for: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether it opens anything at this time."""
        return self.revoked_at is None and now < self.expires_at


class ApiKeys:
    """The API keys of a graph."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(
        self, account: str, name: str, *, acts_for: Sequence[str] = (), lifetime: timedelta | None = None
    ) -> tuple[ApiKey, str]:
        """A new key of an account and its secret, which is never shown again.

        Raises `NotFound` when nobody has the account, and `InvalidInput` for a bad name or lifetime.
        """
        if lifetime is not None and lifetime <= timedelta():
            raise InvalidInput("a key has to live for a while: give a number of days above 0")
        now, key_id, secret = self._clock(), new_id(), secrets.token_urlsafe(_SECRET_BYTES)
        row = await self._database.one(
            "credential/create",
            id=key_id,
            user_id=account,
            name=checked_name(name),
            hash=_hash(secret),
            acts_for=list(acts_for),
            now=now,
            expires_at=moment_after(now, lifetime) if lifetime else NO_END,
        )
        if row is None:
            raise NotFound(f"nobody has the account {account!r}")
        return _api_key(row["credential"]), f"{PREFIX}_{key_id}_{secret}"

    async def list(self) -> list[ApiKey]:
        """All keys, the newest first."""
        return [_api_key(row["credential"]) for row in await self._database.run("credential/list")]

    async def revoke(self, key_id: str) -> None:
        """Ends a key. Raises `NotFound`."""
        if await self._database.one("credential/revoke", id=key_id, now=self._clock()) is None:
            raise NotFound(f"there is no key {key_id!r}; `hippograph token list` shows them")

    async def recognise(self, key: str) -> ApiKey:
        """Whose key it is. Raises `Unauthenticated`: it says no more, whatever is wrong with it."""
        prefix, _, rest = key.partition("_")
        key_id, _, secret = rest.partition("_")
        row = await self._database.one("credential/find", id=key_id) if prefix == PREFIX else None
        # The comparison takes as long for a key that does not exist.
        fits = hmac.compare_digest(_hash(secret), row["hash"] if row else _hash(""))
        if row is None or not fits or not (found := _api_key(row["credential"])).holds(self._clock()):
            raise Unauthenticated("this key is not known, has expired or was revoked")
        return found


def _hash(secret: str) -> str:
    """Of 256 random bits: nobody tries them all, so a fast hash does."""
    return sha256(secret.encode()).hexdigest()


def _api_key(row: Row) -> ApiKey:
    return ApiKey(
        id=row["id"],
        name=row["name"],
        account=row["account"],
        person_id=row["person_id"],
        acts_for=tuple(row["acts_for"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
    )
