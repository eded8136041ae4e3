"""The group `hippograph chat …`: a person's chats, and invitations to groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import err, out, print_json, tell, tell_all
from hippograph.api.cli.viewers import As, First, as_viewer, checked_id

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Chat, Invitation, Viewer
    from hippograph.graph.paging import Listing
    from hippograph.graph.people.spaces import Space
    from hippograph.graph.reading.browsing import Participant

app = typer.Typer(cls=Group, help="Your chats, and the groups to which you are invited.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(help="The id of the group.")]


@app.command("list")
def list_chats(as_person: As = None, first: First = 50, json: Json = False) -> None:
    """List your chats with their participants, the newest first."""

    async def work(
        service: Service, viewer: Viewer
    ) -> tuple[Listing[Chat], dict[str, list[Participant]], dict[str, Space]]:
        chats = await service.browsing.chats(viewer, first=first)
        spaces = {each.item.space_id for each in chats.items if each.item.space_id}
        parts = await service.browsing.participants(viewer, [each.item.id for each in chats.items])
        return chats, parts, await service.spaces.by_id(viewer, sorted(spaces))

    found, parts, spaces = as_viewer(work, as_person)
    if json:
        print_json([each.item for each in found.items])
        return
    for each in found.items:
        here = [part.person.canonical_name for part in parts.get(each.item.id, ()) if part.membership.until is None]
        people = ", ".join(here)
        of = f"  in {spaces[each.item.space_id].name}" if each.item.space_id in spaces else ""
        out.line((each.item.id, "dim"), "  ", (each.item.title, "bold"), f"  {each.item.kind}  {people}{of}")
    if not found.items:
        err.line("there is no chat")


@app.command()
def invitations(as_person: As = None, first: First = 50, json: Json = False) -> None:
    """List the groups to which you are invited, the latest invitation first."""

    async def work(service: Service, viewer: Viewer) -> tuple[list[Invitation], dict[str, str]]:
        page = await service.invitations.all(viewer, first=first)
        found = [listed.item for listed in page.items]
        inviters = await service.browsing.entities_by(viewer, [one.invited_by for one in found if one.invited_by])
        return found, {key: inviter.canonical_name for key, inviter in inviters.items()}

    def show(one: Invitation) -> None:
        by = f"  from {names[one.invited_by]}" if one.invited_by in names else ""
        out.line((one.chat_id, "dim"), f"  {one.title}{by}  {one.created_at:%Y-%m-%d}")

    found, names = as_viewer(work, as_person)
    tell_all(found, show, json=json, none="there is no invitation")


@app.command()
def accept(chat: Id, as_person: As = None, json: Json = False) -> None:
    """Join a group to which you are invited, or rejoin one that you left by yourself."""
    chat_id = checked_id("Chat", chat)
    part = as_viewer(lambda service, viewer: service.invitations.accept(viewer, chat_id), as_person)
    tell(part, lambda part: out.line(f"takes part since {part.since:%Y-%m-%d %H:%M} UTC"), json=json)


@app.command()
def decline(chat: Id, as_person: As = None) -> None:
    """Decline an invitation to a group."""
    chat_id = checked_id("Chat", chat)
    as_viewer(lambda service, viewer: service.invitations.decline(viewer, chat_id), as_person)
    out.line("declined")
