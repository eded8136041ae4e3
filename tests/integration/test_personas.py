"""The persona with which each interface reads if none is named (P1), in a chat with one persona and with several."""

import asyncio
import gzip
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client

from hippograph.api.graphql.nodes import global_id
from hippograph.api.mcp.server import make_server
from hippograph.api.web.http import create_app
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Persona, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.command_forks import CommandForks
from tests.conftest import plain_output

BREAD = re.compile(r"bread (?:from|of) \w+")
QUERY = "Where is the bread from?"


@dataclass(frozen=True, slots=True)
class Talks:
    """Two chats of the local user: in `one` they talked to Atlas and to no persona, in `several` to Iris too."""

    scene: Any
    one: Chat
    several: Chat
    iris: Persona

    @property
    def me(self) -> str:
        """The local user's id."""
        return str(self.scene.me)


@pytest.fixture
async def talks(scene) -> Talks:
    """The chats, each with a turn about bread to each of its personas and one to none."""
    people = scene.service.people
    iris = await people.create_persona(INTERNAL, "Iris")
    member = [Member(scene.me)]
    one, several = [await people.create_chat(INTERNAL, ChatKind.GROUP, title, member) for title in ("One", "Several")]
    said = [(one, None, "from nobody"), (one, scene.atlas, "from Atlas")]
    said += [(several, None, "of nobody"), (several, scene.atlas, "of Atlas"), (several, iris, "of Iris")]
    for chat, persona, words in said:
        turn = [Turn(f"The bread {words} is fresh", scene.me)]
        await scene.service.recorder.record(Viewer(scene.me, rights=ALL_RIGHTS), chat.id, turn, persona and persona.id)
    await scene.service.runner.work_until_idle()
    return Talks(scene, one, several, iris)


def found(text: str) -> list[str]:
    """Returns the distinct breads that a text mentions, sorted."""
    return sorted(set(BREAD.findall(text)))


IN_ONE = ["bread from Atlas", "bread from nobody"]
IN_SEVERAL = ["bread of Atlas", "bread of Iris", "bread of nobody"]


# --- an assistant ---


@pytest.mark.parametrize("field", ["search(%s) { nodes { content } }", "context(%s) { text }"])
async def test_graphql_answers_with_the_only_persona_of_a_chat(talks: Talks, ask, field: str) -> None:
    """Without a persona, a request reads with the only persona of its chat, or with none if the chat has several. A
    named persona is used instead.
    """
    arguments = "query: $query, chatId: $chat, personaId: $p"
    document = f"query Ask($query: String!, $chat: ID, $p: ID) {{ {field % arguments} }}"

    async def told(chat: Chat, persona: Persona | None = None) -> list[str]:
        given = {"p": global_id("Persona", persona.id)} if persona else {}
        return found(json.dumps(await ask(document, query=QUERY, chat=global_id("Chat", chat.id), **given)))

    assert IN_ONE == await told(talks.one)
    assert ["bread of nobody"] == await told(talks.several)
    assert ["bread of Iris", "bread of nobody"] == await told(talks.several, talks.iris)
    assert ["bread from nobody"] == await told(talks.one, talks.iris)


async def test_tools_answer_with_the_only_persona_of_a_chat(talks: Talks) -> None:
    """MCP tools read with the only persona of the chat, and with none if the chat has several."""
    async with Client(make_server(talks.scene.service, lambda _: Viewer(talks.me))) as client:
        answers = [
            str((await client.call_tool(tool, {"query": QUERY, "chat": chat})).content)
            for chat in ("One", "Several")
            for tool in ("search_memory", "get_context")
        ]
    assert [IN_ONE] * 2 + [["bread of nobody"]] * 2 == [found(answer) for answer in answers]


