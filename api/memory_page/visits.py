"""A request for a page: the viewer, the chat, space and persona chosen in its address, and the fields of its form.

The viewer is determined by the credential: the one in the header, as everywhere, or the key with which somebody signed
in. The key is kept in a cookie that scripts cannot read and that pages of other sites do not send.
"""

import re
from asyncio import gather
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import partial
from typing import Final, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.requests import Request

from hippograph.api.service import Service
from hippograph.api.web.admission import ACTING_FOR, AUTHORIZATION, Refused, admitted
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.model import Chat, Entity, Persona, Times, Viewer
from hippograph.graph.paging import Listing
from hippograph.graph.people.spaces import Space

HOME: Final = "/memory"
NO_PERSONA: Final = "none"
"""Value of the parameter `persona` for no persona; without the parameter, memories of all personas are shown."""
COOKIE: Final = "hippograph_key"
CREDENTIAL: Final = re.compile(r"[A-Za-z0-9._~+/=-]{1,3800}")
"""Credentials that fit into a cookie: API keys, and signed tokens of up to 3800 characters."""

T = TypeVar("T", Chat, Persona, Space)

_CHOICES: Final = 100
_NOTHING: Final = "there is nothing of this id that you may choose"
_MOST_FIELDS: Final = 20
_FORM: Final = "application/x-www-form-urlencoded"
_OWN_PATH: Final = re.compile(r"/memory(?:[/?][^\\\x00-\x20\x7f]*)?")


@dataclass(frozen=True, slots=True)
class Visit:
    """One request. `viewer` is in the chosen chat or space, and looks for the chosen persona or for all; `me` is the
    viewer's own entity. `chats`, `personas` and `spaces` are the choices, by id: the first `_CHOICES` of each, and the
    chosen one. `time_zone` is the viewer's (IANA name).
    """

    request: Request
    service: Service
    viewer: Viewer
    me: Entity
    chats: Mapping[str, Chat]
    personas: Mapping[str, Persona]
    spaces: Mapping[str, Space]
    time_zone: str

    @property
    def signed_in(self) -> bool:
        """Whether the request has the cookie with a key, so that signing out can delete it."""
        return COOKIE in self.request.cookies

    @property
    def here(self) -> str:
        """The address of this page, to return to; without the notice of the last change."""
        pairs = [(name, value) for name, value in self.request.query_params.multi_items() if name != "done"]
        return address(self.request.url.path, dict(pairs))

    @property
    def back(self) -> str | None:
        """The address of the page from which this one was opened; None if there is none or it is not one of ours."""
        return own_path(self.asked("back"))

    def asked(self, name: str) -> str | None:
        """The value of a query parameter, without surrounding whitespace; None if it is missing or empty."""
        return self.request.query_params.get(name, "").strip() or None

    def url(self, path: str, **params: str | None) -> str:
        """The address of another page, for the same chat, space and persona; `params` that are None are left out."""
        viewer = self.viewer
        return address(path, {"chat": viewer.chat_id, "space": viewer.space_id, "persona": self.persona, **params})

    @property
    def persona(self) -> str | None:
        """The persona as the parameter of an address: its id, `none` for no persona, or None for all."""
        return None if self.viewer.every_persona else self.viewer.persona_id or NO_PERSONA

    def times(self) -> Times | None:
        """The two times of a read; None for the present. The valid time is the end of the day in the address: the date
        `as_of`, or the ordinal number `day`. The time of knowledge is now, or with `known` the same moment. Raises
        `InvalidInput`.
        """
        day = self._day()
        if day is None:
            return None
        now = self.service.clock()
        return Times(day, day if self.asked("known") else now)

    def _day(self) -> datetime | None:
        """The last moment of the chosen day, in UTC; None without one, and for today and later."""
        written, number = self.asked("as_of"), self.asked("day")
        if written is None and number is None:
            return None
        try:
            day = datetime.fromisoformat(written) if written else datetime.fromordinal(int(number or ""))
            end = datetime.combine(day.date(), time.max, tzinfo=UTC)
        except (ValueError, OverflowError) as error:
            raise InvalidInput("this is no day: choose one, or write it as 2026-03-01") from error
        return end if end < self.service.clock() else None


