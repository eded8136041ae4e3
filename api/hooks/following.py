"""Records the sessions that hooks have noted. One process per data folder does this at a time, in a loop.

Reading of a transcript continues where it stopped, if what was read is still there. The ids of its lines are the keys
of its turns, so a line that is read twice, after a crash or by an import, is stored once.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Final

import structlog

from hippograph.api.global_ids import SHORT
from hippograph.api.hooks import projects
from hippograph.api.hooks.projects import FOLDER, Project
from hippograph.api.hooks.receiving import CLIENTS, DOOR, LOCK
from hippograph.api.service import Service
from hippograph.api.viewer import named_viewer
from hippograph.graph.background import in_background
from hippograph.graph.clock import Clock
from hippograph.graph.errors import HippographError, NotFound
from hippograph.graph.local.supervisor import hold, read_json, write_private
from hippograph.graph.model import Viewer
from hippograph.graph.transfer.formats.chats.claude_code import project_of, reading
from hippograph.graph.transfer.formats.json_values import parsed_lines
from hippograph.graph.transfer.formats.reading import Collector, Reading, ReadOptions
from hippograph.graph.writing.dialogue_file import DialogueFile
from hippograph.graph.writing.importing import chat_id, session_word

log = structlog.get_logger(__name__)

_POLL_S: Final = 1.0
_AGAIN_S: Final = 60.0
"""Pause before a session that could not be recorded is tried again, in seconds."""
_KEPT_S: Final = 7 * 86_400.0
"""Time without news after which a session is no longer followed, in seconds."""
_MOST: Final = 2**24
"""Maximum number of bytes of a transcript read at once. A longer line, such as a large picture, is left out."""
_COMPARED: Final = 4096
"""Number of bytes before a position in a transcript that tell whether it is still the same."""


@dataclass(frozen=True, slots=True)
class _Session:
    """A session, from the note that its hook wrote.

    `note` is the path of the note, `client` a key of `CLIENTS`, `place` the folder in which the session began.
    """

    note: Path
    client: str
    place: str
    transcript: Path
    project: Project

    @property
    def is_own(self) -> bool:
        """Whether hooks wrote the transcript; it is then removed after it was read."""
        return self.transcript.parent == self.note.parent


@dataclass(frozen=True, slots=True)
class _Read:
    """How far a transcript was read: up to the byte `end`, with the hash of what stands `before` it; and the folder in
    which the session began (`place`, empty until a line names it).
    """

    end: int = 0
    before: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class _News:
    """What one reading of a transcript gave: what was `said`; how far it is now `read`; whether its end was reached
    (`is_all`); and whether this differs from the reading before (`is_new`).
    """

    said: Reading
    read: _Read
    is_all: bool
    is_new: bool


def following(service: Service) -> contextlib.AbstractAsyncContextManager[None]:
    """Records the sessions of the data folder while the context is open, and answers their hooks with contexts."""
    return in_background(Follower(service).run())


class Follower:
    """Records the sessions of one data folder for the local user."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._folder = Path(os.path.realpath(service.settings.data_dir / FOLDER))
        self._again: dict[Path, tuple[float, str]] = {}
        """Failures by path of the note or folder: the monotonic time of the next attempt, and the logged error."""

    async def run(self) -> None:
        """Follows the sessions until it is cancelled; waits while another process follows them. No error ends it."""
        while True:
            await asyncio.sleep(_POLL_S)
            try:
                lock = hold(self._folder / "follower.lock") if self._folder.exists() else None
                if lock is not None:
                    await self._follow(lock)
            except Exception as error:
                self._failed(self._folder, error)

    async def _follow(self, lock: int) -> None:
        try:
            async with self._door():
                while True:
                    await self.step()
                    await asyncio.sleep(_POLL_S)
        finally:
            os.close(lock)

    async def step(self) -> None:
        """Records what is new in each session. If one fails, the others go on, and it is tried again later."""
        try:
            sessions = await asyncio.to_thread(self._sessions)
            self._again.pop(self._folder, None)
        except Exception as error:
            self._failed(self._folder, error)
            return
        for session in sessions:
            if self._again.get(session.note, (0.0, ""))[0] > time.monotonic():
                continue
            try:
                await self._record(session)
                self._again.pop(session.note, None)
            except Exception as error:
                self._failed(session.note, error)

    def _failed(self, what: Path, error: Exception) -> None:
        """Counts a failure, sets when a session is tried again, and logs the error if it is not the one logged last."""
        _, told = self._again.get(what, (0.0, ""))
        self._again[what] = time.monotonic() + _AGAIN_S, repr(error)
        self._service.observation.metrics.job_step("record", None, 0.0)
        if told != repr(error):
            log.warning("talk is not recorded yet", of=str(what), error=repr(error))

    def _sessions(self) -> list[_Session]:
        """Returns the sessions of projects that are recorded into this folder, and removes the files of others. Without
        a file of projects nothing is removed: the projects were chosen with another folder of settings.
        """
        if not projects.PROJECTS_FILE.exists():
            return []
        found = []
        known = {root: one for root, one in projects.projects().items() if one.sessions == str(self._folder)}
        notes = sorted(self._folder.glob("*.json"))
        self._again = {what: self._again[what] for what in (self._folder, *notes) if what in self._again}
        for path in notes:
            note = read_json(path)
            try:
                project, client, place = known.get(note["root"]), note["client"], note["place"]
                if project is None or client not in CLIENTS:
                    _forget(path)
                else:
                    found.append(_Session(path, client, place, Path(note["transcript"]), project))
            except (KeyError, TypeError) as error:
                self._failed(path, error)
        return found

    async def _record(self, session: _Session) -> None:
        closing = session.note.with_suffix(".close")
        asked = _changed_at(closing)  # checked before reading: what was said until then is in the transcript
        news = await asyncio.to_thread(_news, session, self._service.clock)
        content = news.said.content
        if content.dialogues:
            viewer = await self._viewer(session.project)
            imported = await self._service.importer.run(
                viewer, session.client, content, me=news.said.me, leave_out=True
            )
            if refused := imported.refused:
                log.warning("turns are not recorded", of=str(session.note), turns=len(refused), why=refused[0].reason)
        if asked is not None and news.is_all:
            await self._close(session, news.read.place)
            if asked == _changed_at(closing):  # else it was asked for again, of what was said since
                closing.unlink()
        await asyncio.to_thread(_was_recorded, session, news)

    async def _close(self, session: _Session, place: str) -> None:
        """Closes a session and summarises it, if anything was recorded of it."""
        service = self._service
        with contextlib.suppress(NotFound):
            there = await self._there(session.client, place or session.place)
            if chat := there.chat_id:
                word = session_word(chat, session.note.stem)
                if closed := await service.sessions.close(there, chat, there.persona_id, word=word):
                    await service.talk_summaries.summarize_session(there, closed.id)

    async def _viewer(self, project: Project) -> Viewer:
        return await named_viewer(self._service, self._service.viewer(), space=project.space)

    async def _there(self, client: str, place: str) -> Viewer:
        """Returns the viewer in the chat of a folder and a client, within the chat's current space. Raises `NotFound`
        if nothing was recorded yet.
        """
        viewer = self._service.viewer()
        chat = chat_id(viewer, client, place)
        return await named_viewer(self._service, viewer, chat=chat, persona=CLIENTS[client])

    @contextlib.asynccontextmanager
    async def _door(self) -> AsyncIterator[None]:
        """Answers hooks at a Unix socket that only the owner of the folder can reach. A first context is built before,
        because it takes longer. If the socket cannot be opened, hooks get no context.
        """
        with contextlib.suppress(HippographError):
            await self._service.contexts.standing(self._service.viewer())
        door = self._folder / DOOR
        try:
            door.unlink(missing_ok=True)
            server = await asyncio.start_unix_server(self._answer, door)
        except OSError as error:  # for example, the path is longer than about 100 characters
            log.warning("hooks get no context", error=str(error))
            yield
            return
        async with server:
            yield

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one hook with the standing part of its project's context."""
        with contextlib.closing(writer), contextlib.suppress(HippographError, OSError, ValueError, KeyError):
            asked = json.loads(await asyncio.wait_for(reader.readline(), _POLL_S))
            project = projects.projects()[asked["root"]]
            try:
                viewer = await self._there(asked["client"], asked["place"])
            except NotFound:
                viewer = await self._viewer(project)
                viewer = viewer.within(viewer.space_id)  # without a space: only memories of no space
            writer.write((await self._service.contexts.standing(viewer, id_length=SHORT) + "\n").encode())
            await writer.drain()


