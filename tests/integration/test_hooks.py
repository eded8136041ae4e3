import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from hippograph.api.hooks import following as module
from hippograph.api.hooks import projects
from hippograph.api.hooks.following import Follower, following
from hippograph.api.hooks.projects import FOLDER, Project
from hippograph.api.service import Service
from hippograph.graph.transfer.formats.detection import read_export
from hippograph.graph.transfer.formats.reading import ReadOptions
from hippograph.graph.writing.fact import Fact
from tests.agents import Agent

Raw = Callable[..., Awaitable[list[dict[str, Any]]]]
BEGAN = datetime(2026, 5, 3, 18, tzinfo=UTC)
SECRET = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


class Sessions:
    """A project that can be recorded, the sessions of a client in it, and the hooks, which run as processes."""

    def __init__(self, service: Service, raw: Raw, folder: Path, root: Path) -> None:
        self.service = replace(service, settings=service.settings.model_copy(update={"data_dir": folder / "data"}))
        self.project = folder / "otters"
        self.project.mkdir()
        (folder / "kept").mkdir()
        (folder / "data").symlink_to("kept")  # hooks use the real path of the folder
        self.notes = folder / "kept" / FOLDER
        self.transcript = folder / "5f1c.jsonl"
        self._raw, self._root, self._config = raw, root, folder

    def enable(self, since: datetime = BEGAN, **more: Any) -> None:
        """Starts recording the project, with turns from `since` on."""
        projects.enable(Project(str(self.project), str(self.notes), since.isoformat(), **more))

    async def hook(self, event: str, client: str = "claude-code", **more: Any) -> str:
        """Runs a hook as a process, which must succeed and log nothing, and returns what it prints."""
        given = {"session_id": "5f1c", "cwd": str(self.project), "transcript_path": str(self.transcript)}
        command = [sys.executable, "-P", "-m", "hippograph.api.hooks", client]
        environment = {**os.environ, "PYTHONPATH": str(self._root), "XDG_CONFIG_HOME": str(self._config)}
        environment.pop("CLAUDE_PROJECT_DIR", None)
        told = json.dumps({"hook_event_name": event, **given, **more})
        ran = await asyncio.to_thread(
            subprocess.run, command, input=told, env=environment, capture_output=True, text=True
        )
        assert (0, "") == (ran.returncode, ran.stderr)
        return ran.stdout

    def says(self, key: str, content: Any, role: str = "user", minutes: float = 0, **more: Any) -> None:
        """Appends a line to the transcript, as Claude Code does; `minutes` count from `BEGAN`."""
        line = {
            "type": role,
            "uuid": key,
            "sessionId": "5f1c",
            "cwd": str(self.project),
            "timestamp": (BEGAN + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z"),
            "message": {"role": role, "content": content},
            **more,
        }
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    async def follow(self) -> list[str]:
        """Runs one step of a new follower, which must not fail, and returns the recorded turns."""
        follower = Follower(self.service)
        await follower.step()
        assert {} == follower._again
        return await self.recorded()

    async def recorded(self) -> list[str]:
        """Returns the contents of the recorded turns, in their order."""
        rows = await self._raw("MATCH (m:Episodic) RETURN m.content AS content ORDER BY m.event_time, m.turn")
        return [row["content"] for row in rows]

    async def closed(self) -> list[str]:
        """Returns what closed each closed session."""
        return [
            row["how"]
            for row in await self._raw("MATCH (s:Session) WHERE s.open_key IS NULL RETURN s.closed_by AS how")
        ]


@pytest.fixture
def sessions(service: Service, raw: Raw, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Sessions:
    """A project that is not recorded yet, over an empty graph."""
    monkeypatch.setattr(projects, "PROJECTS_FILE", tmp_path / "hippograph" / "projects.json")
    return Sessions(service, raw, tmp_path, root)


def talk(sessions: Sessions) -> None:
    """Writes a session with all types of lines that a transcript has: messages, thinking, calls and results of tools, a
    secret, talk between agents, and a summary.
    """
    sessions.says("a", "We deploy on Fridays.")
    sessions.says("b", [{"type": "thinking", "thinking": "Hm, Fridays."}], "assistant")
    sessions.says("c", [{"type": "text", "text": "Noted."}, {"type": "tool_use", "name": "Bash"}], "assistant", 1)
    sessions.says("d", [{"type": "tool_result", "content": "3 otters found"}], minutes=2)
    sessions.says("e", f"The key is {SECRET}, use it.", minutes=3)
    sessions.says("f", "Look at the tests", isSidechain=True)
    sessions.says("g", "This session is being continued from …", isCompactSummary=True)


async def test_a_session_is_recorded_once(sessions: Sessions) -> None:
    """A session is recorded without secrets, thinking, tools and talk between agents. Each turn is stored once, however
    often the transcript is read, and if it is imported too.
    """
    sessions.enable()
    talk(sessions)
    await sessions.hook("SessionStart")
    said = ["We deploy on Fridays.", "Noted.", "The key is [secret removed], use it."]
    assert said == await sessions.follow()
    sessions.says("h", "Then on Mondays.", minutes=4)
    with sessions.transcript.open("a") as file:
        file.write('{"type": "user", "uu')  # a line that is still being written
    assert [*said, "Then on Mondays."] == await sessions.follow()
    (sessions.notes / "5f1c.read").unlink()  # as if the process was killed before it saved its position
    assert [*said, "Then on Mondays."] == await sessions.follow()
    reading = read_export(sessions.transcript, ReadOptions(sessions.service.clock()))
    assert reading is not None
    imported = await sessions.service.importer.run(
        sessions.service.viewer(), reading.name, reading.content, me=reading.me
    )
    assert (0, 4) == (imported.recorded, imported.repeated)


async def test_what_tools_answered_is_recorded_where_that_is_set(sessions: Sessions) -> None:
    """With `tools`, the results of tools are recorded as words of the agent, with a source of their own."""
    sessions.enable(tools=True)
    talk(sessions)
    await sessions.hook("Stop")
    assert "3 otters found" in await sessions.follow()
    [row] = await sessions._raw("MATCH (m:Episodic {source: 'tool_result'}) RETURN m.source_role AS role")
    assert "assistant" == row["role"]


async def test_nothing_is_kept_of_a_project_that_is_not_recorded(sessions: Sessions) -> None:
    """Hooks write no note and print nothing for a project that is not recorded. Turns from before recording was enabled
    or after it was disabled are not recorded, and disabling removes the notes.
    """
    talk(sessions)
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"):
        assert "" == await sessions.hook(event)
    assert not sessions.notes.exists()
    sessions.enable(since=BEGAN + timedelta(minutes=3))
    await sessions.hook("Stop")
    said = ["The key is [secret removed], use it."]
    assert said == await sessions.follow()
    projects.disable(str(sessions.project))
    sessions.says("h", "Between us.", minutes=5)
    assert said == await sessions.follow()
    assert [] == [path.name for path in sessions.notes.iterdir() if path.suffix != ".lock"]


async def test_projects_are_chosen_by_commands(sessions: Sessions, root: Path) -> None:
    """`hook enable`, `list` and `disable` change and show the projects; enabling again keeps what is not given. The
    project of a folder is its own or that of the nearest parent.
    """

    async def hippograph(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(root), "XDG_CONFIG_HOME": str(sessions._config)}
        environment["HIPPOGRAPH_DATA_DIR"] = str(sessions.service.settings.data_dir)
        command = [sys.executable, "-P", "-m", "hippograph.api.cli", "hook", *words]
        return await asyncio.to_thread(
            subprocess.run, command, cwd=sessions.project, env=environment, capture_output=True, text=True
        )

    await hippograph("enable", "--space", "Otters")
    [first] = json.loads((await hippograph("list", "--json")).stdout)
    await hippograph("enable", "--tools")
    [found] = json.loads((await hippograph("list", "--json")).stdout)
    assert first["since"] == found["since"]
    assert (str(sessions.project), str(sessions.notes), "Otters", True) == tuple(
        found[name] for name in ("root", "sessions", "space", "tools")
    )
    below = sessions.project / "src"
    below.mkdir()
    assert str(sessions.project) == projects.project_of(str(below)).root  # type: ignore[union-attr]
    assert projects.project_of(str(sessions.project.parent)) is None
    assert 0 == (await hippograph("disable")).returncode
    assert (1, "[]\n") == ((await hippograph("disable")).returncode, (await hippograph("list", "--json")).stdout)


async def test_a_session_is_closed_before_it_is_compacted(sessions: Sessions) -> None:
    """`PreCompact` closes and summarises a session. What is said afterwards belongs to the same session."""
    sessions.enable()
    talk(sessions)
    await sessions.hook("PreCompact", trigger="auto")
    await sessions.follow()
    assert ["request"] == await sessions.closed()
    [summary] = await sessions._raw("MATCH (s:SessionSummary) RETURN count(s) AS count")
    assert 1 == summary["count"]
    sessions.says("h", "Then on Mondays.", minutes=4)
    await sessions.hook("SessionEnd", reason="other")
    assert 4 == len(await sessions.follow())
    assert ["request"] == await sessions.closed()


async def test_a_session_starts_with_a_context(sessions: Sessions) -> None:
    """A session gets the context of the running service at its start, or once with the next prompt if no service ran at
    the start. A project without a space, in which nothing was said yet, gets nothing of any space.
    """
    sessions.enable()
    me = sessions.service.viewer()
    whales = me.within((await sessions.service.spaces.create(me, "Whales")).id)
    [hidden] = await sessions.service.facts.remember(whales, [Fact("Ada counts whales on Mondays.")])
    await sessions.service.facts.pin(whales, hidden.memory_id)
    [fact] = await sessions.service.facts.remember(sessions.service.viewer(), [Fact("Ada prefers trains to planes.")])
    await sessions.service.facts.pin(sessions.service.viewer(), fact.memory_id)
    began = json.loads(await sessions.hook("SessionStart"))["hookSpecificOutput"]
    assert "call neither record_turns" in began["additionalContext"]
    assert "trains" not in began["additionalContext"]
    async with following(sessions.service):
        async with asyncio.timeout(60):
            while not (said := await sessions.hook("UserPromptSubmit", prompt="Hello")):
                pass
        prompted = json.loads(said)["hookSpecificOutput"]
        assert "UserPromptSubmit" == prompted["hookEventName"]
        assert "Ada prefers trains to planes." in prompted["additionalContext"]
        assert "whales" not in prompted["additionalContext"]
        assert "" == await sessions.hook("UserPromptSubmit", prompt="Again")
        compacted = json.loads(await sessions.hook("SessionStart", source="compact"))["hookSpecificOutput"]
        assert "Ada prefers trains to planes." in compacted["additionalContext"]


@pytest.mark.parametrize(
    ("client", "events"),
    [
        ("codex", [("UserPromptSubmit", "prompt"), ("Stop", "last_assistant_message")]),
        ("cursor", [("beforeSubmitPrompt", "prompt"), ("afterAgentResponse", "text")]),
    ],
)
async def test_clients_whose_hooks_tell_what_was_said(
    sessions: Sessions, client: str, events: list[tuple[str, str]]
) -> None:
    """What a hook reports is written to a file at once and recorded once; then the file is removed."""
    sessions.enable()
    for words, (event, name) in zip(("We deploy on Fridays.", "Noted."), events, strict=True):
        await sessions.hook(event, client, **{name: words})
    said = (sessions.notes / "5f1c.jsonl").read_bytes()
    assert ["We deploy on Fridays.", "Noted."] == await sessions.follow()
    assert not (sessions.notes / "5f1c.jsonl").exists()
    (sessions.notes / "5f1c.jsonl").write_bytes(said)  # as if the process was killed before removing it
    assert ["We deploy on Fridays.", "Noted."] == await sessions.follow()
    [row] = await sessions._raw("MATCH (p:Persona) RETURN p.name AS name")
    assert client == row["name"].lower()


OPENCODE = """
import { Hippograph } from %(plugin)s
const told = [{ info: { role: "user" }, parts: [{ type: "text", text: "We deploy on Fridays." }] },
  { info: { role: "assistant" }, parts: [{ type: "reasoning", text: "Hm." }, { type: "text", text: "Noted." }] }]
const session = { get: async ({ path }) => ({ data: { parentID: path.id === "ses_2" ? "ses_1" : undefined } }),
  messages: async () => ({ data: told }) }
const hooks = await Hippograph({ client: { session }, directory: %(project)s })
for (const sessionID of ["ses_1", "ses_2"]) {
  const parts = [{ type: "text", text: "We deploy on Fridays." }, { type: "text", text: "A file", synthetic: true }]
  await hooks["chat.message"]({ sessionID }, { message: {}, parts })
  const output = { system: [] }
  await hooks["experimental.chat.system.transform"]({ sessionID }, output)
  console.log(JSON.stringify(output.system))
  await hooks.event({ event: { type: "session.idle", properties: { sessionID } } })
  await hooks["experimental.session.compacting"]({ sessionID }, { context: [] })
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
async def test_the_plugin_for_opencode_records_what_was_said(sessions: Sessions, root: Path, tmp_path: Path) -> None:
    """The plugin for opencode records what the user and the agent say, not talk between agents, and tells the agent
    about its memory.
    """
    sessions.enable()
    command = tmp_path / "bin" / "hippograph-hook"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m hippograph.api.hooks "$@"\n')
    command.chmod(0o755)
    plugin = json.dumps(str(root / "clients" / "opencode" / "hippograph.js"))
    program = OPENCODE % {"plugin": plugin, "project": json.dumps(str(sessions.project))}
    search_path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": search_path, "PYTHONPATH": str(root), "XDG_CONFIG_HOME": str(tmp_path)}
    ran = await asyncio.to_thread(
        subprocess.run, ["node", "--input-type=module", "-e", program], env=environment, capture_output=True, text=True
    )
    own, other = map(json.loads, ran.stdout.splitlines())
    assert ["hippograph is your long-term memory"] == [context[:35] for context in own]
    assert [] == other
    assert ["We deploy on Fridays.", "Noted."] == await sessions.follow()
    assert 1 == len(await sessions.closed())


async def test_lines_that_name_no_folder_tell_no_project(sessions: Sessions) -> None:
    """A transcript may begin with lines that name no folder, such as summaries. What is said later is still recorded in
    the chat of the project.
    """
    sessions.enable()
    sessions.transcript.write_text('{"type": "summary", "summary": "Otters", "leafUuid": "c"}\n')
    await sessions.hook("SessionStart")
    await sessions.follow()
    talk(sessions)
    await sessions.follow()
    assert [{"title": "otters"}] == await sessions._raw("MATCH (c:Chat) RETURN c.title AS title")


async def test_what_is_said_while_a_transcript_is_read_is_not_of_the_future(sessions: Sessions) -> None:
    """A line that is written while a transcript is read is recorded by the next step. It is not refused as being in the
    future, since the time is taken after reading.
    """
    sessions.enable()
    await sessions.hook("Stop")
    said = []

    def clock() -> datetime:
        now = sessions.service.clock()
        if not said:
            said.append(
                sessions.says("a", "We deploy on Fridays.", timestamp=(now + timedelta(seconds=0.1)).isoformat())
            )
        return now

    follower = Follower(replace(sessions.service, clock=clock))
    await follower.step()
    await asyncio.sleep(0.2)
    await follower.step()
    assert ["We deploy on Fridays."] == await sessions.recorded()


async def test_words_that_hooks_keep_are_read_on_from_where_they_were_read_to(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transcript that hooks wrote is read in steps of limited size, each from the end of the last, also if its last
    line is broken off. Steps without news write nothing to the graph. The file is removed once all of it was read.
    """
    monkeypatch.setattr(module, "_MOST", 700)
    sessions.enable()
    said = [f"Otter number {number} was fed." for number in range(6)]
    for words in said:
        await sessions.hook("UserPromptSubmit", "codex", prompt=words)
    kept = sessions.notes / "5f1c.jsonl"
    with kept.open("a") as file:
        file.write('{"type": "us')  # as if the hook was killed
    for _ in said:
        await sessions.follow()
    assert said == await sessions.recorded()
    written = await sessions._raw("MATCH (c:Chat) RETURN c.lock AS at")
    await sessions.follow()
    assert written == await sessions._raw("MATCH (c:Chat) RETURN c.lock AS at")
    await sessions.hook("UserPromptSubmit", "codex", prompt="All of them.")
    assert [*said, "All of them."] == await sessions.follow()
    assert not kept.exists()


async def test_a_transcript_that_was_emptied_is_read_from_its_beginning(sessions: Sessions) -> None:
    """A transcript that was found empty is read from its beginning, even if it is later longer than before."""
    sessions.enable()
    sessions.says("a", "We deploy on Fridays.")
    await sessions.hook("Stop")
    await sessions.follow()
    sessions.transcript.write_text("")
    await sessions.follow()
    sessions.says("b", "Then on Mondays.", minutes=1)
    sessions.says("c", "Or on Tuesdays, when the otters are asleep.", minutes=2)
    assert 3 == len(await sessions.follow())


@pytest.mark.parametrize("more", [0, 5000])
async def test_a_transcript_that_was_emptied_and_grew_unseen_is_read_from_its_beginning(
    sessions: Sessions, more: int
) -> None:
    """A transcript that was emptied and has outgrown its old length by the next look is read from its beginning."""
    sessions.enable()
    sessions.says("a", "We deploy on Fridays.", padding="." * more)
    await sessions.hook("Stop")
    said = ["We deploy on Fridays.", "Then on Mondays.", "Or on Tuesdays."]
    assert said[:1] == await sessions.follow()
    sessions.transcript.write_text("")
    sessions.says("b", said[1], minutes=1, padding="." * more)
    sessions.says("c", said[2], minutes=2)
    assert said == await sessions.follow()
    kept = (sessions.notes / "5f1c.read").read_text()
    assert said == await sessions.follow()
    assert kept == (sessions.notes / "5f1c.read").read_text()


@pytest.mark.parametrize("end", [10, 10_000])
async def test_a_note_without_a_hash_is_of_no_transcript(sessions: Sessions, end: int) -> None:
    """A position that was saved without a hash is not trusted, also if the transcript is now far shorter."""
    sessions.enable()
    sessions.says("a", "We deploy on Fridays.")
    await sessions.hook("Stop")
    (sessions.notes / "5f1c.read").write_text(json.dumps({"end": end, "place": str(sessions.project)}))
    assert ["We deploy on Fridays."] == await sessions.follow()
    assert sessions.transcript.stat().st_size == json.loads((sessions.notes / "5f1c.read").read_text())["end"]


async def test_a_chat_that_was_moved_stays_where_it_is(sessions: Sessions) -> None:
    """After a chat is moved to another space, its next turns are recorded there, and its session is closed."""
    service, viewer = sessions.service, sessions.service.viewer()
    whales = [await service.spaces.create(viewer, name) for name in ("Otters", "Whales")][1]
    sessions.enable(space="Otters")
    talk(sessions)
    await sessions.hook("Stop")
    await sessions.follow()
    [chat] = await sessions._raw("MATCH (c:Chat) RETURN c.id AS id")
    await service.spaces.move_chat(viewer, chat["id"], whales.id)
    sessions.says("h", "Then on Mondays.", minutes=4)
    await sessions.hook("SessionEnd")
    assert 4 == len(await sessions.follow())
    rows = await sessions._raw("MATCH (m:Episodic) RETURN DISTINCT m.space_id AS space")
    assert [whales.id] == [row["space"] for row in rows]
    assert ["request"] == await sessions.closed()


async def test_a_silent_session_asks_nothing_of_the_database(sessions: Sessions) -> None:
    """The space of a project is looked up only when something is said; if it does not exist, the failure is logged
    then.
    """
    sessions.enable(space="Otters")
    await sessions.hook("SessionStart")
    await sessions.follow()
    sessions.says("a", "We deploy on Fridays.")
    follower = Follower(sessions.service)
    with structlog.testing.capture_logs() as lines:
        await follower.step()
    assert 1 == len(lines)
    assert "there is no space Otters" in lines[0]["error"]


async def test_the_session_that_ends_is_closed_and_no_other(sessions: Sessions) -> None:
    """Of two sessions of a project at the same time, only the one that ends is closed and summarised."""
    sessions.enable()
    sessions.says("a", "We deploy on Fridays.")
    await sessions.hook("Stop")
    await sessions.follow()
    sessions.transcript = sessions.transcript.with_name("77aa.jsonl")
    sessions.says("b", "The otters were fed.", minutes=1, sessionId="77aa")
    await sessions.hook("Stop", session_id="77aa")
    await sessions.follow()
    sessions.transcript = sessions.transcript.with_name("5f1c.jsonl")
    await sessions.hook("PreCompact")
    await sessions.follow()
    rows = await sessions._raw("MATCH (s:Session) RETURN s.closed_by AS how ORDER BY s.started_at")
    assert ["request", None] == [row["how"] for row in rows]
    [summary] = await sessions._raw("MATCH (s:SessionSummary) RETURN s.content AS content")
    assert "Fridays" in summary["content"]


async def test_a_session_is_closed_when_all_of_it_was_read(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session is closed only after its transcript was read to the end, however many steps that takes."""
    monkeypatch.setattr(module, "_MOST", 700)
    sessions.enable()
    talk(sessions)
    await sessions.hook("PreCompact")
    assert 3 > len(await sessions.follow())
    assert [] == await sessions.closed()
    for _ in range(4):
        await sessions.follow()
    assert 3 == len(await sessions.recorded())
    assert ["request"] == await sessions.closed()


async def test_a_session_is_closed_again_when_that_was_asked_meanwhile(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request to close that comes while an earlier one is carried out closes what was said since."""
    sessions.enable()
    talk(sessions)
    await sessions.hook("PreCompact")
    close = Follower._close

    async def close_slowly(*given: Any) -> None:
        await close(*given)
        sessions.says("h", "Then on Mondays.", minutes=4)
        await sessions.hook("PreCompact")

    with monkeypatch.context() as patch:
        patch.setattr(Follower, "_close", close_slowly)
        await sessions.follow()
    assert "Then on Mondays." == (await sessions.follow())[-1]
    assert [] == await sessions._raw("MATCH (s:Session) WHERE s.open_key IS NOT NULL RETURN s.id AS id")


async def test_nothing_is_let_go_of_without_a_file_of_projects(sessions: Sessions) -> None:
    """Without a file of projects nothing is recorded and nothing removed: the service may use another folder of
    settings.
    """
    sessions.enable()
    await sessions.hook("UserPromptSubmit", "codex", prompt="We deploy on Fridays.")
    projects.PROJECTS_FILE.unlink()
    assert [] == await sessions.follow()
    sessions.enable()
    assert ["We deploy on Fridays."] == await sessions.follow()


async def test_what_cannot_be_read_costs_itself_alone(sessions: Sessions) -> None:
    """A broken note or a broken file of projects is logged once and counted at each step. The other sessions are
    recorded.
    """
    sessions.enable()
    talk(sessions)
    await sessions.hook("Stop")
    (sessions.notes / "0.json").write_text('{"client": "codex"}')
    written = projects.PROJECTS_FILE.read_text()
    follower, registry = Follower(sessions.service), sessions.service.observation.metrics.registry

    def failures() -> float:
        return registry.get_sample_value("hippograph_job_steps_total", {"job": "record", "outcome": "failed"}) or 0.0

    before = failures()
    with structlog.testing.capture_logs() as lines:
        for content in ("[1]", "[1]", written, written):
            projects.PROJECTS_FILE.write_text(content)
            await follower.step()
    assert [str(sessions.notes), str(sessions.notes / "0.json")] == [line["of"] for line in lines]
    assert 4 == failures() - before
    assert 3 == len(await sessions.recorded())


async def test_a_follower_is_not_ended_by_an_error(sessions: Sessions) -> None:
    """A follower logs an error, such as a lock that cannot be taken, and goes on."""
    sessions.enable()
    talk(sessions)
    await sessions.hook("Stop")
    lock = sessions.notes / "follower.lock"
    lock.mkdir()
    with structlog.testing.capture_logs() as lines:
        async with following(sessions.service), asyncio.timeout(60):
            while not lines:  # noqa: ASYNC110  # a log cannot be awaited
                await asyncio.sleep(0.1)
            lock.rmdir()
            while len(await sessions.recorded()) < 3:  # noqa: ASYNC110  # the follower records them
                await asyncio.sleep(0.1)
    assert "IsADirectoryError" in lines[0]["error"]


async def test_a_turn_that_is_refused_is_told_of(sessions: Sessions) -> None:
    """A turn that is refused, such as one with other words than before, is logged with the reason."""
    sessions.enable()
    sessions.says("a", "We deploy on Fridays.")
    await sessions.hook("Stop")
    await sessions.follow()
    sessions.says("a", "We deploy on Mondays.")
    with structlog.testing.capture_logs() as lines:
        assert ["We deploy on Fridays."] == await sessions.follow()
    [told] = [line for line in lines if line["event"] == "turns are not recorded"]
    assert (1, "it was imported before, in other words or under another name") == (told["turns"], told["why"])


async def test_the_plugin_runs_what_there_is(root: Path) -> None:
    """The hooks of the plugin for Claude Code call a command of the package, and its server is `hippograph mcp`."""
    plugin = root / json.loads((root / ".claude-plugin/marketplace.json").read_text())["plugins"][0]["source"]
    hooks = json.loads((plugin / "hooks/hooks.json").read_text())["hooks"]
    assert {"SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"} == hooks.keys()
    commands = {hook["command"] for groups in hooks.values() for group in groups for hook in group["hooks"]}
    assert {"hippograph-hook claude-code"} == commands
    assert 'hippograph-hook = "hippograph.api.hooks.__main__:main"' in (root / "pyproject.toml").read_text()
    assert {"command": "hippograph", "args": ["mcp"]} == json.loads((plugin / ".mcp.json").read_text())["mcpServers"][
        "hippograph"
    ]


async def test_an_agents_server_records_within_the_space_of_the_project(
    sessions: Sessions, spawned: Callable[..., StdioServerParameters]
) -> None:
    """`hippograph mcp`, started in a project, records the project's sessions in its space and finds nothing of another
    space.
    """
    service, viewer = sessions.service, sessions.service.viewer()
    otters, whales = [await service.spaces.create(viewer, name) for name in ("Otters", "Whales")]
    await service.facts.remember(viewer.within(whales.id), [Fact("Ada counts whales on Mondays.")])
    sessions.enable(space="Otters")
    talk(sessions)
    await sessions.hook("Stop")
    command = spawned(DATA_DIR=str(sessions.notes.parent))
    environment = {**command.env, "XDG_CONFIG_HOME": str(sessions._config), "CLAUDE_PROJECT_DIR": str(sessions.project)}
    async with Client(command.model_copy(update={"env": environment})) as client:
        agent = Agent(client)
        assert [] == (await agent.patient("search_memory", query="whales"))["results"]
        async with asyncio.timeout(60):
            while len(await sessions.recorded()) < 3:  # noqa: ASYNC110  # another process records them
                await asyncio.sleep(0.2)
        found = await agent.call("search_memory", query="deploy Fridays", persona="Claude Code")
    assert "We deploy on Fridays." in [each["text"] for each in found["results"]]
    rows = await sessions._raw("MATCH (m:Episodic) RETURN DISTINCT m.space_id AS space")
    assert [otters.id] == [row["space"] for row in rows]


async def test_a_service_that_is_killed_loses_nothing(
    sessions: Sessions, spawned: Callable[..., StdioServerParameters]
) -> None:
    """After `kill -9` while a service records, the next service goes on, and each turn is stored once."""
    sessions.enable()
    said = [f"Otter number {number} was fed." for number in range(400)]  # two batches of the importer
    for number, words in enumerate(said):
        sessions.says(f"key-{number}", words, minutes=number / 60)
    await sessions.hook("Stop")
    command = spawned(DATA_DIR=str(sessions.notes.parent))
    environment = {**(command.env or {}), "XDG_CONFIG_HOME": str(sessions._config)}
    for enough in (1, len(said)):
        process = await asyncio.create_subprocess_exec(
            command.command,
            *command.args,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(120):
                while len(await sessions.recorded()) < enough:  # noqa: ASYNC110  # another process records them
                    await asyncio.sleep(0.02)
        finally:
            process.kill()
            await process.wait()
        if enough == 1:
            assert len(await sessions.recorded()) < len(said)
    assert said == await sessions.recorded()
