"""The record of use (W13): which memories went into which answer, for whom and by which credential, and who sees it."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import INTERNAL, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.retention.recall import ReadKind, Recall
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.upkeep.steps import USES
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO, Scene, asking_as

WORDS = "I keep otters in the garden"


@pytest.fixture
async def told(scene: Scene) -> str:
    """The id of a public fact about Maya that was in no answer yet."""
    fact = Fact(WORDS, sensitivity=Sensitivity.PUBLIC, portable=True)
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id), [fact])
    await scene.service.runner.work_until_idle()
    return stored.memory_id


async def search(scene: Scene, viewer: Viewer) -> None:
    """Searches for otters and writes the record of it to the graph."""
    page = await scene.service.search.search(viewer, "Who keeps otters?", reinforce=True)
    assert WORDS in {result.memory.content for result in page.results}
    await scene.service.recall.flush()


async def of_memory(scene: Scene, viewer: Viewer, memory_id: str) -> list[Any]:
    """Returns the uses of a memory that a viewer sees."""
    return [each.item for each in (await scene.service.uses.of_memory(viewer, memory_id)).items]


async def of_viewer(scene: Scene, viewer: Viewer) -> list[Any]:
    """Returns the uses in answers to a viewer's assistant."""
    return [each.item for each in (await scene.service.uses.of_viewer(viewer)).items]


async def test_a_read_notes_what_it_told_whom(scene: Scene, told: str, clock: Any) -> None:
    """A search, a context and a card are each recorded once, with kind, credential, chat, persona and memories. The
    person export has the same records.
    """
    maya = replace(Viewer(scene.maya.id, scene.private.id, scene.atlas.id), credential="key-1")
    await search(scene, maya)
    clock.advance(timedelta(minutes=1))
    await scene.service.contexts.context(maya.alone(), "Who keeps otters?", reinforce=True)
    clock.advance(timedelta(minutes=1))
    await scene.service.cards.cards(maya.alone(), [scene.maya.key], reinforce=True)
    await scene.service.recall.flush()
    uses = await of_viewer(scene, Viewer(scene.maya.id))
    assert [ReadKind.CARD, ReadKind.CONTEXT, ReadKind.SEARCH] == [use.kind for use in uses]
    assert all(told in use.memory_ids for use in uses)
    assert {"key-1"} == {use.credential for use in uses}
    last = uses[-1]
    assert (scene.private.id, scene.atlas.id, scene.maya.id) == (last.chat_id, last.persona_id, last.person_id)
    assert uses == await of_memory(scene, Viewer(scene.maya.id), told)
    exported = (await scene.service.person_export.export(Viewer(scene.maya.id), scene.maya.id))["uses"]
    assert {use.id for use in uses} == {use["id"] for use in exported}
    assert all(told in use["memory_ids"] for use in exported)


async def test_nothing_is_noted_of_reads_that_recall_nothing_or_of_questions(scene: Scene, told: str, raw: Any) -> None:
    """A read without `reinforce`, or without results, is not recorded. A further page of a list is recorded, but does
    not count as a recall. The text of the question is not stored.
    """
    maya = Viewer(scene.maya.id)
    await scene.service.search.search(maya, "Who keeps otters?", reinforce=False)
    await scene.service.search.search(Viewer(scene.me), "xyzzy", min_relevance=1.0, reinforce=True)
    await scene.service.recall.flush()
    assert [] == await of_viewer(scene, maya)
    assert [] == await of_viewer(scene, Viewer(scene.me))
    page = await scene.service.search.search(maya, "otters", first=1, reinforce=True)
    scene.service.recall.note(maya, [told], reinforces=False)
    await scene.service.recall.flush()
    assert 2 == len(await of_viewer(scene, maya))
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.access_count AS count", id=told)
    assert 1 == row["count"]
    assert page.results
    text = json.dumps(await raw("MATCH (u:Use) RETURN properties(u) AS all"), default=str)
    assert "otters" not in text


async def test_who_sees_it(scene: Scene, told: str) -> None:
    """The owner of a memory sees that it was in an answer to another person, and to whom. That person sees the whole
    record. Others see nothing.
    """
    ben, maya = Viewer(scene.ben.id), Viewer(scene.maya.id)
    await search(scene, replace(ben, chat_id=scene.group.id, credential="key-of-ben"))
    [seen] = await of_memory(scene, maya, told)
    assert scene.ben.id == seen.person_id
    assert (None, None, None, None, ()) == (seen.kind, seen.credential, seen.chat_id, seen.persona_id, seen.memory_ids)
    [own] = await of_memory(scene, ben, told)
    assert (ReadKind.SEARCH, "key-of-ben", scene.group.id) == (own.kind, own.credential, own.chat_id)
    assert [] == await of_memory(scene, Viewer(scene.me), told)
    assert [] == await of_viewer(scene, maya)
    assert [] == await of_viewer(scene, Viewer(scene.me))


