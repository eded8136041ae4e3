"""Import of dialogues and passages from files, in the format of public evaluation sets and of our sample.

An import can be interrupted and run again. The id of every chat, person, session and turn follows from the account
that imports, the name of the file and the ids in it, so existing ones are recognised and nothing is stored twice. A
file that has grown is the same file; a different file of the same name has to be imported under another name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hippograph.graph.background import read_apart
from hippograph.graph.checks import MAX_ATTACHMENTS
from hippograph.graph.errors import Conflict, HippographError, InvalidInput, NotFound
from hippograph.graph.ids import derived_id
from hippograph.graph.model import ChatKind, ExtractionMode, Report, Viewer
from hippograph.graph.people.people import Member, People
from hippograph.graph.people.spaces import Spaces
from hippograph.graph.writing.dialogue_file import (
    PASSAGES,
    DialogueFile,
    FileDialogue,
    FilePassage,
    FilePerson,
    check,
    names_of,
)
from hippograph.graph.writing.purged import PurgedKeys, import_id
from hippograph.graph.writing.recording import Recorded, Recorder, Turn
from hippograph.nlp.attachments import Attachment, with_attachments
from hippograph.nlp.splitting import split_text

BATCH: Final = 200


@dataclass(frozen=True, slots=True)
class RefusedTurn:
    """A turn that could not be stored: the id of its dialogue, its id there, and the reason."""

    dialogue: str
    turn: str
    reason: str


@dataclass(slots=True)
class Imported:
    """The result of an import: chat ids by dialogue id, memory ids by dialogue id and turn id, and numbers of turns.

    `purged` turns were left out because they had been purged since an earlier import. `blank` turns and passages have
    no text, as in transcripts of silence; they are left out. `split` ones were too long for one turn; the memory of
    such a turn is that of its first part. `refused` are the turns that could not be stored, if the import goes on
    without them (`leave_out`).
    """

    chats: dict[str, str] = field(default_factory=dict)
    memories: dict[str, dict[str, str]] = field(default_factory=dict)
    recorded: int = 0
    repeated: int = 0
    purged: int = 0
    blank: int = 0
    split: int = 0
    secrets_removed: int = 0
    refused: list[RefusedTurn] = field(default_factory=list)

    @property
    def done(self) -> int:
        """Number of turns that were processed."""
        return self.recorded + self.repeated + self.purged + len(self.refused)


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn from the file, or a part of one that was split. `id` is its id in the file, `speaker` the name of its
    speaker there (None: the viewer, of a passage). `secrets_removed` counts the secrets removed before splitting.
    `first` is the id of the first part, for a later part.
    """

    id: str
    speaker: str | None
    turn: Turn
    secrets_removed: int = 0
    first: str | None = None


@dataclass(frozen=True, slots=True)
class _Recording:
    """The settings and state for recording the turns of one dialogue. `speakers` maps names in the file to person ids
    (None: the assistant), `firsts` the ids of later parts of split turns to those of their first parts. `refused` holds
    the ids of refused turns. For `leave_out` and `bring_back` see `Importer.run`.
    """

    viewer: Viewer
    dialogue: FileDialogue
    chat: str
    persona: str | None
    speakers: Mapping[str, str | None]
    import_id: str
    time_zone: str | None
    leave_out: bool
    bring_back: bool
    firsts: Mapping[str, str]
    refused: set[str] = field(default_factory=set)

    def turn(self, item: _Said) -> Turn:
        """A turn from the file, as a turn of the chat."""
        speaker = self.viewer.person_id if item.speaker is None else self.speakers[item.speaker]
        word = item.turn.session_id
        session = session_word(self.chat, word) if word is not None else None
        return replace(
            item.turn,
            speaker_id=speaker,
            speaker_name=item.speaker,
            session_id=session,
            import_id=self.import_id,
            time_zone=self.time_zone,
        )


