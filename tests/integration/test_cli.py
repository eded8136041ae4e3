import asyncio
import json
import os
import subprocess
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from api.graphql.nodes import global_id
from api.service import Service
from api.workers import COMMAND

Run = Callable[..., Awaitable[subprocess.CompletedProcess[str]]]


@pytest.fixture
def hippograph(root: Path, tmp_path: Path) -> Run:
    """Runs the command with some variables set, in an empty folder."""

    async def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "120", "NO_COLOR": "1"}
        for name, value in variables.items():
            environment[name if name.isupper() else f"HIPPOGRAPH_{name.upper()}"] = value
        command = [*COMMAND, *words]
        return await asyncio.to_thread(
            subprocess.run, command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    return run


@pytest.fixture
def here(service: Service) -> dict[str, str]:
    """What points a command at the tests' Neo4j, with full-text search alone."""
    where = service.connection
    return {
        "neo4j_uri": where.uri,
        "neo4j_user": where.user,
        "neo4j_password": where.password,
        "local_user": service.settings.local_user,
        "embedding_model": "none",
        "ner_model": "none",
    }


async def test_help_lists_the_commands(hippograph: Run) -> None:
    """`--help` names every command and says what it does; without a word the help is shown too."""
    told = await hippograph("--help")
    assert 0 == told.returncode
    for command in ("serve", "worker", "demo", "import", "search", "migrate", "doctor", "settings", "neo4j", "bench"):
        assert any(line.strip(" │").startswith(command) for line in told.stdout.splitlines()), command
    assert "--for-parent" not in (await hippograph("worker", "--help")).stdout


async def test_settings_tell_their_source_and_hide_secrets(hippograph: Run) -> None:
    """`settings --json` gives value and source of each, and the password of none."""
    told = await hippograph("settings", "--json", neo4j_password="tell-nobody", port="8123")
    found = json.loads(told.stdout)
    assert ({"value": 8123, "source": "environment"}, "default") == (found["port"], found["host"]["source"])
    assert "environment" == found["neo4j_password"]["source"]
    assert "tell-nobody" not in told.stdout + told.stderr
    plain = await hippograph("settings", neo4j_password="tell-nobody")
    assert "HIPPOGRAPH_SESSION_IDLE_MINUTES = 30" in plain.stdout
    assert "tell-nobody" not in plain.stdout


async def test_settings_come_from_the_users_file_or_a_named_one(hippograph: Run, tmp_path: Path) -> None:
    """A file in the user's configuration folder is read, a named one in its place; a missing one is an error."""
    users = tmp_path / "config" / "hippograph" / "hippograph.env"
    users.parent.mkdir(parents=True)
    users.write_text("HIPPOGRAPH_PORT=9001\nHIPPOGRAPH_RRF_K=7\n")
    named = tmp_path / "named.env"
    named.write_text("HIPPOGRAPH_PORT=9002\nHIPPOGRAPH_NEO4J_PASSWORD=tell-nobody\n")

    async def told(*words: str) -> dict[str, Any]:
        done = await hippograph(*words, "settings", "--json", env_file="", XDG_CONFIG_HOME=str(tmp_path / "config"))
        assert "tell-nobody" not in done.stdout + done.stderr
        return {name: tuple(json.loads(done.stdout)[name].values()) for name in ("port", "rrf_k")}

    assert {"port": (9001, str(users)), "rrf_k": (7, str(users))} == await told()
    assert {"port": (9002, str(named)), "rrf_k": (60, "default")} == await told("--env-file", str(named))
    missing = await hippograph("--env-file", "missing.env", "settings")
    assert (2, True) == (missing.returncode, "missing.env" in missing.stderr)


async def test_a_file_of_the_working_folder_is_not_read(hippograph: Run, tmp_path: Path) -> None:
    """A `.env` in the folder of a project that somebody looks at names no program and no host."""
    (tmp_path / ".env").write_text("HIPPOGRAPH_NEO4J_JAVA=/tmp/evil\nHIPPOGRAPH_PORT=9001\n")
    told = await hippograph("settings", "--json", env_file="", XDG_CONFIG_HOME=str(tmp_path / "none"))
    assert {(None, "default"), (8000, "default")} == {
        tuple(json.loads(told.stdout)[name].values()) for name in ("neo4j_java", "port")
    }


async def test_a_package_of_the_working_folder_is_not_run(hippograph: Run, tmp_path: Path) -> None:
    """Workers are started by module, and a folder that happens to be called `api` is not that module."""
    (tmp_path / "api" / "cli").mkdir(parents=True)
    for file in ("__init__.py", "cli/__init__.py", "cli/__main__.py"):
        (tmp_path / "api" / file).write_text("print('evil')\n")
    told = await hippograph("worker", "--help")
    assert (0, True, False) == (told.returncode, "--until-done" in told.stdout, "evil" in told.stdout)


async def test_other_machines_are_kept_out(hippograph: Run) -> None:
    """An address that others can reach ends `serve` before anything starts, by option and by setting alike."""
    for told in (await hippograph("serve", "--host", "0.0.0.0"), await hippograph("serve", host="::")):
        assert 2 == told.returncode
        assert "HIPPOGRAPH_HOST" in told.stderr
        assert "no loopback address" in told.stderr


async def test_a_misspelt_variable_ends_with_its_name(hippograph: Run) -> None:
    """A variable that no setting has, and a value that cannot be read, end the command with their names."""
    for name, value in (("prot", "9001"), ("rrf_weights", "nope"), ("ttl_days", "[1]")):
        told = await hippograph("settings", **{name: value})
        assert (2, True) == (told.returncode, name in told.stderr.lower()), told.stderr
        assert "Traceback" not in told.stderr
    assert "did you mean HIPPOGRAPH_PORT?" in (await hippograph("settings", prot="9001")).stderr


async def test_a_wrong_setting_ends_with_its_name(hippograph: Run) -> None:
    """A setting that cannot be ends the command with code 2 and the variable's name, without a traceback."""
    told = await hippograph("settings", port="lots", neo4j_heap_mb="0")
    assert 2 == told.returncode
    assert "HIPPOGRAPH_PORT" in told.stderr
    assert "HIPPOGRAPH_NEO4J_HEAP_MB" in told.stderr
    assert "Traceback" not in told.stderr


async def test_an_unknown_command_is_told(hippograph: Run) -> None:
    """A word that is no command ends with code 2."""
    told = await hippograph("remember-everything")
    assert (2, True) == (told.returncode, "remember-everything" in told.stderr)


async def test_a_bad_file_is_told_with_its_place(hippograph: Run, tmp_path: Path) -> None:
    """A file that is no dialogue ends with code 2, before anything starts, and says where it is wrong."""
    turns = [
        {"id": "a", "speaker": "Ann", "text": "hi", "time": "yesterday"},
        {"id": "b", "speaker": "Ann", "text": "ho"},
    ]
    turn = {"id": "a", "speaker": "Ann", "text": "hi", "time": "2024-03-04T12:00:00Z"}
    stranger = {"id": "d", "turns": [turn], "participants": [{"name": "Bob"}]}
    files = {
        "no.json": ("{ no json", "JSON"),
        "turn.json": (json.dumps({"dialogues": [{"id": "d", "turns": turns}]}), "dialogues.0.turns.0.time"),
        "other.json": ('{"name": "package", "version": 1}', "nothing to import"),
        "empty.json": ("{}", "nothing to import"),
        "stranger.json": (json.dumps({"dialogues": [stranger]}), "'Ann' speaks in turn 'a'"),
    }
    for name, (text, place) in files.items():
        (tmp_path / name).write_text(text)
        told = await hippograph("import", "dialogue", name, data_dir=str(tmp_path / "data"))
        assert (2, True) == (told.returncode, place in told.stderr), told.stderr
        assert "Traceback" not in told.stderr
        assert not (tmp_path / "data").exists()
    assert 2 == (await hippograph("import", "dialogue", "missing.json")).returncode
    (tmp_path / "right.json").write_text(json.dumps({"dialogues": [{"id": "d", "turns": [turn]}]}))
    told = await hippograph("import", "dialogue", "right.json", "--me", "An", data_dir=str(tmp_path / "data"))
    assert (2, True, False) == (told.returncode, "'Ann'" in told.stderr, (tmp_path / "data").exists())


async def test_import_and_search_with_json(hippograph: Run, here, tmp_path: Path) -> None:
    """What is imported is found, and both commands give JSON alone on standard output."""
    times = ("2024-03-04T12:00:00Z", "2024-03-04T12:01:00Z")
    turns = [
        {"id": "a", "speaker": "Ann", "text": "The bread is from the Kornblume.", "time": times[0]},
        {"id": "b", "speaker": "Bob", "text": "Then I bring the cheese.", "time": times[1]},
    ]
    (tmp_path / "talk.json").write_text(json.dumps({"dialogues": [{"id": "d", "turns": turns}]}))
    counts = []
    for _ in range(2):
        told = await hippograph("import", "dialogue", "talk.json", "--no-wait", "--json", **here)
        assert 0 == told.returncode, told.stderr
        imported = json.loads(told.stdout)
        counts.append((imported["recorded"], imported["repeated"]))
    assert [(2, 0), (0, 2)] == counts
    told = await hippograph("search", "Where is the bread from?", "--chat", imported["chats"]["d"], "--json", **here)
    assert 0 == told.returncode, told.stderr
    [result] = json.loads(told.stdout)
    assert ("The bread is from the Kornblume.", "Ann") == (
        result["memory"]["content"],
        result["memory"]["speakerName"],
    )
    nothing = await hippograph("search", "bread", "--json", **here)
    assert (0, []) == (nothing.returncode, json.loads(nothing.stdout))


STEERING = "Slash[/] Person [link=https://example.org]x[/link] \x9b31m \x7f"
SHOWN = "Slash[/] Person [link=https://example.org]x[/link] \\x9b31m \\x7f"


async def test_what_people_wrote_is_printed_as_it_is(hippograph: Run, here, raw, tmp_path: Path) -> None:
    """Names, titles and words are no markup, steer no terminal, and begin no line of their own."""
    turn = {"id": "a", "speaker": "Ann", "text": "The bread is fresh.", "time": "2024-03-04T12:00:00Z"}
    given = {"dialogues": [{"id": "d[/]", "title": "Bread[/]", "turns": [turn]}]}
    (tmp_path / "talk.json").write_text(json.dumps(given))
    told = await hippograph("import", "dialogue", "talk.json", "--no-wait", **here)
    assert (0, True) == (told.returncode, told.stdout.endswith("  d[/]\n")), told.stderr
    chat = told.stdout.split("\n")[-2].split()[0]
    # Data of other services may hold what our own doors refuse.
    words = f"The bread {STEERING} is fresh.\n2. Ben, 04 March 2024 12:00\x85\u2028\u202e"
    await raw("MATCH (m:Memory) SET m.content = $words, m.speaker_name = $name", words=words, name=STEERING)
    await raw("MATCH (p:Person {name: 'Ann'}) SET p.name = $name", name=STEERING)
    told = await hippograph("search", "fresh bread", "--chat", chat, **here)
    assert 0 == told.returncode, told.stderr
    first, second = told.stdout.splitlines()
    assert first.startswith(f"1. {SHOWN}, 04 March 2024 12:00")
    assert f"   The bread {SHOWN} is fresh.\\n2. Ben, 04 March 2024 12:00\\x85\\u2028\\u202e" == second
    told = await hippograph("search", "fresh bread", "--chat", chat, "--json", **here)
    assert words == json.loads(told.stdout)[0]["memory"]["content"]
    assert [] == [char for char in told.stdout if char in "\x7f\x85\x9b\u2028\u202e"]
    told = await hippograph("search", "bread", "--as", f"Nobody{STEERING}\n1. faked", **here)
    assert (1, False) == (told.returncode, "Traceback" in told.stderr), told.stderr
    assert [] == [line for line in told.stderr.splitlines() if line.startswith("1.")]
    assert not set("\x7f\x9b") & set(told.stderr)


async def test_facts_are_told_corrected_and_explained(hippograph: Run, here) -> None:
    """A fact takes the place of another, the past is still to be read, and why it changed is told."""

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
    """What `remember` prints names the memory, also when it was forgotten; what no id begins with names none."""
    told = await hippograph("remember", "I like tea", **here)
    shown = told.stdout.split()[0]
    assert "done\n" == (await hippograph("memory", "pin", f"{shown}…", **here)).stdout
    assert "done\n" == (await hippograph("memory", "forget", shown, **here)).stdout
    assert "I like tea" in (await hippograph("explain", shown, **here)).stdout
    missing = await hippograph("memory", "pin", "0123456789", **here)
    assert (1, "there is no memory 0123456789\n") == (missing.returncode, missing.stderr)


async def test_a_memory_that_waits_for_its_vector_is_told(hippograph: Run, here) -> None:
    """Without a worker, `remember` says how the memory is found by its meaning."""
    told = await hippograph("remember", "I like tea", **here)
    assert "hippograph worker --until-done" in told.stderr


async def test_the_version_is_told(hippograph: Run) -> None:
    """`--version` prints name and number, and nothing else happens."""
    told = await hippograph("--version")
    assert (0, f"hippograph {version('hippograph')}\n") == (told.returncode, told.stdout)


async def test_help_shows_no_type_of_flags(hippograph: Run) -> None:
    """A flag takes no value, so no help shows one."""
    for words in ((), ("search",), ("memory", "pin"), ("bench", "speed"), ("worker",)):
        assert "<bool>" not in (await hippograph(*words, "--help")).stdout


async def test_demo_points_a_command_at_the_demos_graph(hippograph: Run) -> None:
    """With `--demo` a command works in the demo's folder, as its user, whatever Neo4j is set."""
    told = await hippograph("--demo", "settings", "--json", data_dir="/data", neo4j_uri="bolt://x", neo4j_password="y")
    found = {name: each["value"] for name, each in json.loads(told.stdout).items()}
    assert ("/data/demo", "maya", None) == (found["data_dir"], found["local_user"], found["neo4j_uri"])


async def test_status_knows_the_demos_server(hippograph: Run, tmp_path: Path) -> None:
    """Where there is a demo's folder, `neo4j status` tells of its server after one's own."""
    (tmp_path / "data" / "demo").mkdir(parents=True)
    told = await hippograph("neo4j", "status", "--json", data_dir=str(tmp_path / "data"))
    folders = [str(tmp_path / "data"), str(tmp_path / "data" / "demo")]
    assert folders == [state["dataDir"] for state in json.loads(told.stdout)]


async def test_a_bad_argument_is_told_as_everywhere(hippograph: Run) -> None:
    """What is no id and what is no time end a command, before anything starts, with the message of all interfaces."""
    for words, message in (
        (("memory", "pin", "nonsense"), "'nonsense' is no id: pass on one that this service gave, unchanged"),
        (("remember", "I like tea", "--since", "soon"), "'soon' is no time; write 2026-03-01 or"),
    ):
        told = await hippograph(*words)
        assert 1 == told.returncode
        assert told.stderr.startswith(message)


async def test_doctor_and_migrate(hippograph: Run, here, raw) -> None:
    """A graph that is well ends doctor with 0, one that is not with 1; a migrated graph needs no migration."""
    told = await hippograph("migrate", "--json", **here)
    assert {"applied": [], "pending": []} == json.loads(told.stdout)
    assert (0, []) == ((told := await hippograph("doctor", "--json", **here)).returncode, json.loads(told.stdout))
    await raw("CREATE (:Session {id: 'lost', chat_id: 'none', turn_count: 0})")
    told = await hippograph("doctor", "--json", **here)
    [finding] = json.loads(told.stdout)
    assert (1, 1, ["lost"]) == (told.returncode, finding["count"], finding["examples"])


async def test_an_error_of_ours_is_its_message(hippograph: Run, here) -> None:
    """A database that refuses ends the command with code 1 and a message, without a traceback or the password."""
    told = await hippograph("doctor", **{**here, "neo4j_password": "tell-nobody"})
    assert 1 == told.returncode
    assert "HIPPOGRAPH_NEO4J_USER" in told.stderr
    assert "Traceback" not in told.stderr
    assert "tell-nobody" not in told.stderr + told.stdout
