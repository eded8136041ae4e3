"""Spaces: what is said in a chat of a space is visible in that space and outside any chat, and nowhere else (P7)."""

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from hippograph.api.global_ids import global_id
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.people.spaces import Space
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.transfer.exports.graph_export import GraphExport
from hippograph.graph.transfer.exports.graph_seen import seen_by
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import asking_as, work_off

SECRET = "The merger with Northwind closes in May"


@pytest.fixture
async def consultant(scene) -> "Consultant":
    """Returns Maya with two spaces, a private chat in each, and a private chat in no space."""
    alpha, beta = [await scene.service.spaces.create(Viewer(scene.maya.id), name) for name in ("Alpha", "Beta")]
    made = {}
    for title, space in (("Alpha talk", alpha), ("Beta talk", beta), ("Home", None)):
        chat = await scene.service.people.create_chat(
            INTERNAL, ChatKind.PRIVATE, title, [Member(scene.maya.id, scene.minutes(-100))]
        )
        if space:
            chat = await scene.service.spaces.move_chat(Viewer(scene.maya.id), chat.id, space.id)
        made[title] = chat
    return Consultant(scene, alpha, beta, *made.values())


class Consultant:
    """Maya, her two spaces, and her chats."""

    def __init__(self, scene: Any, alpha: Space, beta: Space, in_alpha: Chat, in_beta: Chat, home: Chat) -> None:
        self.scene, self.service = scene, scene.service
        self.alpha, self.beta = alpha, beta
        self.in_alpha, self.in_beta, self.home = in_alpha, in_beta, home
        self.me = Viewer(scene.maya.id, rights=ALL_RIGHTS)

    async def found(self, query: str, chat: Chat | None = None, **more: Any) -> set[str]:
        """Returns the contents that Maya's search finds, in a chat or outside any."""
        page = await self.service.search.search(self.me.at(chat.id if chat else None), query, **more)
        return {result.memory.content for result in page.results}

    async def tell(self, content: str, chat: Chat | None = None, **more: Any) -> str:
        """Stores a fact of Maya's, in a chat or outside any; returns the id of its memory."""
        viewer = self.me.at(chat.id if chat else None)
        [stored] = await self.service.facts.remember(viewer, [Fact(content, **more)])
        return stored.memory_id

    async def live(self, raw: Any, space: Space | None) -> list[str]:
        """Returns the contents of the live memories of a space, or of no space, sorted."""
        rows = await raw(
            "MATCH (m:Memory {space_id: $space}) WHERE m.live_key IS NOT NULL "
            "RETURN m.content AS content ORDER BY content",
            space=space.id if space else "",
        )
        return [row["content"] for row in rows]


async def test_what_is_said_in_a_space_is_found_there_and_outside_any_chat(consultant) -> None:
    """A turn of a space is found in its space and outside any chat, but neither in a chat of another space nor in a
    chat of no space. Within another space, its memory and its session cannot be read by id.
    """
    stored = await consultant.scene.say(SECRET, chat=consultant.in_alpha)
    await work_off(consultant.service)
    assert {SECRET} <= await consultant.found("merger with Northwind", consultant.in_alpha)
    assert {SECRET} <= await consultant.found("merger with Northwind")
    assert set() == await consultant.found("merger with Northwind", consultant.in_beta)
    assert set() == await consultant.found("merger with Northwind", consultant.home)
    within = replace(consultant.me, space_id=consultant.beta.id)
    assert [] == (await consultant.service.search.search(within, "merger with Northwind")).results
    assert {} == await consultant.service.browsing.memories(within, [stored.memory_id])
    assert {} == await consultant.service.browsing.sessions_by_id(within, [stored.session_id])
    seen = await consultant.service.browsing.memories(consultant.me, [stored.memory_id])
    assert consultant.alpha.id == seen[stored.memory_id].space_id


