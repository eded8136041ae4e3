"""Personas: the characters of the assistant."""

from typing import Annotated

import strawberry

from hippograph.api.graphql.context import Info, Loaders
from hippograph.api.graphql.docs import argument, field, input_type, object_type
from hippograph.api.graphql.errors import InvalidInputError, NotAllowedError, UnavailableError
from hippograph.api.graphql.nodes import Connection, Node, connection, global_id
from hippograph.graph import model
from hippograph.graph.checks import checked_text
from hippograph.graph.errors import NotFound


@object_type
class Persona(Node):
    """A character of the assistant."""

    name: str


def persona(found: model.Persona) -> Persona:
    """Converts a persona to its GraphQL type."""
    return Persona(id=global_id("Persona", found.id), name=found.name)


async def persona_of(loaders: Loaders, persona_id: str | None) -> Persona | None:
    """Returns the persona with this id, None without an id."""
    found = await loaders.personas.load(persona_id) if persona_id else None
    return persona(found) if found else None


@object_type
class PersonaQueries:
    """The list of personas, and one by its name."""

    @field
    async def persona(
        self, info: Info, name: Annotated[str, argument("The name of the persona; case makes a difference.")]
    ) -> Persona | None:
        """The persona with this name; null if there is none."""
        try:
            return persona(await info.context.service.browsing.persona_called(checked_text(name)))
        except NotFound:
            return None

    @field
    async def personas(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Persona] | None:
        """The personas, ordered by name."""
        return connection(await info.context.service.browsing.personas(first=first, after=after), persona, after)


@input_type
class CreatePersonaInput:
    """The persona to create."""

    name: str


@object_type
class CreatePersonaPayload:
    """The persona with that name, new or existing."""

    persona: Persona


CreatePersonaResult = Annotated[
    CreatePersonaPayload | InvalidInputError | NotAllowedError | UnavailableError,
    strawberry.union("CreatePersonaResult"),
]


@object_type
class PersonaMutations:
    """Creating personas."""

    @field
    async def create_persona(self, info: Info, input: CreatePersonaInput) -> CreatePersonaResult | None:
        """Creates a persona, or returns the existing one with that name."""
        return CreatePersonaPayload(
            persona=persona(await info.context.service.people.create_persona(info.context.viewer, input.name))
        )
