import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.graph.model import INTERNAL, ChatKind, Times
from hippograph.graph.transfer.formats.detection import read_export
from hippograph.graph.transfer.formats.reading import Reading, ReadOptions, Statement
from hippograph.graph.writing.importing import BATCH, Imported

OPTIONS = ReadOptions(datetime(2026, 11, 1, tzinfo=UTC), UTC)


def chatgpt() -> Any:
    """An export of ChatGPT: one conversation, with an answer that was generated twice."""
    said = [("q", None, "user", "How long does rye rise?"), ("a", "q", "assistant", "An hour."),
            ("b", "q", "assistant", "Two hours.")]  # fmt: skip
    mapping = {
        key: {"id": key, "parent": parent, "children": [], "message": {
            "id": key, "author": {"role": role}, "create_time": 1_700_000_000 + place, "recipient": "all",
            "content": {"content_type": "text", "parts": [text]}, "metadata": {}}}
        for place, (key, parent, role, text) in enumerate(said)
    }  # fmt: skip
    return [{"conversation_id": "c1", "title": "Rye", "create_time": 1_700_000_000, "mapping": mapping,
             "current_node": "b"}]  # fmt: skip


def claude() -> Any:
    """An export of Claude: one conversation."""
    said = [("human", "How long does rye rise?"), ("assistant", "Two hours.")]
    messages = [
        {"uuid": f"m{n}", "sender": sender, "text": text, "created_at": f"2025-03-04T12:0{n}:00Z"}
        for n, (sender, text) in enumerate(said)
    ]
    return [{"uuid": "c1", "name": "Rye", "chat_messages": messages}]


def telegram() -> Any:
    """An export of Telegram: one chat of two people."""
    said = [("Ann B.", "user1", "Who drives?"), ("Ben", "user2", "I do.")]
    messages = [
        {"id": n, "type": "message", "date_unixtime": str(1_700_000_000 + n), "from": name, "from_id": account,
         "text": text} for n, (name, account, text) in enumerate(said)
    ]  # fmt: skip
    return {"name": "Trip", "type": "private_group", "id": 5, "messages": messages}


WHATSAPP = "13.04.21, 09:00 - Ann B. hat die Gruppe „Trip“ erstellt.\n" + (
    "13.04.21, 09:02 - Ann B.: Who drives?\n13.04.21, 09:03 - Ben: I do.\nAnd you?\n"
)


def write_slack(folder: Path) -> Path:
    """Writes an export of Slack, a workspace with one channel, and returns its folder."""
    (folder / "general").mkdir(parents=True)
    users = [{"id": "U1", "name": "annb", "real_name": "Ann B."}, {"id": "U2", "name": "bo", "real_name": "Ben"}]
    messages = [
        {"type": "message", "user": "U1", "text": "Who drives?", "ts": "1714564800.000100"},
        {"type": "message", "user": "U2", "text": "I do, <@U1>.", "ts": "1714564900.000100"},
    ]
    (folder / "users.json").write_text(json.dumps(users))
    (folder / "channels.json").write_text(json.dumps([{"id": "C1", "name": "general"}]))
    (folder / "general" / "2024-05-01.json").write_text(json.dumps(messages))
    return folder


@pytest.fixture
def export(tmp_path: Path) -> Callable[[str], Path]:
    """Returns a function that writes an export of a format, and returns its path."""

    def write(kind: str) -> Path:
        if kind == "slack":
            return write_slack(tmp_path / "slack")
        name, content = {
            "chatgpt": ("conversations.json", json.dumps(chatgpt())),
            "claude": ("conversations.json", json.dumps(claude())),
            "telegram": ("result.json", json.dumps(telegram())),
            "whatsapp": ("WhatsApp Chat mit Trip.txt", WHATSAPP),
            "markdown": ("MEMORY.md", "# Tea\n- I like green tea\n- Ben likes black tea\n"),
        }[kind]
        (tmp_path / name).write_text(content, "utf-8")
        return tmp_path / name

    return write


def reading_of(path: Path) -> Reading:
    """Returns the content of an export."""
    found = read_export(path, OPTIONS)
    assert found is not None
    return found


async def bring_in(service: Service, reading: Reading, **more: Any) -> Imported:
    """Imports a reading as the command does; turns that cannot be stored are left out."""
    return await service.importer.run(
        service.viewer(), reading.name, reading.content, me=reading.me, leave_out=True, **more
    )


