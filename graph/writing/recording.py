"""The hot path: stores dialogue turns and acknowledges them once committed; no model is involved (W1, S3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from hippograph.graph.access.labels import guess
from hippograph.graph.access.parameters import read_params
from hippograph.graph.background import read_apart
from hippograph.graph.checks import (
    MAX_ATTACHMENTS,
    checked_attachment,
    checked_attributes,
    checked_moment,
    checked_name,
    checked_text,
    numbered,
)
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction, bookmarks
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound, QueueFull
from hippograph.graph.ids import derived_id, new_id, token
from hippograph.graph.jobs.queue import APART_MS, quota
from hippograph.graph.model import OLD_DATA, MemoryType, SourceRole, Viewer
from hippograph.graph.retrieval.filters import title_token
from hippograph.graph.writing.group_commit import GroupCommit
from hippograph.graph.writing.memory_properties import (
    DEFAULTS,
    belonging_tokens,
    event_times,
    facets,
    labels_by_place,
)
from hippograph.graph.zones import checked_zone
from hippograph.nlp.attachments import Attachment, with_attachments, words_of_names
from hippograph.nlp.privacy.secrets import redact, redact_behind

TURN_SOURCES: Final = ("conversation", "tool_result")
_MONTHS: Final = [datetime(2000, month, 1, tzinfo=UTC).strftime("%B") for month in range(1, 13)]
_LARGEST_BATCH: Final = 32
_BATCHES_AT_ONCE: Final = 2
_PATIENCE_S: Final = 0.5
_BATCH_TIMEOUT_S: Final = 2.0
_ALONE_TIMEOUT_S: Final = 30.0
_ANNOUNCING: Final = 200
"""Number of characters at the end of a text that may announce a secret in the text that follows it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of a person (`speaker_id`), or with `speaker_id` None of the session's persona.

    Search finds it by its words, its tags, the words of its `attachments`, and its speaker and day. A `title`, for
    texts that were not said in talk, takes the place of speaker and day. There are up to 20 attachments; their texts
    count towards the maximum length. With attachments, `content` may be empty.

    `session_id` names its session: by id, or by the caller's own name for it in this chat and persona; a new name
    begins a session. If `speaker_name` is given, a retry is recognised by it and not by `speaker_id`, since the person
    that it means may change, as by a merge. `narrative` and `task` are the caller's names for what it belongs to.
    `source` says whether it is the output of a tool, `attributes` is a JSON object of the caller. `import_id` is its
    import (`graph.writing.purged`). Its day is that of `time_zone`; with None that of the speaker, the chat or the
    setting, in this order. A turn `aside` is not talk: its new session is closed at once, and ends no other.
    """

    content: str
    speaker_id: str | None
    event_time: datetime | None = None
    session_id: str | None = None
    idempotency_key: str | None = None
    tags: tuple[str, ...] = ()
    title: str | None = None
    speaker_name: str | None = None
    narrative: str | None = None
    task: str | None = None
    source: str = "conversation"
    attributes: object = None
    import_id: str | None = None
    aside: bool = False
    time_zone: str | None = None
    attachments: tuple[Attachment, ...] = ()

    @property
    def characters(self) -> int:
        """Number of characters of the content and of the texts of the attachments."""
        return len(self.content) + sum(len(each.text or "") for each in self.attachments)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of storing a turn: the ids of its memory and session, whether an earlier request had stored it
    (`repeated`), and the number of secrets removed from it (W8).
    """

    memory_id: str
    session_id: str
    repeated: bool
    secrets_removed: int


@dataclass(frozen=True, slots=True)
class Held:
    """The current contents of a document: its session, its import, and the keys of its pieces (`Recorder.keys`)."""

    session_id: str
    import_id: str
    keys: list[str]


