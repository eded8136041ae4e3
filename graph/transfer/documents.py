"""Import of documents, identified by their names: importing a changed one replaces only what changed (W11).

Each document is a session of a chat, either a given one or one for the documents alone. Each piece is a turn of it, but
not talk (`Turn.aside`). A piece is recognised by its text, its headings, and the names of its document and folder.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from hippograph.graph.background import read_apart
from hippograph.graph.database import Database
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import derived_id
from hippograph.graph.model import OLD_DATA, ChatKind, ExtractionMode, Report, Viewer
from hippograph.graph.people.people import Member, People
from hippograph.graph.people.spaces import Spaces
from hippograph.graph.transfer.formats.reading import Document, Skipped
from hippograph.graph.writing.importing import chat_id
from hippograph.graph.writing.purged import PurgedKeys, import_id
from hippograph.graph.writing.recording import Held, Recorder, Turn
from hippograph.nlp.splitting import split_text

MOST_PIECES: Final = 1_000
"""Maximum number of pieces of a document. It is stored in one commit, which takes seconds at this size."""
_DOCUMENTS: Final = "documents"
"""Dialogue id from which the id of a folder's own chat is derived (`chat_id`)."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The result of importing a document: the number of pieces that were stored, that were there already, that were
    retired, and that were left out because they had been purged; and the number of secrets removed.
    """

    name: str
    recorded: int = 0
    repeated: int = 0
    retired: int = 0
    purged: int = 0
    secrets_removed: int = 0


@dataclass(slots=True)
class ImportedDocuments:
    """The results of an import: imported documents, refused ones, names of earlier ones that are `gone`, and of those
    among them that were `pruned`.
    """

    documents: list[Replaced] = field(default_factory=list)
    refused: list[Skipped] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)


class DocumentImporter:
    """Imports documents, each in one commit."""

    def __init__(self, database: Database, people: People, spaces: Spaces, recorder: Recorder) -> None:
        self._database = database
        self._people = people
        self._spaces = spaces
        self._recorder = recorder
        self._purged = PurgedKeys(database)

    async def run(
        self,
        viewer: Viewer,
        name: str,
        documents: Sequence[Document],
        progress: Report | None = None,
        *,
        extraction: ExtractionMode = ExtractionMode.ALL,
        bring_back: bool = False,
        own_words: bool = False,
    ) -> ImportedDocuments:
        """Imports documents of a folder called `name`. A document is recognised by the name of the folder and its own.

        They belong to the viewer's current chat; without one, to a private chat of the viewer named like the folder. If
        that chat is created, it gets this `extraction` and the viewer's space. Purged pieces are left out, except with
        `bring_back`. Extraction attributes the text to nobody; with `own_words` it is read as talk of the viewer.
        """
        done, chat = ImportedDocuments(), await self._chat(viewer, name, extraction)
        for number, document in enumerate(documents, start=1):
            try:
                replaced = await self._replace(viewer, name, chat, document, bring_back=bring_back, own_words=own_words)
                done.documents.append(replaced)
            except InvalidInput as error:
                done.refused.append(Skipped(document.name, str(error)))
            if progress:
                progress(number, len(documents), document.name)
        return done

    async def gone(self, viewer: Viewer, name: str, there: Collection[str]) -> list[str]:
        """Returns the names of documents imported earlier and not `there` now."""
        chat, redact = viewer.chat_id or chat_id(viewer, name, _DOCUMENTS), self._recorder.redact
        rows = await self._database.run("document/list", chat=chat, import_id=import_id(viewer.person_id, name))
        known = {redact(path)[0] for path in there}
        return [str(row["name"]) for row in rows if row["name"] not in known]

    async def prune(self, viewer: Viewer, name: str, gone: Iterable[str]) -> list[str]:
        """Retires documents that are `gone`, each in a commit. Returns the names of those that were retired: a viewer
        who has left a group retires none there.
        """
        chat, pruned = viewer.chat_id or chat_id(viewer, name, _DOCUMENTS), []
        for document in gone:
            _, retired = await self._recorder.replace(viewer, chat, [], self._held(viewer, name, document))
            if retired:
                pruned.append(document)
        return pruned

    async def _chat(self, viewer: Viewer, name: str, extraction: ExtractionMode) -> str:
        if viewer.chat_id:
            return viewer.chat_id
        made = await self._people.create_chat(
            viewer,
            ChatKind.PRIVATE,
            self._recorder.redact(name)[0],
            [Member(viewer.person_id)],
            chat_id=chat_id(viewer, name, _DOCUMENTS),
            extraction=extraction,
        )
        await self._spaces.place_new_chat(viewer, made)
        return made.id

    async def _replace(
        self, viewer: Viewer, name: str, chat: str, document: Document, *, bring_back: bool, own_words: bool
    ) -> Replaced:
        called = self._recorder.redact(document.name)[0]
        held = self._held(viewer, name, called)
        turns, removed = await read_apart(
            sum(len(piece.text) for piece in document.pieces),
            lambda: self._turns(viewer, name, replace(document, name=called), held.session_id, own_words=own_words),
        )
        if len(turns) > MOST_PIECES:
            raise InvalidInput(f"a document has at most {MOST_PIECES} paragraphs and list items: make several of it")
        keys = [str(key) for key in self._recorder.keys(viewer, chat, turns)]
        if bring_back:
            await self._purged.release(keys)
        purged = await self._purged.among(keys)
        left = [turn for turn, key in zip(turns, keys, strict=True) if key not in purged]
        stored, retired = await self._recorder.replace(viewer, chat, left, replace(held, keys=keys))
        repeated = sum(one.repeated for one in stored)
        return Replaced(called, len(stored) - repeated, repeated, retired, len(turns) - len(left), removed)

    @staticmethod
    def _held(viewer: Viewer, name: str, document: str) -> Held:
        """Returns a document without pieces."""
        session = derived_id("document", viewer.person_id, name, document)
        return Held(session, import_id(viewer.person_id, name), [])

    def _turns(
        self, viewer: Viewer, name: str, document: Document, session: str, *, own_words: bool
    ) -> tuple[list[Turn], int]:
        """Returns the pieces as turns, long ones split and repeated ones once, and the number of secrets removed."""
        title, turns, secrets = PurePosixPath(document.name).stem, {}, 0
        for piece in document.pieces:
            text, removed = self._recorder.redact(piece.text)
            secrets += removed
            for part in split_text(text, self._recorder.max_characters):
                key = derived_id("own" if own_words else "piece", name, document.name, *piece.headings, part)
                turns[key] = Turn(
                    part,
                    viewer.person_id,
                    piece.day,
                    session_id=session,
                    idempotency_key=key,
                    tags=(title, *piece.headings) if own_words else piece.headings,
                    title=None if own_words else title,
                    narrative=document.name,
                    source=OLD_DATA,
                    import_id=import_id(viewer.person_id, name),
                    time_zone="UTC" if piece.day else None,  # the day of a piece is a date; it begins in UTC
                    aside=True,
                )
        return list(turns.values()), secrets
