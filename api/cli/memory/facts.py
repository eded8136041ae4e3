"""Commands that write facts and change what is remembered: remember, explain, and the group `memory`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import ending, err, out, print_json
from hippograph.api.cli.viewers import As, as_viewer, with_zone
from hippograph.api.global_ids import global_id, short
from hippograph.graph.model import Sensitivity

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.reading.explanation import Explanation, Step
    from hippograph.graph.writing.fact_writer import Remembered
    from hippograph.graph.writing.facts import Score


Id = Annotated[str, typer.Argument(help="Id of the memory, or the beginning of its id.")]
Value = Annotated[str | None, typer.Option(help="Value that is compared under its aspect (default: the words).")]
Words = Annotated[str, typer.Argument(help="The corrected statement.")]

_LOOKS, _LOOK_S = 3, 0.2
"""Number of checks, and seconds between them, whether a worker has embedded what a command wrote."""

memories = typer.Typer(cls=Group, help="Change what is remembered.", no_args_is_help=True)


def remember(
    content: Annotated[str, typer.Argument(help="A statement that can be understood by itself.")],
    about: Annotated[
        list[str] | None, typer.Option(help="Entity that it is about, by id or key (person:ben). Repeatable.")
    ] = None,
    aspect: Annotated[
        str | None, typer.Option(help="Aspect of the subject: lives_in … (default: read from the words).")
    ] = None,
    kind: Annotated[str, typer.Option(help="Kind: preference, identity, knowledge, event, task …")] = "knowledge",
    since: Annotated[str | None, typer.Option(help="Start of its validity (2026-03-01; default: now).")] = None,
    importance: Annotated[int, typer.Option(help="Importance, from 0 (trivial) to 3 (core identity).")] = 1,
    chat: Annotated[str | None, typer.Option(help="The chat where it was said, by title or id.")] = None,
    for_chat: Annotated[bool, typer.Option("--for-chat", help="The group owns it, not you.")] = False,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Remember a fact; an earlier fact of the same subject and aspect ends when the new one begins."""

    from hippograph.api.arguments import entity_reference, moment

    with ending():
        subjects = tuple(map(entity_reference, about or ()))
    from hippograph.graph.writing.fact import Fact

    async def work(service: Service, viewer: Viewer) -> tuple[Remembered, bool]:
        valid_from = moment(since, await service.people.time_zone(viewer)) if since else None
        fact = Fact(content, subjects, aspect=aspect, kind=kind, importance=importance, valid_from=valid_from)
        [stored] = await service.facts.remember(viewer, [fact], for_chat=for_chat)
        return stored, await _waits(service, viewer, [stored.memory_id])

    stored, waits = as_viewer(work, as_person, chat, facts=aspect is None)
    if json:
        print_json(stored)
    else:
        out.line(f"{short(stored.memory_id)}  {'known before; more certain now' if stored.confirmed else 'remembered'}")
    _tell_waiting(waits)


def explain(memory_id: Id, as_person: As = None, json: Json = False) -> None:
    """Explain why a memory is believed: what it replaced, what it follows from, what contradicts it, whom it names."""
    given = reference(memory_id)

    async def work(service: Service, viewer: Viewer) -> Explanation:
        return await service.explaining.explain(viewer, await service.memories.called(viewer, given))

    found, zone = as_viewer(with_zone(work), as_person)
    if json:
        print_json(found)
        return
    for name, steps in (("chain", found.chain), ("source", found.sources), ("contradiction", found.contradictions)):
        for step in steps:
            since = f"  {_day(step.valid_from, zone)} – {_until(step, zone)}  "
            out.line((name, "bold"), since, (short(step.memory_id), "dim"))
            out.line(f"   {step.content}")
            for wording in step.wordings:
                out.line(f"   until {_day(wording.until, zone)}: {wording.content}")
    for entity in found.entities:
        out.line(("entity", "bold"), f"  {entity.canonical_name}  ", (entity.key, "dim"))


def _until(step: Step, zone: str) -> str:
    if step.retired_at:
        return f"{step.retired_by} on {_day(step.retired_at, zone)}"
    return _day(step.valid_until, zone) if step.valid_until else "now"


def _day(moment: datetime, zone: str) -> str:
    from hippograph.graph.zones import day_there

    return f"{day_there(moment, zone):%d %B %Y}"


@memories.command()
def correct(memory_id: Id, content: Words, value: Value = None, as_person: As = None) -> None:
    """Correct a fact that was never true; a correction of what others said is stated in your name."""
    change(
        as_person, memory_id, lambda service, viewer, inner: service.facts.correct(viewer, inner, content, value=value)
    )


@memories.command()
def update(
    memory_id: Id,
    content: Annotated[str | None, typer.Argument(help="New wording.")] = None,
    value: Value = None,
    tag: Annotated[list[str] | None, typer.Option(help="Tag that replaces the present ones. Repeatable.")] = None,
    as_person: As = None,
) -> None:
    """Reword a memory or replace its tags; the earlier wording is kept. Other people's facts cannot be reworded."""
    change(
        as_person,
        memory_id,
        lambda service, viewer, inner: service.facts.update(viewer, inner, content, value=value, tags=tag),
    )


