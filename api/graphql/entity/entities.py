"""People and things: their types, how to list them, and how to make a person."""

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

strawberry.enum(model.EntityType, description="What sort of thing an entity is.")


@interface
class Entity(Node):
    """A real-world thing under its canonical name. What is known about it is in memories; an entity is there for those
    who see a memory that names it, share a chat with it, or made it.
    """

    key: str = described("Its name for reference: `person:john_smith`.")
    type: model.EntityType
    canonical_name: str
    aliases: list[str]
    inner: strawberry.Private[str]

    @field
    async def memories(
        self, info: Info, first: int = 20, after: str | None = None
    ) -> Connection[Annotated["Memory", strawberry.lazy("hippograph.api.graphql.memory.memories")]]:
        """What names it or is about it, newest first: each memory that the viewer may see somewhere."""
        from hippograph.api.graphql.memory.memories import memory

        context = info.context
        page = await context.service.browsing.entity_memories(context.viewer, self.inner, first=first, after=after)
        return connection(page, memory, after)


@object_type
class Person(Entity):
    """Someone who may talk."""

    usernames: list[str] = described("The names by which `@name` mentions them.")


@object_type
class Project(Entity):
    """Something people work on."""


@object_type
class Organization(Entity):
    """A company, a club, an authority."""


@object_type
class Place(Entity):
    """Somewhere."""


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
    """An entity as the outside sees it."""
    if found.type is model.EntityType.PERSON:
        return person(found)
    kind = TYPES[found.type]
    return to_type(kind, found, id=global_id(kind.__name__, found.id), inner=found.id)


def person(found: model.Entity | model.Person) -> Person:
    """A person as the outside sees them."""
    return to_type(Person, found, id=global_id("Person", found.id), type=model.EntityType.PERSON, inner=found.id)


async def person_of(loaders: Loaders, person_id: str | None) -> Person | None:
    """The person of an id, as far as the viewer may know of them."""
    found = await loaders.entities.load(person_id) if person_id else None
    return person(found) if found else None


@object_type
class EntityQueries:
    """Entities by key, and the list of them."""

    @field
    async def entity(self, info: Info, key: str) -> Entity | None:
        """The entity of this key (`person:john`), or null."""
        found = await info.context.service.browsing.entity(info.context.viewer, key)
        return entity(found) if found else None

    @field
    async def entities(
        self, info: Info, type: model.EntityType | None = None, first: int = 20, after: str | None = None
    ) -> Connection[Entity] | None:
        """The entities there are for the viewer, by key; of one type or of all."""
        browsing = info.context.service.browsing
        page = await browsing.entities(info.context.viewer, kind=type, first=first, after=after)
        return connection(page, entity, after)


@input_type
class CreatePersonInput:
    """A new person."""

    name: str
    usernames: list[str] = described(
        "The names by which `@name` is to mention them; nobody else's.", default_factory=list
    )


@input_type
class UpdatePersonInput:
    """A person and their new name."""

    person_id: strawberry.ID
    name: str = described("The name before becomes an alias; the key stays.")


@input_type
class AddAliasInput:
    """A person and what else they are called."""

    person_id: strawberry.ID
    alias: str


@object_type
class CreatePersonPayload:
    """The person that was made. Namesakes get a key with a random ending."""

    person: Person


CreatePersonResult = Annotated[
    CreatePersonPayload | InvalidInputError | ConflictError | NotAllowedError | UnavailableError,
    strawberry.union("CreatePersonResult"),
]


@object_type
class PersonPayload:
    """The person as they are now; within seconds they are found by how the new name sounds too."""

    person: Person


PersonResult = Annotated[PersonPayload | FailureOrNotAllowed, strawberry.union("PersonResult")]


@object_type
class EntityMutations:
    """Making and naming people."""

    @field
    async def create_person(self, info: Info, input: CreatePersonInput) -> CreatePersonResult | None:
        """Makes a person."""
        context = info.context
        made = await context.service.people.create_person(context.viewer, input.name, usernames=input.usernames)
        return CreatePersonPayload(person=person(made))

    @field
    async def update_person(self, info: Info, input: UpdatePersonInput) -> PersonResult | None:
        """Gives a person another name: for whoever made them, for themselves, and for administrators."""
        context, person_id = info.context, inner_id("Person", input.person_id)
        return PersonPayload(person=person(await context.service.people.rename(context.viewer, person_id, input.name)))

    @field
    async def add_alias(self, info: Info, input: AddAliasInput) -> PersonResult | None:
        """Says what else a person is called; who may is as with `updatePerson`."""
        context, person_id = info.context, inner_id("Person", input.person_id)
        named = await context.service.people.add_alias(context.viewer, person_id, input.alias)
        return PersonPayload(person=person(named))
