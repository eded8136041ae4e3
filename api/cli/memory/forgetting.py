"""Commands of the group `memory` that forget one or many memories, undo that, and delete memories for good."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippograph.api.cli.data import Json, when
from hippograph.api.cli.memory.facts import change, reference
from hippograph.api.cli.output import Screen, err, out, print_json, progress
from hippograph.api.cli.viewers import As, as_viewer, with_service
from hippograph.api.global_ids import short

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.transfer.forgetting import Forgetting, Selection

Ids = Annotated[list[str] | None, typer.Argument(help="Ids of memories, or their beginnings; else select by options.")]
Session = Annotated[list[str] | None, typer.Option(help="Only what was said in this session, by id.")]
Chat = Annotated[list[str] | None, typer.Option(help="Only what was learned in this chat, by title or id.")]
After = Annotated[
    str | None, typer.Option(help="Only what happened at this time or later: a date or phrase (last_week).")
]
Before = Annotated[str | None, typer.Option(help="Only what happened before this time.")]
Source = Annotated[list[str] | None, typer.Option(help="Only what has this source: conversation, migration, agent …")]
Import = Annotated[str | None, typer.Option("--import", help="Only what was imported under this name.")]
Kind = Annotated[list[str] | None, typer.Option(help="Only facts of this kind: preference, event, task …")]
Tag = Annotated[list[str] | None, typer.Option(help="Only what has this tag; if several, all of them.")]
Entity = Annotated[
    list[str] | None, typer.Option(help="Only what is about this entity or names it, by key (person:ben).")
]
Space = Annotated[list[str] | None, typer.Option(help="Only what belongs to this space, by name or id.")]
GivenUp = Annotated[
    bool, typer.Option("--given-up", help="Include what is no longer believed: corrected, forgotten, expired.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be removed, and change nothing.")]
KeepIndexes = Annotated[
    bool, typer.Option("--keep-indexes", help="Don't rebuild the indexes, so that searches need not pause.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")]
_KINDS = {"found_in_them": "facts based on these alone", "given_up": "no longer believed"}
_ONE = {"found_in_them": "fact based on these alone"}
"""Singular forms that are not the plural without its final -s."""

_NARROWED = ("sessions", "chats", "after", "before", "sources", "imported", "kinds", "tags", "entities", "spaces")
Act = Annotated[str, typer.Argument(help="Id of the act of forgetting, as `memory forgotten` shows it.")]


def forget(
    memory_ids: Ids = None,
    with_sources: Annotated[
        bool, typer.Option(help="For one memory: also its turns from which nothing else was extracted.")
    ] = False,
    session: Session = None,
    chat: Chat = None,
    after: After = None,
    before: Before = None,
    source: Source = None,
    import_: Import = None,
    kind: Kind = None,
    tag: Tag = None,
    entity: Entity = None,
    space: Space = None,
    plan: Annotated[str | None, typer.Option(help="What a dry run planned: the id of the plan.")] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Stop believing a memory, or many of yours: a selection is shown first, must be confirmed, and can be undone."""
    narrowing = _narrowing(session, chat, after, before, source, import_, kind, tag, entity, space)
    if len(memory_ids or ()) == 1 and not narrowing and not dry_run and plan is None:
        change(
            as_person,
            (memory_ids or [""])[0],
            lambda service, viewer, one: service.facts.forget(viewer, one, with_sources=with_sources),
            json=json,
        )
        return
    if with_sources:
        raise typer.BadParameter("--with-sources is for one memory")
    planned = _plan(plan, "--plan", memory_ids, narrowing, given_up=False, as_person=as_person)
    _go(planned, "forget", "Forget this?", dry_run=dry_run, yes=yes, as_person=as_person, json=json)


def list_(as_person: As = None, json: Json = False) -> None:
    """List plans of forgetting, and what was forgotten, restored and purged, the latest first."""

    async def work(service: Service, viewer: Viewer) -> list[Forgetting]:
        page = await service.forgettings.all(viewer, first=100)
        return [each.item for each in page.items]

    found = as_viewer(work, as_person)
    if json:
        print_json(found)
        return
    if not found:
        err.line("nothing was planned or forgotten")
    for act in found:
        what = ", ".join(act.asked) or "–"
        out.line(f"{short(act.id)}  {act.status.value}  {act.selected} memories, {act.requested_at:%d %B %Y}: {what}")


def undo(forgotten: Act, as_person: As = None, json: Json = False) -> None:
    """Believe again what was forgotten in one act."""
    _go(_act(forgotten, as_person), "undo", "", dry_run=False, yes=True, as_person=as_person, json=json)