def _news(session: _Session, clock: Clock) -> _News:
    """Reads what is new in a session, without turns from before its project was recorded."""
    before = _Read(**read_json(session.note.with_suffix(".read")))
    data, read, is_all = _unread(session.transcript, before)
    now = clock()  # taken after reading, so that nothing read is in the future
    parsed = parsed_lines(data, session.transcript.name)
    values = [(where, value) for where, value in parsed if isinstance(value, dict)]
    place = before.place or project_of((value for _, value in values), "")
    collector, persona = Collector(ReadOptions(now)), CLIENTS[session.client]
    found = reading(collector, {place or session.place: values}, session.client, persona, tools=session.project.tools)
    since = datetime.fromisoformat(session.project.since)
    recorded = [
        replace(dialogue, turns=turns)
        for dialogue in found.content.dialogues
        if (turns := [turn for turn in dialogue.turns if turn.time >= since])
    ]
    read = replace(read, place=place)
    return _News(replace(found, content=DialogueFile(recorded)), read, is_all, read != before)


def _unread(transcript: Path, read: _Read) -> tuple[bytes, _Read, bool]:
    """Returns the whole lines of a transcript that were not read, how far it is read with them, and whether the end of
    the file was reached. A transcript that was emptied meanwhile, however long it is now, is read from its beginning.
    """
    start = max(0, read.end - _COMPARED)
    known = read.end - start
    beginning = replace(read, end=0, before="")
    try:
        with transcript.open("rb") as file:
            file.seek(start)
            found = file.read(known + _MOST)  # once, so that what is hashed is what was parsed
    except FileNotFoundError:
        return b"", beginning, True
    if len(found) < known or _hash(found[:known]) != read.before:
        return _unread(transcript, beginning)
    data = found[known:]
    whole, is_all = data.rfind(b"\n") + 1, len(data) < _MOST
    end = known + (whole or (0 if is_all else _MOST))
    before = _hash(found[max(0, end - _COMPARED) : end])
    return data[:whole], replace(read, end=start + end, before=before), is_all