class Importer:
    """Imports files; records their turns with the `Recorder`, like all others."""

    def __init__(self, people: People, spaces: Spaces, recorder: Recorder, purged: PurgedKeys) -> None:
        self._people = people
        self._spaces = spaces
        self._recorder = recorder
        self._purged = purged

    async def run(
        self,
        viewer: Viewer,
        name: str,
        content: DialogueFile,
        *,
        me: str | None = None,
        mapping: Mapping[str, str] | None = None,
        extraction: ExtractionMode = ExtractionMode.ALL,
        time_zone: str | None = None,
        leave_out: bool = False,
        bring_back: bool = False,
        progress: Report | None = None,
    ) -> Imported:
        """Imports a file called `name`. The same name and ids are the same turns, however often the import runs.

        The people of a file become new people, except in three cases. A person with a username in the file is whoever
        has that username here. `mapping` maps names in the file to names or @usernames here. `me` is the name of the
        viewer in the file. People who have the same name as somebody here are suggested to be the same (W7). If a
        dialogue lists no participants, its speakers take part, and in a group the viewer too.

        A text that is too long for one turn becomes several, in order, tagged "part 1 of 3". `extraction` holds for
        chats that do not exist yet (for the transcript of a meeting: what people say of themselves). `time_zone` is the
        zone of the turns; None is that of the accounts. `progress` gets the number of turns done, the total, and the
        title of the dialogue. With `leave_out` a turn that cannot be stored, such as one that was edited since an
        earlier import, is left out; without it the import ends there. Purged turns are left out, unless `bring_back` is
        set. If the viewer looks within a space, chats without turns are put into it; others stay where they are.

        Raises `InvalidInput` for what `check` refuses or for a name in `mapping` that is not in the file, and
        `NotFound` for one that nobody has here, before anything is written.
        """
        check(content, mapping)
        imported, dialogues = await self._read(name, content)
        total = sum(len(said) for _, said in dialogues)
        file_people = {person.name: person for person in content.people}
        people = await self._known(viewer, content, me, mapping or {})
        for dialogue, said in dialogues:
            speakers = await self._speakers(viewer, name, dialogue, file_people, people)
            chat, persona = await self._chat(viewer, name, dialogue, speakers, extraction)
            imported.chats[dialogue.id] = chat
            recording = _Recording(
                viewer,
                dialogue,
                chat,
                persona,
                speakers,
                import_id(viewer.person_id, name),
                time_zone,
                leave_out,
                bring_back,
                firsts={item.id: item.first for item in said if item.first is not None},
            )
            for start in range(0, len(said), BATCH):
                await self._store(recording, said[start : start + BATCH], imported)
                if progress:
                    progress(imported.done, total, dialogue.title or dialogue.id)
        return imported

    async def _read(self, name: str, content: DialogueFile) -> tuple[Imported, list[tuple[FileDialogue, list[_Said]]]]:
        """A result with the counts of blank and split turns; the dialogues with their turns, none blank or too long."""
        read = [(dialogue, _said(dialogue)) for dialogue in content.dialogues]
        if content.passages:
            reading = FileDialogue(id=PASSAGES, title=name, turns=[])
            read.append((reading, _read_out(content.passages)))
        spoken = [
            (dialogue, [item for item in said if item.turn.content.strip() or item.turn.attachments])
            for dialogue, said in read
        ]
        limit = self._recorder.max_characters
        dialogues = [
            (dialogue, [part for item in said for part in await _parts(item, limit, self._recorder.redact_said)])
            for dialogue, said in spoken
        ]
        imported = Imported(
            blank=sum(len(said) for _, said in read) - sum(len(said) for _, said in spoken),
            split=sum(_is_long(item.turn, limit) for _, said in spoken for item in said),
        )
        return imported, dialogues

    async def _chat(
        self,
        viewer: Viewer,
        file: str,
        dialogue: FileDialogue,
        speakers: Mapping[str, str | None],
        extraction: ExtractionMode,
    ) -> tuple[str, str | None]:
        """The ids of the chat that a dialogue becomes and of its persona; both are created if they do not exist."""
        named = self._recorder.redact(dialogue.persona)[0] if dialogue.persona else None
        persona = await self._people.create_persona(viewer, named) if named else None
        made = await self._people.create_chat(
            viewer,
            dialogue.kind,
            self._recorder.redact(dialogue.title or dialogue.id)[0],
            _members(viewer, dialogue, speakers),
            chat_id=chat_id(viewer, file, dialogue.id),
            extraction=dialogue.extraction or extraction,
        )
        await self._spaces.place_new_chat(viewer, made)
        return made.id, persona.id if persona else None

    async def _store(self, recording: _Recording, batch: list[_Said], imported: Imported) -> None:
        """Records some turns of a dialogue, and adds the results to `imported`."""
        turns = [recording.turn(item) for item in batch]
        left, turns = await self._unpurged(recording, batch, turns)
        imported.purged += len(batch) - len(left)
        stored = await self._record(recording, turns, imported) if turns else []
        memories = imported.memories.setdefault(recording.dialogue.id, {})
        for item, what in zip(left, stored, strict=True):
            if what is None:
                continue
            memories[item.id] = what.memory_id
            imported.repeated += what.repeated
            imported.recorded += not what.repeated
            imported.secrets_removed += what.secrets_removed + item.secrets_removed

    async def _unpurged(
        self, recording: _Recording, batch: list[_Said], turns: list[Turn]
    ) -> tuple[list[_Said], list[Turn]]:
        """The turns of a batch that were not purged; with `bring_back` all, and their hashes are released."""
        keys = self._recorder.keys(recording.viewer, recording.chat, turns)
        asked = [key for key in keys if key]
        if recording.bring_back:
            await self._purged.release(asked)
            return batch, turns
        purged = await self._purged.among(asked)
        left = [place for place, key in enumerate(keys) if key not in purged]
        return [batch[place] for place in left], [turns[place] for place in left]

    async def _record(
        self, recording: _Recording, turns: Sequence[Turn], imported: Imported, *, joined: bool = False
    ) -> list[Recorded | None]:
        """Records turns; returns None for a refused one. Refused turns are found by halving the batch. The later parts
        of a refused turn are refused too, so that no text is stored without its beginning.
        """
        later = [recording.firsts.get(str(turn.idempotency_key)) in recording.refused for turn in turns]
        if any(later):
            parts = [turn for turn, is_later in zip(turns, later, strict=True) if is_later]
            rest = [turn for turn, is_later in zip(turns, later, strict=True) if not is_later]
            for part in parts:
                imported.refused.append(_refused(recording, part, "its first part was refused"))
            stored = iter(await self._record(recording, rest, imported) if rest else [])
            return [None if is_later else next(stored) for is_later in later]
        try:
            return list(await self._recorder.record(recording.viewer, recording.chat, turns, recording.persona))
        except (InvalidInput, NotFound, Conflict) as error:
            may_join = isinstance(error, NotFound) and recording.dialogue.kind is ChatKind.GROUP and not joined
            if not (recording.leave_out or may_join):
                raise
            if len(turns) > 1:
                half = len(turns) // 2
                first = await self._record(recording, turns[:half], imported)
                return first + await self._record(recording, turns[half:], imported)
            [turn] = turns
            if may_join and turn.speaker_id:
                # A speaker who is new in a grown file joins the chat at the time of the turn.
                await self._people.join_chat(recording.viewer, recording.chat, turn.speaker_id, turn.event_time)
                return await self._record(recording, turns, imported, joined=True)
            if not recording.leave_out:
                raise
            recording.refused.add(str(turn.idempotency_key))
            imported.refused.append(_refused(recording, turn, _refusal(error)))
            return [None]

    async def _known(
        self, viewer: Viewer, content: DialogueFile, me: str | None, mapping: Mapping[str, str]
    ) -> dict[str, str]:
        """The ids of the people whom `mapping` and `me` identify, by their names in the file."""
        named = {name for dialogue in content.dialogues for name in names_of(dialogue)}
        for name in mapping:
            if name not in named:
                raise InvalidInput(f"nobody in the file is called {name!r}; there are {', '.join(sorted(named)[:20])}")
        known = {name: (await self._people.called(viewer, called)).id for name, called in mapping.items()}
        return known | ({me: viewer.person_id} if me else {})

    async def _speakers(
        self,
        viewer: Viewer,
        file: str,
        dialogue: FileDialogue,
        file_people: Mapping[str, FilePerson],
        people: dict[str, str],
    ) -> dict[str, str | None]:
        """The ids of the people of a dialogue by their names in the file; None for the assistant.

        `people` holds the ids from earlier dialogues and is added to: a name is one person throughout a file.
        """
        names = names_of(dialogue)
        for name in names:
            if name not in people and name != dialogue.persona:
                people[name] = await self._person(viewer, file, file_people.get(name) or FilePerson(name))
        return {name: None if name == dialogue.persona else people[name] for name in names}

    async def _person(self, viewer: Viewer, file: str, person: FilePerson) -> str:
        username = person.username
        if username is not None and (known := await self._people.with_username(username)):
            return known.id
        made = derived_id("person", viewer.person_id, file, person.id or person.name)
        handles = [username] if username is not None else []
        shown = self._recorder.redact(person.name)[0]
        try:
            return (await self._people.create_person(viewer, shown, usernames=handles, person_id=made)).id
        except Conflict:  # somebody has this username, but nobody vouches for it: not taken for the person of the file
            return (await self._people.create_person(viewer, shown, person_id=made)).id