def purge(
    memory_ids: Ids = None,
    forgotten: Annotated[str | None, typer.Option(help="What this act of forgetting forgot: its id.")] = None,
    session: Session = None,
    chat: Chat = None,
    after: After = None,
    before: Before = None,
    source: Source = None,
    import_: Import = None,
    kind: Kind = None,
    tag: Tag = None,
    entity: Entity = None,
    space: Space = None,
    given_up: GivenUp = False,
    keep_indexes: KeepIndexes = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Delete memories of yours for good: texts, vectors, earlier wordings, and facts that rest on them alone."""
    narrowing = _narrowing(session, chat, after, before, source, import_, kind, tag, entity, space)
    plan = _plan(forgotten, "--forgotten", memory_ids, narrowing, given_up=given_up, as_person=as_person)
    question = "Delete this permanently? It cannot be undone."
    done = _go(plan, "purge", question, dry_run=dry_run, yes=yes, as_person=as_person, json=json)
    if done and not keep_indexes:
        with_service(make_indexes_anew, vectors=True)


def _narrowing(*options: Sequence[str] | str | None) -> dict[str, Any]:
    """Returns the options that were given, by name. They are passed in the order of `_NARROWED`."""
    given = zip(_NARROWED, options, strict=True)
    return {name: value if isinstance(value, str) else tuple(value) for name, value in given if value}


def _plan(
    act: str | None,
    option: str,
    memory_ids: Sequence[str] | None,
    narrowing: dict[str, Any],
    *,
    given_up: bool,
    as_person: str | None,
) -> Forgetting:
    """Returns the act given by `option`, or a new plan for the selected memories."""
    if act is not None:
        if memory_ids or narrowing:
            raise typer.BadParameter(f"give either {option}, or what is to go")
        return _act(act, as_person)
    given = [reference(one) for one in memory_ids or ()]

    async def work(service: Service, viewer: Viewer) -> Forgetting:
        ids = tuple([await service.memories.called(viewer, one) for one in given])
        selection = await _selection(service, viewer, narrowing, ids, given_up=given_up)
        return await service.forgettings.plan(viewer, selection)

    return as_viewer(work, as_person)


async def _selection(
    service: Service, viewer: Viewer, narrowing: dict[str, Any], ids: tuple[str, ...], *, given_up: bool
) -> Selection:
    from hippograph.api.arguments import inner_id, within_time
    from hippograph.api.viewer import chat_named, space_named
    from hippograph.graph.retrieval.filters import Filters
    from hippograph.graph.transfer.forgetting import Selection

    rest = dict(narrowing)
    chats = tuple([(await chat_named(service, viewer, one)).id for one in rest.pop("chats", ())])
    spaces = tuple([(await space_named(service, viewer, one)).id for one in rest.pop("spaces", ())])
    sessions = tuple(inner_id("Session", one) for one in rest.pop("sessions", ()))
    after, before, imported = (rest.pop(name, None) for name in ("after", "before", "imported"))
    filters = Filters(statuses=(), sessions=sessions, spaces=spaces, **rest)
    filters = await within_time(filters, service.people, viewer, service.clock(), after, before)
    return Selection(filters, chats, imported, ids, given_up)


def _act(given: str, as_person: str | None) -> Forgetting:
    async def work(service: Service, viewer: Viewer) -> Forgetting:
        return await service.forgettings.of(viewer, await service.forgettings.called(viewer, given))

    return as_viewer(work, as_person)


def _go(
    plan: Forgetting, how: str, question: str, *, dry_run: bool, yes: bool, as_person: str | None, json: bool
) -> bool:
    """Shows a plan, asks for confirmation and carries it out. Returns whether it was carried out; a dry run is not, nor
    a plan that selects nothing.
    """
    if not json or not (dry_run or yes):
        screen = err if json else out
        _show(plan, screen)
        as_viewer(partial(_show_examples, plan, screen), as_person)
    if dry_run or not plan.selected:
        if json:
            print_json(plan)
        elif plan.selected and how == "forget":
            err.line(f"to carry it out: hippograph memory forget --plan {short(plan.id)}")
        return False
    if not yes:
        typer.confirm(question, abort=True, err=True)

    async def work(service: Service, viewer: Viewer) -> Forgetting:
        acts = service.forgettings
        doing: dict[str, Callable[[Viewer, str], Awaitable[Forgetting]]]
        doing = {"forget": acts.carry_out, "purge": acts.purge, "undo": acts.undo}
        with progress("Working") as report:
            await doing[how](viewer, plan.id)
            return await acts.finished(viewer, plan.id, report=report)

    done = as_viewer(work, as_person)
    if json:
        print_json(done)
    else:
        out.line((done.status.value, "bold"), f"  {short(done.id)}")
    return True


def _show(plan: Forgetting, screen: Screen) -> None:
    if not plan.selected:
        err.line(f"nothing of yours matches: {', '.join(plan.asked)}")
        return
    screen.line(f"{short(plan.id)}  {plan.status.value}: {', '.join(plan.asked) or 'everything that was selected'}")
    for kind, count in plan.counts.items():
        if count:
            kinds = _KINDS.get(kind, kind)
            screen.line(f"{count:>8}  {_ONE.get(kind, kinds.removesuffix('s')) if count == 1 else kinds}")


async def _show_examples(plan: Forgetting, screen: Screen, service: Service, viewer: Viewer) -> None:
    zone = await service.people.time_zone(viewer)
    for found in (await service.browsing.memories(viewer, plan.examples)).values():
        screen.line(f"          {when(found, zone)}  {found.content}")


async def make_indexes_anew(service: Service) -> None:
    """Rebuilds the vector and full-text indexes, so that they keep nothing of what was deleted."""
    from hippograph.graph.schema import rebuild_indexes

    with progress("Rebuilding the indexes"):
        await rebuild_indexes(service.database, service.slot, service.settings.fulltext_analyzer)
