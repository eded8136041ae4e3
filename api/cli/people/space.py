"""The group `hippograph space …`: spaces keep one project or client apart from another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.memory.facts import reference
from hippograph.api.cli.output import ending, err, out, print_json, tell
from hippograph.api.cli.viewers import As, First, as_viewer

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Chat, Viewer
    from hippograph.graph.people.spaces import Space

app = typer.Typer(cls=Group, help="Spaces, which keep one project or client apart from another.", no_args_is_help=True)

Named = Annotated[str, typer.Argument(help="The space, by name or id.")]
OfGroup = Annotated[str | None, typer.Option("--group", help="Group that owns the space, by title or id.")]
To = Annotated[str | None, typer.Option("--to", help="Target space, by name or id (default: no space).")]


@app.command("list")
def list_spaces(as_person: As = None, first: First = 50, json: Json = False) -> None:
    """List your spaces and those of your groups, the newest first, with their chats."""

    async def work(service: Service, viewer: Viewer) -> list[tuple[Space, list[Chat]]]:
        found = [listed.item for listed in (await service.spaces.all(viewer, first=first)).items]
        pages = [await service.spaces.chats(viewer, each.id, first=100) for each in found]
        return [(each, [listed.item for listed in page.items]) for each, page in zip(found, pages, strict=True)]

    found = as_viewer(work, as_person)
    if json:
        print_json([each for each, _ in found])
        return
    for each, chats in found:
        out.line((each.id, "dim"), "  ", (each.name, "bold"), f"  {', '.join(chat.title for chat in chats)}")
    if not found:
        err.line("there is no space")


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="Name of the space.")],
    group: OfGroup = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Create a space of your own, or of a group."""

    async def work(service: Service, viewer: Viewer) -> Space:
        from hippograph.api.viewer import chat_named

        chat = await chat_named(service, viewer, group) if group else None
        return await service.spaces.create(viewer, name, chat_id=chat.id if chat else None)

    tell(as_viewer(work, as_person), _show, json=json)


@app.command()
def rename(space: Named, name: Annotated[str, typer.Argument()], as_person: As = None, json: Json = False) -> None:
    """Rename a space."""

    async def work(service: Service, viewer: Viewer) -> Space:
        from hippograph.api.viewer import space_named

        found = await space_named(service, viewer, space)
        return await service.spaces.rename(viewer, found.id, name)

    tell(as_viewer(work, as_person), _show, json=json)


@app.command()
def delete(space: Named, as_person: As = None) -> None:
    """Delete a space to which nothing belongs."""

    async def work(service: Service, viewer: Viewer) -> None:
        from hippograph.api.viewer import space_named

        await service.spaces.delete(viewer, (await space_named(service, viewer, space)).id)

    as_viewer(work, as_person)
    out.line("deleted")


@app.command()
def move(
    chat: Annotated[
        str | None, typer.Option("--chat", help="Chat to move with what was said there, by title or id.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", help="Memory to move, by id or the beginning of its id.")
    ] = None,
    to: To = None,
    as_person: As = None,
) -> None:
    """Move a chat, or one memory, to a space or to none."""
    if (chat is None) == (memory is None):
        raise typer.BadParameter("give either --chat or --memory")
    with ending():
        given = reference(memory) if memory else None

    async def work(service: Service, viewer: Viewer) -> tuple[str, Space | None]:
        from hippograph.api.viewer import chat_named, space_named

        space = await space_named(service, viewer, to) if to else None
        if chat is not None:
            found = await chat_named(service, viewer, chat)
            await service.spaces.move_chat(viewer, found.id, space.id if space else None)
            return found.title, space
        one = await service.memories.called(viewer, given or "")
        await service.spaces.move_memory(viewer, one, space.id if space else None)
        return one, space

    moved, space = as_viewer(work, as_person)
    out.line(f"{moved} belongs to {space.name if space else 'no space'} now")


def _show(space: Space) -> None:
    out.line((space.id, "dim"), "  ", (space.name, "bold"))
