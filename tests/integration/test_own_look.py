"""A person who looks at their own memory, outside any chat and with all personas, also finds what they may see in their
groups.

`scripts/weaken_rule.py` runs these tests against weakened rules, because random worlds seldom contain such groups.
"""

from hippograph.graph.model import INTERNAL, Chat, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO, Scene

FERRY = "The ferry to Trieste leaves at nine"


async def found(scene: Scene, viewer: Viewer) -> list[str]:
    """Returns the contents that a search finds for a viewer."""
    page = await scene.service.search.search(viewer, "When does the ferry leave?")
    return [result.memory.content for result in page.results]


async def group_of(scene: Scene, *members: Member) -> Chat:
    """Creates a group of some people on behalf of the service."""
    return await scene.service.people.create_chat(INTERNAL, ChatKind.GROUP, "Ferries", members)


async def test_what_was_said_in_ones_groups_is_found(scene: Scene, drain) -> None:
    """What was said in a group is found by a member outside any chat and with all personas. It is not found with one
    persona or none, in a private chat, or after leaving the group.
    """
    elsewhere = await group_of(scene, Member(scene.ben.id, LONG_AGO), Member(scene.me, LONG_AGO))
    await scene.say(FERRY, by=scene.ben)
    await scene.say("The ferry to Pula leaves at ten", by=scene.ben, chat=elsewhere)
    await drain()
    maya = Viewer(scene.maya.id)
    own_look = maya.with_every_persona()
    assert [FERRY] == await found(scene, own_look)
    assert [] == await found(scene, maya)
    assert [] == await found(scene, maya.at(None, scene.atlas.id))
    assert [] == await found(scene, own_look.at(scene.private.id))
    await scene.service.people.leave_chat(scene.viewer(scene.maya), scene.group.id, scene.maya.id)
    assert [] == await found(scene, own_look)


async def test_a_group_counts_from_when_one_takes_part_in_it(scene: Scene, drain, raw) -> None:
    """A group does not count if participation begins later, or if the person is only invited, whatever times the
    invitation has.
    """
    people = scene.service.people
    zoe = await people.create_person(INTERNAL, "Zoe", user_id="zoe")
    later = Member(zoe.id, scene.service.clock().replace(year=2999))
    to_come = await group_of(scene, Member(scene.ben.id, LONG_AGO), later)
    await scene.say(FERRY, by=scene.ben, chat=to_come)
    asking = await group_of(scene, Member(scene.ben.id, LONG_AGO))
    await scene.say("The ferry to Pula leaves at ten", by=scene.ben, chat=asking)
    await people.join_chat(Viewer(scene.ben.id).at(asking.id), asking.id, zoe.id)
    assert [{"there": 1}] == await raw(
        "MATCH ()-[asked:INVITED_TO]->() SET asked.since = datetime('2000-01-01T00:00Z') RETURN count(*) AS there"
    )
    await drain()
    assert [] == await found(scene, Viewer(zoe.id).with_every_persona())


async def test_what_is_of_a_space_is_found_in_a_group_of_that_space(scene: Scene, drain) -> None:
    """Maya sees a fact of a space that Ben told of himself outside any chat through a group of that space, also if she
    is in groups of no space. Within another space she sees neither the fact nor what was said in the group.
    """
    ben, spaces = Viewer(scene.ben.id), scene.service.spaces
    crew = await group_of(scene, Member(scene.ben.id, LONG_AGO), Member(scene.maya.id, LONG_AGO))
    harbour = await spaces.create(ben, "Harbour", chat_id=crew.id)
    await spaces.move_chat(ben, crew.id, harbour.id)
    fact = Fact(
        "Ben sails on the ferry to Split", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC, portable=True
    )
    [told] = await scene.service.facts.remember(ben.within(harbour.id), [fact])
    await scene.say(FERRY, by=scene.ben, chat=crew)
    await drain()
    own_look = Viewer(scene.maya.id).with_every_persona()
    other = await spaces.create(Viewer(scene.maya.id), "Other")
    load = scene.service.memories.load
    for viewer, seen in ((own_look, True), (own_look.within(harbour.id), True), (own_look.within(other.id), False)):
        assert ([FERRY] if seen else []) == await found(scene, viewer)
        assert ({told.memory_id} if seen else set()) == set(await load(viewer, [told.memory_id]))