async def open_visit(request: Request) -> Visit:
    """Authenticates a request, and reads from its address where the viewer is. Raises `Refused`, and `NotFound` for a
    chat, a space or a persona that the viewer may not choose.
    """
    service: Service = request.app.state.service
    headers, kept = request.headers, request.cookies.get(COOKIE)
    given = headers.get(AUTHORIZATION)
    if given and not given.lower().startswith("bearer ") and kept:
        given = None  # a credential for a proxy, not for us
    credential = given or (f"Bearer {kept}" if kept else None)
    viewer = (await admitted(service, credential, headers.get(ACTING_FOR))).viewer
    chat, space, persona = (request.query_params.get(name) or None for name in ("chat", "space", "persona"))
    named = None if persona == NO_PERSONA else persona
    browsing = service.browsing
    known, chats, personas, spaces = await gather(
        browsing.entities_by(viewer, [viewer.person_id]),
        _choices(browsing.chats(viewer, first=_CHOICES), chat, partial(browsing.chats_by_id, viewer)),
        _choices(browsing.personas(first=_CHOICES), named, browsing.personas_by_id),
        _choices(service.spaces.all(viewer, first=_CHOICES), space, partial(service.spaces.by_id, viewer)),
    )
    if chat and space and chats[chat].space_id not in (None, "", space):
        raise NotFound(_NOTHING)
    at = viewer.at(chat, named)
    if space and not chat:  # a chat implies its space
        at = at.within(space)
    viewer = at if persona else at.with_every_persona()
    zone = await service.people.time_zone(viewer)
    return Visit(request, service, viewer, known[viewer.person_id], chats, personas, spaces, zone)


async def _choices(
    listed: Awaitable[Listing[T]], wanted: str | None, known: Callable[[list[str]], Awaitable[Mapping[str, T]]]
) -> Mapping[str, T]:
    """The choices of the viewer, by id: those listed, and the wanted one. Raises `NotFound` if that does not exist."""
    found = {each.item.id: each.item for each in (await listed).items}
    if wanted and wanted not in found:
        found |= await known([wanted])
        if wanted not in found:
            raise NotFound(_NOTHING)
    return found


def check_origin(request: Request) -> None:
    """Raises `Refused` for a form that was not sent by one of our own pages.

    Requests that do not say where they come from are refused too, and so are those from `allowed_origins`: other
    clients can use GraphQL.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:  # decided by the browser; also right behind a proxy that changes the host
        ours = site == "same-origin"
    else:
        ours = origin is not None and urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
    if not ours:
        raise Refused(403, "CROSS_SITE", "This form did not come from a page of this service. Open the page anew.")


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form by name, with CRLF converted to LF. Raises `InvalidInput` for another content type and for
    more than `_MOST_FIELDS` fields.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = (await request.body()).decode("utf-8", "replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS) if kind == _FORM else None
    except ValueError:
        pairs = None
    if pairs is None:
        raise InvalidInput("this is none of the forms of these pages: open the page anew")
    return {name: value.replace("\r\n", "\n") for name, value in pairs}


def own_path(given: str | None) -> str | None:
    """The given address if it is below `/memory`, else None; this prevents redirects to other sites."""
    return given if given and _OWN_PATH.fullmatch(given) else None


def address(path: str, params: Mapping[str, str | None]) -> str:
    """A path with a query string; parameters that are None are left out."""
    query = urlencode({name: value for name, value in params.items() if value is not None})
    return f"{path}?{query}" if query else path


def with_notice(path: str, done: str) -> str:
    """The same address with the parameter `done`, which makes its page show a notice."""
    parts = urlsplit(path)
    return address(parts.path, {**dict(parse_qsl(parts.query)), "done": done})
