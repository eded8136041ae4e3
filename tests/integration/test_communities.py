"""Communities: what they are computed from, who sees them, their versions, and search by community (M15, A4)."""

from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.model import INTERNAL, Person, Sensitivity, Viewer
from hippograph.graph.reading.communities import CommunityMember
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.summaries import communities
from hippograph.graph.summaries.communities import Partition, Scope
from hippograph.graph.writing.fact import Fact

pytestmark = pytest.mark.usefixtures("gds")

SEARCH = """query Q($query: String!, $chat: ID, $community: Int) {
  search(query: $query, chatId: $chat, filter: {community: $community}, first: 50) { nodes { content } } }"""
LIST = """query Q($chat: ID, $first: Int, $after: String) { communities(chatId: $chat, first: $first, after: $after) {
  pageInfo { hasNextPage endCursor } nodes { entity { key } community centrality version algorithm } } }"""


@pytest.fixture
async def circles(scene) -> dict[str, Person]:
    """Two circles in the group: four people who are named in pairs, and three others."""
    names = ("Ada", "Bo", "Cleo", "Dan", "Eli", "Fay", "Gus")
    make = scene.service.people.create_person
    people = {name: await make(INTERNAL, f"{name} Berg", usernames=[name.lower()]) for name in names}
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, people["Ada"].id)
    for pair in ("Ada Bo", "Ada Cleo", "Ada Dan", "Bo Cleo", "Bo Dan", "Cleo Dan", "Eli Fay", "Eli Gus", "Fay Gus"):
        one, other = (people[name] for name in pair.split())
        await tell(scene, f"{pair.replace(' ', ' and ')} play chess", one, other)
    return people


async def tell(scene, content: str, *about: Person, sensitivity: Sensitivity = Sensitivity.PUBLIC) -> str:
    """Stores a fact of the group, stated by Maya, and returns its id."""
    keys = tuple(person.key for person in about)
    [stored] = await scene.service.facts.remember(
        Viewer(scene.maya.id, scene.group.id, None, ALL_RIGHTS),
        [Fact(content, about=keys, sensitivity=sensitivity)],
        for_chat=True,
    )
    return str(stored.memory_id)


def scope(scene) -> Scope:
    """The scope of the group."""
    return Scope(scene.group.id, scene.group.id)


async def members(scene, viewer: Viewer, **more: Any) -> list[CommunityMember]:
    """All community members that the viewer may see."""
    return [listed.item for listed in (await scene.service.communities.members(viewer, first=100, **more)).items]


def groups(found: Partition) -> list[set[str]]:
    """The keys of each community."""
    numbers = sorted({member.community for member in found.members})
    return [{member.key for member in found.members if member.community == number} for number in numbers]


async def test_circles_are_found_and_nothing_is_left(scene, circles, raw) -> None:
    """Entities that are named together form a community, and the largest is first. Without `write` nothing is stored,
    and no projection remains.
    """
    before = await raw("MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS links")
    found = await scene.service.community_finder.find(scope(scene))
    expected = [("Ada", "Bo", "Cleo", "Dan"), ("Eli", "Fay", "Gus")]
    assert [{circles[name].key for name in names} for names in expected] == groups(found)
    assert (9, None) == (found.memories, found.version)
    assert found.bytes > 0
    assert before == await raw(
        "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS links"
    )
    assert [] == await raw("CALL gds.graph.list() YIELD graphName")
    assert [] == await members(scene, scene.viewer())


