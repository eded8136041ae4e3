from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.graph.model import Viewer
from hippograph.graph.writing.fact import Fact

TURNS = "turns without their speaker, chat or session"
SESSIONS = "sessions without their chat"
CHAINS = "sessions whose turns are not one chain"
SESSION_CHAINS = "sessions that do not lead to the next of their chat"
MEMORIES = "memories that lack a property or have one of a wrong type"
STATES = "values of people's state that belong to nobody or hold beside another"
MERGES = "entities that were merged by half, or on which something hangs that came after"
ENTITIES = "entities that lack a property or whose key is not of their type"
LABELS = "memories whose index entries for whom they are about carry other labels"

ONE = "MATCH (m:Memory {content: 'two'}) "
DAMAGES = {
    "a turn without a chat": (ONE + "MATCH (m)-[r:LEARNED_IN]->() DELETE r", {TURNS}),
    "a turn without a speaker": (ONE + "MATCH (m)-[r:STATED_BY]->() DELETE r", {TURNS}),
    "a turn without a session": (ONE + "MATCH (m)-[r:IN_SESSION]->() DELETE r", {TURNS, CHAINS}),
    "a turn of another session": (ONE + "SET m.session_id = 'other'", {TURNS}),
    "a session without a chat": ("MATCH (:Session)-[r:IN_CHAT]->() DELETE r", {SESSIONS}),
    "a broken chain": (ONE + "MATCH ()-[r:TEMPORAL]->(m) DELETE r", {CHAINS}),
    "a forked chain": (
        "MATCH (a:Memory {content: 'one'}), (c:Memory {content: 'three'}) CREATE (a)-[:TEMPORAL]->(c)",
        {CHAINS},
    ),
    "a circle": (
        "MATCH (a:Memory {content: 'one'}), (c:Memory {content: 'three'}) CREATE (c)-[:TEMPORAL]->(a)",
        {CHAINS},
    ),
    "a wrong count": ("MATCH (s:Session) SET s.turn_count = 4", {CHAINS}),
    "a memory without content": (ONE + "REMOVE m.content", {MEMORIES}),
    "a time that is text": (ONE + "SET m.valid_until = '9999'", {MEMORIES}),
    "a memory of two scopes": (ONE + "SET m.owner_id = 'me1'", {MEMORIES}),
    "tokens of another scope": (ONE + "SET m.scopes = ['me1']", {MEMORIES}),
    "a mark that is missing": (ONE + "REMOVE m.sensitivity", {MEMORIES}),
    "an index entry with another label": ("MATCH (:Memory)-[r:ABOUT]->(:Person) SET r.sensitivity = 'other'", {LABELS}),
    "an index entry with another vector": ("MATCH (:Memory)-[r:ABOUT]->(:Person) REMOVE r.embedding_a", {LABELS}),
    "an index entry without a person": ("MATCH (:Memory)-[r:ABOUT]->(:Person) REMOVE r.person_id", {LABELS}),
    "a part with other labels": (ONE + "CREATE (m)-[:HAS_PART {scope: 'other'}]->(m)", {LABELS}),
    "a value of nobody": ("MATCH (:UserState {value: 'May'})-[r:OF]->() DELETE r", {STATES}),
    "two values at once": ("MATCH (s:UserState {value: 'May'}) SET s.valid_until = s.retired_at", {STATES}),
    "a value without an end": ("MATCH (s:UserState {value: 'May'}) REMOVE s.valid_until", {STATES}),
    "an entity without a name": ("MATCH (p:Person {key: 'person:ben_okafor'}) REMOVE p.canonical_name", {ENTITIES}),
    "a key of another type": ("MATCH (p:Person {key: 'person:ben_okafor'}) SET p.key = 'place:ben'", {ENTITIES}),
    "a label of another type": ("MATCH (p:Person {key: 'person:ben_okafor'}) REMOVE p:Person SET p:Place", {ENTITIES}),
    "an entity that is merged away and still there": (
        "MATCH (p:Person {key: 'person:ben_okafor'}), (q:Person {key: 'person:maya_lindqvist'}) "
        "CREATE (p)-[:MERGED_INTO {id: 'm1'}]->(q)",
        {MERGES},
    ),
    "a link from an entity that is not merged": (
        "MATCH (p:Person {key: 'person:ben_okafor'}), (q:Person {key: 'person:maya_lindqvist'}) "
        "CREATE (p)-[:RELATED_TO {merged_from: ['m1']}]->(q)",
        {MERGES},
    ),
}


