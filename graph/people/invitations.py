"""Invitations to groups, as who is invited deals with them: what there is, accepting and declining (P6).

Who is invited takes no part in the group yet, and is told its title alone. Inviting is `People.join_chat` and
`People.create_chat`.
"""

from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import Invitation, Membership, Viewer
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.people.rows import invitation, membership

_NAME: Final = "invitations"


class Invitations:
    """The invitations of whoever asks."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def all(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Invitation]:
        """The viewer's invitations, the latest first. Raises `InvalidInput` as all lists do."""
        rows = await self._database.run(
            "browse/invitations", viewer=viewer.person_id, **newest_first(_NAME, first, after), now=self._clock()
        )
        found = [invitation(row["invitation"]) for row in rows]
        return listing(_NAME, first, found, lambda one: (one.created_at, one.id))

    async def accept(self, viewer: Viewer, chat_id: str) -> Membership:
        """Lets the viewer take part in a group from now on. They were invited, or left by themselves and come back;
        who takes part already stays as they are.

        Raises `NotFound` for who was not invited, and for who was taken out by somebody else.
        """
        row = await self._database.one(
            "people/accept_invitation", id=new_id(), chat=chat_id, viewer=viewer.person_id, now=self._clock()
        )
        if row is None:
            raise NotFound(f"there is no invitation to chat {chat_id}")
        return membership(row["membership"])

    async def decline(self, viewer: Viewer, chat_id: str) -> None:
        """Takes the viewer's invitation to a group away. Raises `NotFound` when there is none."""
        row = await self._database.one(
            "people/decline_invitation", chat=chat_id, viewer=viewer.person_id, now=self._clock()
        )
        if row is None or not row["declined"]:
            raise NotFound(f"there is no invitation to chat {chat_id}")