@pytest.mark.parametrize("kind", ["chatgpt", "claude", "telegram", "whatsapp", "slack"])
async def test_an_export_twice_is_stored_once(service: Service, export, dump, kind: str) -> None:
    """Each turn of an export, of any format, is stored once, however often it is imported; `doctor` finds nothing."""
    reading = reading_of(export(kind))
    first = await bring_in(service, reading)
    before = await dump()
    again = await bring_in(service, reading)
    assert (2, 0, 0, 2) == (first.recorded, first.repeated, again.recorded, again.repeated)
    assert ([], []) == (first.refused, again.refused)
    assert before == await dump()
    assert [] == await service.doctor.examine()


async def test_talk_with_an_assistant_is_private(service: Service, export, raw) -> None:
    """Talk with an assistant becomes a private chat. The viewer is its user, and the assistant becomes a persona."""
    await bring_in(service, reading_of(export("chatgpt")))
    rows = await raw(
        "MATCH (m:Memory)-[:STATED_BY]->(who) MATCH (c:Chat) "
        "RETURN m.content AS text, coalesce(who.id, '') = $me AS mine, m.source_role AS role, c.kind AS kind "
        "ORDER BY m.event_time",
        me=service.local_user.id,
    )
    assert [("How long does rye rise?", True, "user", ChatKind.PRIVATE)] == [
        (row["text"], row["mine"], row["role"], row["kind"]) for row in rows if row["role"] == "user"
    ]
    assert [{"name": "ChatGPT"}] == await raw("MATCH (p:Persona) RETURN p.name AS name")


async def test_people_of_an_export_are_its_own(service: Service, export, raw) -> None:
    """A person of an export who has only the same name as somebody here is a new person, with a suggestion. A mapping
    or a username makes them the same person.
    """
    ann = await service.people.create_person(INTERNAL, "Ann B.", usernames=["annb"])
    await bring_in(service, reading_of(export("whatsapp")))
    suggested = await raw("MATCH (p:Person)-[:MAY_BE]->(:Person {id: $id}) RETURN p.canonical_name AS name", id=ann.id)
    assert [{"name": "Ann B."}] == suggested
    await bring_in(service, reading_of(export("telegram")), mapping={"Ann B.": "@annb"})
    await bring_in(service, reading_of(export("slack")))
    said = await raw("MATCH (m:Memory {speaker_id: $id}) RETURN count(m) AS n", id=ann.id)
    assert [{"n": 2}] == said


async def test_an_account_that_was_renamed_is_the_same_person(service: Service, tmp_path: Path, raw) -> None:
    """An account that was renamed is recognised by its id. What was imported under the old name is refused, not stored
    again.
    """
    first = telegram()
    (tmp_path / "result.json").write_text(json.dumps(first))
    await bring_in(service, reading_of(tmp_path / "result.json"))
    first["messages"][0]["from"] = "Ann New"
    first["messages"].append({**first["messages"][0], "id": 9, "date_unixtime": "1700000100", "text": "Later"})
    (tmp_path / "result.json").write_text(json.dumps(first))
    again = await bring_in(service, reading_of(tmp_path / "result.json"))
    assert (1, 1, 1) == (again.recorded, again.repeated, len(again.refused))
    others = "MATCH (:Chat)<-[:PARTICIPATES_IN]-(p:Person) WHERE p.id <> $me RETURN count(p) AS n"
    assert [{"n": 2}] == await raw(others, me=service.local_user.id)


async def test_a_chat_that_has_grown(service: Service, tmp_path: Path) -> None:
    """Importing a chat that has grown stores the new turns only, and a new speaker joins the chat."""
    path = tmp_path / "WhatsApp Chat mit Trip.txt"
    path.write_text(WHATSAPP, "utf-8")
    await bring_in(service, reading_of(path))
    path.write_text(WHATSAPP + "14.04.21, 09:03 - Dora: Hello\n14.04.21, 09:04 - Ben: Welcome\n", "utf-8")
    again = await bring_in(service, reading_of(path))
    assert (2, 2, []) == (again.recorded, again.repeated, again.refused)
    assert [] == await service.doctor.examine()


