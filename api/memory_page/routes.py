"""The routes of the pages, signing in and out, and the error pages."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeAlias

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from hippograph.api.memory_page import changing, reading
from hippograph.api.memory_page.rendering import STATIC, plain_page
from hippograph.api.memory_page.visits import (
    COOKIE,
    CREDENTIAL,
    HOME,
    Visit,
    address,
    check_origin,
    form_of,
    open_visit,
    own_path,
)
from hippograph.api.service import Service
from hippograph.api.web.admission import ACTING_FOR, Refused, admitted
from hippograph.graph.errors import DatabaseUnavailable, HippographError, NotFound

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Work: TypeAlias = Callable[[Visit], Awaitable[Response]]
Answer: TypeAlias = Callable[[Request], Awaitable[Response]]

_SIGN_IN: Final = f"{HOME}/sign-in"
_STATUS: Final[Mapping[type[HippographError], int]] = {
    **changing.STATUS,
    NotFound: HTTPStatus.NOT_FOUND,
    DatabaseUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}
_WORDS: Final[Mapping[type[HippographError], str]] = {
    NotFound: "There is nothing here that you may see. It may be gone, or have been another's.",
    DatabaseUnavailable: "The database does not answer now. Try again in a moment.",
}
"""Messages shown in place of an error's own, which may name what was asked for, or hosts and ports."""


def routes() -> list[BaseRoute]:
    """All routes below `/memory`."""
    return [
        Route(HOME, _get(reading.search_page)),
        Route(f"{HOME}/", lambda _: RedirectResponse(HOME)),
        Route(f"{HOME}/me", _get(reading.about_me_page)),
        Route(f"{HOME}/people", _get(reading.entities_page)),
        Route(f"{HOME}/entity", _get(reading.entity_page)),
        Route(f"{HOME}/timeline", _get(reading.timeline_page)),
        Route(f"{HOME}/weak", _get(reading.weak_page)),
        Route(f"{HOME}/used", _get(reading.used_page)),
        Route(f"{HOME}/merges", _get(reading.merges_page)),
        Route(f"{HOME}/invitations", _get(reading.invitations_page)),
        Route(f"{HOME}/forgotten", _get(reading.forgotten_page)),
        Route(f"{HOME}/forgotten/plan", _post(changing.plan_forgetting), methods=["POST"]),
        Route(f"{HOME}/forgotten/carry-out", _post(changing.carry_out_forgetting), methods=["POST"]),
        Route(f"{HOME}/forgotten/undo", _post(changing.undo_forgetting), methods=["POST"]),
        Route(f"{HOME}/forgotten/purge", _post(changing.purge_forgotten), methods=["POST"]),
        Route(f"{HOME}/item/{{memory_id}}", _get(_item_page)),
        Route(f"{HOME}/item/{{memory_id}}/{{change}}", _post(changing.change_memory), methods=["POST"]),
        Route(f"{HOME}/merges/accept", _post(changing.accept_merge), methods=["POST"]),
        Route(f"{HOME}/merges/dismiss", _post(changing.dismiss_merge), methods=["POST"]),
        Route(f"{HOME}/merges/undo", _post(changing.undo_merge), methods=["POST"]),
        Route(f"{HOME}/invitations/accept", _post(changing.accept_invitation), methods=["POST"]),
        Route(f"{HOME}/invitations/decline", _post(changing.decline_invitation), methods=["POST"]),
        Route(_SIGN_IN, _guarded(_sign_in_page)),
        Route(_SIGN_IN, _guarded(_sign_in), methods=["POST"]),
        Route(f"{HOME}/sign-out", _guarded(_sign_out), methods=["POST"]),
        Mount(f"{HOME}/static", StaticFiles(directory=STATIC)),
        Route(f"{HOME}/{{rest:path}}", _get(_nothing)),
    ]


def _get(work: Work) -> Answer:
    """A handler that opens a visit and returns the page that `work` renders."""

    async def answer(request: Request) -> Response:
        return await work(await open_visit(request))

    return _guarded(answer)


def _post(work: Work) -> Answer:
    """A handler of a form, which must come from one of our own pages."""

    async def answer(request: Request) -> Response:
        check_origin(request)
        return await work(await open_visit(request))

    return _guarded(answer)


def _guarded(answer: Answer) -> Answer:
    """The same handler, with error pages for refusals and known errors; status 401 redirects to the sign-in page."""

    async def guarded(request: Request) -> Response:
        try:
            return await answer(request)
        except Refused as error:
            if error.status == HTTPStatus.UNAUTHORIZED:
                return _led_to_sign_in(request)
            response = plain_page("error.html", error.status, message=str(error))
            response.raw_headers.extend(error.headers)
            return response
        except HippographError as error:
            return _error_page(error)

    return guarded


def _error_page(error: HippographError) -> Response:
    kind = next((kind for kind in _STATUS if isinstance(error, kind)), None)
    if kind is None:
        raise error
    if kind is DatabaseUnavailable:
        log.warning("the database is unavailable", reason=str(error))
    return plain_page("error.html", _STATUS[kind], message=_WORDS.get(kind, str(error)))


async def _item_page(visit: Visit) -> Response:
    return await reading.memory_page(visit, visit.request.path_params["memory_id"])


async def _nothing(visit: Visit) -> Response:  # noqa: ARG001
    raise NotFound("there is no such page")


def _led_to_sign_in(request: Request) -> Response:
    """Redirects to the sign-in page, which leads back to the page that was requested by GET, else to `HOME`."""
    goal = address(request.url.path, dict(request.query_params)) if request.method == "GET" else HOME
    response = RedirectResponse(address(_SIGN_IN, {"next": goal}), HTTPStatus.SEE_OTHER)
    if COOKIE in request.cookies:  # a link from another site sends no cookie, and must not end a session
        response.delete_cookie(COOKIE, path=HOME)
    return response


async def _sign_in_page(request: Request) -> Response:
    goal = own_path(request.query_params.get("next")) or HOME
    return plain_page("sign_in.html", HTTPStatus.OK, goal=goal, error=None)


async def _sign_in(request: Request) -> Response:
    """Stores a key in a cookie if it is accepted as a credential."""
    check_origin(request)
    form, service = await form_of(request), _service(request)
    key, goal = form.get("key", "").strip(), own_path(form.get("next")) or HOME
    if not CREDENTIAL.fullmatch(key):
        words = "This is no key: paste it as hippograph token create printed it, on one line."
        return plain_page("sign_in.html", HTTPStatus.BAD_REQUEST, goal=goal, error=words)
    try:
        await admitted(service, f"Bearer {key}", request.headers.get(ACTING_FOR))
    except Refused as error:
        if error.status != HTTPStatus.UNAUTHORIZED:
            raise
        words = "This key opens nothing: it is not known, has expired or was revoked."
        return plain_page("sign_in.html", HTTPStatus.UNAUTHORIZED, goal=goal, error=words)
    response = RedirectResponse(goal, HTTPStatus.SEE_OTHER)
    secure = service.settings.tls or request.url.scheme == "https"
    response.set_cookie(COOKIE, key, path=HOME, secure=secure, httponly=True, samesite="strict")
    return response


async def _sign_out(request: Request) -> Response:
    check_origin(request)
    response = RedirectResponse(_SIGN_IN, HTTPStatus.SEE_OTHER)
    response.delete_cookie(COOKIE, path=HOME)
    return response


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service