def chat_id(viewer: Viewer, file: str, dialogue: str) -> str:
    """The id of the chat that a dialogue of a file becomes when this viewer imports it."""
    return derived_id("chat", viewer.person_id, file, dialogue)


def session_word(chat: str, session: str) -> str:
    """The name of a session in its chat. It is a hash, since the name in the file may be any text."""
    return derived_id("session", chat, session)


def _refused(recording: _Recording, turn: Turn, why: str) -> RefusedTurn:
    return RefusedTurn(recording.dialogue.id, str(turn.idempotency_key), why)


def _refusal(error: HippographError) -> str:
    return "it was imported before, in other words or under another name" if isinstance(error, Conflict) else str(error)


def _said(dialogue: FileDialogue) -> list[_Said]:
    said = []
    for turn in dialogue.turns:
        session = None if turn.session is None else str(turn.session)
        words = Turn(
            turn.text,
            None,
            turn.time,
            session_id=session,
            idempotency_key=turn.id,
            tags=tuple(turn.tags),
            narrative=turn.narrative,
            task=turn.task,
            source=turn.source,
            attributes=turn.attributes,
            attachments=tuple(turn.attachments),
        )
        said.append(_Said(turn.id, turn.speaker, words))
    return said


def _read_out(passages: Sequence[FilePassage]) -> list[_Said]:
    """The passages as turns, each in a session of its own, since neighbours in the file are unrelated."""
    return [
        _Said(p.id, None, Turn(p.text, None, session_id=p.id, idempotency_key=p.id, title=p.title)) for p in passages
    ]