async def test_a_bad_turn_costs_itself_alone(service: Service, tmp_path: Path) -> None:
    """A turn that changed since it was imported is reported as refused, and the turns around it are stored."""
    chat = telegram()
    path = tmp_path / "result.json"
    path.write_text(json.dumps(chat))
    await bring_in(service, reading_of(path))
    chat["messages"][1]["text"] = "I do not."
    chat["messages"] += [{**chat["messages"][0], "id": n, "text": f"more {n}"} for n in range(10, 20)]
    path.write_text(json.dumps(chat))
    again = await bring_in(service, reading_of(path))
    assert (10, 1, ["1"]) == (again.recorded, again.repeated, [refused.turn for refused in again.refused])


async def test_an_export_broken_off_goes_on(service: Service, tmp_path: Path, raw) -> None:
    """An import that was interrupted is completed by the next one, which stores only the rest."""
    lines = [f"13.04.21, {9 + n // 60:02}:{n % 60:02} - {('Ann', 'Ben')[n % 2]}: words {n}" for n in range(BATCH + 50)]
    path = tmp_path / "chat.txt"
    path.write_text("\n".join(lines))
    reading = reading_of(path)

    def break_off(*_: object) -> None:
        running.cancel()

    running = asyncio.ensure_future(bring_in(service, reading, progress=break_off))
    with pytest.raises(asyncio.CancelledError):
        await running
    [row] = await raw("MATCH (m:Memory) RETURN count(m) AS n")
    assert BATCH <= row["n"] < BATCH + 50
    again = await bring_in(service, reading)
    assert (BATCH + 50 - row["n"], row["n"]) == (again.recorded, again.repeated)
    assert [] == await service.doctor.examine()


async def test_memories_of_markdown_are_facts_of_the_viewer(service: Service, export, raw, dump) -> None:
    """Each memory of a Markdown file is stored once, with its source and its headings. Importing it again changes
    nothing, even if it was reworded or forgotten here since.
    """
    statements = reading_of(export("markdown")).statements
    first = await service.statement_importer.run(service.viewer(), statements, name="MEMORY")
    assert (2, 0) == (first.recorded, first.repeated)
    rows = await raw("MATCH (m:Memory) RETURN m.id AS id, m.source AS source, m.tags AS tags, m.content AS text")
    assert {("migration", ("Tea",))} == {(row["source"], tuple(row["tags"])) for row in rows}
    by_text = {row["text"]: row["id"] for row in rows}
    await service.facts.update(service.viewer(), by_text["I like green tea"], "I love green tea")
    await service.facts.forget(service.viewer(), by_text["Ben likes black tea"])
    before = await dump()
    again = await service.statement_importer.run(service.viewer(), statements, name="MEMORY")
    assert (0, 2) == (again.recorded, again.repeated)
    assert before == await dump()


async def test_a_fact_that_ended_elsewhere_comes_in_as_ended(service: Service) -> None:
    """A fact that ended before the import keeps its start and end: it is found as of then, and not today."""
    since, until = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    statements = [
        Statement("I live in Graz", (), None, "line 1", since, until),
        Statement("I live in Linz", (), None, "line 2", until),
    ]
    imported = await service.statement_importer.run(service.viewer(), statements, name="MEMORY")
    assert (2, []) == (imported.recorded, imported.refused)
    for moment, town in ((None, "Linz"), (datetime(2022, 1, 1, tzinfo=UTC), "Graz")):
        times = Times(moment, service.clock()) if moment else None
        found = await service.search.search(service.viewer(), "Where do I live?", first=5, times=times)
        assert [f"I live in {town}"] == [result.memory.content for result in found.results]


async def test_a_secret_in_a_memory_is_taken_out(service: Service, raw) -> None:
    """A secret in a memory is replaced and counted. A long memory becomes parts, each of which is stored once."""
    secret = "gh" + "p_a8Fk2LmQ9xZr4TnWa8Fk2LmQ9xZr4TnWa8Fk"
    long = " ".join(f"word{n}" for n in range(service.settings.max_message_characters // 5))
    statements = [Statement(f"The key is {secret}", (), None, "line 1"), Statement(long, (), None, "line 2")]
    imported = await service.statement_importer.run(service.viewer(), statements, name="MEMORY")
    assert (1, 1, []) == (imported.secrets_removed, imported.split, imported.refused)
    again = await service.statement_importer.run(service.viewer(), statements, name="MEMORY")
    assert (0, imported.recorded) == (again.recorded, again.repeated)
    rows = await raw("MATCH (m:Memory) RETURN m.content AS text")
    assert "The key is [secret removed]" in [row["text"] for row in rows]
