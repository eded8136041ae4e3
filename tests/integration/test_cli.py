import asyncio
import json
import os
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.api.workers import COMMAND
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact
from tests.command_forks import CommandForks
from tests.conftest import plain_output
from tests.llm_server import Answering, Server, http, says, sends

Run = Callable[..., Awaitable[subprocess.CompletedProcess[str]]]


@pytest.fixture
def hippograph(command_forks: CommandForks, root: Path, tmp_path: Path) -> Run:
    """Returns a function that runs the command in a forked process, in an empty folder, with some variables set."""

    async def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return await asyncio.to_thread(command_forks.run, words, tmp_path, _environment(root, variables))

    return run


@pytest.fixture
def started(root: Path, tmp_path: Path) -> Run:
    """Like `hippograph`, but in a new process that does its own imports."""

    async def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return await asyncio.to_thread(
            subprocess.run,
            [*COMMAND, *words],
            cwd=tmp_path,
            env=_environment(root, variables),
            capture_output=True,
            text=True,
        )

    return run


def _environment(root: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of this process with variables added; lower-case names are those of settings."""
    named = {name if name.isupper() else f"HIPPOGRAPH_{name.upper()}": value for name, value in variables.items()}
    return {**os.environ, **plain_output(root), **named}


@pytest.fixture
def here(service: Service) -> dict[str, str]:
    """Settings for a command on the tests' Neo4j, without models, so that only full-text search works."""
    where = service.connection
    return {
        "neo4j_uri": where.uri,
        "neo4j_user": where.user,
        "neo4j_password": where.password,
        "local_user": service.settings.local_user,
        "embedding_model": "none",
        "ner_model": "none",
    }


async def test_help_lists_the_commands(started: Run) -> None:
    """`--help` lists the commands, and hidden options are not in the help of their command."""
    told = await started("--help")
    assert 0 == told.returncode
    for command in ("serve", "worker", "demo", "import", "search", "migrate", "doctor", "settings", "neo4j", "bench"):
        assert any(line.strip(" │").startswith(command) for line in told.stdout.splitlines()), command
    assert "--for-parent" not in (await started("worker", "--help")).stdout


async def test_settings_tell_their_source_and_hide_secrets(started: Run) -> None:
    """`settings --json` prints the value and source of each setting. The password is in neither form of the output."""
    told = await started("settings", "--json", neo4j_password="tell-nobody", port="8123")
    found = json.loads(told.stdout)
    assert ({"value": 8123, "source": "environment"}, "default") == (found["port"], found["host"]["source"])
    assert "environment" == found["neo4j_password"]["source"]
    assert "tell-nobody" not in told.stdout + told.stderr
    plain = await started("settings", neo4j_password="tell-nobody")
    assert "HIPPOGRAPH_SESSION_IDLE_MINUTES = 30" in plain.stdout
    assert "tell-nobody" not in plain.stdout


@pytest.mark.parametrize(
    ("answering", "code", "said"),
    [
        (says({"sum": 42}), 0, "answers in the form that is asked for"),
        (says({"total": 42}), 1, "does not answer: wrong shape (it does not keep to the form"),
        (sends(http(b"{}", "401 Unauthorized")), 1, "does not answer: status 401 (the key is not accepted"),
        (sends(b""), 1, "does not answer: connection (nobody answers there"),
    ],
)
async def test_settings_check_asks_the_language_model(
    hippograph: Run, llm_server: Server, answering: Answering, code: int, said: str
) -> None:
    """`settings --check` sends one request, with the API key and without user data, and reports the result and the
    calls a day of each use. The key is not printed.
    """
    llm_server.answering = answering
    address = f"http://127.0.0.1:{llm_server.port}/v1"
    given = {"llm_base_url": address, "llm_model": "some-model", "llm_api_key": "tell-nobody"}
    told = await hippograph("settings", "--check", llm_daily_calls='{"facts": 7, "causes": 0}', **given)
    assert code == told.returncode, told.stderr
    assert "" == told.stderr
    words = " ".join(told.stdout.split())
    assert said in words
    assert ("facts up to 7 calls a day" in words, "causes not used" in words) == (True, True)
    assert "tell-nobody" not in told.stdout
    [request] = llm_server.requests
    assert ("bearer tell-nobody", {"numbers": [19, 23]}) == (request["headers"]["authorization"], llm_server.data())


async def test_without_a_language_model_settings_check_sends_nothing(hippograph: Run) -> None:
    """Without a language model, `settings --check` says that nothing is sent, and prints that as JSON too."""
    assert "nothing is sent anywhere" in (await hippograph("settings", "--check")).stdout
    told = await hippograph("settings", "--check", "--json")
    assert {"languageModel": None, "callsADay": {}} == json.loads(told.stdout)


async def test_settings_come_from_the_users_file_or_a_named_one(started: Run, tmp_path: Path) -> None:
    """Settings are read from the file in the user's configuration folder, or instead from the one of `--env-file`; if
    that is missing, the exit code is 2.
    """
    users = tmp_path / "config" / "hippograph" / "hippograph.env"
    users.parent.mkdir(parents=True)
    users.write_text("HIPPOGRAPH_PORT=9001\nHIPPOGRAPH_RRF_K=7\n")
    named = tmp_path / "named.env"
    named.write_text("HIPPOGRAPH_PORT=9002\nHIPPOGRAPH_NEO4J_PASSWORD=tell-nobody\n")

    async def told(*words: str) -> dict[str, Any]:
        done = await started(*words, "settings", "--json", env_file="", XDG_CONFIG_HOME=str(tmp_path / "config"))
        assert "tell-nobody" not in done.stdout + done.stderr
        return {name: tuple(json.loads(done.stdout)[name].values()) for name in ("port", "rrf_k")}

    assert {"port": (9001, str(users)), "rrf_k": (7, str(users))} == await told()
    assert {"port": (9002, str(named)), "rrf_k": (60, "default")} == await told("--env-file", str(named))
    missing = await started("--env-file", "missing.env", "settings")
    assert (2, True) == (missing.returncode, "missing.env" in missing.stderr)


async def test_a_file_of_the_working_folder_is_not_read(started: Run, tmp_path: Path) -> None:
    """A `.env` in the working folder is ignored, since a foreign project could name a program or a host in it."""
    (tmp_path / ".env").write_text("HIPPOGRAPH_NEO4J_JAVA=/tmp/evil\nHIPPOGRAPH_PORT=9001\n")
    told = await started("settings", "--json", env_file="", XDG_CONFIG_HOME=str(tmp_path / "none"))
    assert {(None, "default"), (8000, "default")} == {
        tuple(json.loads(told.stdout)[name].values()) for name in ("neo4j_java", "port")
    }


async def test_a_package_of_the_working_folder_is_not_run(started: Run, tmp_path: Path) -> None:
    """A package `api` in the working folder is not run in place of the command's module."""
    (tmp_path / "api" / "cli").mkdir(parents=True)
    for file in ("__init__.py", "cli/__init__.py", "cli/__main__.py"):
        (tmp_path / "api" / file).write_text("print('evil')\n")
    told = await started("worker", "--help")
    assert (0, True, False) == (told.returncode, "--until-done" in told.stdout, "evil" in told.stdout)


async def test_other_machines_are_kept_out(hippograph: Run) -> None:
    """`serve` ends with code 2 for an address that is no loopback address, given by option or by setting."""
    for told in (await hippograph("serve", "--host", "0.0.0.0"), await hippograph("serve", host="::")):
        assert 2 == told.returncode
        assert "HIPPOGRAPH_HOST" in told.stderr
        assert "no loopback address" in told.stderr


async def test_a_misspelt_variable_ends_with_its_name(hippograph: Run) -> None:
    """A variable of no setting, and a value that cannot be parsed, end the command with code 2 and the variable's name;
    a similar name is suggested.
    """
    for name, value in (("prot", "9001"), ("rrf_weights", "nope"), ("ttl_days", "[1]")):
        told = await hippograph("settings", **{name: value})
        assert (2, True) == (told.returncode, name in told.stderr.lower()), told.stderr
        assert "Traceback" not in told.stderr
    assert "did you mean HIPPOGRAPH_PORT?" in (await hippograph("settings", prot="9001")).stderr


async def test_a_wrong_setting_ends_with_its_name(hippograph: Run) -> None:
    """Invalid values end the command with code 2 and the names of all their variables, without a traceback."""
    told = await hippograph("settings", port="lots", neo4j_heap_mb="0")
    assert 2 == told.returncode
    assert "HIPPOGRAPH_PORT" in told.stderr
    assert "HIPPOGRAPH_NEO4J_HEAP_MB" in told.stderr
    assert "Traceback" not in told.stderr


async def test_an_unknown_command_is_told(hippograph: Run) -> None:
    """An unknown command ends with code 2 and is named."""
    told = await hippograph("remember-everything")
    assert (2, True) == (told.returncode, "remember-everything" in told.stderr)


async def test_a_bad_file_is_told_with_its_place(hippograph: Run, tmp_path: Path) -> None:
    """An invalid dialogue file ends `import` with code 2 before a data folder is created, and the error names the
    place. So does a `--me` who is not in the file.
    """
    turns = [
        {"id": "a", "speaker": "Ann", "text": "hi", "time": "yesterday"},
        {"id": "b", "speaker": "Ann", "text": "ho"},
    ]
    turn = {"id": "a", "speaker": "Ann", "text": "hi", "time": "2024-03-04T12:00:00Z"}
    stranger = {"id": "d", "turns": [turn], "participants": [{"name": "Bob"}]}
    files = {
        "no.json": ("{ no json", "JSON"),
        "turn.json": (json.dumps({"dialogues": [{"id": "d", "turns": turns}]}), "dialogues.0.turns.0.time"),
        "other.json": ('{"name": "package", "version": 1}', "in none of the formats"),
        "empty.json": ("{}", "in none of the formats"),
        "stranger.json": (json.dumps({"dialogues": [stranger]}), "'Ann' speaks in turn 'a'"),
    }
    for name, (text, place) in files.items():
        (tmp_path / name).write_text(text)
        told = await hippograph("import", name, data_dir=str(tmp_path / "data"))
        assert (2, True) == (told.returncode, place in told.stderr), told.stderr
        assert "Traceback" not in told.stderr
        assert not (tmp_path / "data").exists()
    assert 2 == (await hippograph("import", "missing.json")).returncode
    (tmp_path / "right.json").write_text(json.dumps({"dialogues": [{"id": "d", "turns": [turn]}]}))
    told = await hippograph("import", "right.json", "--me", "An", data_dir=str(tmp_path / "data"))
    assert (2, True, False) == (told.returncode, "'Ann'" in told.stderr, (tmp_path / "data").exists())


async def test_who_says_who_they_are_is_called_so(hippograph: Run, here, raw, tmp_path: Path) -> None:
    """A person named after their account takes the name of `import --me`, or of the setting `local_user_name`. A person
    with a name of their own keeps it.
    """

    async def called() -> list[str]:
        return [row["name"] for row in await raw("MATCH (p:Person {user_id: 'akay'}) RETURN p.canonical_name AS name")]

    turn = {"id": "a", "speaker": "Ann Kay", "text": "I like rowing.", "time": "2024-03-04T12:00:00Z"}
    (tmp_path / "talk.json").write_text(json.dumps({"dialogues": [{"id": "d", "turns": [turn]}]}))
    account = {**here, "local_user": "akay"}
    assert 0 == (await hippograph("todo", "list", **account)).returncode
    before = await called()
    assert 0 == (await hippograph("import", "talk.json", "--me", "Ann Kay", "--no-wait", **account)).returncode
    assert (["akay"], ["Ann Kay"]) == (before, await called())
    assert 0 == (await hippograph("todo", "list", **account, local_user_name="Ann")).returncode
    assert ["Ann Kay"] == await called()
    await raw("MATCH (p:Person {user_id: 'akay'}) SET p.canonical_name = 'akay'")
    assert 0 == (await hippograph("todo", "list", **account, local_user_name="Ann")).returncode
    assert ["Ann"] == await called()


async def test_import_and_search_with_json(started: Run, hippograph: Run, here, tmp_path: Path) -> None:
    """`search` finds what `import` recorded, and with `--json` standard output of both is JSON only. A second import
    records nothing.
    """
    times = ("2024-03-04T12:00:00Z", "2024-03-04T12:01:00Z")
    turns = [
        {"id": "a", "speaker": "Ann", "text": "The bread is from the Kornblume.", "time": times[0]},
        {"id": "b", "speaker": "Bob", "text": "Then I bring the cheese.", "time": times[1]},
    ]
    (tmp_path / "talk.json").write_text(json.dumps({"dialogues": [{"id": "d", "turns": turns}]}))
    counts = []
    for run in (started, hippograph):
        told = await run("import", "talk.json", "--no-wait", "--json", **here)
        assert 0 == told.returncode, told.stderr
        imported = json.loads(told.stdout)
        counts.append((imported["recorded"], imported["repeated"]))
    assert [(2, 0), (0, 2)] == counts
    for chat in (["--chat", imported["chats"]["d"]], []):
        told = await hippograph("search", "Where is the bread from?", *chat, "--json", **here)
        assert 0 == told.returncode, told.stderr
        [result] = json.loads(told.stdout)
        assert ("The bread is from the Kornblume.", "Ann") == (
            result["memory"]["content"],
            result["memory"]["speakerName"],
        )
    nothing = await hippograph("search", "bread", "--min-relevance", "1", "--json", **here)
    assert (0, []) == (nothing.returncode, json.loads(nothing.stdout))


WHATSAPP = """13.04.21, 09:00 - Ann hat die Gruppe „Brot“ erstellt.
13.04.21, 09:01 - Ann: The bread is from the Kornblume.
13.04.21, 09:02 - Ben: <Medien ausgeschlossen>
13.04.21, 09:03 - Ben B.: Then I bring the cheese.
"""


async def test_a_dry_run_tells_and_writes_nothing(hippograph: Run, tmp_path: Path) -> None:
    """`import --dry-run` prints chats, people, the period, and what would be skipped and why. It starts no database."""
    (tmp_path / "WhatsApp Chat mit Brot.txt").write_text(WHATSAPP, "utf-8")
    nowhere = {"data_dir": str(tmp_path / "data")}
    told = await hippograph("import", "WhatsApp Chat mit Brot.txt", "--dry-run", **nowhere)
    assert 0 == told.returncode, told.stderr
    for words in (
        "whatsapp: 3 turns",
        "13 April 2021",
        "people: Ann, Ben, Ben B.",
        "skipped 1: words of WhatsApp",
        "line 1",
    ):
        assert words in told.stdout
    told = await hippograph("import", "WhatsApp Chat mit Brot.txt", "--dry-run", "--json", **nowhere)
    found = json.loads(told.stdout)
    assert ("whatsapp", 3, ["Brot"]) == (found["format"], found["turns"], [chat["title"] for chat in found["chats"]])
    assert not (tmp_path / "data").exists()


async def test_an_export_is_recognised_and_imported(hippograph: Run, here, tmp_path: Path, scene) -> None:
    """A WhatsApp export and a MEMORY.md are recognised without `--format`. A second import with the same `--map`
    records nothing.
    """
    (tmp_path / "chat.txt").write_text(WHATSAPP, "utf-8")
    counts = []
    for _ in range(2):
        told = await hippograph("import", "chat.txt", "--map", "Ben B.=@ben", "--no-wait", "--json", **here)
        assert 0 == told.returncode, told.stderr
        imported = json.loads(told.stdout)
        counts.append((imported["recorded"], imported["repeated"], len(imported["skipped"])))
    assert [(3, 0, 1), (0, 3, 1)] == counts
    (tmp_path / "MEMORY.md").write_text("- I like green tea\n")
    told = await hippograph("import", "MEMORY.md", "--no-wait", **here)
    assert (0, "1 memory recorded, 0 there before\n") == (told.returncode, told.stdout), told.stderr


async def test_documents_are_imported_again_as_they_change(
    hippograph: Run, here, root: Path, tmp_path: Path, scene
) -> None:
    """Documents are imported again only where they changed. `--watch` does so by itself, and `--prune` retires
    documents whose file is gone; it is refused for other formats.
    """
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "plan.md").write_text("# Trip\n\nPack the tent.\n\nBuy rye flour.\n")
    (notes / "old.txt").write_text("Sell the boat.\n")
    told = await hippograph("import", "notes", "--no-wait", **here)
    assert (0, "2 documents, 2 changed") == (told.returncode, told.stdout.splitlines()[-1]), told.stderr
    told = await hippograph("import", "notes", "--no-wait", "--json", **here)
    found = json.loads(told.stdout)
    assert ([0, 0], [1, 2], []) == (
        [one["recorded"] for one in found["documents"]],
        [one["repeated"] for one in found["documents"]],
        found["gone"],
    )
    told = await hippograph("import", "notes/plan.md", "--chat", "Friday Table", "--no-wait", **here)
    assert "plan.md: 2 new, 0 there before, 0 retired" in told.stdout, told.stderr
    refused = await hippograph("import", "notes", "--format", "markdown", "--prune", **here)
    assert (2, True) == (refused.returncode, "are for documents" in " ".join(refused.stderr.split()))
    environment = {**os.environ, "PYTHONPATH": str(root)} | {
        f"HIPPOGRAPH_{name.upper()}": value for name, value in here.items()
    }
    command = [*COMMAND, "import", "notes", "--no-wait", "--watch", "--prune"]
    watching = await asyncio.create_subprocess_exec(
        *command, cwd=tmp_path, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert watching.stdout
    try:
        async with asyncio.timeout(60):
            assert b"2 documents, 0 changed\n" == await watching.stdout.readline()
            (notes / "plan.md").write_text("# Trip\n\nPack the tent.\n\nBuy spelt flour.\n")
            (notes / "old.txt").unlink()
            lines = [(await watching.stdout.readline()).decode() for _ in range(3)]
    finally:
        watching.kill()
        await watching.communicate()
    assert [
        "plan.md: 1 new, 1 there before, 1 retired\n",
        "1 document, 1 changed\n",
        "old.txt is not there any more: it was retired\n",
    ] == lines


async def test_an_import_tells_whose_it_is_and_how_it_is_found(hippograph: Run, here, tmp_path: Path) -> None:
    """`import` prints chats by title, says which participant is the user, and prints options to search in the chat."""
    (tmp_path / "WhatsApp Chat with Soup night.txt").write_text(WHATSAPP, "utf-8")
    told = await hippograph("import", "WhatsApp Chat with Soup night.txt", "--no-wait", **here)
    assert 0 == told.returncode, told.stderr
    for words in (
        "3 turns recorded, 0 there before, in 1 chat\n",
        "Soup night  3 turns, Ann, Ben, Ben B.",
        "none of them is you",
        "--chat 'Soup night'",
    ):
        assert words in told.stdout
    told = await hippograph("search", "bread", "--chat", "Soup night", **here)
    assert "The bread is from the Kornblume." in told.stdout
    told = await hippograph("import", "WhatsApp Chat with Soup night.txt", "--me", "Ann", "--dry-run", **here)
    assert "you are Ann" in told.stdout
    told = await hippograph("chat", "list", **here)
    assert 1 == sum("Soup night" in line and "Ben B." in line for line in told.stdout.splitlines()), told.stdout


async def test_a_damaged_file_of_an_export_is_no_success(hippograph: Run, here, tmp_path: Path) -> None:
    """If a file of an export is damaged, the others are imported, the file is named, and the exit code is 1."""
    (tmp_path / "slack" / "general").mkdir(parents=True)
    (tmp_path / "slack" / "users.json").write_text('[{"id": "U1", "profile": {"real_name": "Ann"}}]')
    (tmp_path / "slack" / "channels.json").write_text('[{"id": "C1", "name": "general", "members": ["U1"]}]')
    message = '[{"type": "message", "user": "U1", "text": "hello", "ts": "1618300000.000100"}]'
    (tmp_path / "slack" / "general" / "2021-04-13.json").write_text(message)
    (tmp_path / "slack" / "general" / "2021-04-14.json").write_text(message[:40])
    told = await hippograph("import", "slack", "--no-wait", **here)
    assert 1 == told.returncode
    assert "1 turn recorded" in told.stdout
    assert "2021-04-14.json" in told.stdout
    assert "Not everything could be read" in told.stderr
    told = await hippograph("import", "slack/users.json", "--no-wait", **here)
    assert told.returncode != 0
    assert "is in none of the formats" in told.stderr


async def test_a_graph_moves_house(hippograph: Run, here, service: Service, dump, tmp_path: Path) -> None:
    """`import` restores the graph that `export` wrote, vectors included, into an empty graph only. Exports of one
    person and Markdown are for reading; an existing file is not overwritten.
    """
    await service.facts.remember(service.viewer(), [Fact("I play the oboe"), Fact("I live in Graz")])
    await service.runner.work_until_idle()
    before = await dump()
    for words in (("all.jsonl",), ("mine.jsonl.gz", "--as", "tester"), ("pages", "--format", "markdown")):
        told = await hippograph("export", *words, **here)
        assert 0 == told.returncode, told.stderr
    assert "I play the oboe" in (tmp_path / "pages" / "people" / "tester.md").read_text("utf-8")
    again = await hippograph("export", "all.jsonl", **here)
    assert (1, True) == (again.returncode, "there already" in again.stderr)
    one = await hippograph("import", "mine.jsonl.gz", "--dry-run", **here)
    assert (1, True) == (one.returncode, "for reading" in one.stderr)
    told = await hippograph("import", "all.jsonl", "--dry-run", **here)
    assert "nothing was written" in told.stdout
    refused = await hippograph("import", "all.jsonl", **here)
    assert (1, True) == (refused.returncode, "not empty" in refused.stderr)
    await wipe(service.database, service.local_user.id)
    told = await hippograph("import", "all.jsonl", "--json", **here)
    assert (2, True) == (json.loads(told.stdout)["nodes"]["Memory"], json.loads(told.stdout)["vectors"])
    assert before == await dump()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--map", "Cara=@ben"), "'Cara'"),
        (("--me", "Cara"), "'Cara'"),
        (("--time-zone", "Nowhere"), "no time zone"),
        (("--date-order", "dym"), "no order of dates"),
        (("--format", "signal"), "no format"),
        (("--format", "telegram"), "no JSON"),
    ],
)
async def test_a_wrong_option_of_an_import_is_told(
    hippograph: Run, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    """An invalid option of `import` ends it with code 2 and a reason, before a data folder is created."""
    (tmp_path / "chat.txt").write_text(WHATSAPP, "utf-8")
    told = await hippograph("import", "chat.txt", *words, data_dir=str(tmp_path / "data"))
    assert (2, True, False) == (told.returncode, why in told.stderr, "Traceback" in told.stderr), told.stderr
    assert not (tmp_path / "data").exists()


STEERING = "Slash[/] Person [link=https://example.org]x[/link] \x9b31m \x7f"
SHOWN = "Slash[/] Person [link=https://example.org]x[/link] \\x9b31m \\x7f"


async def test_what_people_wrote_is_printed_as_it_is(hippograph: Run, here, raw, tmp_path: Path) -> None:
    """Names, titles and texts are printed without being read as markup. Their control characters and line breaks are
    escaped, also in JSON and in errors.
    """
    turn = {"id": "a", "speaker": "Ann", "text": "The bread is fresh.", "time": "2024-03-04T12:00:00Z"}
    given = {"dialogues": [{"id": "d[/]", "title": "Bread[/]", "turns": [turn]}]}
    (tmp_path / "talk.json").write_text(json.dumps(given))
    told = await hippograph("import", "talk.json", "--no-wait", **here)
    assert (0, True) == (told.returncode, "Bread[/]  1 turn, Ann\n" in told.stdout), told.stderr
    # Data of other services may contain characters that our own interfaces refuse.
    words = f"The bread {STEERING} is fresh.\n2. Ben, 04 March 2024 12:00\x85\u2028\u202e"
    await raw("MATCH (m:Memory) SET m.content = $words, m.speaker_name = $name", words=words, name=STEERING)
    await raw("MATCH (p:Person {name: 'Ann'}) SET p.name = $name", name=STEERING)
    told = await hippograph("search", "fresh bread", "--chat", "Bread[/]", **here)
    assert 0 == told.returncode, told.stderr
    analysis, first, second = told.stdout.splitlines()
    assert "general" == analysis
    assert first.startswith(f"1. {SHOWN}, 04 March 2024 12:00")
    assert f"   The bread {SHOWN} is fresh.\\n2. Ben, 04 March 2024 12:00\\x85\\u2028\\u202e" == second
    told = await hippograph("search", "fresh bread", "--chat", "Bread[/]", "--json", **here)
    assert words == json.loads(told.stdout)[0]["memory"]["content"]
    assert [] == [char for char in told.stdout if char in "\x7f\x85\x9b\u2028\u202e"]
    told = await hippograph("search", "bread", "--as", f"Nobody{STEERING}\n1. faked", **here)
    assert (1, False) == (told.returncode, "Traceback" in told.stderr), told.stderr
    assert [] == [line for line in told.stderr.splitlines() if line.startswith("1.")]
    assert not set("\x7f\x9b") & set(told.stderr)


async def test_facts_are_told_corrected_and_explained(hippograph: Run, here) -> None:
    """A newer fact supersedes an older one, `search --as-of` still finds the older one, and `explain` shows the chain
    of both and the correction.
    """

    async def asked(*words: str) -> Any:
        told = await hippograph(*words, "--json", **here)
        assert 0 == told.returncode, told.stderr
        return json.loads(told.stdout)

    [first] = await asked("memory", "seed", "I work at Deltaroute")
    since = ("--aspect", "works_at", "--since")
    before = await asked("remember", "I work at Acme", *since, "2026-01-15")
    after = await asked("remember", "I work at Brightwater", *since, "2026-03-01")
    then = await asked("search", "Where do I work at Acme or Brightwater?", "--as-of", "2026-02-01")
    assert [before["memoryId"]] == [result["memory"]["id"] for result in then]
    told = await hippograph("memory", "correct", before["memoryId"], "I work at Acme & Sons", **here)
    assert 0 == told.returncode, told.stderr
    corrected = global_id("Memory", told.stdout.strip())
    chain = (await asked("explain", before["memoryId"]))["chain"]
    assert {before["memoryId"], corrected, after["memoryId"]} == {step["memoryId"] for step in chain}
    assert first["memoryId"] not in {step["memoryId"] for step in chain}


async def test_an_id_may_be_shortened(hippograph: Run, here) -> None:
    """The short id that `remember` prints names the memory, also after it was forgotten. An unknown id is an error."""
    told = await hippograph("remember", "I like tea", **here)
    shown = told.stdout.split()[0]
    assert "done\n" == (await hippograph("memory", "pin", f"{shown}…", **here)).stdout
    assert "done\n" == (await hippograph("memory", "forget", shown, **here)).stdout
    assert "I like tea" in (await hippograph("explain", shown, **here)).stdout
    missing = await hippograph("memory", "pin", "0123456789", **here)
    assert (1, "there is no memory 0123456789\n") == (missing.returncode, missing.stderr)


async def test_many_are_forgotten_and_brought_back(hippograph: Run, here, service: Service) -> None:
    """`memory forget` shows a plan and changes nothing without `--yes`. The plan of a dry run can be carried out. What
    was forgotten is listed and can be undone, and `memory purge` deletes for good. For nothing, nothing is asked.
    """
    viewer = service.viewer()
    await service.facts.remember(viewer, [Fact("I like zorblatt tea", tags=("tea",)), Fact("I like rowing")])
    shown = await hippograph("memory", "forget", "--tag", "tea", "--dry-run", **here)
    assert "1  fact\n" in shown.stdout
    assert "I like zorblatt tea" in shown.stdout
    asked = await hippograph("memory", "forget", "--tag", "tea", "--json", **here)
    assert (1, "", True) == (asked.returncode, asked.stdout.strip(), "I like zorblatt tea" in asked.stderr)
    plan = shown.stdout.split()[0]
    done = json.loads((await hippograph("memory", "forget", "--plan", plan, "--yes", "--json", **here)).stdout)
    assert ("FORGOTTEN", 1) == (done["status"], done["done"])
    assert "tags tea" in (await hippograph("memory", "forgotten", **here)).stdout
    assert (await hippograph("memory", "undo", done["id"], **here)).stdout.endswith(f"undone  {done['id'][:18]}\n")
    refused = await hippograph("memory", "purge", "--forgotten", done["id"], "--yes", **here)
    assert (1, True) == (refused.returncode, "already" in refused.stderr)
    gone = await hippograph("memory", "purge", "--tag", "tea", "--yes", "--keep-indexes", **here)
    assert "purged" in gone.stdout
    page = await service.browsing.my_memories(viewer)
    assert ["I like rowing"] == [each.item.content for each in page.items]
    none = await hippograph("memory", "forget", "--tag", "tea", **here)
    assert (0, "nothing of yours matches: tags tea") == (none.returncode, none.stderr.strip())
    assert 2 == (await hippograph("memory", "forget", "--with-sources", "--tag", "tea", **here)).returncode


async def test_a_memory_that_waits_for_its_vector_is_told(hippograph: Run, here) -> None:
    """If no worker runs, `remember` says which command makes the memory available to vector search."""
    told = await hippograph("remember", "I like tea", **here)
    assert "hippograph worker --until-done" in told.stderr


async def test_the_version_is_told(started: Run) -> None:
    """`--version` prints the name and the version number only."""
    told = await started("--version")
    assert (0, f"hippograph {version('hippograph')}\n") == (told.returncode, told.stdout)


async def test_help_shows_no_type_of_flags(hippograph: Run) -> None:
    """No help text shows a type for a flag, since flags take no value."""
    for words in ((), ("search",), ("memory", "pin"), ("bench", "speed"), ("worker",)):
        assert "<bool>" not in (await hippograph(*words, "--help")).stdout


async def test_demo_points_a_command_at_the_demos_graph(started: Run) -> None:
    """With `--demo` a command uses the demo's data folder and user, and ignores a Neo4j in the settings."""
    told = await started("--demo", "settings", "--json", data_dir="/data", neo4j_uri="bolt://x", neo4j_password="y")
    found = {name: each["value"] for name, each in json.loads(told.stdout).items()}
    assert ("/data/demo", "maya", None) == (found["data_dir"], found["local_user"], found["neo4j_uri"])


async def test_status_knows_the_demos_server(hippograph: Run, tmp_path: Path) -> None:
    """If the demo's folder exists, `neo4j status` lists its server after that of the data folder."""
    (tmp_path / "data" / "demo").mkdir(parents=True)
    told = await hippograph("neo4j", "status", "--json", data_dir=str(tmp_path / "data"))
    folders = [str(tmp_path / "data"), str(tmp_path / "data" / "demo")]
    assert folders == [state["dataDir"] for state in json.loads(told.stdout)]


async def test_what_is_known_is_shown(hippograph: Run, here, service: Service) -> None:
    """`context`, `card`, `timeline` and `archive search` print text for a terminal, or JSON with the ids of GraphQL."""
    key = service.local_user.key
    stored = await hippograph("remember", "Tester sails on Sundays", "--importance", "2", "--json", **here)
    memory_id = json.loads(stored.stdout)["memoryId"]
    context = await hippograph("context", "Who sails on Sundays?", "--why", **here)
    assert f"- [{key}]: Tester sails on Sundays [id:" in context.stdout, context.stderr
    assert "card person:" in context.stdout
    found = json.loads((await hippograph("context", "Who sails on Sundays?", "--json", **here)).stdout)
    assert [memory_id] == [part["memoryId"] for entry in found["entries"] for part in entry["piece"]["parts"]]
    card = await hippograph("card", key, **here)
    assert f"{key}  in 1 memory" == card.stdout.splitlines()[0]
    assert card.stdout.splitlines()[1].startswith("   Tester sails on Sundays  ")
    assert card.stdout == (await hippograph("card", "Tester", **here)).stdout
    [one] = json.loads((await hippograph("timeline", key, "--json", **here)).stdout)
    assert (memory_id, global_id("Person", service.local_user.id)) == (one["id"], one["ownerId"])
    nothing = await hippograph("archive", "search", "Sundays", **here)
    assert (0, "", "nothing was found\n") == (nothing.returncode, nothing.stdout, nothing.stderr)
    missing = await hippograph("card", "person:nobody", **here)
    assert (1, "there is no person or thing person:nobody\n") == (missing.returncode, missing.stderr)


async def test_a_bad_argument_is_told_as_everywhere(hippograph: Run, here) -> None:
    """An invalid id or time ends a command with code 1 and the same message as in the other interfaces."""
    for words, message in (
        (("memory", "pin", "nonsense"), "'nonsense' is no id: pass on one that this service gave, unchanged"),
        (("remember", "I like tea", "--since", "soon"), "'soon' is no time; write 2026-03-01 or"),
    ):
        told = await hippograph(*words, **here)
        assert 1 == told.returncode
        assert told.stderr.startswith(message)


async def test_doctor_and_migrate(hippograph: Run, here, raw) -> None:
    """`doctor` ends with code 0 for a healthy graph, and with 1 and the finding for a damaged one. `migrate` applies
    nothing to a migrated graph.
    """
    told = await hippograph("migrate", "--json", **here)
    assert {"applied": [], "pending": []} == json.loads(told.stdout)
    assert (0, []) == ((told := await hippograph("doctor", "--json", **here)).returncode, json.loads(told.stdout))
    await raw("CREATE (:Session {id: 'lost', chat_id: 'none', turn_count: 0})")
    told = await hippograph("doctor", "--json", **here)
    [finding] = json.loads(told.stdout)
    assert (1, 1, ["lost"]) == (told.returncode, finding["count"], finding["examples"])


async def test_an_error_of_ours_is_its_message(started: Run, here) -> None:
    """A login that Neo4j refuses ends the command with code 1 and a message, without a traceback or the password."""
    told = await started("doctor", **{**here, "neo4j_password": "tell-nobody"})
    assert 1 == told.returncode
    assert "HIPPOGRAPH_NEO4J_USER" in told.stderr
    assert "Traceback" not in told.stderr
    assert "tell-nobody" not in told.stderr + told.stdout


async def test_blocks_are_written_and_read(hippograph: Run, here) -> None:
    """Blocks can be written, appended to, edited, listed and deleted. Overwriting one without its version is refused,
    and the error gives the version.
    """
    assert "notes  version 1, 3 characters\n" == (await hippograph("block", "write", "Notes", "tea", **here)).stdout
    await hippograph("block", "append", "notes", "milk", **here)
    assert "tea\nmilk\n" == (await hippograph("block", "read", "notes", **here)).stdout
    refused = await hippograph("block", "write", "notes", "coffee", **here)
    assert (1, True) == (refused.returncode, "give its version, which is 2 now" in refused.stderr)
    await hippograph("block", "replace", "notes", "tea", "coffee", **here)
    [found] = json.loads((await hippograph("block", "list", "--json", **here)).stdout)
    assert ("coffee\nmilk", 3) == (found["content"], found["version"])
    assert "deleted notes\n" == (await hippograph("block", "delete", "notes", **here)).stdout


async def test_blocks_cards_and_timelines_of_a_space(hippograph: Run, service: Service, here: dict[str, str]) -> None:
    """With `--space`, cards, timelines and blocks show what belongs to that space or to none, not to another."""
    me, key = service.viewer(), service.local_user.key
    otters, whales = [await service.spaces.create(me, name) for name in ("Otters", "Whales")]
    for space, words in ((otters, "I feed otters"), (whales, "I count whales"), (None, "I drink tea")):
        viewer = me.within(space.id) if space else me
        await service.facts.remember(viewer, [Fact(words, about=(key,), importance=2)])
    for command in ("card", "timeline"):
        told = (await hippograph(command, key, "--space", "Otters", **here)).stdout
        assert (True, False, True) == tuple(word in told for word in ("otters", "whales", "tea")), told
    await hippograph("block", "write", "notes", "fish", "--space", "Otters", **here)
    assert "fish\n" == (await hippograph("block", "read", "notes", "--space", "Otters", **here)).stdout
    assert 1 == (await hippograph("block", "read", "notes", "--space", "Whales", **here)).returncode


async def test_spaces_and_chats_go_by_the_ids_that_are_printed(
    hippograph: Run, service: Service, here: dict[str, str]
) -> None:
    """`space`, `memory forget` and `export` accept the ids of spaces and chats that `--json` prints."""
    me = service.local_user
    await service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Kick-off", [Member(me.id)])
    [chat] = json.loads((await hippograph("chat", "list", "--json", **here)).stdout)
    space = json.loads((await hippograph("space", "create", "Otters", "--json", **here)).stdout)["id"]
    renamed = json.loads((await hippograph("space", "rename", space, "Whales", "--json", **here)).stdout)
    assert (space, "Whales") == (renamed["id"], renamed["name"])
    moved = await hippograph("space", "move", "--chat", chat["id"], "--to", space, **here)
    assert "Kick-off belongs to Whales now\n" == moved.stdout, moved.stderr
    await hippograph("remember", "I count whales", "--chat", chat["id"], **here)
    planned = await hippograph("memory", "forget", "--chat", chat["id"], "--space", space, "--dry-run", **here)
    assert "I count whales" in planned.stdout, planned.stderr
    written = await hippograph("export", "-", "--as", me.canonical_name, "--space", space, **here)
    assert "I count whales" in written.stdout, written.stderr
    back = await hippograph("space", "move", "--chat", chat["id"], **here)
    assert "Kick-off belongs to no space now\n" == back.stdout, back.stderr
    spare = json.loads((await hippograph("space", "create", "Spare", "--json", **here)).stdout)["id"]
    assert "deleted\n" == (await hippograph("space", "delete", spare, **here)).stdout


async def test_what_is_held_on_a_person_is_json(hippograph: Run, service: Service, here: dict[str, str]) -> None:
    """`person export` prints one valid JSON document with the person's memories."""
    [stored] = await service.facts.remember(service.viewer(), [Fact('The ferry is "late", again.')])
    held = json.loads((await hippograph("person", "export", service.local_user.canonical_name, **here)).stdout)
    assert [(stored.memory_id, 'The ferry is "late", again.')] == [(m["id"], m["content"]) for m in held["memories"]]


async def test_what_an_erasure_left_is_decided(hippograph: Run, service: Service, here: dict[str, str]) -> None:
    """`person plan` lists undecided erasures and their texts, `confirm` removes the names, and `dismiss` keeps them."""
    for name, decide, left in (("Ada", "dismiss", "Saw the Rose Garden"), ("Eve", "confirm", "Saw the [name removed]")):
        person = await service.people.create_person(INTERNAL, f"{name} Byron", user_id=name)
        await service.people.add_alias(Viewer(person.id), person.id, "Rose Garden")
        await service.facts.remember(service.viewer(), [Fact("Saw the Rose Garden")])
        await service.erasures.erase(Viewer(person.id), person.id)
        [waiting] = json.loads((await hippograph("person", "plan", "--json", **here)).stdout)
        assert "Rose Garden" in (await hippograph("person", "plan", **here)).stdout
        assert "- Saw the Rose Garden" in (await hippograph("person", "plan", waiting["id"], **here)).stdout
        assert 0 == (await hippograph("person", decide, waiting["id"], **here)).returncode
        memories = await service.browsing.my_memories(service.viewer())
        assert left in {each.item.content for each in memories.items}


async def test_invitations_are_accepted_and_declined(hippograph: Run, service: Service, here: dict[str, str]) -> None:
    """`chat invitations` lists groups and who invited to them; `accept` and `decline` take the ids that it prints."""
    host = await service.people.create_person(INTERNAL, "Hugo Host", user_id="hugo@example")
    members = [Member(host.id), Member(service.local_user.id)]
    for title in ("Hikers", "Bikers"):
        await service.people.create_chat(Viewer(host.id), ChatKind.GROUP, title, members)
    listed = (await hippograph("chat", "invitations", **here)).stdout.splitlines()
    assert ["Bikers", "Hikers"] == [line.split()[1] for line in listed]
    assert all("from Hugo Host" in line for line in listed)
    bikers, hikers = [
        one["chatId"] for one in json.loads((await hippograph("chat", "invitations", "--json", **here)).stdout)
    ]
    assert "takes part since" in (await hippograph("chat", "accept", listed[0].split()[0], **here)).stdout
    assert "declined" in (await hippograph("chat", "decline", hikers, **here)).stdout
    assert "there is no invitation" in (await hippograph("chat", "decline", bikers, **here)).stderr
    assert "there is no invitation\n" == (await hippograph("chat", "invitations", **here)).stderr


async def test_todos_are_set_and_closed(hippograph: Run, here) -> None:
    """Todos can be added, listed with their due day, and completed. Without todos or a summary, a message says so."""
    added = json.loads((await hippograph("todo", "add", "Call Ana", "--due", "2020-03-01", "--json", **here)).stdout)
    assert "overdue commitment  2020-03-01  Call Ana" in (await hippograph("todo", "list", **here)).stdout
    assert "done commitment" in (await hippograph("todo", "done", added["id"], **here)).stdout
    assert "nothing is open\n" == (await hippograph("todo", "list", **here)).stderr
    assert "there is no summary yet\n" == (await hippograph("summary", **here)).stderr


async def test_upkeep_is_done_planned_and_told(hippograph: Run, service: Service, here: dict[str, str]) -> None:
    """`gc` retires expired memories; `maintenance` plans steps, runs them, and lists their runs. An unknown step ends
    with code 1.
    """
    await remember_for_an_instant(service)
    planned = await hippograph("maintenance", "plan", **here)
    assert "expire  would change 1 memory" in planned.stdout
    assert "expire  would change 1 memory" in (await hippograph("gc", "--dry-run", **here)).stdout
    assert "expire  1 changed" in (await hippograph("gc", **here)).stdout
    told = json.loads((await hippograph("maintenance", "run", "fade", "expire", "--json", **here)).stdout)
    assert [("fade", 0), ("expire", 0)] == [(run["step"], run["changed"]) for run in told]
    status = await hippograph("maintenance", "status", **here)
    assert 2 == status.stdout.count("expire")
    assert "no worker has run yet" in status.stdout
    wrong = await hippograph("maintenance", "run", "sweep", **here)
    assert 1 == wrong.returncode
    assert "choose among expire" in wrong.stderr


async def remember_for_an_instant(service: Service) -> None:
    """Stores a fact of the local user that expires at once."""
    fact = Fact("We had otter soup", ttl=timedelta(microseconds=1))
    await service.facts.remember(service.viewer(), [fact])


async def test_the_archive_is_listed_and_given_back(hippograph: Run, service: Service, here: dict[str, str]) -> None:
    """A memory archived because of the size limit is listed, and search finds it again after it is restored."""
    [stored] = await service.facts.remember(service.viewer(), [Fact("I feed the otters")])
    small = {**here, "max_size_mb": "0.000001"}
    assert "archive_for_size  1 changed" in (await hippograph("maintenance", "run", "archive_for_size", **small)).stdout
    assert "I feed the otters" in (await hippograph("archive", "list", **here)).stdout
    assert 0 == (await hippograph("archive", "restore", stored.memory_id[:20], **here)).returncode
    assert "nothing was found" in (await hippograph("archive", "list", **here)).stderr
    assert "I feed the otters" in (await hippograph("search", "otters", "--no-reinforce", **here)).stdout


async def test_browser_has_saved_queries_and_a_style(hippograph: Run, here: dict[str, str]) -> None:
    """`neo4j browser` lists saved queries and a style with their files, and warns that Neo4j Browser shows everything.
    With a name it prints one query; an unknown name ends with code 1.
    """
    told = await hippograph("neo4j", "browser", **here)
    assert "see everything" in told.stderr
    listed = json.loads((await hippograph("neo4j", "browser", "--json", **here)).stdout)
    assert _text(listed["style"]).startswith("node {")
    for query in listed["queries"]:
        assert query["shows"] in told.stdout
        assert query["shows"] in _text(query["file"]).splitlines()[0]
    printed = await hippograph("neo4j", "browser", "why")
    assert "[:CAUSAL]" in printed.stdout
    [why] = [query for query in listed["queries"] if query["name"] == "why"]
    assert _text(why["file"]).strip() == printed.stdout.strip()
    wrong = await hippograph("neo4j", "browser", "whence", **here)
    assert (1, True) == (wrong.returncode, "how-a-belief-changed" in wrong.stderr)


async def test_connection_tells_how_to_get_the_password(hippograph: Run, here: dict[str, str], tmp_path: Path) -> None:
    """`neo4j connection` prints the connection as JSON or for a shell, without the password. If Neo4j does not run, the
    error says how to start it.
    """
    told = await hippograph("neo4j", "connection", "--json", **here)
    found = json.loads(told.stdout)
    assert {"uri": here["neo4j_uri"], "user": here["neo4j_user"], "database": "neo4j"}.items() <= found.items()
    assert "HIPPOGRAPH_NEO4J_PASSWORD" == found["passwordVariable"]
    assert "see everything" in told.stderr
    lines = (await hippograph("neo4j", "connection", "--shell", **here)).stdout
    assert here["neo4j_password"] not in told.stdout + lines
    assert f"{here['neo4j_uri']} {here['neo4j_password']}" == _shell(
        lines, HIPPOGRAPH_NEO4J_PASSWORD=here["neo4j_password"]
    )
    absent = await hippograph("neo4j", "connection", data_dir=str(tmp_path))
    assert (1, True) == (absent.returncode, "hippograph neo4j start" in absent.stderr)


async def test_our_own_neo4j_is_shown_with_its_browser(hippograph: Run, service: Service) -> None:
    """For our own Neo4j, `neo4j browser` prints an address with the user in it, and the shell lines of `neo4j
    connection` read the password from its file.
    """
    if service.settings.neo4j_uri:
        pytest.skip("this run has a Neo4j that hippograph does not run")
    where, folder = service.connection, str(service.settings.data_dir)
    told = json.loads((await hippograph("neo4j", "browser", "--json", data_dir=folder)).stdout)
    asked = parse_qs(urlsplit(told["browser"]).query)
    assert told["browser"].startswith(f"{where.http_url}/browser/?")
    assert (where.uri.replace("://", "://neo4j@"), "edit") == (asked["connectURL"][0], asked["cmd"][0])
    lines = (await hippograph("neo4j", "connection", "--shell", data_dir=folder)).stdout
    assert where.password not in lines
    assert f"{where.uri} {where.password}" == _shell(lines)


def _shell(lines: str, **variables: str) -> str:
    """The address and the password in the variables of a shell that ran these lines."""
    script = f'{lines}\nprintf "%s %s" "$NEO4J_URI" "$NEO4J_PASSWORD"'
    return subprocess.run(["/bin/sh", "-c", script], env=variables, capture_output=True, text=True, check=True).stdout


def _text(file: str) -> str:
    """The text of a file."""
    return Path(file).read_text("utf-8")


@pytest.mark.usefixtures("gds")
async def test_communities_are_shown_and_kept(service: Service, hippograph: Run, here: dict[str, str]) -> None:
    """`communities` prints communities, and stores them with `--write`. If there are none, it ends with code 1."""
    told = await hippograph("communities", **here)
    assert (1, True) == (told.returncode, "nothing that belongs together" in told.stderr)
    one, other = [await service.people.create_person(service.viewer(), name) for name in ("Ada Berg", "Bo Berg")]
    await service.facts.remember(service.viewer(), [Fact("Ada and Bo are married", about=(one.key, other.key))])
    kept = json.loads((await hippograph("communities", "--write", "--json", **here)).stdout)
    assert (1, {one.key, other.key}) == (kept["version"], {member["key"] for member in kept["members"]})
    plain = await hippograph("communities", **here)
    assert "2 entities: person:ada_berg, person:bo_berg" in plain.stdout
    assert "not kept" in plain.stdout


async def test_keys_are_made_listed_and_narrowed(hippograph: Run, here: dict[str, str], scene) -> None:
    """A new key has the rights that its options name. `token narrow` removes those that are not named again and never
    adds one, and `token list` shows the result.
    """
    chat = global_id("Chat", scene.group.id)
    rights = ("--acts-for", "maya", "--acts-for", "ben", "--records", chat, "--speaks-as", "Atlas", "--admin")
    made = json.loads((await hippograph("token", "create", "bot", *rights, "--json", **here)).stdout)
    expected = {"actsFor": ["maya", "ben"], "records": [scene.group.id], "speaksAs": scene.atlas.id, "admin": True}
    assert expected == {name: made[name] for name in expected}
    narrowed = await hippograph("token", "narrow", made["id"], "--acts-for", "ben", **here)
    assert "acts for ben" in narrowed.stdout
    listed = await hippograph("token", "list", **here)
    assert "None administers" in listed.stdout
    [shown] = json.loads((await hippograph("token", "list", "--json", **here)).stdout)
    assert (["ben"], [], None, False) == tuple(shown[name] for name in expected)
    refused = await hippograph("token", "narrow", made["id"], "--admin", **here)
    assert (1, True) == (refused.returncode, "only lose" in refused.stderr)
