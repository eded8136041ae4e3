"""Downloads the jars that a lock file names, verifies them, and caches them for later starts.

A lock has one artifact per line, `group:artifact[:classifier]:version sha256`. `scripts/lock_artifacts.py` writes the
locks. This module knows nothing of the content of the jars.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from hippograph.graph.errors import DownloadFailed

LOCKS = Path(__file__).parent
NEO4J_LOCK = LOCKS / "neo4j.lock"
EMBEDDER_LOCK = LOCKS / "embedder.lock"

THREADS = 16
ATTEMPTS = 3
TIMEOUT_S = 60
_in_this_process = threading.Lock()

Progress = Callable[[int, int, str], None]
"""Called with the number of finished steps, the total (0 if unknown), and a description of the current step."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One line of a lock."""

    group: str
    name: str
    classifier: str
    version: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The file name of the jar, as published."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.name}-{self.version}{suffix}.jar"

    @property
    def path(self) -> Path:
        """The path of the jar within a cache, which is laid out like a Maven repository."""
        return Path("jars", *self.group.split("."), self.name, self.version, self.file_name)


def parse(line: str) -> Artifact:
    """Reads one line of a lock. Raises ValueError if it is malformed."""
    coordinates, sha256 = line.split()
    group, name, *classifier, version = coordinates.split(":")
    if len(classifier) > 1 or len(sha256) != 64:
        raise ValueError(line)
    return Artifact(group, name, "".join(classifier), version, sha256)


def read_lock(lock: Path) -> list[Artifact]:
    """The artifacts of a lock file, in its order. Raises `DownloadFailed` for a malformed line."""
    lines = (line.strip() for line in lock.read_text(encoding="utf-8").splitlines())
    try:
        return [parse(line) for line in lines if line and not line.startswith("#")]
    except ValueError as error:
        raise DownloadFailed(f"{lock} has a line that is not 'group:artifact:version sha256': {error}") from error


def fetch(lock: Path, cache_dir: Path, progress: Progress | None = None) -> list[Path]:
    """Downloads every artifact of a lock that is not cached, and returns the paths of all in the lock's order.

    The first call downloads and verifies. Later calls only compare file sizes and modification times with the stamp
    that it wrote. An interrupted call keeps complete files. Any number of processes may call this at once.
    """
    artifacts = read_lock(lock)
    stamp = cache_dir / "verified" / f"{sha256(lock)[:16]}.json"
    if not _stamped(stamp, artifacts, cache_dir):
        report = progress or (lambda _done, _total, _what: None)
        with _one_at_a_time(cache_dir, report, len(artifacts)):
            if not _stamped(stamp, artifacts, cache_dir):  # another process may just have done it
                _fetch_missing(artifacts, cache_dir, report)
                _write_stamp(stamp, artifacts, cache_dir)
    return [cache_dir / artifact.path for artifact in artifacts]


def sha256(path: Path) -> str:
    """The SHA-256 digest of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _signature(path: Path) -> list[int] | None:
    """The size and modification time of a file, as a cheap check that it is unchanged; None if it is missing."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return [stat.st_size, stat.st_mtime_ns]


def _signatures(artifacts: Iterable[Artifact], cache_dir: Path) -> dict[str, list[int] | None]:
    return {str(artifact.path): _signature(cache_dir / artifact.path) for artifact in artifacts}


def _stamped(stamp: Path, artifacts: list[Artifact], cache_dir: Path) -> bool:
    try:
        verified = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(verified == _signatures(artifacts, cache_dir))


def _write_stamp(stamp: Path, artifacts: list[Artifact], cache_dir: Path) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    new = stamp.with_suffix(".new")
    new.write_text(json.dumps(_signatures(artifacts, cache_dir)), encoding="utf-8")
    new.replace(stamp)


@contextmanager
def _one_at_a_time(cache_dir: Path, report: Progress, total: int) -> Iterator[None]:
    cache_dir.mkdir(parents=True, exist_ok=True)
    with _in_this_process:  # so only another process can hold the file lock
        lock = FileLock(cache_dir / "fetch.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            report(0, total, "waiting for another process that is downloading")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()


def _fetch_missing(artifacts: list[Artifact], cache_dir: Path, report: Progress) -> None:
    missing = [artifact for artifact in artifacts if not _intact(artifact, cache_dir)]
    done = len(artifacts) - len(missing)
    report(done, len(artifacts), "fetching")
    # The lock is held, so partial files are left over from an interrupted call.
    partial = cache_dir / "partial"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        for artifact in _download_all(missing, partial, cache_dir):
            done += 1
            report(done, len(artifacts), f"fetching {artifact.file_name}")
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _intact(artifact: Artifact, cache_dir: Path) -> bool:
    path = cache_dir / artifact.path
    return path.is_file() and sha256(path) == artifact.sha256


def _download_all(artifacts: list[Artifact], partial: Path, cache_dir: Path) -> Iterator[Artifact]:
    """Downloads in parallel and yields each artifact when it is done. The first failure cancels those not yet begun."""
    with ThreadPoolExecutor(THREADS, thread_name_prefix="fetch") as pool:
        futures = {pool.submit(_download, artifact, partial, cache_dir): artifact for artifact in artifacts}
        try:
            for future in as_completed(futures):
                future.result()
                yield futures[future]
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _download(artifact: Artifact, partial: Path, cache_dir: Path) -> None:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _download_once(artifact, partial / str(attempt), cache_dir)
            return
        # jgo raises RuntimeError, its HTTP library an OSError; DownloadFailed reports a wrong digest.
        except (OSError, RuntimeError, DownloadFailed) as error:
            if attempt == ATTEMPTS:
                raise _failure(artifact, error) from error
            time.sleep(attempt)


def _failure(artifact: Artifact, error: Exception) -> DownloadFailed:
    return DownloadFailed(
        f"{artifact.file_name} could not be fetched after {ATTEMPTS} attempts ({error}). Check the network and the "
        "free space on the disk, then run `hippograph neo4j install` again: what has arrived is kept."
    )


def _download_once(artifact: Artifact, partial: Path, cache_dir: Path) -> None:
    """Downloads into the folder `partial`, verifies the digest, and then moves the file into the cache."""
    from jgo.maven import MavenContext  # imported late: only a first start needs it

    context = MavenContext(repo_cache=partial, timeout=TIMEOUT_S)
    version = context.project(artifact.group, artifact.name).at_version(artifact.version)
    arrived: Path = version.artifact(classifier=artifact.classifier).resolve()
    found = sha256(arrived)
    if found != artifact.sha256:
        arrived.unlink()
        raise DownloadFailed(f"its sha256 is {found}, the lock says {artifact.sha256}")
    target = cache_dir / artifact.path
    target.parent.mkdir(parents=True, exist_ok=True)
    arrived.replace(target)
