"""Who visits a page, where they stand, and what their forms send.

The viewer comes from the credential: that of the header, as everywhere, or the key that somebody signed in with. A
cookie keeps it, which no script reads and no other site's page sends.
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
"""What stands in an address for looking with no persona; with nothing there one looks with all."""
COOKIE: Final = "hippograph_key"
CREDENTIAL: Final = re.compile(r"[A-Za-z0-9._~+/=-]{1,3800}")
"""What a cookie can keep: API keys, and signed tokens that are not too long for one."""

T = TypeVar("T", Chat, Persona, Space)

_CHOICES: Final = 100
_NOTHING: Final = "there is nothing of this id that you may choose"
_MOST_FIELDS: Final = 20
_FORM: Final = "application/x-www-form-urlencoded"
_OWN_PATH: Final = re.compile(r"/memory(?:[/?][^\\\x00-\x20\x7f]*)?")


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: who makes it, in which chat or within which space, and with which personas, among which they may
    choose; and the time zone of their days.
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
        """Whether a cookie brought the credential, so that there is one to take away."""
        return COOKIE in self.request.cookies

    @property
    def here(self) -> str:
        """This page's own address, to come back to."""
        pairs = [(name, value) for name, value in self.request.query_params.multi_items() if name != "done"]
        return address(self.request.url.path, dict(pairs))

    @property
    def back(self) -> str | None:
        """The page from which this one was opened, if it is one of ours."""
        return own_path(self.asked("back"))

    def asked(self, name: str) -> str | None:
        """What the address says under a name; None when that is nothing."""
        return self.request.query_params.get(name, "").strip() or None

    def url(self, path: str, **params: str | None) -> str:
        """The address of another page, seen from the same chat or space and with the same personas."""
        viewer = self.viewer
        return address(path, {"chat": viewer.chat_id, "space": viewer.space_id, "persona": self.persona, **params})

    @property
    def persona(self) -> str | None:
        """With which persona they look, as an address says it: an id, `none`, or nothing for all."""
        return None if self.viewer.every_persona else self.viewer.persona_id or NO_PERSONA

    def times(self) -> Times | None:
        """The two times of a read: the end of the day that the address names (`as_of`, or `day` by its number), and
        with `known` what was known by then. None for the present. Raises `InvalidInput`.
        """
        day = self._day()
        if day is None:
            return None
        now = self.service.clock()
        return Times(day, day if self.asked("known") else now)

    def _day(self) -> datetime | None:
        """The last moment of the chosen day; None for today and later."""
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
    """Lets a request in. Raises `Refused`, and `NotFound` for a chat, a space or a persona that the viewer may not
    choose.
    """
    service: Service = request.app.state.service
    headers, kept = request.headers, request.cookies.get(COOKIE)
    given = headers.get(AUTHORIZATION)
    if given and not given.lower().startswith("bearer ") and kept:
        given = None  # what a proxy asked for, and is none of ours
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
    if space and not chat:  # in a chat they look within its space
        at = at.within(space)
    viewer = at if persona else at.with_every_persona()
    zone = await service.people.time_zone(viewer)
    return Visit(request, service, viewer, known[viewer.person_id], chats, personas, spaces, zone)


async def _choices(
    listed: Awaitable[Listing[T]], wanted: str | None, known: Callable[[list[str]], Awaitable[Mapping[str, T]]]
) -> Mapping[str, T]:
    """What the viewer may choose, by id: what is listed, and what is wanted. Raises `NotFound`."""
    found = {each.item.id: each.item for each in (await listed).items}
    if wanted and wanted not in found:
        found |= await known([wanted])
        if wanted not in found:
            raise NotFound(_NOTHING)
    return found


def check_origin(request: Request) -> None:
    """Refuses a form that was not sent by one of our own pages. Raises `Refused`.

    Who has no page of ours in front of them has GraphQL: here also a request that does not say where it is from is
    refused, and the origins that may use the service otherwise.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:  # what the browser knows holds behind proxies too, which may give us another name
        ours = site == "same-origin"
    else:
        ours = origin is not None and urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
    if not ours:
        raise Refused(403, "CROSS_SITE", "This form did not come from a page of this service. Open the page anew.")


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form, with line ends as texts have them. Raises `InvalidInput` for what is no form of ours."""
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
    """An address if it is one of these pages; nobody is led elsewhere."""
    return given if given and _OWN_PATH.fullmatch(given) else None


def address(path: str, params: Mapping[str, str | None]) -> str:
    """A path with what is asked of it; what is None is left out."""
    query = urlencode({name: value for name, value in params.items() if value is not None})
    return f"{path}?{query}" if query else path


def with_notice(path: str, done: str) -> str:
    """An address of ours whose page says what was done."""
    parts = urlsplit(path)
    return address(parts.path, {**dict(parse_qsl(parts.query)), "done": done})
