"""Entity typing: all mentions of an entity vote for its type; a thing is one entity in the chats of the same people."""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hippograph.graph.knowledge.enrichment import Enrichment
from hippograph.graph.knowledge.entity_resolution.entity_typing import MARGIN, settled
from hippograph.graph.model import INTERNAL, ChatKind, EntityType, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.nlp.names.recognition import TYPED, Name, NameFinder

Say = Callable[..., Awaitable[str]]

ORGANIZATION, CONCEPT = EntityType.ORGANIZATION, EntityType.CONCEPT


class Told(NameFinder):
    """A name finder that reads type and certainty from the text: "Biscuit (organization 0.6) sleeps". A question mark,
    as in "Ate (person? 0.9)", says that it is not surely a name.
    """

    def __init__(self) -> None:
        """Takes no model."""

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """Returns the names of each text that are followed by a type and a certainty."""
        pattern = re.compile(r"((?:[A-Z]\w* )*[A-Z]\w*) \((\w+)(\??) ([\d.]+)\)")
        return [
            [
                Name(each[1], each[2].capitalize(), *each.span(1), float(each[4]), not each[3])  # type: ignore[arg-type]
                for each in pattern.finditer(text)
            ]
            for text in texts
        ]


@pytest.fixture
def told(scene) -> Iterator[Say]:
    """Yields a function that records texts as turns and enriches each; it returns the id of the last turn."""
    service = scene.service
    with ThreadPoolExecutor(2) as executor:
        options = {"embedder": service.embedder, "slot": service.enrichment._slot, "name_finder": Told()}
        reader = Enrichment(service.database, service.clock, executor=executor, batch_size=16, **options)

        async def say(*texts: str, **more: Any) -> str:
            for text in texts:
                stored = await scene.say(text, **more)
                while await reader.step():
                    pass
            return stored.memory_id

        yield say


async def keys(raw: Any) -> set[str]:
    """Returns the keys of all entities except people with an account and participants of chats."""
    rows = await raw(
        "MATCH (e:Entity) WHERE NOT EXISTS { (e)-[:PARTICIPATES_IN]->() } AND e.user_id IS NULL RETURN e.key AS key"
    )
    return {row["key"] for row in rows}


@pytest.fixture
async def office(scene) -> dict[str, Any]:
    """Returns a chat of strangers and its speaker, as arguments for `told`."""
    carl = await scene.service.people.create_person(INTERNAL, "Carl Maier")
    members = [Member(carl.id, scene.minutes(-9))]
    return {"by": carl, "chat": await scene.service.people.create_chat(INTERNAL, ChatKind.GROUP, "Office", members)}


@pytest.mark.parametrize(
    ("votes", "kind"),
    [
        ({ORGANIZATION: 0.6}, ORGANIZATION),
        ({ORGANIZATION: 0.6, CONCEPT: 0.6 + MARGIN / 2}, ORGANIZATION),
        ({ORGANIZATION: 0.6, CONCEPT: 0.6 + 2 * MARGIN}, CONCEPT),
        ({CONCEPT: 0.9, EntityType.PLACE: 1.1}, EntityType.PLACE),
        ({CONCEPT: TYPED - 0.1}, ORGANIZATION),
        ({CONCEPT: TYPED}, CONCEPT),
    ],
)
def test_what_has_clearly_more_votes_is_the_type(votes: dict[EntityType, float], kind: EntityType) -> None:
    """An entity keeps its type unless another has at least `TYPED` votes and leads by `MARGIN`."""
    assert kind is settled(ORGANIZATION, votes)


async def test_a_type_is_settled_over_all_mentions(scene, told, raw) -> None:
    """Later mentions correct the type that the first one gave; the old key leads to the entity. A further vote for
    the old type, which stays behind, changes nothing.
    """
    await told("Biscuit (organization 0.8) is here", "Biscuit (concept 0.5) sleeps")
    assert {"organization:biscuit"} == await keys(raw)
    await told("Biscuit (concept 0.6) barks")
    assert {"concept:biscuit"} == await keys(raw)
    [row] = await raw("MATCH (e:Entity {key: 'concept:biscuit'}) RETURN labels(e) AS labels, e.sounds AS sounds")
    assert ({"Entity", "Concept"}, True) == (set(row["labels"]), bool(row["sounds"]))
    for key in ("concept:biscuit", "organization:biscuit"):
        entity = await scene.service.browsing.entity(scene.viewer(), key)
        assert ("concept:biscuit", CONCEPT) == (entity.key, entity.type)
    await told("Biscuit (organization 0.2) again")
    assert {"concept:biscuit"} == await keys(raw)
    assert [] == (await scene.service.merging.done(scene.viewer())).items
    assert [] == [finding.what for finding in await scene.service.doctor.examine()]


async def test_of_what_nobody_is_sure_is_a_concept_first(told, raw, office) -> None:
    """An entity is a concept until its mentions together are certain of another type. Mentions by strangers do not
    count: they create another entity.
    """
    await told("Noah (person 0.6) is here")
    assert {"concept:noah"} == await keys(raw)
    await told("Noah (person 0.6) is there", **office)
    mine, theirs = sorted(await keys(raw), key=len)
    assert ("concept:noah", True) == (mine, theirs.startswith("concept:noah-"))
    await told("Noah (person 0.6) sleeps")
    assert {"person:noah", theirs} == await keys(raw)


