"""The export of a Slack workspace: a folder for each channel with a file for each day, and lists of users and channels.

A thread is a session of its own. The other messages of a channel are divided into sessions by their times.
"""

import html
import re
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, parsed, text_of
from hippograph.graph.transfer.formats.reading import (
    Collector,
    Format,
    Names,
    Reading,
    ReadOptions,
    one_line,
    speakers_of,
)
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.nlp.attachments import Attachment

_LISTS: Final = ("channels.json", "groups.json", "dms.json", "mpims.json")
_TALK: Final = ("", "thread_broadcast", "me_message", "file_share", "file_comment", "reply_broadcast")
"""Subtypes of messages that people write. The others are from bots, or report events such as joining a channel."""
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_REFERENCE: Final = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")


def is_export(container: Container) -> bool:
    """Whether the container holds a list of users and files named by days."""
    return bool(container.named("users.json")) and any(_DAY.fullmatch(PurePosixPath(p).name) for p in container.files)


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns all channels, groups and direct messages of an export, each as a group chat."""
    root = PurePosixPath(min(container.named("users.json"), key=len)).parent
    return _Export(container, root, options).read()


class _Export:
    def __init__(self, container: Container, root: PurePosixPath, options: ReadOptions) -> None:
        self._container, self._root = container, root
        self._collector, self._names = Collector(options), Names()
        self._users = {text_of(user, "id"): user for user in self._list("users.json")}
        self._channels = self._titles()

    def read(self) -> Reading:
        days: dict[str, list[str]] = {}
        for path in self._container.files:
            inside = PurePosixPath(path)
            if _DAY.fullmatch(inside.name) and inside.parent.parent == self._root:
                days.setdefault(inside.parent.name, []).append(path)
        for folder, paths in days.items():
            self._channel(folder, sorted(paths))
        team = next((found for user in self._users.values() if (found := text_of(user, "team_id"))), "")
        dialogues = self._collector.dialogues
        content = DialogueFile(dialogues, people=self._names.people(speakers_of(dialogues)))
        skipped = tuple(self._collector.skipped)
        return Reading(Format.SLACK, f"slack {team or self._container.name}", content, skipped=skipped)

    def _list(self, name: str) -> list[Any]:
        path = (self._root / name).as_posix()
        found = self._parsed(path) if path in self._container.files else []
        return found if isinstance(found, list) else []

    def _parsed(self, path: str) -> Any:
        """Returns the JSON of a file. A damaged file is skipped and gives an empty list."""
        try:
            return parsed(self._container.read(path), path)
        except InvalidInput as error:
            self._collector.skip(path, str(error), damaged=True)
            return []

    def _titles(self) -> dict[str, tuple[str, str]]:
        """Returns the id and title of each chat by its folder, which has the chat's name, or the id if it has none."""
        found = {}
        for name in _LISTS:
            for channel in self._list(name):
                key = text_of(channel, "id")
                members = [self._shown(member) for member in list_of(channel, "members") if isinstance(member, str)]
                title = f"#{text_of(channel, 'name')}" if name in _LISTS[:2] else ", ".join(members)
                found[text_of(channel, "name") or key] = (key, one_line(title) or key)
        return found

    def _channel(self, folder: str, paths: list[str]) -> None:
        for path in paths:
            messages = self._parsed(path)
            for number, message in enumerate(messages if isinstance(messages, list) else [], start=1):
                self._message(f"{path}, message {number}", message)
        key, title = self._channels.get(folder, (folder, f"#{folder}"))
        if turns := self._collector.take_turns():
            self._collector.dialogues.append(FileDialogue(key, turns, title))

    def _message(self, place: str, message: Any) -> None:
        moment, user = moment_of(text_of(message, "ts")), text_of(message, "user")
        if reason := self._no_talk(message, user, moment):
            self._collector.skip(place, reason)
            return
        assert moment is not None
        thread = text_of(message, "thread_ts")
        text = _REFERENCE.sub(self._reference, text_of(message, "text"))
        session = f"thread {thread}" if thread else None
        key, speaker = f"{text_of(message, 'ts')} {user}", self._speaker(user, message)
        said = FileTurn(key, speaker, html.unescape(text), moment, session, attachments=_attachments(message))
        self._collector.turn(place, said)

    def _no_talk(self, message: Any, user: str, moment: datetime | None) -> str | None:
        subtype = text_of(message, "subtype")
        if text_of(message, "type") != "message" or subtype not in _TALK:
            return f"no message: {(subtype or 'of another type').replace('_', ' ')}"
        if not user or text_of(message, "bot_id") or self._users.get(user, {}).get("is_bot") is True:
            return "of a bot"
        if moment is None:
            return "it has no time"
        return None if text_of(message, "text").strip() or _attachments(message) else "no text"

    def _speaker(self, user: str, message: Any) -> str:
        profile = object_of(message, "user_profile")
        username = text_of(self._users.get(user), "name") or text_of(profile, "name")
        return self._names.of(user, self._shown(user, profile), username)

    def _shown(self, user: str, profile: dict[str, Any] | None = None) -> str:
        """Returns the first name that is filled in for a user: real name, display name, username; else the id."""
        known = self._users.get(user, {})
        fields = [(object_of(known, "profile"), "real_name"), (known, "real_name"), (profile or {}, "real_name")]
        fields += [(object_of(known, "profile"), "display_name"), (known, "name"), (profile or {}, "name")]
        return next((found for value, key in fields if (found := text_of(value, key).strip())), user)

    def _reference(self, match: re.Match[str]) -> str:
        """Returns the plain text for a reference to a person, a channel, a group or a link."""
        kind, target, label = match.groups()
        if kind == "@":
            return f"@{text_of(self._users.get(target), 'name') or label or target}"
        if kind in ("#", "!"):
            known = next((title[1:] for key, title in self._channels.values() if key == target), target)
            return f"{'#' if kind == '#' else '@'}{label or known.partition('^')[0]}"
        return f"{label} ({target})" if label and label not in target else target


def _attachments(message: Any) -> list[Attachment]:
    """Returns the files of a message with the beginning of their text. A deleted file becomes an empty attachment."""
    return [
        attached(
            name := text_of(file, "name") or text_of(file, "title"),
            mime=text_of(file, "mimetype"),
            caption=title if (title := text_of(file, "title")) != name else "",
            text=text_of(file, "plain_text") or text_of(file, "preview"),
            address=text_of(file, "url_private") or text_of(file, "permalink"),
        )
        for file in list_of(message, "files")
        if isinstance(file, dict)
    ]
