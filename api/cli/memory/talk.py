"""Commands for what came of talk: `summary`, `summarize`, and the group `todo`; and for where it is: `time-zone`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import err, out, print_json, tell, tell_all
from hippograph.api.cli.viewers import As, First, In, as_viewer, checked_id
from hippograph.api.global_ids import short

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.people.summaries import Summary
    from hippograph.graph.people.todos import Todo

OfTalk = Annotated[str | None, typer.Option("--persona", help="Of talk with this persona; else with any.")]
Of = Annotated[str | None, typer.Option("--persona", help="The persona it belongs to, by name or id.")]
Id = Annotated[str, typer.Argument(help="The id of the todo.")]

todos = typer.Typer(
    cls=Group, help="What you promised, left open, do regularly or are bothered by.", no_args_is_help=True
)


def summary(
    chat: In = None,
    persona: OfTalk = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Show what the latest session and the latest talk were about, and what is known of you in short."""
    found = as_viewer(lambda service, viewer: service.summary_reader.here(viewer), as_person, chat, persona)
    if json:
        print_json(found)
        return
    for name, one in (("session", found.session), ("latest", found.rolling), ("you", found.spine)):
        if one:
            _show(name, one)
    if not (found.session or found.rolling or found.spine):
        err.line("there is no summary yet")


def time_zone(
    zone: Annotated[str | None, typer.Argument(help="Europe/Vienna; without it nothing is changed.")] = None,
    chat: Annotated[
        str | None, typer.Option("--chat", help="Of a chat, for those whose account has none: its title or id.")
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Forget the one that is set.")] = False,
    as_person: As = None,
) -> None:
    """Show or set the time zone in which you are: the days that you name are its days."""

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

    found = as_viewer(work, as_person)
    if json:
        print_json(found)
    elif found:
        _show("session", found)
    else:
        err.line("nothing was said that all may see who take part")


@todos.command("list")
def list_todos(
    persona: OfTalk = None,
    as_person: As = None,
    every: Annotated[bool, typer.Option("--all", help="Done and dropped ones too.")] = False,
    overdue: Annotated[bool, typer.Option("--overdue", help="Only those whose time is over.")] = False,
    first: First = 50,
    json: Json = False,
) -> None:
    """List what is open, the newest first."""
    from hippograph.graph.people.todos import TodoStatus

    async def work(service: Service, viewer: Viewer) -> list[Todo]:
        statuses = tuple(TodoStatus) if every else (TodoStatus.OPEN,)
        page = await service.todos.all(viewer, statuses=statuses, overdue=overdue, first=first)
        return [listed.item for listed in page.items]

    tell_all(as_viewer(work, as_person, persona=persona), _line, json=json, none="nothing is open")


@todos.command()
def add(
    content: Annotated[str, typer.Argument(help="What is to be done.")],
    kind: Annotated[str, typer.Option(help="commitment, habit, thread or friction.")] = "commitment",
    due: Annotated[str | None, typer.Option(help="When (2026-03-01).")] = None,
    persona: Of = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Set something to do."""
    from hippograph.api.arguments import moment
    from hippograph.graph.people.todos import TodoKind

    if kind not in list(TodoKind):
        raise typer.BadParameter(f"{kind!r} is none of {', '.join(TodoKind)}", param_hint="--kind")

    async def work(service: Service, viewer: Viewer) -> Todo:
        due_at = moment(due, await service.people.time_zone(viewer)) if due else None
        return await service.todos.add(viewer, TodoKind(kind), content, due_at=due_at)

    tell(as_viewer(work, as_person, persona=persona), _line, json=json)


@todos.command()
def done(todo: Id, as_person: As = None, json: Json = False) -> None:
    """Say that something is done."""
    _set(todo, "done", as_person, json)


@todos.command()
def drop(todo: Id, as_person: As = None, json: Json = False) -> None:
    """Say that something is not to be done any more."""
    _set(todo, "dropped", as_person, json)


@todos.command()
def reopen(todo: Id, as_person: As = None, json: Json = False) -> None:
    """Open something again."""
    _set(todo, "open", as_person, json)


def _set(todo: str, status: str, as_person: str | None, json: bool) -> None:
    from hippograph.graph.people.todos import TodoStatus

    todo_id = checked_id("Todo", todo)
    changed = as_viewer(
        lambda service, viewer: service.todos.set_status(viewer, todo_id, TodoStatus(status)), as_person
    )
    tell(changed, _line, json=json)


def _line(one: Todo) -> None:
    day = f"  {one.due_at:%Y-%m-%d}" if one.due_at else ""
    out.line((one.id, "dim"), f"  {one.standing or one.status} {one.kind}{day}  {one.content}")


def _show(name: str, one: Summary) -> None:
    out.line((name, "bold"), f"  version {one.version}, up to {one.until:%Y-%m-%d %H:%M}  ", (short(one.id), "dim"))
    section = ""
    for sentence in one.sentences:
        if sentence.section != section:
            section = sentence.section
            out.line((f"   {section.replace('_', ' ')}", "dim"))
        out.line(f"   {sentence.text}")
