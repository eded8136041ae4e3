"""Creates, lists, narrows, revokes and recognises API keys (P5). The graph stores a hash of each key, never the key."""

import hmac
import secrets
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from hippograph.graph.checks import checked_name, moment_after
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import InvalidInput, NotFound, Unauthenticated
from hippograph.graph.ids import new_id
from hippograph.graph.model import NO_END
from hippograph.graph.rights import EVERY, NO_RIGHTS, Rights

PREFIX: Final = "hippo"
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The stored data of an API key, without its secret. `account` and `person_id` are those of its owner."""

    id: str
    name: str
    account: str
    person_id: str
    rights: Rights
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether it is valid at this time."""
        return self.revoked_at is None and now < self.expires_at


class ApiKeys:
    """The API keys of a graph."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(
        self, account: str, name: str, *, rights: Rights = NO_RIGHTS, lifetime: timedelta | None = None
    ) -> tuple[ApiKey, str]:
        """Creates a key for an account. Returns it with the key's text, which cannot be read again.

        Without `lifetime` the key never expires. Raises `NotFound` if nobody has the account or a chat of `records`
        does not exist, and `InvalidInput` for an invalid name or lifetime.
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
            rights=_stored(rights),
            chats=[chat for chat in rights.records if chat != EVERY],
            now=now,
            expires_at=moment_after(now, lifetime) if lifetime else NO_END,
        )
        if row is None:
            raise NotFound(f"nobody has the account {account!r}")
        if row["unknown"]:
            raise NotFound(f"there is no chat {', '.join(row['unknown'])}; `hippograph chat list` shows chats")
        return _api_key(row["credential"]), f"{PREFIX}_{key_id}_{secret}"

    async def list(self) -> list[ApiKey]:
        """All keys, newest first, including revoked and expired ones."""
        return [_api_key(row["credential"]) for row in await self._database.run("credential/list")]

    async def narrow(self, key_id: str, rights: Rights) -> ApiKey:
        """Reduces the rights of a key to these. Raises `NotFound`, and `InvalidInput` for a right that it lacks."""

        async def work(transaction: Transaction) -> ApiKey:
            rows = await transaction.run("credential/lock", id=key_id, now=self._clock())
            if not rows:
                raise _missing(key_id)
            if not _api_key(rows[0]["credential"]).rights.includes(rights):
                raise InvalidInput("this key has not all of these rights: it can only lose some; make another key")
            [row] = await transaction.run("credential/set_rights", id=key_id, rights=_stored(rights))
            return _api_key(row["credential"])

        return await self._database.transaction("credential/set_rights", work)

    async def revoke(self, key_id: str) -> None:
        """Revokes a key. A key that was revoked before keeps its time. Raises `NotFound`."""
        if await self._database.one("credential/revoke", id=key_id, now=self._clock()) is None:
            raise _missing(key_id)

    async def recognise(self, key: str) -> ApiKey:
        """Returns the data of a key, given its text. Raises `Unauthenticated` without saying what is wrong with it."""
        prefix, _, rest = key.partition("_")
        key_id, _, secret = rest.partition("_")
        row = await self._database.one("credential/find", id=key_id) if prefix == PREFIX else None
        # An unknown key is compared too, so that the time taken does not reveal whether it exists.
        fits = hmac.compare_digest(_hash(secret), row["hash"] if row else _hash(""))
        if row is None or not fits or not (found := _api_key(row["credential"])).holds(self._clock()):
            raise Unauthenticated("this key is not known, has expired or was revoked")
        return found


def _missing(key_id: str) -> NotFound:
    return NotFound(f"there is no key {key_id!r}; `hippograph token list` shows them")


def _hash(secret: str) -> str:
    """A fast hash suffices: 256 random bits cannot be guessed."""
    return sha256(secret.encode()).hexdigest()


def _stored(rights: Rights) -> Row:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(rights).items()}


def _api_key(row: Row) -> ApiKey:
    return ApiKey(
        id=row["id"],
        name=row["name"],
        account=row["account"],
        person_id=row["person_id"],
        rights=Rights(tuple(row["acts_for"]), tuple(row["records"]), row["speaks_as"], row["admin"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
    )