async def test_of_a_groups_memory_each_sees_their_own_use(scene: Scene) -> None:
    """Members see their own uses of a group's memory, and not those of others."""
    [stored] = await scene.service.facts.remember(scene.viewer(scene.maya), [Fact(WORDS)], for_chat=True)
    await scene.service.runner.work_until_idle()
    await search(scene, scene.viewer(scene.ben))
    assert 1 == len(await of_memory(scene, Viewer(scene.ben.id), stored.memory_id))
    assert [] == await of_memory(scene, Viewer(scene.maya.id), stored.memory_id)


async def test_of_what_one_may_not_see_any_more_nothing_is_told(scene: Scene, told: str, ask: Any) -> None:
    """If the viewer may no longer see a memory, the use stays listed without the memory, and the memory's own list of
    uses is empty.
    """
    me = scene.service.viewer()
    await search(scene, me.at(scene.group.id))
    document = "{ uses { nodes { kind credential memories { content } chat { title } person { id } } } }"
    [told_me] = (await ask(document))["data"]["uses"]["nodes"]
    assert {"kind": "SEARCH", "credential": "local", "memories": [{"content": WORDS}]} == {
        name: told_me[name] for name in ("kind", "credential", "memories")
    }
    assert {"title": "Friday Table"} == told_me["chat"]
    assert {"id": global_id("Person", scene.me)} == told_me["person"]
    await scene.service.labels.set_sensitivity(Viewer(scene.maya.id), told, Sensitivity.SENSITIVE)
    [told_me] = (await ask(document))["data"]["uses"]["nodes"]
    assert [] == told_me["memories"]
    assert [] == await of_memory(scene, me, told)


async def test_the_persona_is_told_to_whom_it_answered(scene: Scene, told: str) -> None:
    """Who was answered sees the persona of a use. The owner of a memory in it sees the use without the persona, and a
    stranger sees no use.
    """
    await search(scene, Viewer(scene.ben.id, scene.group.id, scene.atlas.id))
    own = "{ uses { nodes { persona { name } } } }"
    of_memory = "query ($id: ID!) { node(id: $id) { ... on Memory { uses { nodes { persona { name } } } } } }"
    for person, mine, others in (
        (scene.ben, [{"persona": {"name": "Atlas"}}], [{"persona": {"name": "Atlas"}}]),
        (scene.maya, [], [{"persona": None}]),
        (scene.service.local_user, [], []),
    ):
        async with asking_as(scene.service, person) as ask:
            assert mine == (await ask(own))["data"]["uses"]["nodes"]
            [found] = (await ask(of_memory, id=global_id("Memory", told)))["data"].values()
            assert others == found["uses"]["nodes"]


async def test_a_space_hides_what_was_asked_elsewhere(scene: Scene, told: str) -> None:
    """A viewer within a space sees the uses in its chats and those of reads within it. Within another space or none
    these are not listed.
    """
    maya = Viewer(scene.maya.id)
    alpha, beta = [await scene.service.spaces.create(maya, name) for name in ("Alpha", "Beta")]
    await scene.service.spaces.move_chat(maya, scene.private.id, alpha.id)
    await search(scene, maya.at(scene.private.id))
    await search(scene, maya.within(alpha.id))
    for viewer, count in ((maya, 2), (maya.within(alpha.id), 2), (maya.within(beta.id), 0), (maya.within(None), 0)):
        assert count == len(await of_viewer(scene, viewer))
        assert count == len(await of_memory(scene, viewer, told))


async def test_what_is_purged_or_erased_is_not_in_it(scene: Scene, told: str, raw: Any) -> None:
    """No use keeps the id of a purged memory, or of an erased person, even if noted after the erasure. Uses of others
    stay.
    """
    service, maya, ben = scene.service, Viewer(scene.maya.id), Viewer(scene.ben.id)
    await search(scene, ben.at(scene.group.id))
    await search(scene, maya)
    plan = await service.forgettings.plan(maya, Selection(ids=(told,)))
    await service.forgettings.purge(maya, plan.id)
    await service.forgettings.finished(maya, plan.id)
    assert [()] == [use.memory_ids for use in await of_viewer(scene, ben)]
    assert told not in json.dumps(await raw("MATCH (u:Use) OPTIONAL MATCH (u)--(x) RETURN u, x"), default=str)
    await service.erasures.erase(ben, scene.ben.id)
    service.recall.note(ben, [told])
    await service.recall.flush()
    rows = await raw("MATCH (u:Use) RETURN u.person_id AS person")
    assert [{"person": scene.maya.id}] == rows


async def test_a_key_that_goes_with_a_person_is_in_no_record(scene: Scene, told: str, raw: Any) -> None:
    """A use shows the id of a key of another account. When that account's person is erased, the id is removed."""
    service = scene.service
    helper = await service.people.create_person(scene.service.viewer(), "Helper", user_id="helper")
    await service.api_keys.create("helper", "laptop")
    [key] = [one.id for one in await service.api_keys.list() if one.account == "helper"]
    await search(scene, replace(Viewer(scene.maya.id), credential=key))
    assert [key] == [use.credential for use in await of_viewer(scene, Viewer(scene.maya.id))]
    await service.erasures.erase(scene.service.viewer(), helper.id)
    assert [""] == [use.credential for use in await of_viewer(scene, Viewer(scene.maya.id))]


