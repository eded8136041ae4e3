"""Merging of places, organizations and other things, for all who know them: who may merge them, and undo a merge."""

from dataclasses import dataclass
from typing import Any

import pytest

from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.knowledge.entity_resolution.entity_merging import DoneMerge, Merged
from hippograph.graph.model import INTERNAL, ChatKind, EntityType, Person, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import Scene

ACME, APEX = "organization:acme", "organization:apex"
ABOUT = (
    "MATCH (m:Memory)-[:ABOUT]->(e:Entity) WHERE e.key IN $keys RETURN m.content AS said, e.key AS key ORDER BY said"
)


@dataclass(frozen=True)
class World:
    """Two organizations, Acme and Apex, and three people without rights over others: Mallory, Alice and Ben."""

    scene: Scene
    mallory: Person
    alice: Person
    raw: Any

    async def tell(self, person: Person, content: str, key: str, chat: str | None = None) -> None:
        """Stores a person's fact about an organization, of their own or for a chat. For that moment they are its
        creator, so that they may name it.
        """
        await self.raw("MATCH (e:Entity {key: $key}) SET e.created_by = $id", key=key, id=person.id)
        fact = Fact(content, about=(key,))
        await self.scene.service.facts.remember(Viewer(person.id, chat), [fact], for_chat=chat is not None)
        await self.raw("MATCH (e:Entity {key: $key}) REMOVE e.created_by", key=key)

    async def merge(self, person: Person, **more: Any) -> Merged:
        """Merges Apex into Acme, for a person without rights over others."""
        return await self.scene.service.merging.merge(Viewer(person.id), ACME, APEX, **more)

    async def done(self, person: Person) -> list[DoneMerge]:
        """Returns the merges that concern a person."""
        return [each.item for each in (await self.scene.service.merging.done(Viewer(person.id))).items]

    async def suggested(self, person: Person) -> list[tuple[set[str], str]]:
        """Returns the pairs suggested to a person, each with the reason."""
        found = (await self.scene.service.merging.suggestions(Viewer(person.id))).items
        return [({each.item.one.key, each.item.other.key}, each.item.reason) for each in found]

    async def about(self) -> dict[str, str]:
        """Returns the key of the organization that each memory is about, by content."""
        return {row["said"]: row["key"] for row in await self.raw(ABOUT, keys=[ACME, APEX])}


@pytest.fixture
async def world(scene: Scene, raw: Any) -> World:
    """The world, in which Mallory and Alice know both organizations."""
    people = scene.service.people
    mallory, alice = [await people.create_person(INTERNAL, name, user_id=name) for name in ("Mallory", "Alice")]
    for key in (ACME, APEX):
        await raw(
            "CREATE (:Entity:Organization {id: $id, key: $key, type: 'organization', canonical_name: $name, "
            "aliases: [], usernames: [], names: [], first_seen: $now, last_updated: $now, attributes: '{}'})",
            id=f"{key}0",
            key=key,
            name=key.partition(":")[2].title(),
            now=scene.service.clock(),
        )
    world = World(scene, mallory, alice, raw)
    for person in (mallory, alice):
        for key in (ACME, APEX):
            await world.tell(person, f"{person.canonical_name}: {key}", key)
    return world


async def forget(world: World, person: Person) -> None:
    """Deletes all memories that a person owns."""
    await world.raw("MATCH (m:Memory {owner_id: $id}) DETACH DELETE m", id=person.id)


async def test_what_others_know_is_not_merged_by_one(world: World) -> None:
    """A merge of things that somebody else knows changes nothing and is suggested to those who know both."""
    before = await world.about()
    merged = await world.merge(world.mallory)
    assert (None, ACME) == (merged.merge_id, merged.kept.key)
    assert before == await world.about()
    expected = [({ACME, APEX}, "somebody asked to merge them")]
    assert expected == await world.suggested(world.alice)
    assert expected == await world.suggested(world.mallory)
    assert [] == await world.suggested(world.scene.ben)
    assert [] == await world.done(world.mallory)


@pytest.mark.parametrize("kept", [ACME, APEX])
@pytest.mark.parametrize("link", ["ABOUT", "MENTIONS"])
async def test_one_memory_of_another_is_enough(world: World, kept: str, link: str) -> None:
    """One memory of somebody else about one of the two, or that names it, even one that the viewer does not see, makes
    the merge a mere suggestion.
    """
    await forget(world, world.alice)
    await world.tell(world.mallory, "Both are one", kept)
    await world.raw(
        "MATCH (m:Memory {content: 'Both are one'})-[about:ABOUT]->(e) DELETE about "
        "SET m.owner_id = 'another', m.scope = 'another' CREATE (m)-[:$($link) {texts: ['it'], names: []}]->(e)",
        link=link,
    )
    assert (await world.merge(world.mallory)).merge_id is None