_Redact = Callable[[str, Sequence[Attachment]], tuple[str, list[Attachment], int]]
"""The type of `Recorder.redact_said`."""


async def _parts(item: _Said, limit: int, redact: _Redact) -> list[_Said]:
    """The turn, or its parts if it is too long. The ids of later parts end in their number (`#2`).

    Secrets are removed before splitting, since a cut through a secret would hide it.
    """
    if not _is_long(item.turn, limit):
        return [item]
    said, removed = await read_apart(item.turn.characters, lambda: _split(item.turn, limit, redact))
    parts = []
    for number, (text, attached) in enumerate(said, start=1):
        part_id = item.id if number == 1 else f"{item.id}#{number}"
        tags = (*item.turn.tags, f"part {number} of {len(said)}")
        turn = replace(item.turn, content=text, attachments=attached, idempotency_key=part_id, tags=tags)
        first = number == 1
        parts.append(_Said(part_id, item.speaker, turn, removed if first else 0, None if first else item.id))
    return parts


def _is_long(turn: Turn, limit: int) -> bool:
    """Whether a turn has too many characters or attachments to be stored as one."""
    content = with_attachments(turn.content.strip(), turn.attachments)
    return len(content) > limit or len(turn.attachments) > MAX_ATTACHMENTS


_Attached = tuple[Attachment, ...]


def _split(turn: Turn, limit: int, redact: _Redact) -> tuple[list[tuple[str, _Attached]], int]:
    """Splits a turn into parts: its words, then its attachments. A long text of an attachment becomes several
    attachments of the same name. Returns the parts and the number of secrets removed.
    """
    content, attachments, removed = redact(turn.content, turn.attachments)
    parts: list[tuple[str, _Attached]] = [(text, ()) for text in split_text(content, limit)]
    for attached in attachments:
        bare = replace(attached, text=None)
        # n characters take up to 2n + 1 when quoted (lines of one character), after one line break.
        room = max(1, (limit - len(with_attachments("", [bare])) - 2) // 2)
        texts = split_text(attached.text or "", room)
        first = replace(attached, text=next(iter(texts), None))
        for piece in [first, *(replace(bare, caption=None, text=each) for each in texts[1:])]:
            words, before = parts[-1] if parts else ("", ())
            together = (*before, piece)
            if parts and not _is_long(replace(turn, content=words, attachments=together), limit):
                parts[-1] = words, together
            else:
                parts.append(("", (piece,)))
    return parts, removed


def _members(viewer: Viewer, dialogue: FileDialogue, speakers: Mapping[str, str | None]) -> list[Member]:
    first = min((turn.time for turn in dialogue.turns), default=None)
    if dialogue.participants:
        stretches = [(speakers[member.name], member) for member in dialogue.participants]
        return [Member(person, m.since or first, m.until) for person, m in stretches if person is not None]
    mine = [viewer.person_id] if dialogue.kind is ChatKind.GROUP else []
    people = dict.fromkeys([*speakers.values(), *mine])
    return [Member(person, first) for person in people if person is not None]