async def test_what_is_found_in_talk_of_a_space_is_of_it(consultant, learn, raw) -> None:
    """Facts, summaries and todos that are extracted from talk belong to its space. The same talk in two spaces gives
    separate ones, and nothing is derived from another space.
    """
    for chat in (consultant.in_alpha, consultant.in_beta):
        for minute, words in enumerate(
            ("My sister Ida lives in Bergen", "I'll send Ida the contract on Friday", "Ida is a baker")
        ):
            await consultant.scene.say(words, chat=chat, at=consultant.scene.minutes(minute))
        await consultant.service.sessions.close(consultant.me, chat.id)
    await learn()
    await work_off(consultant.service)
    rows = await raw(
        "MATCH (m:Memory|Summary) "
        "RETURN m.space_id AS space, collect({content: m.content, summary: m:Summary, fact: m:Semantic}) AS told"
    )
    told = {row["space"]: row["told"] for row in rows}
    assert {consultant.alpha.id, consultant.beta.id} == set(told)
    for each in told.values():
        assert any(one["summary"] for one in each)
        assert any(one["fact"] and "Bergen" in one["content"] for one in each)
    todos = await raw("MATCH (t:Todo) RETURN collect(DISTINCT t.space_id) AS spaces")
    assert {consultant.alpha.id, consultant.beta.id} == set(todos[0]["spaces"])
    crossing = await raw(
        "MATCH (m)-[:DERIVED_FROM]->(source) WHERE NOT source.space_id IN ['', m.space_id] RETURN count(*) AS links"
    )
    assert [{"links": 0}] == crossing


async def test_the_same_fact_in_another_space_is_a_memory_of_its_own(consultant, raw) -> None:
    """The same fact in two spaces is two memories, and a new value ends only the fact of its own space."""
    first = await consultant.tell("I live in Graz", consultant.in_alpha, aspect="lives_in", value="Graz")
    second = await consultant.tell("I live in Graz", consultant.in_beta, aspect="lives_in", value="Graz")
    assert first != second
    third = await consultant.tell("I live in Linz", consultant.in_alpha, aspect="lives_in", value="Linz")
    assert ["I live in Linz"] == await consultant.live(raw, consultant.alpha)
    assert ["I live in Graz"] == await consultant.live(raw, consultant.beta)
    seen = await consultant.service.memories.load(consultant.me.at(consultant.in_alpha.id), [first, second, third])
    assert {third} == set(seen)


async def test_a_fact_of_no_space_stays_for_who_does_not_see_the_space(consultant, raw) -> None:
    """A fact of a space replaces a fact of no space within that space only; elsewhere the fact of no space stays
    visible.
    """
    plain = await consultant.tell("I work at Deltaroute", aspect="works_at", value="Deltaroute")
    own = await consultant.tell("I work at Brightwater", consultant.in_alpha, aspect="works_at", value="Brightwater")
    load = consultant.service.memories.load
    assert {own} == set(await load(consultant.me.at(consultant.in_alpha.id), [plain, own]))
    assert {plain} == set(await load(consultant.me.at(consultant.in_beta.id), [plain, own]))
    assert {plain} == set(await load(consultant.me.at(consultant.home.id), [plain, own]))
    assert ["I work at Deltaroute"] == await consultant.live(raw, None)


