"""Entity typing: a type is settled over all mentions of an entity, and a thing is one among the same people."""

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
    """A name finder that is told what it finds: "Biscuit (organization 0.6) sleeps", "Ate (person? 0.9)"."""

    def __init__(self) -> None:
        """It needs no model."""

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        """The names of each text that have a type behind them."""
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
    """Says what names what, and has it read: `await told("Biscuit (organization 0.6)")` gives the id of the turn."""
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
    """The keys of all things, and of persons who take part in no chat."""
    rows = await raw(
        "MATCH (e:Entity) WHERE NOT EXISTS { (e)-[:PARTICIPATES_IN]->() } AND e.user_id IS NULL RETURN e.key AS key"
    )
    return {row["key"] for row in rows}


@pytest.fixture
async def office(scene) -> dict[str, Any]:
    """Where and by whom strangers speak."""
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
    """An organization stays one unless the votes for another type are clearly more."""
    assert kind is settled(ORGANIZATION, votes)


async def test_a_type_is_settled_over_all_mentions(scene, told, raw) -> None:
    """What the first mention was mistaken for, later ones put right; the key of before leads there."""
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
    """A type that one mention does not surely tell is told by the next; strangers speak of another meanwhile."""
    await told("Noah (person 0.6) is here")
    assert {"concept:noah"} == await keys(raw)
    await told("Noah (person 0.6) is there", **office)
    mine, theirs = sorted(await keys(raw), key=len)
    assert ("concept:noah", True) == (mine, theirs.startswith("concept:noah-"))
    await told("Noah (person 0.6) sleeps")
    assert {"person:noah", theirs} == await keys(raw)


async def test_what_is_not_surely_a_name_makes_no_entity(told, raw) -> None:
    """It may mean one that is there."""
    await told("Bea (person? 0.9) called")
    assert set() == await keys(raw)
    await told("Bea (person 0.9) is here")
    turn = await told("Bea (person? 0.9) sleeps")
    rows = await raw("MATCH (:Memory {id: $id})-[:MENTIONS]->(e) RETURN e.key AS key", id=turn)
    assert [{"key": "person:bea"}] == rows


async def test_a_type_comes_back_with_its_key(told, raw) -> None:
    """Outvoted once more, it has the key of its first type again, and both keys lead to it."""
    await told("Ox (tool 0.8) is here", "Ox (concept 0.9) sleeps", "Ox (concept 0.9) wakes")
    assert {"concept:ox"} == await keys(raw)
    await told("Ox (tool 0.9) runs", "Ox (tool 0.9) pulls")
    assert {"tool:ox"} == await keys(raw)
    rows = await raw("MATCH (was:Merged)-[:MERGED_INTO]->(e) RETURN was.key AS was, e.key AS key")
    assert [{"was": "concept:ox", "key": "tool:ox"}] == rows


async def test_one_text_votes_once_for_a_name(told, raw) -> None:
    """A memory that is read anew votes no second time."""
    turn = await told("Lantern (tool 0.6) works")
    await raw("MATCH (m:Memory {id: $id}) SET m:Pending, m.job = 'enrich', m.due_at = m.created_at", id=turn)
    await told("nothing")
    [row] = await raw("MATCH (:Memory)-[r:MENTIONS]->() RETURN r.types AS types, r.certainties AS certainties")
    assert {"types": ["tool"], "certainties": [0.6]} == row


async def test_what_another_chat_names_too_keeps_its_type(scene, told, raw) -> None:
    """No mention of a chat decides what those of another are shown (P3), unless theirs tell the same."""
    await told("Brightwater Labs (place 0.8) called")
    await told("Brightwater Labs (place 0.8) called me", chat=scene.private)
    await told("Brightwater Labs (organization 1.0) called again", "Brightwater Labs (organization 1.0) wrote")
    assert {"place:brightwater_labs"} == await keys(raw)
    firms = ["Brightwater Labs (organization 1.0) pays well", "Brightwater Labs (organization 1.0) is small"]
    await told(*firms, chat=scene.private)
    assert {"organization:brightwater_labs"} == await keys(raw)


