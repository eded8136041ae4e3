"""Authentication by signed tokens (JWT, RFC 7519), checked against a set of keys that the operator provides (P5)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import jwt
import structlog

from hippograph.api.arguments import chat_or_every, inner_id
from hippograph.graph.clock import Clock, system_clock
from hippograph.graph.errors import InvalidInput, Unauthenticated
from hippograph.graph.rights import EVERY, Rights

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_TOKEN: Final = 8_192
_LEEWAY_S: Final = 30
_REQUIRED: Final = ("exp", "sub", "aud")
_KEPT: Final = timedelta(days=1)
"""How long the last known keys are used while the file of keys cannot be read."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The content of a token: an account, a name (None without one), and rights.

    `vouched` means that the signer of the token vouches for the name, so that it is not merely the person's own word.
    """

    account: str
    name: str | None
    vouched: bool
    rights: Rights


class SignedTokens:
    """Checks tokens. The file of keys (a JWK Set, RFC 7517) is read again when it changes, so that keys can rotate.
    If it can no longer be read, the last known keys are used for a day.

    A token names its key by `kid`. Only `algorithms` are accepted, whatever the token's header says. `vouched_name` is
    the claim with a name that people cannot give themselves.
    """

    def __init__(
        self,
        keys: Path,
        *,
        algorithms: list[str],
        audience: str,
        issuer: str | None = None,
        vouched_name: str | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._file = keys
        self._algorithms = algorithms
        self._audience = audience
        self._issuer = issuer
        self._vouched_name = vouched_name
        self._clock = clock
        self._keys, self._read_at = _read(keys)
        self._readable_at = clock()

    def claims(self, token: str) -> Claims:
        """Checks a token and returns its content.

        Raises `Unauthenticated`. The message does not say why a token is invalid, but names malformed claims of rights.
        """
        try:
            claims = self._decoded(token)
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Unauthenticated(
                "this token is not valid: it is expired, for somebody else, or not signed by us"
            ) from error
        if _text(claims["sub"]) is None:
            raise Unauthenticated("this token names no account in its claim sub")
        vouched = _text(claims.get(self._vouched_name)) if self._vouched_name else None
        name = vouched or _text(claims.get("name"))
        return Claims(claims["sub"], name, vouched is not None, _rights(claims))

    def _decoded(self, token: str) -> dict[str, Any]:
        if len(token) > _MAX_TOKEN:
            raise ValueError("too long")
        key = self._current().get(jwt.get_unverified_header(token).get("kid"))
        if key is None:
            raise ValueError("no such key")
        return jwt.decode(
            token,
            key,
            algorithms=[each for each in self._algorithms if each == key.algorithm_name],
            audience=self._audience,
            issuer=self._issuer,
            leeway=_LEEWAY_S,
            options={"require": list(_REQUIRED)},
        )

    def _current(self) -> dict[str | None, jwt.PyJWK]:
        """The keys by id. If the file can no longer be read, the last known keys are returned for a day, then none:
        keys that were withdrawn meanwhile must not stay valid for ever. Both cases are logged.
        """
        try:
            if self._file.stat().st_mtime_ns != self._read_at:
                self._keys, self._read_at = _read(self._file)
        except (OSError, InvalidInput) as error:
            if self._clock() - self._readable_at > _KEPT:
                log.critical("signed tokens are refused: their keys could not be read for a day", reason=str(error))
                return {}
            log.warning("the keys of signed tokens stay as they were for a day", reason=str(error))
        else:
            self._readable_at = self._clock()
        return self._keys


def _rights(claims: Mapping[str, Any]) -> Rights:
    """The rights in a token's claims, which name chats and the persona by id. Raises `Unauthenticated`."""
    persona, admin = claims.get("speaks_as"), claims.get("admin", False)
    if not isinstance(admin, bool):
        raise Unauthenticated("the claim admin is true or false")
    try:
        return Rights(
            acts_for=_listed(claims, "acts_for", "accounts"),
            records=tuple(chat_or_every(each) for each in _listed(claims, "records", "ids of chats")),
            speaks_as=None if persona is None else inner_id("Persona", str(persona)),
            admin=admin,
        )
    except InvalidInput as error:
        raise Unauthenticated(f"the claims records and speaks_as name ids: {error}") from error


def _listed(claims: Mapping[str, Any], name: str, what: str) -> tuple[str, ...]:
    given = claims.get(name, [])
    given = [EVERY] if given == EVERY else given
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise Unauthenticated(f"the claim {name} is a list of {what}, or {EVERY}")
    return tuple(given)


def _text(claim: object) -> str | None:
    return claim if isinstance(claim, str) and claim.strip() else None


def _read(file: Path) -> tuple[dict[str | None, jwt.PyJWK], int]:
    """Returns the keys by id, and the file's modification time in nanoseconds.

    The only key of a set also serves tokens without a key id. Raises `InvalidInput` for a file that is no JWK Set.
    """
    try:
        changed = file.stat().st_mtime_ns
        keys = jwt.PyJWKSet.from_dict(json.loads(file.read_text("utf-8"))).keys
    except (OSError, ValueError, jwt.PyJWTError, AttributeError, TypeError) as error:
        raise InvalidInput(f"{file} is no JSON Web Key Set: {error}") from error
    by_id: dict[str | None, jwt.PyJWK] = {key.key_id: key for key in keys}
    return (by_id | {None: keys[0]} if len(keys) == 1 else by_id), changed
