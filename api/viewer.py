"""The only place that makes viewers: from credentials, and from the names given to a command (P5)."""

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
"""How long the caller of a credential is cached, in seconds. A revoked key may work this much longer."""

_MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request: the viewer, in no chat and for no persona, and an id of the credential, for limits."""

    viewer: Viewer
    credential: str


class LocalUser:
    """Treats every request as made by the user of this machine, who has all rights.

    The credential and the account to act for are ignored.
    """

    def __init__(self, person: Person) -> None:
        self.viewer = Viewer(person.id, rights=ALL_RIGHTS, credential="local")

    async def authenticate(self, _credential: str | None, _acting_for: str | None = None) -> Caller:
        """Returns the local user."""
        return Caller(self.viewer, "local")


class Credentials:
    """Authenticates by bearer credentials: API keys, and signed tokens if keys for these are set.

    A request is made on behalf of the account that it names, if the credential may act for it; else of the
    credential's own account. A person is created for an account that has none. The viewer has the credential's rights.
    """

    def __init__(self, people: People, api_keys: ApiKeys, tokens: SignedTokens | None) -> None:
        self._people = people
        self._api_keys = api_keys
        self._tokens = tokens
        self._remembered: dict[bytes, tuple[float, Caller]] = {}

    async def authenticate(self, credential: str | None, acting_for: str | None = None) -> Caller:
        """Returns the owner of the credential, or the account that it acts for. Results are cached briefly.

        `credential` is the value of the header `Authorization`, None without it; `acting_for` is the account that a
        service names. Raises `Unauthenticated`, `NotAllowed` for a credential that may not act for the account, and
        `InvalidInput` if a new account cannot be a name.
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
        """The id of the person with an account. A new one is named after the account if the token's name is invalid."""
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
    """Returns the viewer acting for a person, in a chat, for a persona, and within a space, each given by name or id.
    A chat's own space replaces `space` (P7).

    Raises `NotFound`, `InvalidInput` if several have the name, and `NotAllowed` if the viewer may not act for others.
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
    """The viewer's chat with a title or id, global or inner. Raises `NotFound`, and `InvalidInput` for several."""
    return await service.browsing.chat_called(viewer, named_or_id("Chat", given))


async def space_named(service: "Service", viewer: Viewer, given: str) -> Space:
    """The viewer's space with a name or id, global or inner. Raises `NotFound`, and `InvalidInput` for several."""
    return await service.spaces.called(viewer, named_or_id("Space", given))