async def test_a_chat_moves_with_what_was_said_there(consultant, learn, raw) -> None:
    """A moved chat takes its turns and facts along. Facts that had ended because of these are live again in the space
    that the chat left, and search finds its turns in the new space alone.
    """
    await consultant.tell("I live in Graz", consultant.home, aspect="lives_in", value="Graz")
    await consultant.tell("I live in Linz", consultant.in_alpha, aspect="lives_in", value="Linz")
    moved = await consultant.service.people.create_chat(
        INTERNAL, ChatKind.PRIVATE, "Moved", [Member(consultant.scene.maya.id, consultant.scene.minutes(-100))]
    )
    await consultant.tell("I live in Wels", moved, aspect="lives_in", value="Wels")
    await consultant.scene.say(SECRET, chat=moved)
    await learn()
    assert ["I live in Wels"] == await consultant.live(raw, None)
    chat = await consultant.service.spaces.move_chat(consultant.me, moved.id, consultant.alpha.id)
    assert consultant.alpha.id == chat.space_id
    await learn()
    assert ["I live in Graz"] == [one for one in await consultant.live(raw, None) if "live" in one]
    assert ["I live in Wels"] == [one for one in await consultant.live(raw, consultant.alpha) if "live" in one]
    assert {SECRET} <= await consultant.found("merger with Northwind", consultant.in_alpha)
    assert SECRET not in await consultant.found("merger with Northwind", consultant.home)
    await consultant.service.spaces.move_chat(consultant.me, moved.id, consultant.beta.id)
    await learn()
    assert ["I live in Linz"] == [one for one in await consultant.live(raw, consultant.alpha) if "live" in one]
    assert ["I live in Wels"] == [one for one in await consultant.live(raw, consultant.beta) if "live" in one]
    await consultant.service.spaces.move_chat(consultant.me, moved.id, None)
    await learn()
    assert ["I live in Wels"] == [one for one in await consultant.live(raw, None) if "live" in one]
    assert {SECRET} <= await consultant.found("merger with Northwind", consultant.home)
    assert [{"left": 0}] == await raw("MATCH (c:Chat) WHERE c.moving_from IS NOT NULL RETURN count(c) AS left")


async def test_what_was_said_in_two_chats_stays_where_it_was_said_too(consultant, learn, raw) -> None:
    """A fact that was extracted from two chats is split when one of them moves into a space: each fact is derived from
    the turn of its own chat.
    """
    for minute, chat in enumerate((consultant.home, consultant.in_alpha)):
        if chat is consultant.in_alpha:
            await consultant.service.spaces.move_chat(consultant.me, chat.id, None)
        await consultant.scene.say("I am allergic to peanuts", chat=chat, at=consultant.scene.minutes(minute))
        await consultant.service.sessions.close(consultant.me, chat.id)
    await learn()
    facts = (
        "MATCH (m:Memory:Semantic) WHERE NOT m:Summary AND m.live_key IS NOT NULL "
        "RETURN m.space_id AS space, COUNT { (m)-[:DERIVED_FROM]->() } AS turns"
    )
    assert [{"space": "", "turns": 2}] == await raw(facts)
    await consultant.service.spaces.move_chat(consultant.me, consultant.in_alpha.id, consultant.alpha.id)
    await learn()
    assert {("", 1), (consultant.alpha.id, 1)} == {(row["space"], row["turns"]) for row in await raw(facts)}


async def test_one_memory_moves_by_its_owner_alone(consultant, raw) -> None:
    """Only its owner may move a memory, and only to a space that they may use. It is visible in chats of that space,
    and in chats of no space again when it is moved out.
    """
    told = await consultant.tell("I collect stamps")
    spaces = consultant.service.spaces
    ben = Viewer(consultant.scene.ben.id)
    theirs = await spaces.create(ben, "Theirs")
    with pytest.raises(NotAllowed):
        await spaces.move_memory(ben, told, theirs.id)
    with pytest.raises(NotFound):
        await spaces.move_memory(consultant.me, told, theirs.id)
    await spaces.move_memory(consultant.me, told, consultant.alpha.id)
    load = consultant.service.memories.load
    assert {} == await load(consultant.me.at(consultant.home.id), [told])
    assert {told} == set(await load(consultant.me.at(consultant.in_alpha.id), [told]))
    await spaces.move_memory(consultant.me, told, None)
    assert {told} == set(await load(consultant.me.at(consultant.home.id), [told]))
    assert [{"spaces": 0}] == await raw("MATCH ()-[r:ABOUT]->() WHERE r.space_id <> '' RETURN count(r) AS spaces")


