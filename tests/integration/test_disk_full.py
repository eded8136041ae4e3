"""A full disk: the error is clear, no acknowledged write is lost, and writes work again after room and a restart."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.environment import load_statements
from hippograph.api.service import Service
from hippograph.api.startup import open_service
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.local.server import LocalConfig, LocalServer
from hippograph.graph.model import INTERNAL, ChatKind
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn
from tests.conftest import own_settings

SIZE = "600m"
LEFT = 1_000_000
LONG = "x" * 2_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """The mount point of a small tmpfs. Skips the test if it cannot be mounted, which only root may do."""
    where = tmp_path / "disk"
    where.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", where], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here: that a full one is told clearly is not tested")
    yield where
    subprocess.run(["umount", "-l", where], check=True)


async def _fill(service: Service, chat_id: str, ballast: Path) -> tuple[list[str], Exception]:
    """Fills the disk but for `LEFT` bytes and records turns until one fails. Returns the stored texts and the error."""
    free = os.statvfs(ballast.parent)
    with ballast.open("wb") as file:
        file.write(b"0" * (free.f_bavail * free.f_frsize - LEFT))
    acknowledged: list[str] = []
    while True:
        words = f"message {len(acknowledged)} {LONG}"
        try:
            await service.recorder.record(service.viewer(), chat_id, [Turn(words, service.local_user.id)])
        except Exception as error:
            return acknowledged, error
        acknowledged.append(words)


async def test_a_full_disk_is_told_and_loses_nothing(disk: Path) -> None:
    """On a full disk, writes and reads raise `DatabaseUnavailable`. After room is made and the server restarts, all
    acknowledged turns are there, turns can be recorded, and the doctor finds nothing.
    """
    settings = own_settings(disk / "data", embedding_model="none", ner_model="none")
    server = LocalServer(LocalConfig(settings.data_dir, settings.cache_dir))
    try:
        async with open_service(settings) as service:
            members = [Member(service.local_user.id)]
            chat = await service.people.create_chat(INTERNAL, ChatKind.GROUP, "Talk", members)
            acknowledged, error = await _fill(service, chat.id, disk / "ballast")
            assert acknowledged
            assert isinstance(error, DatabaseUnavailable)
            with pytest.raises(DatabaseUnavailable, match="is the disk full"):
                await service.search.search(service.viewer(chat.id), "message")
        (disk / "ballast").unlink()
        server.stop()
        async with open_service(settings, statements=load_statements()) as service:
            stored = {row["content"] for row in await service.database.run("bench/contents", chat=chat.id)}
            assert set(acknowledged) <= stored
            assert len(stored) <= len(acknowledged) + 1  # the last one may have been written without being acknowledged
            await service.recorder.record(service.viewer(), chat.id, [Turn("on it goes", service.local_user.id)])
            assert [] == await service.doctor.examine()
    finally:
        server.stop()