@memories.command()
def unfold(memory_id: Id, as_person: As = None) -> None:
    """Separate a memory from the one into which it was folded as a duplicate; `explain` shows both."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.unfold(viewer, inner))


@memories.command()
def share(
    memory_id: Id,
    chat: Annotated[str, typer.Argument(help="The group, by title or id.")],
    as_person: As = None,
) -> None:
    """Share a memory of yours with a group, which has a copy of the text until you unshare it."""

    from hippograph.api.viewer import chat_named

    async def work(service: Service, viewer: Viewer, inner: str) -> str:
        group = await chat_named(service, viewer, chat)
        stored = await service.facts.share(viewer, inner, group.id)
        return f"{short(stored.memory_id)}  {'was known there' if stored.confirmed else 'shared'}"

    change(as_person, memory_id, work)


@memories.command()
def unshare(
    memory_id: Id,
    chat: Annotated[str | None, typer.Option("--chat", help="The group, by title or id (default: all groups).")] = None,
    as_person: As = None,
) -> None:
    """Withdraw the copies of a memory that you shared; the memory stays yours."""

    from hippograph.api.viewer import chat_named

    async def work(service: Service, viewer: Viewer, inner: str) -> str:
        group = await chat_named(service, viewer, chat) if chat else None
        return f"{await service.facts.unshare(viewer, inner, group.id if group else None)} withdrawn"

    change(as_person, memory_id, work)


@memories.command()
def confirm(memory_id: Id, as_person: As = None) -> None:
    """Mark a fact as certain."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.confirm(viewer, inner))


@memories.command()
def reinforce(memory_id: Id, as_person: As = None) -> None:
    """Mark a memory of yours as useful: it ranks a little higher."""
    change(as_person, memory_id, lambda service, viewer, inner: _score(service.facts.reinforce(viewer, inner)))


@memories.command()
def demote(memory_id: Id, as_person: As = None) -> None:
    """Mark a memory of yours as misleading: it ranks a little lower."""
    change(as_person, memory_id, lambda service, viewer, inner: _score(service.facts.demote(viewer, inner)))


@memories.command()
def pin(memory_id: Id, as_person: As = None) -> None:
    """Pin a memory: it counts as importance 3 and does not expire."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.pin(viewer, inner))


@memories.command()
def unpin(memory_id: Id, as_person: As = None) -> None:
    """Unpin a memory."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.pin(viewer, inner, pinned=False))


@memories.command()
def sensitivity(memory_id: Id, sensitivity: Sensitivity, as_person: As = None) -> None:
    """Set how carefully a memory is to be shown."""
    change(
        as_person, memory_id, lambda service, viewer, inner: service.labels.set_sensitivity(viewer, inner, sensitivity)
    )


@memories.command()
def portable(memory_id: Id, portable: bool, as_person: As = None) -> None:
    """Set whether a memory is useful outside the chat where it was said (true or false)."""
    change(as_person, memory_id, lambda service, viewer, inner: service.labels.set_portable(viewer, inner, portable))


@memories.command()
def seed(
    contents: Annotated[list[str], typer.Argument(help="Statements about you, each understandable by itself.")],
    as_person: As = None,
    json: Json = False,
) -> None:
    """Store what is known of a new user as facts of their profile, all or none."""

    from hippograph.graph.writing.fact import Fact

    async def work(service: Service, viewer: Viewer) -> tuple[Sequence[Remembered], bool]:
        stored = await service.facts.seed_profile(viewer, [Fact(content) for content in contents])
        return stored, await _waits(service, viewer, [each.memory_id for each in stored])

    rows, waits = as_viewer(work, as_person, facts=True)
    if json:
        print_json(rows)
    else:
        for stored, content in zip(rows, contents, strict=True):
            out.line(f"{short(stored.memory_id)}  {content}")
    _tell_waiting(waits)


def change(
    as_person: str | None,
    memory_id: str,
    how: Callable[[Service, Viewer, str], Awaitable[object]],
    *,
    json: bool = False,
) -> None:
    """Changes one memory on behalf of a person. Prints the result, or "done" if there is none; with `json` the id."""
    given = reference(memory_id)

    async def work(service: Service, viewer: Viewer) -> tuple[str, object]:
        inner = await service.memories.called(viewer, given)
        return inner, await how(service, viewer, inner)

    inner, done = as_viewer(work, as_person)
    if json:
        print_json({"memoryId": global_id("Memory", inner)})
    else:
        out.line("done" if done is None else str(done))


async def _score(changing: Awaitable[Score]) -> str:
    """Returns the score as text, or why the vote does not count."""
    score = await changing
    return str(score.value) if score.counts else "not counted: the memory is not yours, and only its owner can score it"


def reference(memory_id: str) -> str:
    """Checks the id of a memory, or the beginning of one, before the service is opened."""
    from hippograph.api.arguments import memory_reference

    with ending():
        return memory_reference(memory_id)


async def _waits(service: Service, viewer: Viewer, ids: Sequence[str]) -> bool:
    """Returns whether memories still lack their vectors after the time in which a running worker makes them."""
    import asyncio

    for _ in range(_LOOKS):
        found = await service.browsing.memories(viewer, ids)
        if not any(memory.pending for memory in found.values()):
            return False
        await asyncio.sleep(_LOOK_S)
    return True


def _tell_waiting(waits: bool) -> None:
    if waits:
        err.line(
            (
                "Full-text search finds it now. Vector search finds it in some seconds if `hippograph serve` runs, "
                "else after `hippograph worker --until-done`.",
                "dim",
            )
        )