async def test_what_is_not_surely_a_name_makes_no_entity(told, raw) -> None:
    """What is not surely a name creates no entity, but can link to one that exists."""
    await told("Bea (person? 0.9) called")
    assert set() == await keys(raw)
    await told("Bea (person 0.9) is here")
    turn = await told("Bea (person? 0.9) sleeps")
    rows = await raw("MATCH (:Memory {id: $id})-[:MENTIONS]->(e) RETURN e.key AS key", id=turn)
    assert [{"key": "person:bea"}] == rows


async def test_a_type_comes_back_with_its_key(told, raw) -> None:
    """An entity that is voted back to its first type has its first key again; the key in between leads to it."""
    await told("Ox (tool 0.8) is here", "Ox (concept 0.9) sleeps", "Ox (concept 0.9) wakes")
    assert {"concept:ox"} == await keys(raw)
    await told("Ox (tool 0.9) runs", "Ox (tool 0.9) pulls")
    assert {"tool:ox"} == await keys(raw)
    rows = await raw("MATCH (was:Merged)-[:MERGED_INTO]->(e) RETURN was.key AS was, e.key AS key")
    assert [{"was": "concept:ox", "key": "tool:ox"}] == rows


async def test_one_text_votes_once_for_a_name(told, raw) -> None:
    """A memory that is enriched again does not vote again."""
    turn = await told("Lantern (tool 0.6) works")
    await raw("MATCH (m:Memory {id: $id}) SET m:Pending, m.job = 'enrich', m.due_at = m.created_at", id=turn)
    await told("nothing")
    [row] = await raw("MATCH (:Memory)-[r:MENTIONS]->() RETURN r.types AS types, r.certainties AS certainties")
    assert {"types": ["tool"], "certainties": [0.6]} == row


async def test_what_another_chat_names_too_keeps_its_type(scene, told, raw) -> None:
    """The mentions of one chat do not change the type that another chat is shown (P3), unless its own agree."""
    await told("Brightwater Labs (place 0.8) called")
    await told("Brightwater Labs (place 0.8) called me", chat=scene.private)
    await told("Brightwater Labs (organization 1.0) called again", "Brightwater Labs (organization 1.0) wrote")
    assert {"place:brightwater_labs"} == await keys(raw)
    firms = ["Brightwater Labs (organization 1.0) pays well", "Brightwater Labs (organization 1.0) is small"]
    await told(*firms, chat=scene.private)
    assert {"organization:brightwater_labs"} == await keys(raw)


async def test_who_was_named_by_hand_keeps_their_type(scene, told, raw) -> None:
    """A person whom somebody created stays a person, whatever the recognizer says."""
    await scene.service.people.create_person(scene.viewer(), "Ola Nord")
    await told(*["Ola Nord (place 0.9) is far"] * 3)
    rows = await raw(
        "MATCH (e:Entity {canonical_name: 'Ola Nord'}) WHERE e.created_by IS NOT NULL RETURN e.type AS type"
    )
    assert [{"type": "person"}] == rows


async def test_what_somebody_merged_keeps_its_type(scene, told, raw) -> None:
    """An entity into which another was merged by hand keeps its type."""
    await told("Soca (place 0.8) is green", "Isonzo (place 0.8) is green")
    await scene.service.merging.merge(scene.viewer(), "place:soca", "place:isonzo")
    await told("Soca (concept 0.9) is a river", "Soca (concept 0.9) floods")
    assert {"place:soca"} == await keys(raw)


async def test_claims_follow_the_key(scene, told, raw) -> None:
    """A fact told under the old key after the type has changed supersedes one told before."""
    await told("Atlas Works (place 0.8) is old")
    viewer = Viewer(scene.maya.id, scene.group.id, rights=ALL_RIGHTS)

    async def tell(key: str, value: str) -> None:
        fact = Fact(f"Atlas Works is led by {value}", about=(key,), aspect="led_by", value=value)
        await scene.service.facts.remember(viewer, [fact], for_chat=True)

    await tell("place:atlas_works", "Ida")
    await told("Atlas Works (organization 0.9) hires", "Atlas Works (organization 0.9) pays")
    assert {"organization:atlas_works"} == await keys(raw)
    await tell("place:atlas_works", "Otto")
    rows = await raw(
        "MATCH (m:Memory {type: 'semantic'}) WHERE m.live_key IS NOT NULL "
        "RETURN m.content AS content, m.claim_key AS key"
    )
    assert [{"content": "Atlas Works is led by Otto", "key": "organization|atlas_works|fact|led_by"}] == rows


async def test_what_facts_are_about_is_no_person_by_votes(scene, told, raw) -> None:
    """A person whom facts are about stays one whatever the votes, since facts about people have other visibility rules
    (P1).
    """
    await told("Rex (person 0.8) is here")
    await scene.service.facts.remember(scene.viewer(), [Fact("Rex is brown", about=("person:rex",))], for_chat=True)
    await told("Rex (concept 0.9) barks", "Rex (concept 0.9) sleeps")
    assert {"person:rex"} == await keys(raw)


