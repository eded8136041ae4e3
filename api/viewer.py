"""Who asks: the one place that makes viewers, of credentials and of the names that a command is given (P5)."""

import time
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from hippograph.api.arguments import named_or_id
from hippograph.api.signed_tokens import SignedTokens
from hippograph.graph.access.credentials import PREFIX, ApiKeys
from hippograph.graph.errors import InvalidInput, NotAllowed, Unauthenticated
from hippograph.graph.model import Chat, Person, Viewer
from hippograph.graph.people.people import People
from hippograph.graph.people.spaces import Space
from hippograph.graph.rights import ALL_RIGHTS, EVERY, Rights

if TYPE_CHECKING:
    from hippograph.api.service import Service

_REMEMBERED_S: Final = 5.0
"""How long a recognised credential is trusted without looking it up again. A revoked key may work this much longer."""

_MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request: the viewer, in no chat and for no persona, and a name of the credential, for limits."""

    viewer: Viewer
    credential: str


class LocalUser:
    """Takes everybody who reaches the service for the user of this machine, whatever credential they bring.

    Who runs a service on their own machine has all rights.
    """

    def __init__(self, person: Person) -> None:
        self.viewer = Viewer(person.id, rights=ALL_RIGHTS, credential="local")

    async def authenticate(self, _credential: str | None, _acting_for: str | None = None) -> Caller:
        """The local user."""
        return Caller(self.viewer, "local")


class Credentials:
    """Asks for a bearer credential: an API key, or a signed token where keys for these are set.

    A request is made on behalf of the account that it names, where the credential may act for it, or of the
    credential's own. A person who is not there is made. The viewer has the credential's rights.
    """

    def __init__(self, people: People, api_keys: ApiKeys, tokens: SignedTokens | None) -> None:
        self._people = people
        self._api_keys = api_keys
        self._tokens = tokens
        self._remembered: dict[bytes, tuple[float, Caller]] = {}

    async def authenticate(self, credential: str | None, acting_for: str | None = None) -> Caller:
        """Who has the credential, or whom they act for.

        `credential` is the header `Authorization`, None without it; `acting_for` the account that a service names.
        Raises `Unauthenticated`, and `NotAllowed` for who may not act for the account.
        """
        scheme, _, secret = (credential or "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip() or not secret.isascii():
            raise Unauthenticated("send a credential: Authorization: Bearer …")
        digest = blake2b(repr((acting_for, secret.strip())).encode(), digest_size=32).digest()
        now = time.monotonic()
        until, caller = self._remembered.get(digest, (0.0, None))
        if caller is None or now >= until:
            caller = await self._caller(secret.strip(), acting_for)
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[digest] = now + _REMEMBERED_S, caller
        return caller

    async def _caller(self, secret: str, acting_for: str | None) -> Caller:
        if secret.startswith(f"{PREFIX}_"):
            key = await self._api_keys.recognise(secret)
            viewer = await self._viewer(key.account, key.account, True, key.rights, acting_for)
            return Caller(replace(viewer, credential=key.id), key.id)
        if self._tokens is None:
            raise Unauthenticated("this key is not known, has expired or was revoked")
        claims = self._tokens.claims(secret)
        name = claims.name or claims.account
        viewer = await self._viewer(claims.account, name, claims.vouched, claims.rights, acting_for)
        return Caller(replace(viewer, credential="token"), f"account {claims.account}")

    async def _viewer(self, account: str, name: str, vouched: bool, rights: Rights, acting_for: str | None) -> Viewer:
        if acting_for is None or acting_for == account:
            return Viewer(await self._person(account, name, vouched), rights=rights)
        if not rights.may_act_for(acting_for):
            raise NotAllowed("this credential may not act for that account")
        self_given = EVERY not in rights.vouches_in
        person = await self._people.with_account(acting_for, acting_for, self_given=self_given)
        return Viewer(person, rights=rights.for_another())

    async def _person(self, account: str, name: str, vouched: bool) -> str:
        """Who has an account, called by it where they cannot be called by the name that a token gives."""
        try:
            return await self._people.with_account(account, name, self_given=not vouched)
        except InvalidInput:
            if name == account:
                raise
            return await self._people.with_account(account, account, self_given=True)


async def named_viewer(
    service: "Service",
    viewer: Viewer,
    *,
    person: str | None = None,
    chat: str | None = None,
    persona: str | None = None,
    space: str | None = None,
) -> Viewer:
    """The viewer acting for a person, in a chat and for a persona, or within a space, each by the name or id that
    people give it; in a chat within that of the chat (P7).

    Raises `NotFound`, `InvalidInput` when several go by a name, and `NotAllowed` when they may not act for others.
    """
    if person:
        viewer = replace(viewer, person_id=(await service.people.called(viewer, person)).id)
    if space:
        viewer = viewer.within((await space_named(service, viewer, space)).id)
    if chat:
        found = await chat_named(service, viewer, chat)
        viewer = viewer.at(found.id).within(found.space_id)
    named = (await service.browsing.persona_called(named_or_id("Persona", persona))).id if persona else None
    return viewer.at(viewer.chat_id, named)


async def chat_named(service: "Service", viewer: Viewer, given: str) -> Chat:
    """The viewer's chat of a title or id, global or inner. Raises `NotFound`, and `InvalidInput` for several."""
    return await service.browsing.chat_called(viewer, named_or_id("Chat", given))


async def space_named(service: "Service", viewer: Viewer, given: str) -> Space:
    """The viewer's space of a name or id, global or inner. Raises `NotFound`, and `InvalidInput` for several."""
    return await service.spaces.called(viewer, named_or_id("Space", given))