async def test_who_was_named_by_hand_keeps_their_type(scene, told, raw) -> None:
    """A person whom somebody made is one, whatever the recogniser says."""
    await scene.service.people.create_person(scene.viewer(), "Ola Nord")
    await told(*["Ola Nord (place 0.9) is far"] * 3)
    rows = await raw(
        "MATCH (e:Entity {canonical_name: 'Ola Nord'}) WHERE e.created_by IS NOT NULL RETURN e.type AS type"
    )
    assert [{"type": "person"}] == rows


async def test_what_somebody_merged_keeps_its_type(scene, told, raw) -> None:
    """Who merged two said what they are."""
    await told("Soca (place 0.8) is green", "Isonzo (place 0.8) is green")
    await scene.service.merging.merge(scene.viewer(), "place:soca", "place:isonzo")
    await told("Soca (concept 0.9) is a river", "Soca (concept 0.9) floods")
    assert {"place:soca"} == await keys(raw)


async def test_claims_follow_the_key(scene, told, raw) -> None:
    """What is told of a thing before and after it got another type is one matter: the later ends the earlier."""
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
    """Other rules hold of who may see what is about people (P1): votes change nothing there."""
    await told("Rex (person 0.8) is here")
    await scene.service.facts.remember(scene.viewer(), [Fact("Rex is brown", about=("person:rex",))], for_chat=True)
    await told("Rex (concept 0.9) barks", "Rex (concept 0.9) sleeps")
    assert {"person:rex"} == await keys(raw)


async def test_strangers_keep_the_key(told, raw, office) -> None:
    """Where strangers have the key already, it has an ending, as that of a namesake."""
    await told("Umi (organization 0.9) is open", **office)
    await told("Umi (project 0.8) is nice", "Umi (organization 0.9) is good", "Umi (organization 0.9) is closed")
    mine, theirs = sorted(await keys(raw), key=len, reverse=True)
    assert ("organization:umi", True) == (theirs, mine.startswith("organization:umi-"))


async def test_strangers_do_not_mean_what_had_the_key(told, raw, office) -> None:
    """A key that a thing had before it got another type is nobody else's: what strangers speak of has an ending."""
    await told("Biscuit (organization 0.8) is here", "Biscuit (concept 0.9) sleeps", "Biscuit (concept 0.9) barks")
    await told("Biscuit (organization 0.9) sells bread", **office)
    mine, theirs = sorted(await keys(raw), key=len)
    assert ("concept:biscuit", True) == (mine, theirs.startswith("organization:biscuit-"))


async def test_unmerging_parts_the_votes(scene, told, raw) -> None:
    """What was linked by the names of the one that is there again takes its votes along."""
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
    """What is called by the name of somebody who is erased has another key, and so has what leads to it."""
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
    """Where somebody says that they work is an organization: that is worth two certain mentions."""
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
    """Somebody who was made in the batch that reads a private chat is found there by how their name sounds."""
    people = scene.service.people
    tomas = await people.create_person(INTERNAL, "Tomás Ferreira")
    await people.join_chat(scene.viewer(), scene.group.id, tomas.id, scene.minutes(-100))
    await scene.say("I am in the group", at=scene.minutes(1))
    await told("I told Tomás (person 0.9) nothing", chat=scene.private)
    assert set() == await keys(raw)


async def test_a_thing_is_one_in_all_chats_of_some(scene, told, raw, office) -> None:
    """A name that is a thing's in one chat means it in another where somebody of the first speaks, whatever it is taken
    for there; strangers mean another, and so does a common word.
    """
    await told("Deltaroute (place 0.9) is far", "Will (project 0.9) is slow")
    await told("I left Deltaroute (organization 0.9) and Will (tool 0.9)", chat=scene.private)
    assert {"place:deltaroute", "project:will", "tool:will"} == await keys(raw)
    await told("Deltaroute (organization 0.9) is ours", **office)
    assert {"place:deltaroute", "project:will", "tool:will", "organization:deltaroute"} == await keys(raw)