async def test_ones_own_is_merged_at_once(world: World) -> None:
    """Things known only from the viewer's own memories and those of their groups are merged at once, but not after
    the viewer has left the group.
    """
    await forget(world, world.alice)
    service, mallory = world.scene.service, Viewer(world.mallory.id)
    members = [Member(world.mallory.id), Member(world.scene.ben.id)]
    group = await service.people.create_chat(mallory, ChatKind.GROUP, "Work", members)
    await world.tell(world.mallory, "Apex makes bread", APEX, group.id)
    merged = await world.merge(world.mallory)
    assert merged.merge_id is not None
    assert {ACME} == set((await world.about()).values())
    await service.merging.unmerge(mallory, merged.merge_id)
    assert APEX == (await world.about())["Apex makes bread"]
    await service.people.leave_chat(mallory, group.id, world.mallory.id)
    assert (await world.merge(world.mallory)).merge_id is None


async def test_an_administrator_confirms(world: World) -> None:
    """An administrator merges what was suggested, which removes the suggestion; undoing the merge restores it."""
    await world.merge(world.mallory)
    admin = Viewer(world.alice.id, rights=ALL_RIGHTS)
    merged = await world.scene.service.merging.merge(admin, ACME, APEX)
    assert merged.merge_id is not None
    assert [] == await world.suggested(world.alice)
    assert {ACME} == set((await world.about()).values())
    await world.scene.service.merging.unmerge(admin, merged.merge_id)
    assert 1 == len(await world.suggested(world.alice))


async def test_asking_again_is_one_suggestion(world: World) -> None:
    """A merge requested again, in either direction, is suggested once; after the suggestion was dismissed a request
    makes it again.
    """
    merging, alice = world.scene.service.merging, Viewer(world.alice.id)
    await world.merge(world.mallory)
    await merging.merge(alice, APEX, ACME)
    assert 1 == len(await world.suggested(world.alice))
    await merging.dismiss(alice, ACME, APEX)
    assert [] == await world.suggested(world.mallory)
    await world.merge(world.mallory)
    assert 1 == len(await world.suggested(world.alice))


async def test_a_thing_is_not_merged_into_a_person_of_ones_own(world: World) -> None:
    """A thing that others know is not merged into a person whom the viewer created."""
    made = await world.scene.service.people.create_person(Viewer(world.mallory.id), "Acme Person")
    merging = world.scene.service.merging
    merged = await merging.merge(Viewer(world.mallory.id), made.key, ACME, kind=EntityType.PERSON)
    assert merged.merge_id is None
    assert ACME in (await world.about()).values()


async def test_whom_a_merge_concerns_sees_it_and_takes_it_back(world: World) -> None:
    """A merge is listed to those who may see a memory that named the merged thing, and they may undo it. Others get
    `NotFound`.
    """
    service = world.scene.service
    await forget(world, world.alice)
    group = await service.people.create_chat(
        Viewer(world.mallory.id), ChatKind.GROUP, "Work", [Member(world.mallory.id), Member(world.scene.ben.id)]
    )
    await world.tell(world.mallory, "Apex makes bread", APEX, group.id)
    merged = await world.merge(world.mallory)
    [told] = await world.done(world.scene.ben)
    assert (merged.merge_id, ACME, APEX, world.mallory.id) == (told.merge_id, told.kept.key, told.key, told.merged_by)
    assert "apex" in told.name.lower()
    assert [] == await world.done(world.alice)
    await world.tell(world.alice, "Acme is old", ACME)
    with pytest.raises(NotFound):
        await service.merging.unmerge(Viewer(world.alice.id), told.merge_id)
    undone = await service.merging.unmerge(Viewer(world.scene.ben.id), told.merge_id)
    assert undone.restored is not None
    assert APEX == (await world.about())["Apex makes bread"]
    assert [] == await world.done(world.scene.ben)


async def test_what_an_administrator_merged_for_all_they_take_back(world: World) -> None:
    """Those whom an administrator's merge concerns see it, and may undo it only if nobody else knows the thing."""
    service = world.scene.service
    merged = await service.merging.merge(Viewer(world.alice.id, rights=ALL_RIGHTS), ACME, APEX)
    [told] = await world.done(world.mallory)
    assert merged.merge_id == told.merge_id
    with pytest.raises(NotAllowed, match="administrator"):
        await service.merging.unmerge(Viewer(world.mallory.id), told.merge_id)
    await forget(world, world.alice)
    await service.merging.unmerge(Viewer(world.mallory.id), told.merge_id)
    assert {ACME, APEX} == set((await world.about()).values())


async def test_graphql_tells_what_became_of_a_merge(world: World, ask: Any) -> None:
    """GraphQL lists the merges that concern the viewer, with the id by which each can be undone."""
    me = world.scene.service.local_user
    for key in (ACME, APEX):
        await world.tell(me, f"I know {key}", key)
    merge = 'mutation { mergeEntities(input: {keep: "%s", merge: "%s"}) { ... on MergeEntitiesPayload { mergeId } } }'
    merged = (await ask(merge % (ACME, APEX)))["data"]["mergeEntities"]["mergeId"]
    fields = "mergeId key name kept { key } mergedBy { key }"
    [shown] = (await ask(f"{{ merges {{ nodes {{ {fields} }} }} }}"))["data"]["merges"]["nodes"]
    assert (merged, APEX, ACME, me.key) == (
        shown["mergeId"],
        shown["key"],
        shown["kept"]["key"],
        shown["mergedBy"]["key"],
    )