async def test_a_second_persona_ends_that_the_first_needs_no_name(talks: Talks) -> None:
    """The only persona of a chat is no longer used by default once the chat has a session with a second one."""
    service, viewer = talks.scene.service, Viewer(talks.me, talks.one.id, rights=ALL_RIGHTS)
    await service.recorder.record(viewer, talks.one.id, [Turn("Hello Iris", talks.me)], talks.iris.id)
    page = await service.search.search(viewer, QUERY, first=20)
    assert ["bread from nobody"] == found(" ".join(result.memory.content for result in page.results))


async def test_a_context_has_what_belongs_to_the_chats_persona(talks: Talks) -> None:
    """A context in a chat has the state, blocks and todos of its only persona. Outside chats, and with all personas,
    it has only those of no persona.
    """
    service, atlas = talks.scene.service, Viewer(talks.me, None, talks.scene.atlas.id)
    await service.states.set_state(atlas, "nickname", "Captain")
    await service.states.set_state(Viewer(talks.me), "nickname", "Mo")
    await service.blocks.write(atlas, "notes", "Bake with Atlas")
    private = await service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Mine", [Member(talks.me)])
    await service.recorder.record(Viewer(talks.me), private.id, [Turn("Good morning", talks.me)], talks.scene.atlas.id)
    await service.todos.add(atlas, TodoKind.COMMITMENT, "Call the baker")
    told = ("nickname: Captain", "Bake with Atlas", "Call the baker")
    for viewer, expected in ((Viewer(talks.me, private.id), True), (Viewer(talks.me), False)):
        always = (await service.contexts.context(viewer, QUERY)).always
        assert [expected] * 3 == [words in always for words in told]
    own = (await service.contexts.context(Viewer(talks.me).with_every_persona(), QUERY)).always
    assert [True, False, False, False] == [words in own for words in ("nickname: Mo", *told)]


async def test_a_fact_that_is_remembered_in_a_chat_belongs_to_no_persona(talks: Talks) -> None:
    """A fact remembered without a persona belongs to none: the chat's persona is a default for reading only (S8)."""
    service, here = talks.scene.service, Viewer(talks.me, talks.one.id)
    [stored] = await service.facts.remember(here, [Fact("I bake on Sundays")])
    assert None is (await service.browsing.memories(here, [stored.memory_id]))[stored.memory_id].persona_id


async def test_communities_are_found_and_read_with_the_chats_persona(talks: Talks) -> None:
    """The scope of a chat's communities has the only persona of the chat, and none if the chat has several."""
    finder = talks.scene.service.community_finder
    atlas = talks.scene.atlas.id
    scopes = [await finder.scope_of(Viewer(talks.me, chat.id)) for chat in (talks.one, talks.several)]
    assert [(talks.one.id, atlas), (talks.several.id, "")] == [(scope.chat_id, scope.persona_id) for scope in scopes]


# --- a person who looks at their own memory ---


@pytest.fixture
def hippograph(talks: Talks, command_forks: CommandForks, root: Path, tmp_path: Path) -> Callable[..., str]:
    """Returns a function that runs a command on the tests' graph and returns what it printed."""
    where = talks.scene.service.connection
    settings = {
        "NEO4J_URI": where.uri,
        "NEO4J_USER": where.user,
        "NEO4J_PASSWORD": where.password,
        "LOCAL_USER": talks.scene.service.settings.local_user,
        "EMBEDDING_MODEL": "none",
        "NER_MODEL": "none",
    }
    environment = {**os.environ, **{f"HIPPOGRAPH_{name}": value for name, value in settings.items()}}
    environment |= plain_output(root)

    def run(*words: str) -> str:
        told = command_forks.run(words, tmp_path, environment)
        assert 0 == told.returncode, told.stderr
        return told.stdout

    return run


@pytest.mark.parametrize("command", [("search", QUERY), ("context", QUERY), ("timeline",)], ids=lambda words: words[0])
def test_a_command_shows_what_was_said_to_any_persona(hippograph: Callable[..., str], command: tuple[str, ...]) -> None:
    """Without `--persona` a command shows what was said to any persona; with it, to that persona and to none."""
    assert IN_SEVERAL == found(hippograph(*command, "--chat", "Several"))
    assert ["bread of Iris", "bread of nobody"] == found(hippograph(*command, "--chat", "Several", "--persona", "Iris"))


