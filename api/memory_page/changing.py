"""Handlers of the forms. Each calls a method of the service, as GraphQL does, and then redirects to a page."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeAlias

from starlette.responses import RedirectResponse, Response

from hippograph.api.arguments import within_time
from hippograph.api.memory_page.reading import forgotten_page, memory_page, merges_page
from hippograph.api.memory_page.visits import HOME, Visit, form_of, own_path, with_notice
from hippograph.graph.errors import Conflict, HippographError, InvalidInput, NotAllowed, NotFound, QueueFull
from hippograph.graph.model import Sensitivity, Viewer
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.transfer.forgetting import Forgetting, Selection

Form: TypeAlias = Mapping[str, str]
Change: TypeAlias = Callable[[Visit, str, Form], Awaitable[str]]
"""Changes the memory with an id, and returns the address to redirect to."""

_PATIENCE_S: Final = 10.0
"""Maximum time that a form waits for the act of forgetting that it started, in seconds."""
STATUS: Final[Mapping[type[HippographError], int]] = {
    InvalidInput: HTTPStatus.BAD_REQUEST,
    NotAllowed: HTTPStatus.FORBIDDEN,
    Conflict: HTTPStatus.CONFLICT,
    QueueFull: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""HTTP status of each error that is shown on the page of the form; nothing was written then."""


async def change_memory(visit: Visit) -> Response:
    """Changes a memory. If that is refused, its page shows the reason and the text entered. Raises `NotFound`."""
    path = visit.request.path_params
    change = _CHANGES.get(path["change"])
    if change is None:
        raise NotFound("there is no such change")
    form = await form_of(visit.request)
    try:
        goal = await change(visit, path["memory_id"], form)
    except tuple(STATUS) as error:
        draft = form.get("content")
        return await memory_page(visit, path["memory_id"], error=error, draft=draft, status=STATUS[type(error)])
    return _see_other(goal)


async def _correct(visit: Visit, memory_id: str, form: Form) -> str:
    made = await visit.service.facts.correct(visit.viewer, memory_id, form.get("content", ""))
    return with_notice(await _shown(visit, made) or _list(visit, form), "corrected")


async def _forget(visit: Visit, memory_id: str, form: Form) -> str:
    await visit.service.facts.forget(visit.viewer, memory_id, with_sources="with_sources" in form)
    return with_notice(_list(visit, form), "forgotten")


async def _confirm(visit: Visit, memory_id: str, form: Form) -> str:
    await visit.service.facts.confirm(visit.viewer, memory_id)
    return with_notice(_after(visit, memory_id, form), "confirmed")


async def _pin(visit: Visit, memory_id: str, form: Form) -> str:
    await visit.service.facts.pin(visit.viewer, memory_id)
    return with_notice(_after(visit, memory_id, form), "pinned")


async def _unpin(visit: Visit, memory_id: str, form: Form) -> str:
    await visit.service.facts.pin(visit.viewer, memory_id, pinned=False)
    return with_notice(_after(visit, memory_id, form), "unpinned")


async def _mark(visit: Visit, memory_id: str, form: Form) -> str:
    chosen = form.get("sensitivity", "")
    if chosen not in list(Sensitivity):
        raise InvalidInput(f"choose how it is to be shown: {', '.join(Sensitivity)}")
    await visit.service.labels.set_sensitivity(visit.viewer, memory_id, Sensitivity(chosen))
    return with_notice(await _shown(visit, memory_id) or _list(visit, form), "marked")


async def _share(visit: Visit, memory_id: str, form: Form) -> str:
    await visit.service.facts.share(visit.viewer, memory_id, form.get("group", ""))
    return with_notice(_item(visit, memory_id), "shared")


async def _unshare(visit: Visit, memory_id: str, form: Form) -> str:
    await visit.service.facts.unshare(visit.viewer, memory_id, form.get("group"))
    return with_notice(_item(visit, memory_id), "unshared")


_CHANGES: Final[Mapping[str, Change]] = {
    "correct": _correct,
    "forget": _forget,
    "confirm": _confirm,
    "pin": _pin,
    "unpin": _unpin,
    "sensitivity": _mark,
    "share": _share,
    "unshare": _unshare,
}


async def accept_merge(visit: Visit) -> Response:
    """Merges two entities into the one that the form says to keep."""
    form = await form_of(visit.request)
    keep, merge = form.get("keep", ""), form.get("other" if form.get("keep") == form.get("one") else "one", "")

    async def work() -> str:
        known = await visit.service.browsing.entities_by(visit.viewer, [keep])
        kind = known[keep].type if keep in known else None
        merged = await visit.service.merging.merge(visit.viewer, keep, merge, kind=kind)
        return with_notice(visit.url(f"{HOME}/merges", merge=merged.merge_id), "merged" if merged.merge_id else "asked")

    return await _done(visit, work, merges_page)


