"""The group `block`: named texts of working memory that belong to a person and a persona."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json, Within
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import err, out, print_json, tell, tell_all
from hippograph.api.cli.viewers import As, as_viewer

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.people.blocks import Block

Of = Annotated[str | None, typer.Option("--persona", help="Persona of the blocks, by name or id (default: none).")]
Name = Annotated[str, typer.Argument(help="Name of the block: user_model, active_context or any other.")]
Version = Annotated[
    int | None, typer.Option(help="Version that was read; if the block has another one, that is a conflict.")
]

ForGroups = Annotated[
    bool | None,
    typer.Option("--for-groups/--not-for-groups", help="Whether the block is included in contexts of groups too."),
]

app = typer.Typer(cls=Group, help="Blocks of working memory: named texts.", no_args_is_help=True)


@app.command("list")
def list_blocks(persona: Of = None, space: Within = None, as_person: As = None, json: Json = False) -> None:
    """List the blocks with their versions and sizes."""
    found = as_viewer(lambda service, viewer: service.blocks.all(viewer), as_person, persona=persona, space=space)
    tell_all(found, lambda one: _show(one, f"  {one.description or ''}"), json=json, none="there are no blocks")


@app.command()
def read(
    name: Annotated[str | None, typer.Argument(help="Name of the block (default: all blocks).")] = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Print a block, or all of them."""

    async def work(service: Service, viewer: Viewer) -> list[Block]:
        from hippograph.graph.errors import NotFound

        if name is None:
            return await service.blocks.all(viewer)
        found = await service.blocks.read(viewer, name)
        if found is None:
            raise NotFound(f"there is no block {name}")
        return [found]

    found = as_viewer(work, as_person, persona=persona, space=space)
    if json:
        print_json(found)
        return
    for one in found:
        if name is None:
            out.line((one.name, "bold"), f"  version {one.version}")
        for line in one.content.split("\n"):
            out.line(line)


@app.command()
def write(
    name: Name,
    content: Annotated[str, typer.Argument(help="New content of the block.")],
    description: Annotated[str | None, typer.Option(help="What belongs in it.")] = None,
    for_groups: ForGroups = None,
    version: Version = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Create a block, or overwrite the version that was read."""

    async def work(service: Service, viewer: Viewer) -> Block:
        return await service.blocks.write(
            viewer, name, content, description=description, for_groups=for_groups, version=version
        )

    tell(as_viewer(work, as_person, persona=persona, space=space), _show, json=json)


@app.command()
def append(
    name: Name,
    text: Annotated[str, typer.Argument(help="The line to add.")],
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Add a line to a block."""
    written = as_viewer(
        lambda service, viewer: service.blocks.append(viewer, name, text), as_person, persona=persona, space=space
    )
    tell(written, _show, json=json)


@app.command()
def replace(
    name: Name,
    old: Annotated[str, typer.Argument(help="Text that occurs exactly once in the block.")],
    new: Annotated[str, typer.Argument(help="Replacement; if empty, the text is removed.")],
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Replace some words of a block."""
    written = as_viewer(
        lambda service, viewer: service.blocks.replace(viewer, name, old, new), as_person, persona=persona, space=space
    )
    tell(written, _show, json=json)


@app.command()
def delete(
    name: Name,
    version: Version = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    json: Json = False,
) -> None:
    """Delete a block."""

    async def work(service: Service, viewer: Viewer) -> Block | None:
        return await service.blocks.delete(viewer, name, version=version)

    gone = as_viewer(work, as_person, persona=persona, space=space)
    if json:
        print_json(gone)
    elif gone is None:
        err.line(f"there is no block {name}")
    else:
        out.line(f"deleted {gone.name}")


def _show(one: Block, description: str = "") -> None:
    out.line((one.name, "bold"), f"  version {one.version}, {len(one.content)} characters", (description, "dim"))
