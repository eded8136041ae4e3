"""What a service records of the sessions that hooks told of: one process of a data folder at a time, again and again.

A transcript is read on from where it was read to. The ids of its lines are the keys of its turns, so what is read
twice, after a crash or by an import, is stored once.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from hippograph.api.hooks.projects import Project, projects
from hippograph.api.hooks.receiving import CLIENTS, DOOR, LOCK, keep
from hippograph.api.mcp.forms import ID_LENGTH
from hippograph.api.service import Service
from hippograph.api.viewer import named_viewer
from hippograph.graph.errors import HippographError, NotFound
from hippograph.graph.local.supervisor import hold, read_json
from hippograph.graph.model import Viewer
from hippograph.graph.transfer.formats.claude_code import project_of, reading
from hippograph.graph.transfer.formats.json_values import parsed_lines
from hippograph.graph.transfer.formats.reading import Collector, Reading, ReadOptions
from hippograph.graph.writing.importing import DialogueFile, chat_id

log = structlog.get_logger(__name__)

FOLDER: Final = "sessions"
"""The folder of notes in a data folder."""
_POLL_S: Final = 1.0
_AGAIN_S: Final = 60.0
"""So long a session waits that could not be recorded."""
_KEPT_S: Final = 7 * 86_400.0
"""So long a session is followed in which nothing is said."""
_MOST: Final = 2**24
"""Bytes of a transcript that are read at once. A line that is longer, such as a large picture, is left out."""


@dataclass(frozen=True, slots=True)
class _Session:
    """What a hook noted of a session."""

    note: Path
    client: str
    place: str
    transcript: Path
    project: Project

    @property
    def is_own(self) -> bool:
        """Whether hooks wrote the transcript, which goes when it was read."""
        return self.transcript.parent == self.note.parent


@dataclass(frozen=True, slots=True)
class _News:
    """What was said in a session, in which folder it began, and from which to which byte its transcript was read."""

    said: Reading
    place: str
    start: int
    end: int


@contextlib.asynccontextmanager
async def following(service: Service) -> AsyncIterator[None]:
    """Records meanwhile what is said in the sessions of the data folder, and gives their hooks contexts."""
    task = asyncio.create_task(Follower(service).run())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


class Follower:
    """Follows the sessions of one data folder, for the local user."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._folder = Path(os.path.realpath(service.settings.data_dir / FOLDER))
        self._again: dict[Path, float] = {}

    async def run(self) -> None:
        """Follows them until it is cancelled, as soon as no other process does."""
        lock = None
        while lock is None:
            await asyncio.sleep(_POLL_S)
            lock = hold(self._folder / "follower.lock") if self._folder.exists() else None
        try:
            async with self._door():
                while True:
                    await self.step()
                    await asyncio.sleep(_POLL_S)
        finally:
            os.close(lock)

    async def step(self) -> None:
        """Records what is new in each session. One that cannot be recorded costs itself alone, and is tried again."""
        try:
            sessions = await asyncio.to_thread(lambda: list(self._sessions()))
        except (OSError, ValueError, TypeError) as error:
            log.warning("it cannot be read which projects are recorded", error=str(error))
            return
        for session in sessions:
            if self._again.get(session.note, 0.0) > time.monotonic():
                continue
            try:
                await self._record(session)
                self._again.pop(session.note, None)
            except Exception as error:
                self._again[session.note] = time.monotonic() + _AGAIN_S
                log.warning("a session is not recorded yet", project=session.project.root, error=str(error))

    def _sessions(self) -> Iterator[_Session]:
        """The sessions of projects that are recorded here; what is kept of others goes."""
        known = {root: one for root, one in projects().items() if one.sessions == str(self._folder)}
        for path in sorted(self._folder.glob("*.json")):
            note = read_json(path)
            if note.get("root") in known and note.get("client") in CLIENTS:
                transcript = Path(note["transcript"])
                yield _Session(path, note["client"], note["place"], transcript, known[note["root"]])
            elif note:
                _forget(path)

    async def _record(self, session: _Session) -> None:
        news = await asyncio.to_thread(_news, session, self._service.clock())
        viewer = await self._viewer(session.project)
        if news.said.content.dialogues:
            await self._service.importer.run(viewer, session.client, news.said.content, me=news.said.me, leave_out=True)
        closing = session.note.with_suffix(".close")
        if closing.exists():
            await self._close(viewer, session.client, news.place)
            closing.unlink()
        await asyncio.to_thread(_was_recorded, session, news)

    async def _close(self, viewer: Viewer, client: str, place: str) -> None:
        """Ends the open session of the project and summarises it, where there is one."""
        service = self._service
        with contextlib.suppress(NotFound):
            there = await self._there(viewer, client, place)
            if there.chat_id and (closed := await service.sessions.close(there, there.chat_id, there.persona_id)):
                await service.talk_summaries.summarize_session(there, closed.id)

    async def _viewer(self, project: Project) -> Viewer:
        return await self._named(self._service.viewer(), space=project.space)

    async def _there(self, viewer: Viewer, client: str, place: str) -> Viewer:
        """The viewer in the chat of a project with a client. Raises `NotFound` where nothing was said yet."""
        return await self._named(viewer, chat=chat_id(viewer, client, place), persona=CLIENTS[client])

    async def _named(
        self, viewer: Viewer, *, space: str | None = None, chat: str | None = None, persona: str | None = None
    ) -> Viewer:
        service = self._service
        return await named_viewer(
            viewer,
            service.people,
            service.browsing,
            service.spaces,
            person=None,
            chat=chat,
            persona=persona,
            space=space,
        )

    @contextlib.asynccontextmanager
    async def _door(self) -> AsyncIterator[None]:
        """Gives contexts at a socket that only the owner of the folder reaches. The first, which takes longer, is made
        before.
        """
        with contextlib.suppress(HippographError):
            await self._service.contexts.standing(self._service.viewer())
        door = self._folder / DOOR
        door.unlink(missing_ok=True)
        try:
            server = await asyncio.start_unix_server(self._answer, door)
        except OSError as error:  # a path may have some hundred letters
            log.warning("hooks get no context", error=str(error))
            yield
            return
        async with server:
            yield

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one hook with what always stands in contexts of its project."""
        with contextlib.closing(writer), contextlib.suppress(HippographError, OSError, ValueError, KeyError):
            asked = json.loads(await asyncio.wait_for(reader.readline(), _POLL_S))
            viewer = await self._viewer(projects()[asked["root"]])
            with contextlib.suppress(NotFound):
                viewer = await self._there(viewer, asked["client"], asked["place"])
            writer.write((await self._service.contexts.standing(viewer, id_length=ID_LENGTH) + "\n").encode())
            await writer.drain()


def _news(session: _Session, now: datetime) -> _News:
    """What is new in a session, and was said since its project is recorded."""
    state = {} if session.is_own else read_json(session.note.with_suffix(".read"))
    data, start, end = _unread(session.transcript, state.get("end", 0))
    parsed = parsed_lines(data, session.transcript.name)
    values = [(place, value) for place, value in parsed if isinstance(value, dict)]
    place = state.get("place") or (project_of(value for _, value in values) if values else session.place)
    collector, persona = Collector(ReadOptions(now)), CLIENTS[session.client]
    found = reading(collector, {place: values}, session.client, persona, tools=session.project.tools)
    since = datetime.fromisoformat(session.project.since)
    recorded = [
        replace(dialogue, turns=turns)
        for dialogue in found.content.dialogues
        if (turns := [turn for turn in dialogue.turns if turn.time >= since])
    ]
    return _News(replace(found, content=DialogueFile(recorded)), place, start, end)


def _unread(transcript: Path, start: int) -> tuple[bytes, int, int]:
    """The whole lines of a transcript from a byte on, and where they begin and end. One that became shorter is read
    anew.
    """
    try:
        with transcript.open("rb") as file:
            start = start if start <= file.seek(0, os.SEEK_END) else 0
            file.seek(start)
            data = file.read(_MOST)
    except FileNotFoundError:
        return b"", start, start
    whole = data.rfind(b"\n") + 1
    return data[:whole], start, start + (whole or (_MOST if len(data) == _MOST else 0))


def _was_recorded(session: _Session, news: _News) -> None:
    """Keeps how far a transcript was read; removes one of our own, and lets go of a silent session."""
    if session.is_own:
        _remove_read(session.transcript, news.end)
    elif news.end != news.start:
        keep(session.note.with_suffix(".read"), json.dumps({"end": news.end, "place": news.place}))
    spoken = [path.stat().st_mtime for path in (session.note, session.transcript) if path.exists()]
    if news.end == news.start and time.time() - max(spoken, default=0.0) > _KEPT_S:
        _forget(session.note)


def _remove_read(said: Path, end: int) -> None:
    """Removes what hooks wrote when all of it was read."""
    with said.with_name(LOCK).open("w") as lock, contextlib.suppress(FileNotFoundError):
        fcntl.flock(lock, fcntl.LOCK_EX)
        if said.stat().st_size == end:
            said.unlink()


def _forget(note: Path) -> None:
    for ending in (".close", ".told", ".read", ".jsonl", ".json"):
        note.with_suffix(ending).unlink(missing_ok=True)