async def test_a_group_has_spaces_of_its_own(consultant) -> None:
    """Members may use a space of their group, for the group and for their private chats; others cannot find it. The
    group cannot be in a space of one member.
    """
    scene, spaces = consultant.scene, consultant.service.spaces
    maya, ben = Viewer(scene.maya.id), Viewer(scene.ben.id)
    table = await spaces.create(maya, "Table", chat_id=scene.group.id)
    assert table == await spaces.called(ben, "Table")
    with pytest.raises(NotFound):
        await spaces.move_chat(ben, scene.group.id, consultant.alpha.id)
    with pytest.raises(NotFound):
        await spaces.move_chat(maya, scene.group.id, consultant.alpha.id)
    with pytest.raises(NotFound):
        await spaces.move_chat(ben, consultant.home.id, table.id)
    group = await spaces.move_chat(ben, scene.group.id, table.id)
    await spaces.move_chat(maya, consultant.home.id, table.id)
    assert table.id == group.space_id
    chats = [listed.item.id for listed in (await spaces.chats(maya, table.id)).items]
    assert {scene.group.id, consultant.home.id} == set(chats)
    assert [scene.group.id] == [listed.item.id for listed in (await spaces.chats(ben, table.id)).items]
    zoe = await consultant.service.people.create_person(INTERNAL, "Zoe")
    with pytest.raises(NotFound):
        await spaces.called(Viewer(zoe.id), "Table")
    # A portable fact about a person is visible in its space alone.
    [told] = await consultant.service.facts.remember(
        ben.at(scene.group.id), [Fact("Maya plays the harp", about=(scene.maya.key,))], for_chat=True
    )
    load = consultant.service.memories.load
    assert {told.memory_id} == set(await load(maya.at(consultant.home.id), [told.memory_id]))
    assert {} == await load(maya.at(consultant.in_alpha.id), [told.memory_id])


async def test_spaces_are_named_once_and_deleted_when_empty(consultant) -> None:
    """The name of a space is unique, apart from case and blanks, and has a letter or digit. Only an empty space can be
    deleted, and only those who may use a space can rename it.
    """
    spaces, me = consultant.service.spaces, consultant.me
    assert consultant.alpha == await spaces.create(me, "  alpha ")
    with pytest.raises(Conflict):
        await spaces.rename(me, consultant.beta.id, "Alpha")
    with pytest.raises(InvalidInput):
        await spaces.create(me, "…")
    renamed = await spaces.rename(me, consultant.beta.id, "Gamma")
    assert "Gamma" == renamed.name
    assert ["Gamma", "Alpha"] == [listed.item.name for listed in (await spaces.all(me)).items]
    with pytest.raises(Conflict):
        await spaces.delete(me, consultant.alpha.id)
    await spaces.move_chat(me, consultant.in_alpha.id, None)
    await spaces.delete(me, consultant.alpha.id)
    with pytest.raises(NotFound):
        await spaces.delete(me, consultant.alpha.id)
    with pytest.raises(NotFound):
        await spaces.rename(Viewer(consultant.scene.ben.id), consultant.beta.id, "Mine")


async def test_a_space_with_somebody_elses_block_stays(consultant) -> None:
    """A group's space cannot be deleted while another member has a block in it."""
    service, scene = consultant.service, consultant.scene
    shared = await service.spaces.create(consultant.me, "Harbour", chat_id=scene.group.id)
    ben = Viewer(scene.ben.id).within(shared.id)
    await service.blocks.write(ben, "active_context", "The quay")
    with pytest.raises(Conflict):
        await service.spaces.delete(consultant.me, shared.id)
    await service.blocks.delete(ben, "active_context")
    await service.spaces.delete(consultant.me, shared.id)


async def test_a_search_and_a_plan_of_forgetting_are_narrowed_to_a_space(consultant) -> None:
    """With a filter by space, search finds and forgetting covers only what is in that space."""
    for chat in (consultant.in_alpha, consultant.in_beta, consultant.home):
        await consultant.scene.say(f"The harbour report of {chat.title} is late", chat=chat)
    await work_off(consultant.service)
    only = Filters(spaces=(consultant.alpha.id,))
    assert {"The harbour report of Alpha talk is late"} == await consultant.found("harbour report", filters=only)
    assert set() == await consultant.found("harbour report", consultant.in_beta, filters=only)
    acts = consultant.service.forgettings
    plan = await acts.plan(consultant.me, Selection(replace(only, statuses=())))
    assert 1 == plan.counts["turns"]
    await acts.carry_out(consultant.me, plan.id)
    await acts.finished(consultant.me, plan.id)
    left = await consultant.found("harbour report")
    assert {"The harbour report of Beta talk is late", "The harbour report of Home is late"} == left


