"""Entities: their types, how to list them, and how to create and rename people."""

from typing import TYPE_CHECKING, Annotated, Final

import strawberry

from hippograph.api.arguments import inner_id
from hippograph.api.graphql.context import Info, Loaders
from hippograph.api.graphql.docs import described, field, input_type, interface, object_type
from hippograph.api.graphql.errors import (
    ConflictError,
    FailureOrNotAllowed,
    InvalidInputError,
    NotAllowedError,
    UnavailableError,
)
from hippograph.api.graphql.nodes import Connection, Node, connection, global_id, to_type
from hippograph.graph import model

if TYPE_CHECKING:
    from hippograph.api.graphql.memory.memories import Memory

strawberry.enum(model.EntityType, description="The type of an entity.")


@interface
class Entity(Node):
    """A person or thing of the real world, under its canonical name. What is known about it is in memories. It is
    visible to viewers who may see a memory that names it, share a chat with it, or created it.
    """

    key: str = described("Its key, by which it can be referred to: `person:john_smith`.")
    type: model.EntityType
    canonical_name: str
    aliases: list[str]
    inner: strawberry.Private[str]

    @field
    async def memories(
        self, info: Info, first: int = 20, after: str | None = None
    ) -> Connection[Annotated["Memory", strawberry.lazy("hippograph.api.graphql.memory.memories")]]:
        """The memories that name the entity or are about it, newest first: all that the viewer may see in any scope."""
        from hippograph.api.graphql.memory.memories import memory

        context = info.context
        page = await context.service.browsing.entity_memories(context.viewer, self.inner, first=first, after=after)
        return connection(page, memory, after)


@object_type
class Person(Entity):
    """A person, who may take part in chats."""

    usernames: list[str] = described("The usernames, by which `@name` mentions them.")


@object_type
class Project(Entity):
    """Something people work on."""


@object_type
class Organization(Entity):
    """A company, a club, an authority."""


@object_type
class Place(Entity):
    """A location."""


@object_type
class Concept(Entity):
    """An idea, a topic, an event."""


@object_type
class Tool(Entity):
    """Something people use."""


TYPES: Final[dict[model.EntityType, type[Entity]]] = {
    model.EntityType.PERSON: Person,
    model.EntityType.PROJECT: Project,
    model.EntityType.ORGANIZATION: Organization,
    model.EntityType.PLACE: Place,
    model.EntityType.CONCEPT: Concept,
    model.EntityType.TOOL: Tool,
}


def entity(found: model.Entity) -> Entity:
    """Converts an entity to the GraphQL type of its kind."""
    if found.type is model.EntityType.PERSON:
        return person(found)
    kind = TYPES[found.type]
    return to_type(kind, found, id=global_id(kind.__name__, found.id), inner=found.id)


def person(found: model.Entity | model.Person) -> Person:
    """Converts a person to the GraphQL type."""
    return to_type(Person, found, id=global_id("Person", found.id), type=model.EntityType.PERSON, inner=found.id)


async def person_of(loaders: Loaders, person_id: str | None) -> Person | None:
    """Returns the person with this id; None without an id, or if the viewer may not know of them."""
    found = await loaders.entities.load(person_id) if person_id else None
    return person(found) if found else None


@object_type
class EntityQueries:
    """Entities by key, and the list of them."""

    @field
    async def entity(self, info: Info, key: str) -> Entity | None:
        """The entity with this key (`person:john`); null if there is none that the viewer may know of."""
        found = await info.context.service.browsing.entity(info.context.viewer, key)
        return entity(found) if found else None

    @field
    async def entities(
        self, info: Info, type: model.EntityType | None = None, first: int = 20, after: str | None = None
    ) -> Connection[Entity] | None:
        """The entities that the viewer may know of, ordered by key; of one type or of all."""
        browsing = info.context.service.browsing
        page = await browsing.entities(info.context.viewer, kind=type, first=first, after=after)
        return connection(page, entity, after)


@input_type
class CreatePersonInput:
    """A new person."""

    name: str
    usernames: list[str] = described(
        "Usernames, by which `@name` mentions them; nobody else may have them.", default_factory=list
    )


@input_type
class UpdatePersonInput:
    """A person and their new name."""

    person_id: strawberry.ID
    name: str = described("The new name. The former name becomes an alias; the key stays.")


@input_type
class AddAliasInput:
    """A person and another name of theirs."""

    person_id: strawberry.ID
    alias: str


@object_type
class CreatePersonPayload:
    """The new person. The key has a random suffix if it is taken, or if the caller may not vouch for names."""

    person: Person


CreatePersonResult = Annotated[
    CreatePersonPayload | InvalidInputError | ConflictError | NotAllowedError | UnavailableError,
    strawberry.union("CreatePersonResult"),
]


@object_type
class PersonPayload:
    """The person after the change. Phonetic search finds the new name within seconds."""

    person: Person


PersonResult = Annotated[PersonPayload | FailureOrNotAllowed, strawberry.union("PersonResult")]


@object_type
class EntityMutations:
    """Creating and renaming people."""

    @field
    async def create_person(self, info: Info, input: CreatePersonInput) -> CreatePersonResult | None:
        """Creates a person."""
        context = info.context
        made = await context.service.people.create_person(context.viewer, input.name, usernames=input.usernames)
        return CreatePersonPayload(person=person(made))

    @field
    async def update_person(self, info: Info, input: UpdatePersonInput) -> PersonResult | None:
        """Renames a person. Allowed to whoever created them, to themselves, and to administrators."""
        context, person_id = info.context, inner_id("Person", input.person_id)
        return PersonPayload(person=person(await context.service.people.rename(context.viewer, person_id, input.name)))

    @field
    async def add_alias(self, info: Info, input: AddAliasInput) -> PersonResult | None:
        """Adds an alias to a person. Allowed as for `updatePerson`."""
        context, person_id = info.context, inner_id("Person", input.person_id)
        named = await context.service.people.add_alias(context.viewer, person_id, input.alias)
        return PersonPayload(person=person(named))
