"""Commands for summaries (`summary`, `summarize`), todos (the group `todo`) and the time zone (`time-zone`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import err, out, print_json, tell, tell_all
from hippograph.api.cli.viewers import As, First, In, as_viewer, checked_id, with_zone
from hippograph.api.global_ids import short

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.people.summaries import Summary
    from hippograph.graph.people.todos import Todo

OfTalk = Annotated[str | None, typer.Option("--persona", help="Only talk with this persona (default: with any).")]
Of = Annotated[str | None, typer.Option("--persona", help="Persona that it belongs to, by name or id.")]
Id = Annotated[str, typer.Argument(help="The id of the todo.")]

todos = typer.Typer(
    cls=Group, help="Todos: what you promised, left open, do regularly or are bothered by.", no_args_is_help=True
)


def summary(
    chat: In = None,
    persona: OfTalk = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Show summaries of the latest session, of the latest talk, and of what is known of you."""
    work = with_zone(lambda service, viewer: service.summary_reader.here(viewer))
    found, zone = as_viewer(work, as_person, chat, persona)
    if json:
        print_json(found)
        return
    for name, one in (("session", found.session), ("latest", found.rolling), ("you", found.spine)):
        if one:
            _show(name, one, zone)
    if not (found.session or found.rolling or found.spine):
        err.line("there is no summary yet")


def time_zone(
    zone: Annotated[
        str | None, typer.Argument(help="Time zone to set (Europe/Vienna); without it nothing is changed.")
    ] = None,
    chat: Annotated[
        str | None,
        typer.Option("--chat", help="Time zone of this chat (title or id), for people whose account has none."),
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Remove the time zone that is set.")] = False,
    as_person: As = None,
) -> None:
    """Show or set your time zone, in which the days that you name are read."""

    async def work(service: Service, viewer: Viewer) -> str:
        if zone or unset:
            await service.people.set_time_zone(viewer, zone, viewer.chat_id)
        return await service.people.time_zone(viewer)

    out.line(as_viewer(work, as_person, chat))


def summarize(
    session: Annotated[str, typer.Argument(help="The id of the session.")], as_person: As = None, json: Json = False
) -> None:
    """Summarise a session now, open or not."""
    session_id = checked_id("Session", session)

    async def work(service: Service, viewer: Viewer) -> Summary | None:
        await service.talk_summaries.summarize_session(viewer, session_id)
        return (await service.summary_reader.of_sessions(viewer, [session_id])).get(session_id)

    found, zone = as_viewer(with_zone(work), as_person)
    if json:
        print_json(found)
    elif found:
        _show("session", found, zone)
    else:
        err.line("nothing was said that all participants may see")


@todos.command("list")
def list_todos(
    persona: OfTalk = None,
    as_person: As = None,
    every: Annotated[bool, typer.Option("--all", help="Include done and dropped todos.")] = False,
    overdue: Annotated[bool, typer.Option("--overdue", help="Only todos whose due time is past.")] = False,
    first: First = 50,
    json: Json = False,
) -> None:
    """List open todos, the newest first."""
    from hippograph.graph.people.todos import TodoStatus

    async def work(service: Service, viewer: Viewer) -> list[Todo]:
        statuses = tuple(TodoStatus) if every else (TodoStatus.OPEN,)
        page = await service.todos.all(viewer, statuses=statuses, overdue=overdue, first=first)
        return [listed.item for listed in page.items]

    found, zone = as_viewer(with_zone(work), as_person, persona=persona)
    tell_all(found, partial(_line, zone), json=json, none="nothing is open")


@todos.command()
def add(
    content: Annotated[str, typer.Argument(help="What is to be done.")],
    kind: Annotated[str, typer.Option(help="Kind: commitment, habit, thread or friction.")] = "commitment",
    due: Annotated[str | None, typer.Option(help="Due time (2026-03-01).")] = None,
    persona: Of = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Add a todo."""
    from hippograph.api.arguments import moment
    from hippograph.graph.people.todos import TodoKind

    if kind not in list(TodoKind):
        raise typer.BadParameter(f"{kind!r} is none of {', '.join(TodoKind)}", param_hint="--kind")

    async def work(service: Service, viewer: Viewer) -> Todo:
        due_at = moment(due, await service.people.time_zone(viewer)) if due else None
        return await service.todos.add(viewer, TodoKind(kind), content, due_at=due_at)

    added, zone = as_viewer(with_zone(work), as_person, persona=persona)
    tell(added, partial(_line, zone), json=json)


@todos.command()
def done(todo: Id, as_person: As = None, json: Json = False) -> None:
    """Mark a todo as done."""
    _set(todo, "done", as_person, json)


@todos.command()
def drop(todo: Id, as_person: As = None, json: Json = False) -> None:
    """Mark a todo as dropped: it is not to be done any more."""
    _set(todo, "dropped", as_person, json)


@todos.command()
def reopen(todo: Id, as_person: As = None, json: Json = False) -> None:
    """Reopen a todo."""
    _set(todo, "open", as_person, json)


def _set(todo: str, status: str, as_person: str | None, json: bool) -> None:
    from hippograph.graph.people.todos import TodoStatus

    todo_id = checked_id("Todo", todo)
    work = with_zone(lambda service, viewer: service.todos.set_status(viewer, todo_id, TodoStatus(status)))
    changed, zone = as_viewer(work, as_person)
    tell(changed, partial(_line, zone), json=json)


def _line(zone: str, one: Todo) -> None:
    from hippograph.graph.zones import day_there

    day = f"  {day_there(one.due_at, zone):%Y-%m-%d}" if one.due_at else ""
    out.line((one.id, "dim"), f"  {one.standing or one.status} {one.kind}{day}  {one.content}")


def _show(name: str, one: Summary, zone: str) -> None:
    from hippograph.graph.zones import wall_clock

    until = wall_clock(one.until, zone)
    out.line((name, "bold"), f"  version {one.version}, up to {until:%Y-%m-%d %H:%M}  ", (short(one.id), "dim"))
    section = ""
    for sentence in one.sentences:
        if sentence.section != section:
            section = sentence.section
            out.line((f"   {section.replace('_', ' ')}", "dim"))
        out.line(f"   {sentence.text}")
