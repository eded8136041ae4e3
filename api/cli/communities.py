"""`hippograph communities`: who and what belongs together, for who runs the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.output import out, print_json
from hippograph.api.cli.viewers import as_viewer

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer
    from hippograph.graph.summaries.communities import CommunityAssignment, Partition

_NAMED = 5


def communities(
    chat: Annotated[str | None, typer.Option("--chat", help="Of this group, by title or id; else of your own.")] = None,
    persona: Annotated[
        str | None,
        typer.Option(
            "--persona", help="With what belongs to this persona; else to that of the group, if it has exactly one."
        ),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Keep them, so that viewers read and search by them.")] = False,
    json: Json = False,
) -> None:
    """Find which people and things belong together (Leiden) and are central (PageRank), of what all there may see."""

    async def work(service: Service, viewer: Viewer) -> Partition:
        finder = service.community_finder
        return await finder.find(await finder.scope_of(viewer), write=write)

    found = as_viewer(work, None, chat, persona)
    if json:
        print_json(found)
        return
    groups: dict[int, list[CommunityAssignment]] = {}
    for member in found.members:
        groups.setdefault(member.community, []).append(member)
    for number, members in groups.items():
        shown = ", ".join(member.key for member in members[:_NAMED])
        out.line((f"{number:>3}", "bold"), f"  {len(members)} entities: {shown}{' …' if len(members) > _NAMED else ''}")
    out.line(
        f"from {found.memories} memories, modularity {found.modularity:.2f}, in at most {found.bytes / 2**20:.1f} MiB",
        (f"; kept as version {found.version}" if found.version else "; not kept: --write keeps them", "dim"),
    )