@pytest.fixture
async def told(scene, drain) -> Any:
    """The scene with three enriched turns (vectors, names) in the group, a fact of Maya's about Ben, and two successive
    values of Maya's state.
    """
    for number, words in enumerate(("one", "two", "three")):
        await scene.say(words, at=scene.minutes(number))
        if number:
            await scene.service.states.set_state(Viewer(scene.maya.id), "nickname", ("May", "Mayday")[number - 1])
    await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Ben paints", about=(scene.ben.key,))])
    await drain()
    return scene


async def test_a_fresh_graph_is_well(service: Service) -> None:
    """The doctor finds nothing in an empty graph."""
    assert [] == await service.doctor.examine()


async def test_each_damage_is_found_and_nothing_else(told, raw) -> None:
    """Each damage is found by the expected checks alone, with example and remedy; after its repair none is left."""
    snapshot = await raw(
        "MATCH (n) WHERE n:Memory OR n:Session OR n:Person OR n:UserState RETURN elementId(n) AS id, n {.*} AS all"
    )
    assert [] == await told.service.doctor.examine()
    for name, (damage, expected) in DAMAGES.items():
        links = await raw(
            "MATCH (a)-[r]->(b) WHERE a:Memory OR a:Session OR a:UserState "
            "RETURN elementId(a) AS a, elementId(b) AS b, type(r) AS type, r {.*} AS all"
        )
        await raw(damage)
        findings = await told.service.doctor.examine()
        assert expected == {finding.what for finding in findings}, name
        assert all(finding.count == 1 and finding.examples and finding.mend for finding in findings), name
        await raw("MATCH (a)-[r]->() WHERE a:Memory OR a:Session OR a:UserState OR r:MERGED_INTO|RELATED_TO DELETE r")
        await raw("UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.id SET n = row.all", rows=snapshot)
        await raw("MATCH (p:Entity:Place) WHERE p.type = 'person' REMOVE p:Place SET p:Person")
        await raw(
            "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.a MATCH (b) WHERE elementId(b) = row.b "
            "CREATE (a)-[r:$(row.type)]->(b) SET r = row.all",
            rows=links,
        )
        assert [] == await told.service.doctor.examine(), f"{name}: mended"


async def test_a_session_that_leads_nowhere_is_found(told, raw) -> None:
    """A missing link from a session's last turn to the first turn of the chat's next session is found."""
    later = await told.say("four", at=told.minutes(300))
    assert [] == await told.service.doctor.examine()
    await raw("MATCH ()-[r:TEMPORAL]->(:Memory {id: $id}) DELETE r", id=later.memory_id)
    [finding] = await told.service.doctor.examine()
    assert (SESSION_CHAINS, 1) == (finding.what, finding.count)


async def test_vectors_of_another_model_are_found(told, raw) -> None:
    """A memory whose vector is of another model, of another size or missing is found until it is repaired."""
    [whole] = await raw(ONE + "RETURN m {.*} AS all")
    for damage in ("SET m.embedding_model_a = 'other'", "SET m.embedding_a = [1.0, 2.0]", "REMOVE m.embedding_a"):
        await raw(ONE + damage)
        [finding] = await told.service.doctor.examine()
        assert ("without a vector" in finding.what, 1) == (True, finding.count)
        assert "start a worker" in finding.mend
        await raw(ONE + "SET m = $all", **whole)
        assert [] == await told.service.doctor.examine(), f"{damage}: mended"


async def test_work_that_nobody_takes_up_is_found(scene, clock) -> None:
    """A memory that has been due for over ten minutes is found; one that has just arrived is not."""
    await scene.say("hello", at=clock())
    assert [] == await scene.service.doctor.examine()
    clock.advance(timedelta(minutes=11))
    [finding] = await scene.service.doctor.examine()
    assert ("waited for over 10 minutes" in finding.what, 1) == (True, finding.count)
    assert "worker" in finding.mend
