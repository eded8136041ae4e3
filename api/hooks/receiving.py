"""Handles an event of a coding agent's hook: notes the session durably, and gives a context where the event takes one.

The folder of notes has these files of a session, named by its id: `.json`, the note; `.close`, while it is to be
closed; `.told`, once it was given a context; `.read`, how far its transcript was read; and `.jsonl`, a transcript
written here, for clients whose hooks report what is said. Claude Code writes its own transcript.
"""

import fcntl
import json
import os
import socket
import time
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from hippograph.api.hooks.projects import Project, project_of
from hippograph.graph.local.supervisor import sync_folder, write_private

CLIENTS: Final = {"claude-code": "Claude Code", "codex": "Codex", "cursor": "Cursor", "opencode": "opencode"}
"""The supported clients, and the names of the personas under which they are recorded."""
DOOR: Final = "door"
"""Name of the socket in the folder of notes at which a running service gives contexts."""
LOCK: Final = "notes.lock"
"""Name of the lock file that is held while a line is added to a transcript, or a transcript is removed."""
_ASKED_S: Final = 0.3
"""Maximum time a hook waits for a context, in seconds."""
_LONGEST_NAME: Final = 100
_NOTICE: Final = (
    'hippograph is your long-term memory; there you are the persona "{persona}". It records by itself what is said in '
    "this project: call neither record_turns nor close_session. Before you answer what may have been told before, call "
    "get_context with the question and your persona."
)
_START: Final = ("SessionStart", "sessionStart")
_PROMPT: Final = "UserPromptSubmit"
"""Event at which a context can be given if there was none at the start. Cursor's own prompt event takes none."""
_CLOSE: Final = ("PreCompact", "preCompact", "SessionEnd", "sessionEnd")


def receive(client: str, given: dict[str, Any]) -> str:
    """Handles the event that a client gave its hook, and returns what the hook prints. Nothing is stored for a project
    that is not recorded.
    """
    place, event = _place(given), str(given.get("hook_event_name", ""))
    project, context = project_of(place), ""
    if project is not None:
        session = Path(project.sessions, _file_name(str(given.get("session_id") or given["conversation_id"])))
        _note(client, project, place, session, given)
        if event in _CLOSE:
            write_private(session.with_suffix(".close"), "")
        context = _context(client, project, place, session, event)
    return _printed(client, event, context)


def _place(given: dict[str, Any]) -> str:
    """The folder in which the session began."""
    roots = given.get("workspace_roots") or [given.get("cwd") or Path.cwd()]
    return os.path.realpath(os.environ.get("CLAUDE_PROJECT_DIR") or str(roots[0]))


def _file_name(session: str) -> str:
    """The session's id, or its hash if the id is no safe file name."""
    is_name = session.isascii() and session.replace("-", "").isalnum() and len(session) <= _LONGEST_NAME
    return session if is_name else blake2b(session.encode(), digest_size=16).hexdigest()


def _note(client: str, project: Project, place: str, session: Path, given: dict[str, Any]) -> None:
    session.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    said, transcript = session.with_suffix(".jsonl"), str(given.get("transcript_path") or "")
    if client != "claude-code":
        transcript = str(said)
        _say(said, place, session.name, given)
    note = json.dumps({"client": client, "root": project.root, "place": place, "transcript": transcript})
    path = session.with_suffix(".json")
    if not path.exists() or path.read_text("utf-8") != note:
        write_private(path, note)


def _say(said: Path, place: str, session: str, given: dict[str, Any]) -> None:
    """Appends what was said, if anything, to a transcript in the format of Claude Code."""
    answer = given.get("last_assistant_message") or given.get("text")
    text = given.get("prompt") or answer
    if not text:
        return
    line = {
        "type": "assistant" if text is answer else "user",
        "uuid": uuid.uuid4().hex,
        "sessionId": session,
        "cwd": place,
        "timestamp": datetime.now(UTC).isoformat(),
        "message": {"content": text},
    }
    with said.with_name(LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with os.fdopen(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(line)}\n")  # the first line break ends a line that a crash cut off
            file.flush()
            os.fsync(file.fileno())
        sync_folder(said.parent)


def _context(client: str, project: Project, place: str, session: Path, event: str) -> str:
    """The text for the agent: at a start the notice and the context, at a prompt the context if none was given yet."""
    told = session.with_suffix(".told")
    if event not in (*_START, _PROMPT) or (event == _PROMPT and told.exists()):
        return ""
    told.unlink(missing_ok=True)
    found = _asked(Path(project.sessions, DOOR), json.dumps({"client": client, "root": project.root, "place": place}))
    if found is not None:
        told.touch(mode=0o600)
    notice = _NOTICE.format(persona=CLIENTS[client]) if event in _START else ""
    return "\n\n".join(filter(None, [notice, found]))


def _asked(door: Path, question: str) -> str | None:
    """The answer of a running service; None if none runs, or after the timeout."""
    until, answer = time.monotonic() + _ASKED_S, b""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(_ASKED_S)
        client.connect(str(door))
        client.sendall(question.encode() + b"\n")
        while part := client.recv(2**16):
            answer += part
            client.settimeout(max(0.001, until - time.monotonic()))
        return answer.decode().strip() if answer.endswith(b"\n") else None
    return None


def _printed(client: str, event: str, context: str) -> str:
    """The context in the client's format. If it is empty, so is the result, except for Cursor."""
    if client == "cursor":
        return json.dumps({"continue": True} if event == "beforeSubmitPrompt" else {"additional_context": context})
    if not context:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}})
