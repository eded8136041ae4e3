"""Commands that write facts and change what is remembered: remember, explain, and the group `memory`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import ending, err, out, print_json
from hippograph.api.cli.viewers import As, as_viewer
from hippograph.api.global_ids import short
from hippograph.graph.model import Sensitivity

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.reading.explanation import Explanation, Step
    from hippograph.graph.writing.fact_writer import Remembered
    from hippograph.graph.writing.facts import Score


Id = Annotated[str, typer.Argument(help="The id of the memory, or how it begins.")]
Value = Annotated[str | None, typer.Option(help="What is compared under its aspect; else the words.")]
Words = Annotated[str, typer.Argument(help="The words.")]

_LOOKS, _LOOK_S = 3, 0.2
"""How often, and after how many seconds, a command looks whether a worker has taken up what it wrote."""

memories = typer.Typer(cls=Group, help="Change what is remembered.", no_args_is_help=True)


def remember(
    content: Annotated[str, typer.Argument(help="A statement that stands for itself.")],
    about: Annotated[list[str] | None, typer.Option(help="Whom it is about: ids or keys (person:ben).")] = None,
    aspect: Annotated[
        str | None, typer.Option(help="What is said of them: lives_in …; else read off the words.")
    ] = None,
    kind: Annotated[str, typer.Option(help="preference, identity, knowledge, event, task …")] = "knowledge",
    since: Annotated[str | None, typer.Option(help="Since when it holds (2026-03-01); else now.")] = None,
    importance: Annotated[int, typer.Option(help="0 trivial to 3 core identity.")] = 1,
    chat: Annotated[str | None, typer.Option(help="The chat where it was said, by title or id.")] = None,
    for_chat: Annotated[bool, typer.Option("--for-chat", help="It is the group's, not yours.")] = False,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Remember a fact; one of the same subject and aspect that held before ends with it."""

    from hippograph.api.arguments import entity_reference, moment

    with ending():
        subjects = tuple(map(entity_reference, about or ()))
    from hippograph.graph.writing.fact import Fact

    async def work(service: Service, viewer: Viewer) -> tuple[Remembered, bool]:
        valid_from = moment(since, await service.people.time_zone(viewer)) if since else None
        fact = Fact(content, subjects, aspect=aspect, kind=kind, importance=importance, valid_from=valid_from)
        [stored] = await service.facts.remember(viewer, [fact], for_chat=for_chat)
        return stored, await _waits(service, [stored.memory_id])

    stored, waits = as_viewer(work, as_person, chat, facts=aspect is None)
    if json:
        print_json(stored)
    else:
        out.line(f"{short(stored.memory_id)}  {'was known, and is surer now' if stored.confirmed else 'remembered'}")
    _tell_waiting(waits)


def explain(memory_id: Id, as_person: As = None, json: Json = False) -> None:
    """Tell why something is believed: what it replaced, what it follows from, what contradicts it, whom it names."""
    given = reference(memory_id)

    async def work(service: Service, viewer: Viewer) -> tuple[Explanation, str]:
        found = await service.explaining.explain(viewer, await service.memories.called(viewer, given))
        return found, await service.people.time_zone(viewer)

    found, zone = as_viewer(work, as_person)
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
    """Say that a fact was never so, and what was; of what others said, in your own name."""
    change(
        as_person, memory_id, lambda service, viewer, inner: service.facts.correct(viewer, inner, content, value=value)
    )


@memories.command()
def update(
    memory_id: Id,
    content: Annotated[str | None, typer.Argument(help="Other words for it.")] = None,
    value: Value = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag, in place of those it has; repeatable.")] = None,
    as_person: As = None,
) -> None:
    """Word a memory anew, or give it other tags; the earlier wording is kept. Others' words stay theirs."""
    change(
        as_person,
        memory_id,
        lambda service, viewer, inner: service.facts.update(viewer, inner, content, value=value, tags=tag),
    )


