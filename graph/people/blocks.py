"""Blocks of working memory (S2): named texts that a person and a persona share and update.

A block belongs to one person and one persona (or none), and nobody else reads it. It is in the contexts of groups only
if it is marked for them (P6). Each write increments its `version`. A caller that overwrites a block gives the version
that it read, so that concurrent writes are not lost.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import request_params
from hippograph.graph.checks import checked_key, checked_name, refuse_secrets
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import Conflict, InvalidInput, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import Viewer
from hippograph.graph.people.people import check_persona

MAX_NAME: Final = 100
MAX_DESCRIPTION: Final = 500
MAX_CONTENT: Final = 4_000
MOST_BLOCKS: Final = 100


@dataclass(frozen=True, slots=True)
class Block:
    """A named block of working memory (M9). `version` begins at 1; `for_groups` adds it to the contexts of groups."""

    id: str
    name: str
    content: str
    description: str | None
    persona_id: str | None
    for_groups: bool
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class _Text:
    """The writable fields of a block."""

    content: str
    description: str | None
    for_groups: bool


_Change = Callable[[Block | None], _Text]


class Blocks:
    """Reads and writes the blocks of the viewer with the viewer's persona."""

    def __init__(
        self, database: Database, clock: Clock, *, max_characters: int = MAX_CONTENT, refuse_identifiers: bool = False
    ) -> None:
        self._database = database
        self._clock = clock
        self._max_characters = max_characters
        self._refuse_identifiers = refuse_identifiers

    async def all(self, viewer: Viewer) -> list[Block]:
        """All blocks, sorted by name. Raises `NotFound` for an unknown persona."""
        await check_persona(self._database, viewer.persona_id)
        return await self._read(viewer, None)

    async def for_context(self, viewer: Viewer) -> list[Block]:
        """The blocks for a context where the viewer is, sorted by name. The caller has checked the persona."""
        return await self._read(viewer, None, for_context=True)

    async def read(self, viewer: Viewer, name: str) -> Block | None:
        """The block of this name, or None. Raises `InvalidInput` for an invalid name and `NotFound` for an unknown
        persona.
        """
        name = checked_key(name, limit=MAX_NAME)
        await check_persona(self._database, viewer.persona_id)
        found = await self._read(viewer, name)
        return found[0] if found else None

    async def write(
        self,
        viewer: Viewer,
        name: str,
        content: str,
        *,
        description: str | None = None,
        for_groups: bool | None = None,
        version: int | None = None,
    ) -> Block:
        """Writes a new block, or overwrites the given version of an existing one. A `description` or `for_groups` of
        None keeps the present value; a new block is not for groups. If nothing would change, nothing is written,
        whatever the `version`.

        Raises `InvalidInput`, `NotFound` for an unknown persona or a version of a block that does not exist, and
        `Conflict` if the block has another version, or exists and no version was given.
        """
        content = self._checked(content)
        said = None
        if description is not None:
            said = checked_name(description, identifiers=self._refuse_identifiers, limit=MAX_DESCRIPTION)

        def change(block: Block | None) -> _Text:
            before = _text(block)
            marked = before.for_groups if for_groups is None else for_groups
            text = _Text(content, said or before.description, marked)
            if block is None or text != before:
                _check_version(name, block, version)
            return text

        return await self._change(viewer, name, change)

    async def append(self, viewer: Viewer, name: str, text: str) -> Block:
        """Appends a line to a block, or creates the block. Raises `InvalidInput` and `NotFound` as `write` does."""
        text = self._checked(text)
        return await self._change(
            viewer,
            name,
            lambda block: _with(block, f"{block.content}\n{text}") if block else replace(_text(None), content=text),
        )

    async def replace(self, viewer: Viewer, name: str, old: str, new: str) -> Block:
        """Replaces words that a block holds exactly once; an empty `new` removes them.

        Raises `InvalidInput` as `write` does and for words that are empty or occur several times, `NotFound` for a
        block that does not exist, and `Conflict` if it does not hold the words, perhaps not any more.
        """
        if not old:
            raise InvalidInput("say which words to replace", value=old)

        def change(block: Block | None) -> _Text:
            if block is None:
                raise NotFound(f"there is no block {name}")
            times = block.content.count(old)
            if not times:
                raise Conflict(f"block {name} does not hold these words now (version {block.version}): read it again")
            if times > 1:
                raise InvalidInput(
                    f"block {name} holds these words {times} times; give more of what is around", value=old
                )
            return _with(block, block.content.replace(old, new))

        return await self._change(viewer, name, change)

    async def delete(self, viewer: Viewer, name: str, *, version: int | None = None) -> Block | None:
        """Deletes a block and returns it as it was; None if there is none. Raises `NotFound` for an unknown persona,
        and `Conflict` if a version was given and the block has another.
        """
        name = checked_key(name, limit=MAX_NAME)

        async def work(transaction: Transaction) -> Block | None:
            block, _ = await self._lock(transaction, viewer, name)
            if block is None:
                return None
            if version is not None:
                _check_version(name, block, version)
            await transaction.run("block/delete", key=_key(viewer, name), now=self._clock())
            return block

        return await self._database.transaction("block/delete", work)

    async def _read(self, viewer: Viewer, name: str | None, *, for_context: bool = False) -> list[Block]:
        rows = await self._database.run(
            "block/list", name=name, for_context=for_context, **request_params(viewer, None, self._clock)
        )
        return [_block(row["block"]) for row in rows]

    async def _change(self, viewer: Viewer, name: str, change: _Change) -> Block:
        """Writes what `change` makes of a block, unless the block holds that already."""
        name = checked_key(name, limit=MAX_NAME)
        refuse_secrets(name, identifiers=self._refuse_identifiers)

        async def work(transaction: Transaction) -> Block:
            block, count = await self._lock(transaction, viewer, name)
            text = change(block)
            if block is None and count >= MOST_BLOCKS:
                raise InvalidInput(f"there are {MOST_BLOCKS} blocks already: delete one, or append to one")
            if block is not None and text == _text(block):
                return block
            [row] = await transaction.run(
                "block/write",
                viewer=viewer.person_id,
                persona=viewer.persona_id or "",
                space=viewer.space_id or "",
                key=_key(viewer, name),
                id=new_id(),
                name=name,
                content=self._checked(text.content),
                description=text.description,
                for_groups=text.for_groups,
                version_id=new_id(),
                now=self._clock(),
            )
            return _block(row["block"])

        return await self._database.transaction("block/write", work)

    async def _lock(self, transaction: Transaction, viewer: Viewer, name: str) -> tuple[Block | None, int]:
        """The block, or None, and how many blocks there are. A lock on the person keeps others from changing their
        blocks until the transaction ends. Raises `NotFound` for an unknown person or persona.
        """
        params = request_params(viewer, None, self._clock)
        rows = await transaction.run("block/lock", key=_key(viewer, name), **params)
        if not rows:
            raise NotFound(f"there is no person {viewer.person_id}")
        if not rows[0]["persona_known"]:
            raise NotFound("there is no such persona")
        return _block(rows[0]["block"]) if rows[0]["block"] else None, rows[0]["blocks"]

    def _checked(self, content: str) -> str:
        return checked_name(content, identifiers=self._refuse_identifiers, limit=self._max_characters)


def _check_version(name: str, block: Block | None, version: int | None) -> None:
    if block is None and version is not None:
        raise NotFound(f"there is no block {name}, of any version: leave the version out to write a new one")
    if block is not None and version is None:
        raise Conflict(f"block {name} is there already: read it and give its version, which is {block.version} now")
    if block is not None and block.version != version:
        raise Conflict(
            f"block {name} was written meanwhile: version {version} was given and {block.version} is there; "
            "read it again and write what is to stay of both"
        )


def _with(block: Block, content: str) -> _Text:
    return replace(_text(block), content=content)


def _text(block: Block | None) -> _Text:
    """The writable fields of a block; empty for None."""
    return _Text(block.content, block.description, block.for_groups) if block else _Text("", None, for_groups=False)


def _key(viewer: Viewer, name: str) -> str:
    of = [viewer.person_id, viewer.persona_id or "", name]
    return "|".join([*of, *([viewer.space_id] if viewer.space_id else [])])


def _block(row: Row) -> Block:
    return Block(
        id=row["id"],
        name=row["name"],
        content=row["content"],
        description=row.get("description"),
        persona_id=row["persona_id"] or None,
        for_groups=row.get("for_groups", False),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