class Recorder:
    """Stores dialogue turns. A turn is committed before it is acknowledged."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        session_idle: timedelta,
        max_characters: int,
        clock_skew: timedelta,
        redact_identifiers: bool = False,
        most_waiting: int | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._session_idle = session_idle
        self._max_characters = max_characters
        self._clock_skew = clock_skew
        self._redact_identifiers = redact_identifiers
        self._most_waiting = most_waiting
        self._group_commit = GroupCommit(
            self._commit, largest=_LARGEST_BATCH, at_once=_BATCHES_AT_ONCE, patience_s=_PATIENCE_S
        )

    @property
    def max_characters(self) -> int:
        """Maximum number of characters in the text of one turn."""
        return self._max_characters

    def redact(self, text: str) -> tuple[str, int]:
        """The text without secrets, and the number of secrets removed (W8)."""
        return redact(text, identifiers=self._redact_identifiers)

    def redact_said(self, words: str, attachments: Iterable[Attachment]) -> tuple[str, list[Attachment], int]:
        """The words of a turn and its attachments without secrets, and the number of secrets removed (W8). The text of
        a file is read together with the words, its name and its caption, which may announce a secret in it: "the code
        of the safe" before a photo "4821".
        """
        words, removed = self.redact(words)
        attached, said = [], f"{words[-_ANNOUNCING:]}\n"
        for each in attachments:
            named = f"{words_of_names([each])}:\n"
            captioned = f"{(each.caption or '')[-_ANNOUNCING:]}:\n"
            kept = []
            for part, before in (
                (each.name, ()),
                (each.caption, (said, named)),
                (each.text, (said, named, captioned)),
                (each.address, ()),
            ):
                text = part or ""
                for announcing in ("", *before):
                    text, found = redact_behind(announcing, text, identifiers=self._redact_identifiers)
                    removed += found
                kept.append(text or None)
            attached.append(Attachment(each.kind, *kept))
        return words, attached, removed

    async def record(
        self, viewer: Viewer, chat_id: str, turns: Sequence[Turn], persona_id: str | None = None
    ) -> list[Recorded]:
        """Stores turns of one chat in their order, all of them or none; committed when it returns.

        A turn without a `session_id` joins a session by its own time. A turn with an idempotency key that was used
        before gets the first result. Single turns that arrive at the same time share a transaction; several turns have
        one of their own. An error in one of several turns says which one. Raises `InvalidInput`, `NotAllowed` (words of
        others without the right to record there), `NotFound` (chat, speaker or persona), `Conflict` (the key belongs to
        another turn or a purged one) and `QueueFull` (the queue of the owner or group is full).
        """
        now = self._clock()
        rows = await read_apart(
            sum(turn.characters for turn in turns),
            lambda: self._rows(viewer, chat_id, persona_id, turns, now),
        )
        if len(rows) == 1 and not bookmarks.get():
            # Turns recorded by right share a batch, whoever sends them.
            group = ("" if viewer.rights.may_record_in(chat_id) else viewer.person_id, viewer.rights.serves_all)
            stored = [await self._group_commit.submit((viewer, rows[0]), group)]
            self._raise_refusals(chat_id, turns, stored)
        else:
            stored = await self._store(viewer, chat_id, turns, rows)
        return _recorded(stored, rows)

    async def replace(
        self, viewer: Viewer, chat_id: str, turns: Sequence[Turn], document: Held
    ) -> tuple[list[Recorded], int]:
        """Stores pieces of a document as `record` does, and in the same transaction retires the pieces that it no
        longer holds, with what was found in them alone. Returns the results for the pieces stored, and the number of
        pieces retired. Raises as `record` does.
        """
        now = self._clock()
        rows = await read_apart(
            sum(turn.characters for turn in turns), lambda: self._rows(viewer, chat_id, None, turns, now)
        )
        retiring = {
            "word_key": _word_key(chat_id, None, document.session_id),
            "import_id": document.import_id,
            "kept": document.keys,
        }

        async def store(transaction: Transaction) -> tuple[list[Row], int]:
            stored = await self._stored(transaction, viewer, chat_id, turns, rows) if rows else []
            # The clock is read after taking the lock on the chat: the retired pieces were believed until then.
            [row] = await transaction.run("document/retire", **retiring, **read_params(viewer, None, self._clock))
            return stored, row["retired"]

        stored, retired = await self._database.transaction("document/retire", store)
        return _recorded(stored, rows), retired

    async def _store(self, viewer: Viewer, chat_id: str, turns: Sequence[Turn], rows: Sequence[Row]) -> list[Row]:
        """Stores rows in one transaction, which is rolled back if a turn is refused."""
        return await self._database.transaction(
            "memory/record_turns", lambda transaction: self._stored(transaction, viewer, chat_id, turns, rows)
        )

    async def _stored(
        self, transaction: Transaction, viewer: Viewer, chat_id: str, turns: Sequence[Turn], rows: Sequence[Row]
    ) -> list[Row]:
        stored = await transaction.run("memory/record_turns", **self._parameters(viewer, rows))
        self._raise_refusals(chat_id, turns, stored)
        return stored

    async def _commit(self, items: Sequence[tuple[Viewer, Row]]) -> list[Row]:
        """Stores single turns of one group in one transaction. A refused turn writes nothing; its row says why."""
        params = self._parameters(items[0][0], [row for _, row in items])

        async def store(transaction: Transaction) -> list[Row]:
            return await transaction.run("memory/record_turns", **params)

        # A batch has a short timeout, so that one blocked turn does not hold up the others; each is then stored alone.
        timeout_s = _ALONE_TIMEOUT_S if len(items) == 1 else _BATCH_TIMEOUT_S
        return await self._database.transaction("memory/record_turns", store, timeout_s=timeout_s)

    def parameters(self, viewer: Viewer, chat_id: str, turns: Sequence[Turn]) -> dict[str, Any]:
        """The checked parameters of the Cypher statement of the hot path for these turns. Raises as `record` does."""
        return self._parameters(viewer, self._rows(viewer, chat_id, None, turns, self._clock()))

    def _parameters(self, viewer: Viewer, rows: Sequence[Row]) -> dict[str, Any]:
        return {
            "paces": sorted({row["pace"] for row in rows}),
            "apart": APART_MS,
            "most_waiting": quota(viewer, self._most_waiting),
            "chats": sorted({row["chat_id"] for row in rows}),  # sorted, so that no two transactions deadlock
            "viewer": viewer.person_id,
            "by_right": all(row["by_right"] for row in rows),  # equal for all rows of a transaction
            "turns": rows,
            "now": self._clock(),
            "months": _MONTHS,
            "idle_seconds": int(self._session_idle.total_seconds()),
        }

    def _rows(
        self, viewer: Viewer, chat_id: str, persona_id: str | None, turns: Sequence[Turn], now: datetime
    ) -> list[Row]:
        rows = []
        for number, turn in enumerate(turns, start=1):
            with numbered("turn", number, len(turns)):
                rows.append(self._row(viewer, chat_id, persona_id, turn, now))
        return rows

    def _row(self, viewer: Viewer, chat_id: str, persona_id: str | None, turn: Turn, now: datetime) -> Row:
        content, attached, removed = self._said(turn)
        addresses = [each.address or "" for each in attached]
        event_time = checked_moment(turn.event_time or now, not_after=now + self._clock_skew)
        said_by = _speaker(viewer, chat_id, persona_id, turn)
        by_assistant, speaker = turn.speaker_id is None, turn.speaker_id or persona_id or ""
        memory_id, guessed = new_id(), guess(content)
        identity = {
            "id": memory_id,
            "idempotency_key": self._key(viewer, chat_id, turn) or memory_id,
            "request_hash": _digest(content, turn.speaker_name or speaker, persona_id, turn, addresses),
        }
        tags = [self.redact(checked_text(tag))[0] for tag in turn.tags]
        title = self.redact(checked_text(turn.title))[0] if turn.title is not None else None
        belongs = self._belonging(turn)
        properties = {
            **DEFAULTS,
            **belongs,
            **identity,
            "content": content,
            "confided": guessed.confided or None,
            "type": MemoryType.EPISODIC.value,
            "source": turn.source,
            "source_role": (SourceRole.ASSISTANT if by_assistant else SourceRole.USER).value,
            "tags": tags,
            "secrets_removed": removed,
            **event_times(event_time, now),
            "import_id": turn.import_id,
            "attachments": addresses or None,
        }
        return {
            **identity,
            **said_by,
            "chat_id": chat_id,
            "persona_id": persona_id or "",
            "aside": turn.aside,
            "pace": "live" if event_time >= now - self._session_idle and not turn.aside else "bulk",
            "event_time": event_time,
            "time_zone": checked_zone(turn.time_zone) if turn.time_zone else None,
            "title": title,
            "named": words_of_names(attached) or None,
            **self._session(chat_id, persona_id, turn),
            "facets": [
                *facets(MemoryType.EPISODIC, turn.source, persona_id or "", speaker, tags),
                *belonging_tokens(belongs["narrative_id"], belongs["task_id"]),
                *([title_token(title)] if title else []),
            ],
            **labels_by_place(chat_id, guessed, by_assistant=by_assistant),
            "properties": properties,
        }

    def _session(self, chat_id: str, persona_id: str | None, turn: Turn) -> Row:
        """The parameters for the session that a turn names, and for a new one in case it begins one."""
        session_id = None
        if turn.session_id is not None:
            session_id = checked_name(turn.session_id, identifiers=self._redact_identifiers)
        new_session_id = new_id()
        return {
            "session_id": session_id,
            "word_key": _word_key(chat_id, persona_id, session_id) if session_id is not None else None,
            "new_session_id": new_session_id,
            "session_token": token("session", new_session_id),
        }

    def _said(self, turn: Turn) -> tuple[str, list[Attachment], int]:
        """The text of a turn with the marks of its attachments, the attachments, and the number of secrets removed."""
        limit = self._max_characters
        if not turn.attachments:
            content, removed = self.redact(checked_text(turn.content, limit=limit))
            return content, [], removed
        if len(turn.attachments) > MAX_ATTACHMENTS:
            raise InvalidInput(f"a message has at most {MAX_ATTACHMENTS} attachments; here are {len(turn.attachments)}")
        given = [checked_attachment(each, limit=limit) for each in turn.attachments]
        checked_text(with_attachments(turn.content.strip(), given), limit=limit)
        words, attached, removed = self.redact_said(turn.content.strip(), given)
        return with_attachments(words, attached), attached, removed

    def _belonging(self, turn: Turn) -> Row:
        if turn.source not in (*TURN_SOURCES, OLD_DATA):
            raise InvalidInput(
                f"{turn.source!r} is no source of a turn; choose one of {', '.join(TURN_SOURCES)}", value=turn.source
            )
        identifiers = self._redact_identifiers
        return {
            "narrative_id": checked_name(turn.narrative, identifiers=identifiers) if turn.narrative else "",
            "task_id": checked_name(turn.task, identifiers=identifiers) if turn.task else "",
            "attributes": checked_attributes(turn.attributes, identifiers=identifiers),
        }

    def _raise_refusals(self, chat_id: str, turns: Sequence[Turn], stored: Sequence[Row]) -> None:
        for number, (turn, row) in enumerate(zip(turns, stored, strict=True), start=1):
            with numbered("turn", number, len(turns)):
                self._raise_refusal(chat_id, turn, row["outcome"])

    def _raise_refusal(self, chat_id: str, turn: Turn, outcome: str) -> None:
        match outcome:
            case "unknown_chat":
                raise NotFound(f"there is no chat {chat_id}")
            case "not_own":
                raise NotAllowed("this credential speaks as a persona in private chats of its own person alone")
            case "conflict" | "purged":
                why = "was used for another turn" if outcome == "conflict" else "stood for a turn that was purged"
                raise Conflict(f"the idempotency key {turn.idempotency_key!r} {why}; use a new one")
            case "unknown_speaker":
                raise NotFound(f"nobody called {turn.speaker_id or 'that persona'} takes part in chat {chat_id}")
            case "unknown_persona":
                raise NotFound("there is no such persona")
            case "queue_full":
                assert self._most_waiting is not None
                raise QueueFull(self._most_waiting)

    def keys(self, viewer: Viewer, chat_id: str, turns: Sequence[Turn]) -> list[str | None]:
        """The hashes that identify turns in a chat; None for a turn without an idempotency key."""
        return [self._key(viewer, chat_id, turn) for turn in turns]

    # Without a caller's key the memory id serves as one: if the driver retries a commit that got no answer, the retry
    # finds what the first try stored.
    @staticmethod
    def _key(viewer: Viewer, chat_id: str, turn: Turn) -> str | None:
        if turn.idempotency_key is None:
            return None
        return derived_id(chat_id, viewer.person_id, checked_text(turn.idempotency_key))


def _recorded(stored: Sequence[Row], rows: Sequence[Row]) -> list[Recorded]:
    return [
        Recorded(row["id"], row["session_id"], row["outcome"] == "repeated", given["properties"]["secrets_removed"])
        for row, given in zip(stored, rows, strict=True)
    ]


def _word_key(chat_id: str, persona_id: str | None, session: str) -> str:
    """The key of a session that has a name of the caller's."""
    return f"{chat_id}|{persona_id or ''}|{session}"