@memories.command()
def unfold(memory_id: Id, as_person: As = None) -> None:
    """Take a memory out of the one that it was folded into: `explain` shows both."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.unfold(viewer, inner))


@memories.command()
def share(
    memory_id: Id,
    chat: Annotated[str, typer.Argument(help="The group, by title or id.")],
    as_person: As = None,
) -> None:
    """Share a memory of yours with a group: it gets a copy of the words, until you take it back."""

    from hippograph.api.viewer import chat_named

    async def work(service: Service, viewer: Viewer, inner: str) -> str:
        group = await chat_named(service, viewer, chat)
        stored = await service.facts.share(viewer, inner, group.id)
        return f"{short(stored.memory_id)}  {'was known there' if stored.confirmed else 'shared'}"

    change(as_person, memory_id, work)


@memories.command()
def unshare(
    memory_id: Id,
    chat: Annotated[str | None, typer.Option("--chat", help="The group, by title or id; else all.")] = None,
    as_person: As = None,
) -> None:
    """Take back what you shared of a memory; the memory stays yours."""

    from hippograph.api.viewer import chat_named

    async def work(service: Service, viewer: Viewer, inner: str) -> str:
        group = await chat_named(service, viewer, chat) if chat else None
        return f"{await service.facts.unshare(viewer, inner, group.id if group else None)} taken back"

    change(as_person, memory_id, work)


@memories.command()
def confirm(memory_id: Id, as_person: As = None) -> None:
    """Say that a fact is certain."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.confirm(viewer, inner))


@memories.command()
def reinforce(memory_id: Id, as_person: As = None) -> None:
    """Say that a memory of yours served: it comes a little sooner."""
    change(as_person, memory_id, lambda service, viewer, inner: _score(service.facts.reinforce(viewer, inner)))


@memories.command()
def demote(memory_id: Id, as_person: As = None) -> None:
    """Say that a memory of yours misled: it comes a little later."""
    change(as_person, memory_id, lambda service, viewer, inner: _score(service.facts.demote(viewer, inner)))


@memories.command()
def pin(memory_id: Id, as_person: As = None) -> None:
    """Pin a memory: it counts as of importance 3 and does not run out."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.pin(viewer, inner))


@memories.command()
def unpin(memory_id: Id, as_person: As = None) -> None:
    """Unpin a memory."""
    change(as_person, memory_id, lambda service, viewer, inner: service.facts.pin(viewer, inner, pinned=False))


@memories.command()
def sensitivity(memory_id: Id, sensitivity: Sensitivity, as_person: As = None) -> None:
    """Say how carefully a memory is to be shown."""
    change(
        as_person, memory_id, lambda service, viewer, inner: service.labels.set_sensitivity(viewer, inner, sensitivity)
    )


@memories.command()
def portable(memory_id: Id, portable: bool, as_person: As = None) -> None:
    """Say whether a memory is of use outside the chat where it was said (true or false)."""
    change(as_person, memory_id, lambda service, viewer, inner: service.labels.set_portable(viewer, inner, portable))


@memories.command()
def seed(
    contents: Annotated[list[str], typer.Argument(help="Statements about you, each standing for itself.")],
    as_person: As = None,
    json: Json = False,
) -> None:
    """Bring along what is known of a new user: facts of their profile, all or none."""

    from hippograph.graph.writing.fact import Fact

    async def work(service: Service, viewer: Viewer) -> tuple[Sequence[Remembered], bool]:
        stored = await service.facts.seed_profile(viewer, [Fact(content) for content in contents])
        return stored, await _waits(service, [each.memory_id for each in stored])

    rows, waits = as_viewer(work, as_person)
    if json:
        print_json(rows)
    else:
        for stored, content in zip(rows, contents, strict=True):
            out.line(f"{short(stored.memory_id)}  {content}")
    _tell_waiting(waits)


def change(as_person: str | None, memory_id: str, how: Callable[[Service, Viewer, str], Awaitable[object]]) -> None:
    """Changes one memory for somebody, and prints what came of it."""
    given = reference(memory_id)

    async def work(service: Service, viewer: Viewer) -> object:
        return await how(service, viewer, await service.memories.called(viewer, given))

    done = as_viewer(work, as_person)
    out.line("done" if done is None else str(done))


async def _score(changing: Awaitable[Score]) -> str:
    """A score, and why it is none."""
    score = await changing
    return str(score.value) if score.counts else "this memory is not yours: it counts for its owner alone"


def reference(memory_id: str) -> str:
    """What names a memory, checked before anything starts."""
    from hippograph.api.arguments import memory_reference

    with ending():
        return memory_reference(memory_id)


async def _waits(service: Service, ids: Sequence[str]) -> bool:
    """Whether memories still wait for their vectors after the time in which a worker takes them up."""
    import asyncio

    for _ in range(_LOOKS):
        found = await service.browsing.memories(service.viewer(), ids)
        if not any(memory.pending for memory in found.values()):
            return False
        await asyncio.sleep(_LOOK_S)
    return True


def _tell_waiting(waits: bool) -> None:
    if waits:
        err.line(
            (
                "It is found by its words. By its meaning it is found when a worker has run: with `hippograph serve`, "
                "or now by `hippograph worker --until-done`.",
                "dim",
            )
        )