async def test_a_projection_is_dropped_when_something_fails(scene, circles, raw) -> None:
    """A projection is dropped if an exception is raised while it is used."""
    ids = [row["id"] for row in await raw("MATCH (m:Memory) RETURN m.id AS id")]

    async def fail() -> None:
        async with scene.service.community_finder._projected(ids):
            assert 1 == len(await raw("CALL gds.graph.list() YIELD graphName"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert [] == await raw("CALL gds.graph.list() YIELD graphName")


async def test_what_takes_too_much_memory_is_not_begun(scene, circles, raw, monkeypatch) -> None:
    """A computation whose estimated memory exceeds the limit is refused, and stores nothing; so is a scope in which no
    memory names two entities.
    """
    with pytest.raises(InvalidInput, match="two people or things"):
        await scene.service.community_finder.find(Scope(scene.me))
    monkeypatch.setattr(communities, "MOST_OF_HEAP", 0.0)
    with pytest.raises(InvalidInput, match="HIPPOGRAPH_NEO4J_HEAP_MB"):
        await scene.service.community_finder.find(scope(scene), write=True)
    assert [] == await raw("MATCH (a:GraphAnalysis) RETURN a.id")


async def test_versions_follow_each_other(scene, circles, raw) -> None:
    """Each version holds its algorithm, scope, sources and entities; the previous one is retired but kept, and members
    are read from the latest.
    """
    for expected in (1, 2):
        assert expected == (await scene.service.community_finder.find(scope(scene), write=True)).version
    rows = await raw(
        "MATCH (a:GraphAnalysis) RETURN a.version AS version, a.algorithm AS algorithm, a.scope AS scope, "
        "a.retired_at < datetime() AS retired, COUNT { (a)-[:DERIVED_FROM]->(:Memory) } AS memories, "
        "COUNT { (:Entity)-[:ANALYSED_IN]->(a) } AS entities ORDER BY version"
    )
    common = {"algorithm": "leiden, page rank", "scope": scene.group.id, "memories": 9, "entities": 7}
    assert [{"version": 1, "retired": True, **common}, {"version": 2, "retired": False, **common}] == rows
    assert {2} == {place.version for place in await members(scene, scene.viewer())}


async def test_hidden_memories_change_nothing(scene, circles) -> None:
    """Memories that not everybody in the group may see do not change the result in any way; a public one counts."""
    before = await scene.service.community_finder.find(scope(scene))
    # About people who take no part in the group: hidden from all but those people.
    await tell(scene, "Dan owes Eli money", circles["Dan"], circles["Eli"], sensitivity=Sensitivity.SENSITIVE)
    await tell(scene, "Dan and Gus are in love", circles["Dan"], circles["Gus"], sensitivity=Sensitivity.PERSONAL)
    after = await scene.service.community_finder.find(scope(scene))
    assert before == after
    # A public memory about the same people counts.
    await tell(scene, "Dan owes Eli a book", circles["Dan"], circles["Eli"])
    assert before.memories + 1 == (await scene.service.community_finder.find(scope(scene))).memories


@pytest.mark.parametrize("change", ["sensitive", "forgotten", "reworded", "left"])
async def test_they_are_gone_with_a_memory_of_theirs(scene, circles, change: str) -> None:
    """Nobody sees communities once a memory they were computed from is hidden from somebody, forgotten or reworded."""
    told = await tell(scene, "Ada sings", circles["Ada"], circles["Eli"], sensitivity=Sensitivity.PERSONAL)
    await scene.service.community_finder.find(scope(scene), write=True)
    maya = scene.viewer(scene.maya)
    assert 7 == len(await members(scene, maya)) == len(await members(scene, scene.viewer()))
    if change == "sensitive":
        await scene.service.labels.set_sensitivity(maya, told, Sensitivity.SENSITIVE)
        # It is still shown to all in the group, because a subject takes part there.
        assert 7 == len(await members(scene, scene.viewer()))
        await scene.service.people.leave_chat(scene.viewer(), scene.group.id, circles["Ada"].id)
    elif change == "forgotten":
        await scene.service.facts.forget(maya, told)
    elif change == "reworded":
        await scene.service.facts.update(maya, told, "Ada sings with Eli")
    else:
        await scene.service.people.leave_chat(scene.viewer(), scene.group.id, circles["Ada"].id)
    for viewer in (maya, scene.viewer()):
        assert [] == await members(scene, viewer)
        with pytest.raises(NotFound):
            await scene.service.communities.keys(viewer, 1)


async def test_who_is_not_there_sees_none(scene, circles) -> None:
    """Communities of a group are shown only to its members, and only there: not to a stranger, to a member without the
    chat or in another one, or to a person who left.
    """
    await scene.service.community_finder.find(scope(scene), write=True)
    zoe = await scene.service.people.create_person(INTERNAL, "Zoe Novak")
    assert [] == await members(scene, scene.viewer(zoe))
    assert [] == await members(scene, Viewer(scene.maya.id))
    assert [] == await members(scene, scene.viewer(scene.maya, scene.private))
    await scene.service.people.leave_chat(scene.viewer(), scene.group.id, scene.ben.id)
    assert [] == await members(scene, scene.viewer(scene.ben))
    assert 7 == len(await members(scene, scene.viewer(scene.maya)))


async def test_search_by_community(scene, circles, ask, drain) -> None:
    """A search can be limited to memories about the members of a community, and the list is paged. An unknown community
    is `NOT_FOUND`, and a filter of entities besides it `INVALID_INPUT`.
    """
    await scene.service.community_finder.find(scope(scene), write=True)
    await drain()  # enrichment also finds other names in the words
    found = await ask(SEARCH, query="chess", chat=scene.group.id, community=2)
    assert {"Eli and Fay play chess", "Eli and Gus play chess", "Fay and Gus play chess"} == {
        node["content"] for node in found["data"]["search"]["nodes"]
    }
    missing = await ask(SEARCH, query="chess", chat=scene.group.id, community=3)
    assert "NOT_FOUND" == missing["errors"][0]["extensions"]["code"]
    whole, after = [], None
    while True:
        page = (await ask(LIST, chat=scene.group.id, first=3, after=after))["data"]["communities"]
        whole += page["nodes"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert [1] * 4 + [2] * 3 == [node["community"] for node in whole]
    assert {person.key for person in circles.values()} == {node["entity"]["key"] for node in whole}
    both = (
        'query Q($c: ID) { search(query: "a", chatId: $c, filter: {community: 1, entities: ["x"]}) { nodes { id } } }'
    )
    assert "INVALID_INPUT" == (await ask(both, c=scene.group.id))["errors"][0]["extensions"]["code"]


async def test_of_ones_own(scene, circles) -> None:
    """A person's own memories have communities that only they see, and by which they can list their memories."""
    await scene.service.facts.remember(
        Viewer(scene.me), [Fact("Ben and Maya are married", about=(scene.ben.key, scene.maya.key))]
    )
    await scene.service.community_finder.find(Scope(scene.me), write=True)
    mine = await members(scene, Viewer(scene.me))
    assert {scene.ben.key, scene.maya.key} == {place.entity.key for place in mine}
    assert [] == await members(scene, Viewer(scene.ben.id)) == await members(scene, scene.viewer())
    keys = await scene.service.communities.keys(Viewer(scene.me), 1)
    listed = await scene.service.browsing.my_memories(Viewer(scene.me), Filters(entities=keys))
    assert ["Ben and Maya are married"] == [each.item.content for each in listed.items]


async def test_what_has_an_end_makes_no_communities(scene, circles) -> None:
    """A memory that expires is no source of communities, because they would end with it."""
    before = await scene.service.community_finder.find(scope(scene))
    fact = Fact("Ada and Fay share a taxi", about=(circles["Ada"].key, circles["Fay"].key), ttl=timedelta(days=3))
    await scene.service.facts.remember(Viewer(scene.maya.id, scene.group.id, None, ALL_RIGHTS), [fact], for_chat=True)
    assert before.members == (await scene.service.community_finder.find(scope(scene))).members


async def test_an_erased_person_leaves_no_communities(scene, circles, raw) -> None:
    """Erasing a person deletes all versions of the communities that were computed from memories about them."""
    for _ in range(2):
        await scene.service.community_finder.find(scope(scene), write=True)
    await scene.service.erasures.erase(INTERNAL, circles["Gus"].id)
    await scene.service.runner.work_until_idle()
    assert [] == await raw("MATCH (a:GraphAnalysis) RETURN a.id")


def test_communities_are_numbered_by_size() -> None:
    """The largest community is 1; equally large ones are ordered by their first keys."""
    rows = [
        {"entity": str(place), "key": key, "community": community, "centrality": 1.0}
        for place, (key, community) in enumerate([("d", 5), ("c", 5), ("b", 9), ("a", 9), ("x", 3), ("y", 3), ("z", 3)])
    ]
    numbers = {member.key: member.community for member in communities.numbered(rows)}
    assert {"x": 1, "y": 1, "z": 1, "a": 2, "b": 2, "c": 3, "d": 3} == numbers