async def test_what_is_noted_during_an_erasure_goes_too(scene: Scene, told: str, raw: Any, monkeypatch: Any) -> None:
    """Uses of an erased person are also removed if another process notes them during the erasure: after the first
    deletion, or just before the end. The uses of others with a key of that person stay without the key.
    """
    service = scene.service
    helper = await service.people.create_person(service.viewer(), "Helper", user_id="helper")
    await service.people.create_chat(INTERNAL, ChatKind.GROUP, "Help", [Member(helper.id, LONG_AGO)])
    await service.api_keys.create("helper", "laptop")
    [key] = [one.id for one in await service.api_keys.list() if one.account == "helper"]
    run, noted = service.database.run, []

    async def run_late(statement: str, /, **params: Any) -> Any:
        if statement in ("erasure/relink_turns", "erasure/finish"):
            others = [Viewer(scene.maya.id)] if statement == "erasure/relink_turns" else []
            for viewer in (Viewer(helper.id), *others):
                service.recall.note(replace(viewer, credential=key), [told])
            await service.recall.flush()
            noted.append(statement)
        return await run(statement, **params)

    monkeypatch.setattr(service.database, "run", run_late)
    await service.erasures.erase(service.viewer(), helper.id)
    assert ["erasure/relink_turns", "erasure/finish"] == noted
    rows = await raw("MATCH (u:Use) RETURN u.person_id AS person, u.credential AS credential")
    assert [{"person": scene.maya.id, "credential": ""}] == rows
    assert key not in json.dumps(await raw("MATCH (n) RETURN properties(n) AS all"), default=str)


async def test_the_export_tells_what_it_holds(scene: Scene) -> None:
    """The export of a person who left a group has all their uses, but without the ids of the group's memories."""
    service, maya = scene.service, scene.viewer(scene.maya)
    [stored] = await service.facts.remember(scene.viewer(scene.ben), [Fact(WORDS)], for_chat=True)
    await service.runner.work_until_idle()
    for _ in range(3):
        await search(scene, maya)
    await service.people.leave_chat(Viewer(scene.maya.id), scene.group.id, scene.maya.id)
    exported = await service.person_export.export(Viewer(scene.maya.id), scene.maya.id)
    assert 3 == len({use["id"] for use in exported["uses"]})
    assert stored.memory_id not in json.dumps(exported, default=str)


async def test_it_is_kept_for_some_days(scene: Scene, told: str, clock: Any, raw: Any) -> None:
    """Upkeep deletes uses older than 30 days. A `Recall` without `log_uses` records no uses."""
    await search(scene, Viewer(scene.maya.id))
    clock.advance(timedelta(days=29))
    await search(scene, Viewer(scene.maya.id))
    await scene.service.upkeep.run([USES])
    assert 2 == len(await of_viewer(scene, Viewer(scene.maya.id)))
    clock.advance(timedelta(days=2))
    await scene.service.upkeep.run([USES])
    assert 1 == len(await of_viewer(scene, Viewer(scene.maya.id)))
    recall = Recall(scene.service.database, scene.service.clock, growth=1.5, most_days=365, log_uses=False)
    recall.note(Viewer(scene.maya.id), [told])
    recall.note(Viewer(scene.maya.id), [told], reinforces=False)
    await recall.flush()
    assert 1 == len(await of_viewer(scene, Viewer(scene.maya.id)))


async def test_pages(scene: Scene, told: str, clock: Any) -> None:
    """Both lists are paged by cursor, and refuse a cursor of another list."""
    maya, uses = Viewer(scene.maya.id), scene.service.uses
    for _ in range(3):
        clock.advance(timedelta(seconds=1))
        scene.service.recall.note(maya, [told])
    await scene.service.recall.flush()
    for read in (uses.of_viewer, lambda viewer, **page: uses.of_memory(viewer, told, **page)):
        first = await read(maya, first=2)
        rest = await read(maya, first=2, after=first.items[-1].cursor)
        assert ([2, 1], [True, False]) == ([len(page.items) for page in (first, rest)], [first.has_next, rest.has_next])
    with pytest.raises(InvalidInput):
        await uses.of_viewer(maya, after=first.items[-1].cursor)


async def test_on_the_pages(scene: Scene, client: Any) -> None:
    """A web page lists what was in answers to the local user's assistant; a memory's page shows when it was used."""
    me = scene.service.viewer()
    [stored] = await scene.service.facts.remember(me, [Fact(WORDS)])
    await scene.service.runner.work_until_idle()
    await search(scene, me)
    page = (await client.get("/memory/used")).text
    assert WORDS in page
    assert "a search" in page
    assert "When it was used" in (await client.get(f"/memory/item/{stored.memory_id}")).text