async def test_blocks_state_and_todos_of_a_space_are_its_own(consultant) -> None:
    """Within a space, its block and state stand in place of those of no space; elsewhere those of no space are read.
    Its todo is open in its own chats only.
    """
    service, me = consultant.service, consultant.me
    alpha, beta = me.within(consultant.alpha.id), me.within(consultant.beta.id)
    await service.blocks.write(me, "active_context", "Home")
    await service.blocks.write(alpha, "active_context", "The merger")
    assert "The merger" == (await service.blocks.read(alpha, "active_context")).content
    assert "Home" == (await service.blocks.read(beta, "active_context")).content
    assert "Home" == (await service.blocks.read(me, "active_context")).content
    await service.states.set_state(me, "mood", "calm")
    await service.states.set_state(alpha, "mood", "tense")
    moods = [[state.value for state in await service.states.current(each)] for each in (alpha, beta, me)]
    assert [["tense"], ["calm"], ["calm"]] == moods
    history = [listed.item.value for listed in (await service.states.history(beta, "mood")).items]
    assert ["calm"] == history
    await service.todos.add(me.at(consultant.in_alpha.id), TodoKind.COMMITMENT, "Sign the merger")
    for chat, expected in ((consultant.in_alpha, 1), (consultant.in_beta, 0), (consultant.home, 0)):
        assert expected == len(await service.todos.open_here(me.at(chat.id), 10))


async def test_a_context_tells_nothing_of_another_space(consultant, learn) -> None:
    """A context in a chat of another space or of no space has neither the words of a space nor names that were learned
    there, and entities that are known only there are not listed.
    """
    await consultant.scene.say("My colleague Renata Vogel, Reni for short, leads Northwind", chat=consultant.in_alpha)
    await consultant.service.sessions.close(consultant.me, consultant.in_alpha.id)
    await learn()
    contexts = consultant.service.contexts
    there = await contexts.context(consultant.me.at(consultant.in_alpha.id), "Who leads Northwind?")
    assert "Northwind" in there.text
    for chat in (consultant.in_beta, consultant.home):
        elsewhere = await contexts.context(consultant.me.at(chat.id).within(chat.space_id), "Who leads Northwind?")
        assert "Northwind" not in elsewhere.text
        assert "Vogel" not in elsewhere.text
    within = consultant.me.within(consultant.beta.id)
    known = await consultant.service.browsing.entities(within)
    assert not [one.item.key for one in known.items if "northwind" in one.item.key or "renata" in one.item.key]


async def test_chats_and_spaces_name_each_other_in_graphql(consultant) -> None:
    """A chat shows its space, and a space the group that it belongs to. A member of a chat who may not use its space is
    shown none, and a stranger is shown neither the chat nor the space.
    """
    document = """query ($chats: [ID!]!) { nodes(ids: $chats) {
      ... on Chat { title space { name group { title } } } ... on Space { name group { title } }
    } }"""
    scene, service = consultant.scene, consultant.service
    table = await service.spaces.create(consultant.me, "Table", chat_id=scene.group.id)
    await service.spaces.move_chat(consultant.me, scene.group.id, table.id)
    pair = await service.people.create_chat(
        INTERNAL, ChatKind.GROUP, "Pair", [Member(one.id, scene.minutes(-100)) for one in (scene.maya, scene.ben)]
    )
    await service.spaces.move_chat(consultant.me, pair.id, consultant.alpha.id)
    chats = [global_id("Chat", chat.id) for chat in (scene.group, pair, consultant.home)]
    ids = [*chats, global_id("Space", table.id), global_id("Space", consultant.alpha.id)]
    of_group, own = {"name": "Table", "group": {"title": "Friday Table"}}, {"name": "Alpha", "group": None}
    in_group, in_pair = {"title": "Friday Table", "space": of_group}, {"title": "Pair", "space": own}
    zoe = await service.people.create_person(INTERNAL, "Zoe")
    for person, expected in (
        (scene.maya, [in_group, in_pair, {"title": "Home", "space": None}, of_group, own]),
        (scene.ben, [in_group, {**in_pair, "space": None}, None, of_group, None]),
        (zoe, [None] * 5),
    ):
        async with asking_as(service, person) as ask:
            assert expected == (await ask(document, chats=ids))["data"]["nodes"]