async def test_todos_are_listed_of_any_persona(hippograph: Callable[..., str], talks: Talks) -> None:
    """Without `--persona`, `todo list` shows the todos of all personas, newest first; with it, those of that one."""
    people = (None, talks.scene.atlas.id, talks.iris.id)
    for number, persona in enumerate(people):
        await talks.scene.service.todos.add(Viewer(talks.me, None, persona), TodoKind.THREAD, f"Loaf {number}")
    listed = await asyncio.to_thread(hippograph, "todo", "list")
    assert ["Loaf 2", "Loaf 1", "Loaf 0"] == re.findall(r"Loaf \d", listed)
    assert ["Loaf 2"] == re.findall(
        r"Loaf \d", await asyncio.to_thread(hippograph, "todo", "list", "--persona", "Iris")
    )


async def test_the_page_shows_what_was_said_to_any_persona(talks: Talks) -> None:
    """/memory shows what was said to any persona; `persona` in the URL restricts it to one (with what was said to
    none), or to none.
    """
    transport = httpx.ASGITransport(create_app(talks.scene.service))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as browser:

        async def told(**asked: str) -> tuple[list[str], str]:
            page = await browser.get("/memory", params={"q": QUERY, "chat": talks.several.id, **asked})
            assert 200 == page.status_code
            chosen = re.findall(r'<select id="persona".*?</select>', page.text, re.DOTALL)[0]
            selected = re.search(r"selected>([^<]*)<", chosen)
            return found(page.text), selected[1] if selected else ""

        assert (IN_SEVERAL, "") == await told()
        assert (["bread of Iris", "bread of nobody"], "Iris") == await told(persona=talks.iris.id)
        assert (["bread of nobody"], "no persona") == await told(persona="none")


def test_an_export_of_ones_own_holds_what_was_said_to_any_persona(
    hippograph: Callable[..., str], tmp_path: Path
) -> None:
    """A person's own export has the turns to all personas."""
    hippograph("export", "mine.jsonl.gz", "--as", "tester")
    assert IN_ONE + IN_SEVERAL == found(gzip.decompress((tmp_path / "mine.jsonl.gz").read_bytes()).decode())


async def test_all_personas_are_those_of_ones_own_memory(talks: Talks) -> None:
    """A viewer with all personas finds what was said in their own chats to any persona, and their own facts, but
    nothing that others own.
    """
    service, atlas = talks.scene.service, talks.scene.atlas.id
    maya = Viewer(talks.scene.maya.id, None, atlas)
    await service.facts.remember(maya, [Fact("Maya hides the bread of Maya")])
    looker = Viewer(talks.me).with_every_persona()
    told = {result.memory.content for result in (await service.search.search(looker, QUERY)).results}
    assert {f"The {bread} is fresh" for bread in (*IN_ONE, *IN_SEVERAL)} == told
    page = await service.search.search(Viewer(maya.person_id).with_every_persona(), QUERY)
    assert ["Maya hides the bread of Maya"] == [result.memory.content for result in page.results]


async def test_the_latest_summary_is_of_any_persona(talks: Talks) -> None:
    """With all personas the rolling summary is that of the latest talk with any; without a persona there is none."""
    service, me = talks.scene.service, talks.me
    private = await service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Mine", [Member(me)])
    lines = [f"I baked loaf {number} for Ben" for number in range(5)]
    for persona, day in ((talks.scene.atlas, 0), (talks.iris, 1440)):
        turns = [Turn(f"{line} and {persona.name}", me, event_time=talks.scene.minutes(day)) for line in lines]
        await service.recorder.record(Viewer(me), private.id, turns, persona.id)
    await service.runner.work_until_idle()
    reader = service.summary_reader
    assert None is (await reader.here(Viewer(me))).rolling
    latest = (await reader.here(Viewer(me).with_every_persona())).rolling
    assert talks.iris.id == (latest and latest.persona_id)