async def test_strangers_keep_the_key(told, raw, office) -> None:
    """If an entity of strangers has the new key already, the retyped one's key gets an ending, as for a namesake."""
    await told("Umi (organization 0.9) is open", **office)
    await told("Umi (project 0.8) is nice", "Umi (organization 0.9) is good", "Umi (organization 0.9) is closed")
    mine, theirs = sorted(await keys(raw), key=len, reverse=True)
    assert ("organization:umi", True) == (theirs, mine.startswith("organization:umi-"))


async def test_strangers_do_not_mean_what_had_the_key(told, raw, office) -> None:
    """The former key of a retyped entity is not reused: a new entity of strangers gets a key with an ending."""
    await told("Biscuit (organization 0.8) is here", "Biscuit (concept 0.9) sleeps", "Biscuit (concept 0.9) barks")
    await told("Biscuit (organization 0.9) sells bread", **office)
    mine, theirs = sorted(await keys(raw), key=len)
    assert ("concept:biscuit", True) == (mine, theirs.startswith("organization:biscuit-"))


async def test_unmerging_parts_the_votes(scene, told, raw) -> None:
    """After an unmerge, links made by the names of the restored entity lead to it again, with their votes."""
    await told("Soca (place 0.8) is green", "Isonzo (place 0.8) is green")
    merged = await scene.service.merging.merge(scene.viewer(), "place:soca", "place:isonzo")
    turn = await told("Soca (place 0.8) and the Isonzo (tool 0.9) are one")
    await scene.service.merging.unmerge(scene.viewer(), merged.merge_id)
    rows = await raw(
        "MATCH (:Memory {id: $id})-[r:MENTIONS]->(e) "
        "RETURN e.key AS key, r.types AS types, r.certainties AS certainties ORDER BY key",
        id=turn,
    )
    assert [("place:isonzo", ["tool"], [0.9]), ("place:soca", ["place"], [0.8])] == [
        tuple(row.values()) for row in rows
    ]


async def test_who_is_erased_leaves_no_key_of_before(scene, told, raw) -> None:
    """Erasing a person removes their name from the keys and names of other entities, and from their former keys."""
    zoe = await scene.service.people.create_person(INTERNAL, "Zoe Novak", user_id="zoe")
    await told("Zoe Novak Foundation (place 0.8) is old", "Zoe Novak Foundation (organization 0.9) gives")
    await told("Zoe Novak Foundation (organization 0.9) takes")
    assert 1 == len(await raw("MATCH (m:Merged) RETURN m.key AS key"))
    await scene.service.erasures.erase(INTERNAL, zoe.id)
    await scene.service.runner.work_until_idle()
    rows = await raw(
        "MATCH (e:Entity|Merged) WHERE toLower(e.key + e.canonical_name) CONTAINS 'novak' RETURN e.key AS key"
    )
    assert [] == rows
    assert await scene.service.browsing.entity(scene.viewer(), "place:zoe_novak_foundation") is None


async def test_a_slot_of_a_frame_votes(scene, drain, learn, raw) -> None:
    """The place where somebody says they work gets a vote for organization that counts as two certain mentions."""
    await scene.say("I work at Deltaroute as a nurse.", at=scene.minutes(1))
    await drain()
    await scene.service.sessions.close_idle()
    await learn()
    rows = await raw(
        "MATCH (:Episodic)-[r:MENTIONS]->(:Entity {canonical_name: 'Deltaroute'}) "
        "RETURN r.types AS types, r.certainties AS certainties"
    )
    assert [{"types": ["organization"], "certainties": [2.0]}] == rows


async def test_who_is_new_is_known_in_the_talk_of_their_batch(scene, told, raw) -> None:
    """A person enriched in the same batch as a turn of a private chat is found there by the sound of their name."""
    people = scene.service.people
    tomas = await people.create_person(INTERNAL, "Tomás Ferreira")
    await people.join_chat(scene.viewer(), scene.group.id, tomas.id, scene.minutes(-100))
    await scene.say("I am in the group", at=scene.minutes(1))
    await told("I told Tomás (person 0.9) nothing", chat=scene.private)
    assert set() == await keys(raw)


async def test_a_thing_is_one_in_all_chats_of_some(scene, told, raw, office) -> None:
    """A name means the same thing in all chats of a speaker, whatever types the recognizer gives it. It means another
    thing in a chat of strangers; if it is a common word, in every chat.
    """
    await told("Deltaroute (place 0.9) is far", "Will (project 0.9) is slow")
    await told("I left Deltaroute (organization 0.9) and Will (tool 0.9)", chat=scene.private)
    assert {"place:deltaroute", "project:will", "tool:will"} == await keys(raw)
    await told("Deltaroute (organization 0.9) is ours", **office)
    assert {"place:deltaroute", "project:will", "tool:will", "organization:deltaroute"} == await keys(raw)
