"""Who asks: the one place that makes viewers, of credentials and of the names that a command is given (P5)."""

from dataclasses import replace
from typing import Protocol

from api.arguments import named_or_id
from graph.model import Person, Viewer
from graph.people.people import People
from graph.retrieval.browsing import Browsing


class Authenticator(Protocol):
    """Says on whose behalf a request is made."""

    async def authenticate(self, credential: str | None) -> Viewer:
        """The viewer of a credential, in no chat and for no persona.

        `credential` is the header `Authorization`, None without it.
        """


class LocalUser:
    """Takes everybody who reaches the service for the user of this machine, whatever credential they bring.

    Who runs a service on their own machine is trusted to record what others said.
    """

    def __init__(self, person: Person) -> None:
        self.viewer = Viewer(person.id, trusted=True)

    async def authenticate(self, _credential: str | None) -> Viewer:
        """The local user."""
        return self.viewer


async def named_viewer(
    viewer: Viewer, people: People, browsing: Browsing, *, person: str | None, chat: str | None, persona: str | None
) -> Viewer:
    """The viewer acting for a person, in a chat and for a persona, each by the name or id that people give it.

    Raises `NotFound`, `InvalidInput` when several go by a name, and `NotAllowed` when they may not act for others.
    """
    if person:
        viewer = replace(viewer, person_id=(await people.called(viewer, person)).id)
    return viewer.at(
        (await browsing.chat_called(viewer, named_or_id("Chat", chat))).id if chat else None,
        (await browsing.persona_called(named_or_id("Persona", persona))).id if persona else None,
    )