async def test_a_memory_is_moved_in_graphql(consultant) -> None:
    """`moveMemory` returns the memory in its new space to its owner. Who may only see it is refused, and a stranger
    finds no such memory.
    """
    document = """mutation ($memory: ID!, $space: ID) { moveMemory(input: {memoryId: $memory, spaceId: $space}) {
      ... on MoveMemoryPayload { memory { content space { name } } } ... on Error { code }
    } }"""
    told = await consultant.tell("I collect stamps")
    given = {"memory": global_id("Memory", told), "space": global_id("Space", consultant.alpha.id)}
    zoe = await consultant.service.people.create_person(INTERNAL, "Zoe")
    for person, code in ((consultant.scene.ben, "NOT_ALLOWED"), (zoe, "NOT_FOUND")):
        async with asking_as(consultant.service, person) as ask:
            assert {"moveMemory": {"code": code}} == (await ask(document, **given))["data"]
    moved = {"content": "I collect stamps", "space": {"name": "Alpha"}}
    async with asking_as(consultant.service, consultant.scene.maya) as ask:
        assert {"moveMemory": {"memory": moved}} == (await ask(document, **given))["data"]
        back = await ask(document, **{**given, "space": None})
        assert {"moveMemory": {"memory": {**moved, "space": None}}} == back["data"]


async def test_what_was_not_moved_is_moved_on(consultant, raw) -> None:
    """`finish_moves` completes the interrupted move of a chat, once."""
    stored = await consultant.scene.say(SECRET, chat=consultant.home)
    await raw(
        "MATCH (c:Chat {id: $chat}) SET c.space_id = $space, c.moving_from = ['']",
        chat=consultant.home.id,
        space=consultant.alpha.id,
    )
    assert 1 == await consultant.service.spaces.finish_moves()
    assert 0 == await consultant.service.spaces.finish_moves()
    seen = await consultant.service.browsing.memories(consultant.me, [stored.memory_id])
    assert consultant.alpha.id == seen[stored.memory_id].space_id


async def test_an_export_of_a_space_holds_what_is_of_it(consultant, tmp_path) -> None:
    """An export of a space has no turn of another space or of no space, and no id of another space or of its chat."""
    for chat in (consultant.in_alpha, consultant.in_beta, consultant.home):
        await consultant.scene.say(f"The harbour report of {chat.title} is late", chat=chat)
    exporter = GraphExport(consultant.service.database, consultant.service.clock, "test")
    with StringIO() as lines:
        scope = seen_by(consultant.scene.maya, consultant.service.clock, consultant.alpha.id)
        await exporter.write(lines, scope, vectors=False, folder=tmp_path)
        text = lines.getvalue()
    assert "of Alpha talk is late" in text
    for other in ("of Beta talk is late", "of Home is late", consultant.beta.id, consultant.in_beta.id):
        assert other not in text


async def test_an_import_goes_into_a_space(consultant) -> None:
    """A chat that is imported into a space belongs to it, also a group in which nobody else has an account."""
    service = consultant.service
    mine = Viewer(consultant.scene.me, rights=ALL_RIGHTS)
    space = await service.spaces.create(mine, "Delta")
    turns = [
        FileTurn(id="1", speaker="Sam", text="The tender is due in May", time=consultant.scene.minutes(1)),
        FileTurn(id="2", speaker="Kim", text="Yes", time=consultant.scene.minutes(2)),
    ]
    content = DialogueFile(
        people=[], dialogues=[FileDialogue(id="one", title="Tender", kind=ChatKind.GROUP, turns=turns)]
    )
    imported = await service.importer.run(mine.within(space.id), "tender", content, me="Kim")
    chats = await service.browsing.chats_by_id(mine, list(imported.chats.values()))
    assert [space.id] == [chat.space_id for chat in chats.values()]