async def dismiss_merge(visit: Visit) -> Response:
    """Dismisses the suggestion that two entities are the same."""
    form = await form_of(visit.request)

    async def work() -> str:
        await visit.service.merging.dismiss(visit.viewer, form.get("one", ""), form.get("other", ""))
        return with_notice(visit.url(f"{HOME}/merges"), "dismissed")

    return await _done(visit, work, merges_page)


async def undo_merge(visit: Visit) -> Response:
    """Undoes a merge."""
    form = await form_of(visit.request)

    async def work() -> str:
        await visit.service.merging.unmerge(visit.viewer, form.get("merge", ""))
        return with_notice(visit.url(f"{HOME}/merges"), "unmerged")

    return await _done(visit, work, merges_page)


async def accept_invitation(visit: Visit) -> Response:
    """Accepts an invitation: the viewer becomes a participant of the group. Raises `NotFound`."""
    form = await form_of(visit.request)
    await visit.service.invitations.accept(visit.viewer, form.get("chat", ""))
    return _see_other(with_notice(visit.url(f"{HOME}/invitations"), "accepted"))


async def decline_invitation(visit: Visit) -> Response:
    """Declines an invitation. Raises `NotFound`."""
    form = await form_of(visit.request)
    await visit.service.invitations.decline(visit.viewer, form.get("chat", ""))
    return _see_other(with_notice(visit.url(f"{HOME}/invitations"), "declined"))


async def plan_forgetting(visit: Visit) -> Response:
    """Plans what to forget or purge, and redirects to the plan: one memory, or those that the form selects."""
    form = await form_of(visit.request)

    async def work() -> str:
        service, memory = visit.service, form.get("memory")
        after, before = form.get("after"), form.get("before")
        filters = await within_time(Filters(statuses=()), service.people, visit.viewer, service.clock(), after, before)
        chats = (form["in"],) if form.get("in") else ()
        selection = Selection(filters, chats, form.get("import") or None, (memory,) if memory else ())
        plan = await visit.service.forgettings.plan(visit.viewer, selection)
        return visit.url(f"{HOME}/forgotten", plan=plan.id)

    return await _done(visit, work, forgotten_page)


async def carry_out_forgetting(visit: Visit) -> Response:
    """Carries out a plan: forgets the memories in it."""
    return await _act(visit, visit.service.forgettings.carry_out, "forgotten")


async def undo_forgetting(visit: Visit) -> Response:
    """Undoes an act of forgetting."""
    return await _act(visit, visit.service.forgettings.undo, "taken_back")


async def purge_forgotten(visit: Visit) -> Response:
    """Purges the memories of a plan or of an act of forgetting."""
    return await _act(visit, visit.service.forgettings.purge, "purged")


async def _act(visit: Visit, begin: Callable[[Viewer, str], Awaitable[Forgetting]], done: str) -> Response:
    form = await form_of(visit.request)

    async def work() -> str:
        act = await begin(visit.viewer, form.get("id", ""))
        act = await visit.service.forgettings.finished(visit.viewer, act.id, within_s=_PATIENCE_S)
        path = visit.url(f"{HOME}/forgotten", plan=act.id)
        return path if act.under_way else with_notice(path, done)

    return await _done(visit, work, forgotten_page)


async def _done(visit: Visit, work: Callable[[], Awaitable[str]], page: Callable[..., Awaitable[Response]]) -> Response:
    """Does `work` and redirects to the address that it returns. If it is refused, `page` shows the reason."""
    try:
        return _see_other(await work())
    except tuple(STATUS) as error:
        return await page(visit, error=error, status=STATUS[type(error)])


async def _shown(visit: Visit, memory_id: str) -> str | None:
    """The address of a memory's page; None if the viewer may no longer see the memory."""
    return _item(visit, memory_id) if await visit.service.memories.held(visit.viewer, memory_id) else None


def _list(visit: Visit, form: Form) -> str:
    """The address of the list from which the form's page was opened."""
    return own_path(form.get("back")) or visit.back or visit.url(HOME)


def _item(visit: Visit, memory_id: str) -> str:
    return visit.url(f"{HOME}/item/{memory_id}", back=visit.back)


def _after(visit: Visit, memory_id: str, form: Form) -> str:
    """The address after a change that keeps the memory: the list, if the form was on one, else the memory's page."""
    return own_path(form.get("back")) or _item(visit, memory_id)


def _see_other(path: str) -> Response:
    """Redirects to a path by GET, so that reloading the page does not send the form again."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)