def _speaker(viewer: Viewer, chat_id: str, persona_id: str | None, turn: Turn) -> Row:
    """The speaker of a turn, and by which right it is recorded: to record in all chats or this one, or to speak as the
    persona in a private chat of its own person (P5). Raises `InvalidInput` without a speaker, and `NotAllowed` for
    words of others without the right to record them.
    """
    by_assistant, by_right = turn.speaker_id is None, viewer.rights.may_record_in(chat_id)
    if by_assistant and persona_id is None:
        raise InvalidInput("a turn needs a speaker: name a person, or the persona for the assistant's own words")
    speaks = by_assistant and persona_id == viewer.rights.speaks_as
    if not by_right and not speaks and turn.speaker_id != viewer.person_id:
        raise NotAllowed("somebody else said that: it needs the right to record in this chat")
    return {
        "speaker_id": turn.speaker_id,
        "by_assistant": by_assistant,
        "by_right": by_right,
        "in_own_chat": speaks and not by_right,
    }


def _digest(content: str, speaker: str, persona_id: str | None, turn: Turn, addresses: Sequence[str]) -> str:
    """The hash that tells apart two different requests with one idempotency key."""
    parts = (
        content,
        speaker,
        persona_id,
        turn.title,
        turn.session_id,
        turn.event_time and turn.event_time.isoformat(),
        turn.tags,
        *((turn.narrative, turn.task, turn.source, turn.attributes) if _belongs(turn) else ()),
        *addresses,
    )
    return blake2b(repr(parts).encode("utf-8"), digest_size=16).hexdigest()


def _belongs(turn: Turn) -> bool:
    return bool(turn.narrative or turn.task or turn.attributes or turn.source != TURN_SOURCES[0])
