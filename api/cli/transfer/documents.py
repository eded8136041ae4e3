"""Documents in `hippograph import`: imports them, prints what changed, and watches for further changes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hippograph.api.cli.data import show_skipped, until_searchable
from hippograph.api.cli.output import counted, err, out, print_json, progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection

    from hippograph.graph.model import ExtractionMode
    from hippograph.graph.transfer.documents import ImportedDocuments
    from hippograph.graph.transfer.formats.reading import Document, Reading

Stamps = dict[str, tuple[int, int]]
"""Modification time (in nanoseconds) and size (in bytes) of each file, by its path."""
_LOOK_EVERY_S: Final = 1.0
_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options of the command. `chat`, `prune` and `own_words` (`--mine`) are only for documents."""

    extraction: ExtractionMode
    chat: str | None
    space: str | None
    bring_back: bool
    prune: bool
    own_words: bool
    wait: bool
    json: bool


async def import_documents(
    settings: Any, name: str, versions: AsyncIterator[Reading], given: ImportOptions, *, whole: bool
) -> None:
    """Imports documents under the `name` of their folder, and prints the result: all of the first version, and of each
    later version those that differ from the one before. If they are a `whole` folder, documents of earlier imports
    that are gone are reported too, and retired with `prune`.
    """
    from hippograph.api.cli.opening import opened, within
    from hippograph.api.workers import worker_processes

    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(opened(settings))
        if given.wait:
            await stack.enter_async_context(worker_processes(settings))
        viewer = await within(service, given.space, given.chat)
        known: Collection[Document] = ()
        async for reading in versions:
            with progress("Importing") as report:
                done = await service.document_importer.run(
                    viewer,
                    name,
                    [one for one in reading.documents if one not in known],
                    report,
                    extraction=given.extraction,
                    bring_back=given.bring_back,
                    own_words=given.own_words,
                )
            if whole:
                done.gone = await service.document_importer.gone(viewer, name, reading.there)
            if given.prune:
                done.pruned = await service.document_importer.prune(viewer, name, done.gone)
            if given.wait:
                await until_searchable(service)
            _show(done, reading, given)
            known = set(reading.documents)


def _show(done: ImportedDocuments, reading: Reading, given: ImportOptions) -> None:
    from hippograph.graph.transfer.formats.preview import by_reason

    skipped = by_reason([*reading.skipped, *done.refused])
    if given.json:
        print_json({"documents": done.documents, "gone": done.gone, "pruned": done.pruned, "skipped": skipped})
        return
    changed = [one for one in done.documents if one.recorded or one.retired]
    for one in changed[:_SHOWN]:
        out.line(f"{one.name}: {one.recorded} new, {one.repeated} there before, {one.retired} retired")
    if len(changed) > _SHOWN:
        out.line(f"and {len(changed) - _SHOWN} more")
    out.line(f"{counted(len(done.documents), 'document')}, {len(changed)} changed")
    if purged := sum(one.purged for one in done.documents):
        out.line(f"left out {purged} that you purged (--bring-back imports them again)")
    if removed := sum(one.secrets_removed for one in done.documents):
        out.line(f"removed {counted(removed, 'secret')}")
    kept = "it could not be retired" if given.prune else "it is kept"
    for document in done.gone[:_SHOWN]:
        out.line(f"{document} is not there any more: {'it was retired' if document in done.pruned else kept}")
    if done.gone and not given.prune:
        out.line("documents that are not there any more are retired with --prune")
    show_skipped(skipped)


def stamps(file: Path) -> Stamps:
    """Returns the stamps of the files of a folder that an import reads, or of the one file."""
    from hippograph.graph.transfer.formats.container import open_container

    found: Stamps = {}
    for path in [one for one in open_container(file).files.values() if isinstance(one, Path)] or [file]:
        with suppress(OSError):
            told = path.stat()
            found[str(path)] = (told.st_mtime_ns, told.st_size)
    return found


async def versions_of(
    file: Path, first: Reading, before: Stamps, read: Callable[[], Reading | None] | None
) -> AsyncIterator[Reading]:
    """Yields the first version. If `read` is given, then calls it and yields the result whenever the stamps differ from
    `before` and have not changed for a second. An error of `read` is printed; the next change is read again.
    """
    from hippograph.graph.errors import InvalidInput

    yield first
    last, told = before, ""
    while read:
        await asyncio.sleep(_LOOK_EVERY_S)
        try:
            now = await asyncio.to_thread(stamps, file)
            if now != before and now == last:
                before = now
                if version := await asyncio.to_thread(read):
                    yield version
            last, told = now, ""
        except (InvalidInput, OSError) as error:
            if str(error) != told:
                told = str(error)
                err.line((told, "red"))
