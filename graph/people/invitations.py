"""Invitations to groups, from the side of the invited person: listing, accepting and declining (P6).

The invited person does not take part in the group yet, and sees only its title. `People.join_chat` and
`People.create_chat` invite.
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
    """Reads and answers the invitations of the viewer."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def all(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Invitation]:
        """The viewer's invitations, newest first.

        Raises `InvalidInput` for a page size out of range or a cursor of another list.
        """
        rows = await self._database.run(
            "browse/invitations", viewer=viewer.person_id, **newest_first(_NAME, first, after), now=self._clock()
        )
        found = [invitation(row["invitation"]) for row in rows]
        return listing(_NAME, first, found, lambda one: (one.created_at, one.id))

    async def accept(self, viewer: Viewer, chat_id: str) -> Membership:
        """Makes the viewer a participant of a group from now on, if they were invited or had left of their own accord.
        Nothing changes for a viewer who takes part already.

        Raises `NotFound` for a viewer who was not invited, also if somebody else had removed them.
        """
        row = await self._database.one(
            "people/accept_invitation", id=new_id(), chat=chat_id, viewer=viewer.person_id, now=self._clock()
        )
        if row is None:
            raise NotFound(f"there is no invitation to chat {chat_id}")
        return membership(row["membership"])

    async def decline(self, viewer: Viewer, chat_id: str) -> None:
        """Deletes the viewer's invitation to a group. Raises `NotFound` if there is none."""
        declined = await self._database.count(
            "people/decline_invitation", chat=chat_id, viewer=viewer.person_id, now=self._clock()
        )
        if not declined:
            raise NotFound(f"there is no invitation to chat {chat_id}")