def _hash(found: bytes) -> str:
    """Returns a hash of some bytes; empty for none."""
    return blake2b(found, digest_size=16).hexdigest() if found else ""


def _changed_at(path: Path) -> int | None:
    """Returns when a file was last changed, in nanoseconds; None if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def _was_recorded(session: _Session, news: _News) -> None:
    """Saves how far a transcript was read, removes one that hooks wrote, and forgets a session without news."""
    if news.is_new:
        _keep(session, news.read)
    if session.is_own and news.read.end:
        _remove_read(session, news)
    spoken = [path.stat().st_mtime for path in (session.note, session.transcript) if path.is_file()]
    if not news.is_new and time.time() - max(spoken, default=0.0) > _KEPT_S:
        _forget(session.note)


def _keep(session: _Session, read: _Read) -> None:
    write_private(session.note.with_suffix(".read"), json.dumps(asdict(read)))


def _remove_read(session: _Session, news: _News) -> None:
    """Removes a transcript that hooks wrote, if all of it was read. What they write next is read from byte 0."""
    said = session.transcript
    with said.with_name(LOCK).open("w") as lock, contextlib.suppress(FileNotFoundError):
        fcntl.flock(lock, fcntl.LOCK_EX)
        if said.stat().st_size == news.read.end:
            _keep(session, _Read(place=news.read.place))
            said.unlink()


def _forget(note: Path) -> None:
    for ending in (".close", ".told", ".read", ".jsonl", ".json"):
        note.with_suffix(ending).unlink(missing_ok=True)
