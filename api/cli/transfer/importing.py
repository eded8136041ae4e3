"""The command `import`: imports memories, chats and documents, and loads exports of a graph."""

from __future__ import annotations

import shlex
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hippograph.api.cli.data import Json, read_dialogues, show_skipped, until_searchable
from hippograph.api.cli.output import counted, ending, err, out, print_json, progress, run, tell
from hippograph.api.cli.transfer.documents import ImportOptions, import_documents, stamps, versions_of
from hippograph.graph.model import ExtractionMode

if TYPE_CHECKING:
    from datetime import tzinfo

    from hippograph.api.service import Service
    from hippograph.api.settings.settings import Settings
    from hippograph.graph.model import Viewer
    from hippograph.graph.transfer.exports.graph_import import Loaded
    from hippograph.graph.transfer.formats.preview import Preview, SkippedKind
    from hippograph.graph.transfer.formats.reading import Reading, ReadOptions, Skipped
    from hippograph.graph.transfer.statements import ImportedStatements
    from hippograph.graph.writing.importing import Imported

_SHOWN_CHATS: Final = 50
_SHOWN_PEOPLE: Final = 20
_PROBLEM: Final = 2
"""Exit code of a command that was called wrongly, or with a file that cannot be read."""


@dataclass(frozen=True, slots=True)
class _Done:
    """The result of an import: of its turns, of its statements, and what of the file was skipped."""

    turns: Imported
    statements: ImportedStatements
    skipped: tuple[SkippedKind, ...]


_Format = Annotated[str | None, typer.Option("--format", help="Format of the file, if it is not recognised.")]
_Map = Annotated[
    list[str] | None,
    typer.Option("--map", help='Speaker who is a person known here: "Sam=@sam". Repeatable.'),
]
_Name = Annotated[str | None, typer.Option(help="Name of the file, by which a second import recognises it.")]
_TimeZone = Annotated[
    str | None,
    typer.Option(
        help="Time zone of the talk (Europe/Vienna), for its days and for times without a zone. Default: for days "
        "that of the accounts, for times that of this machine."
    ),
]
_Extraction = Annotated[
    ExtractionMode, typer.Option(help="Which statements to extract; for meetings use first_person, or off.")
]
_Space = Annotated[str | None, typer.Option(help="Space of the new chats and of the statements, by name or id.")]
_BringBack = Annotated[
    bool, typer.Option("--bring-back", help="Import again what was purged since; otherwise it is left out.")
]
_Chat = Annotated[
    str | None, typer.Option(help="For documents: chat that owns them, by title or id (default: you do).")
]
_Mine = Annotated[
    bool, typer.Option("--mine", help="For documents: you wrote them, and facts are extracted from them.")
]
_Prune = Annotated[bool, typer.Option("--prune", help="For a folder of documents: retire those that no longer exist.")]


def import_(
    file: Annotated[Path, typer.Argument(exists=True, help="A file, a zip or a folder of one of the formats above.")],
    format_: _Format = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be imported; write nothing.")] = False,
    me: Annotated[str | None, typer.Option(help="Name of the speaker who is you.")] = None,
    map_: _Map = None,
    name: _Name = None,
    time_zone: _TimeZone = None,
    date_order: Annotated[str | None, typer.Option(help="Order of dates: dmy, mdy or ymd.")] = None,
    tools: Annotated[bool, typer.Option("--tools", help="For Claude Code: import the output of tools, too.")] = False,
    extraction: _Extraction = ExtractionMode.ALL,
    space: _Space = None,
    bring_back: _BringBack = False,
    chat: _Chat = None,
    mine: _Mine = False,
    prune: _Prune = False,
    watch: Annotated[bool, typer.Option("--watch", help="For documents: import again whenever they change.")] = False,
    wait: Annotated[bool, typer.Option(help="Wait until everything is searchable.")] = True,
    json: Json = False,
) -> None:
    """Import memories and chats: ChatGPT, Claude, Claude Code, WhatsApp, Slack, Telegram, mem0, Zep, Letta, Markdown
    memories, JSON lines, dialogues; and documents, which are Markdown and plain text.

    The format is recognised. An import that is interrupted or run twice stores everything once. What cannot be read is
    reported and left out; if a file is damaged, the exit code is 1. People in a file are new people, unless a username,
    --me or --map says who they are.

    An export of everything (`hippograph export`) is restored as the same graph, with all its ids, into an empty graph.
    Stop the service of that graph first.
    """
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.transfer.exports.graph_lines import is_export
    from hippograph.graph.transfer.formats.detection import read_export
    from hippograph.graph.transfer.formats.preview import preview
    from hippograph.graph.transfer.formats.reading import Format

    if file.is_file() and is_export(file):
        if given := [one for one in (format_, me, map_, name, time_zone, date_order, space) if one]:
            raise typer.BadParameter(f"{given[0]!r}: an export of a graph has its own people and times; leave it out")
        _load_graph(file, dry_run=dry_run, wait=wait, json=json)
        return
    mapping, options = _mapping(map_ or []), _options(time_zone, date_order, me, tools=tools)
    current = read_settings()
    with ending():
        before = stamps(file) if watch else {}
    reading = _read(file, options, format_)
    _check_speakers(me, mapping, reading)
    reading = replace(reading, me=me or reading.me, name=name or reading.name)
    told = ImportOptions(extraction, chat, space, bring_back, prune, mine, wait, json)
    _check_documents(file, reading, told, watch=watch, said=time_zone or date_order)
    if dry_run:
        tell(preview(reading), _show_preview, json=json)
    elif reading.format is Format.DOCUMENTS:
        again = (lambda: read_export(file, options, Format.DOCUMENTS)) if watch else None
        versions = versions_of(file, reading, before, again)
        run(import_documents(current, reading.name, versions, told, whole=file.is_dir()))
    else:
        _show(run(_import(current, reading, mapping, told, time_zone, me)), reading, json=json)
    if any(each.damaged for each in reading.skipped):
        err.line(("Not everything could be read. Repair the file and import again: nothing is stored twice.", "red"))
        sys.exit(1)


async def _import(
    settings: Settings,
    reading: Reading,
    mapping: dict[str, str],
    told: ImportOptions,
    time_zone: str | None,
    me: str | None,
) -> _Done:
    from hippograph.api.cli.opening import opened, within
    from hippograph.api.service import call_local_user
    from hippograph.api.workers import worker_processes

    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(opened(settings, facts=bool(reading.statements)))
        if told.wait:
            await stack.enter_async_context(worker_processes(settings))
        if me:
            await call_local_user(service.people, settings, service.local_user, me)
        viewer = await within(service, told.space)
        done = await _stored(service, viewer, reading, mapping, told, time_zone)
        if told.wait:
            await until_searchable(service)
        if retries := service.database.retries.total():
            err.line(f"{retries} times a write conflicted with another and was retried; nothing is missing")
        return done


async def _stored(
    service: Service,
    viewer: Viewer,
    reading: Reading,
    mapping: dict[str, str],
    told: ImportOptions,
    time_zone: str | None,
) -> _Done:
    from hippograph.graph.transfer.formats.preview import by_reason
    from hippograph.graph.transfer.formats.reading import Format
    from hippograph.graph.transfer.statements import ImportedStatements
    from hippograph.graph.writing.importing import Imported

    imported, statements = Imported(), ImportedStatements()
    with progress("Importing") as report:
        if reading.content.dialogues or reading.content.passages:
            imported = await service.importer.run(
                viewer,
                reading.name,
                reading.content,
                me=reading.me,
                mapping=mapping,
                extraction=told.extraction,
                time_zone=time_zone,
                leave_out=reading.format is not Format.DIALOGUES,
                bring_back=told.bring_back,
                progress=report,
            )
        if reading.statements:
            statements = await service.statement_importer.run(
                viewer, reading.statements, report, name=reading.name, bring_back=told.bring_back
            )
    return _Done(imported, statements, by_reason(reading.skipped))


def _load_graph(file: Path, *, dry_run: bool, wait: bool, json: bool) -> None:
    """Loads an export of a graph into an empty graph, and prints the counts. With `dry_run` only checks the export."""
    from hippograph.api.cli.reading import read_settings

    loaded = run(_load(read_settings(), file, dry_run=dry_run, wait=wait))
    counts = loaded.counts
    if json:
        print_json({"nodes": counts.nodes, "relationships": counts.relationships, "vectors": loaded.vectors})
        return
    done = "nothing was written" if dry_run else "loaded"
    nodes, links = sum(counts.nodes.values()), sum(counts.relationships.values())
    out.line(f"an export of a graph: {nodes} nodes and {links} relationships; {done}")
    if keys := 0 if dry_run else counts.nodes.get("Credential", 0):
        out.line(f"it contains {keys} API keys; those still valid give access now: `hippograph token list`")
    if not (dry_run or wait or loaded.vectors):
        out.line("workers embed it when they start: it has no vectors of the model in the settings")


async def _load(settings: Settings, file: Path, *, dry_run: bool, wait: bool) -> Loaded:
    from hippograph.api.cli.opening import opened
    from hippograph.api.connections import open_connection, open_database, require_server
    from hippograph.api.workers import worker_processes
    from hippograph.graph.clock import system_clock
    from hippograph.graph.transfer.exports.graph_import import GraphImport, Loaded, check
    from hippograph.graph.transfer.exports.graph_lines import ExportFile

    with progress("Loading") as report:
        export_file = ExportFile(file)
        if dry_run:
            return Loaded(check(export_file, report), vectors=export_file.manifest.vectors is not None)
        async with (
            open_connection(settings, report, linger=True) as connection,
            open_database(settings, connection) as database,
        ):
            await require_server(settings, database)
            loading = GraphImport(
                database,
                system_clock,
                model=settings.embedding_model,
                analyzer=settings.fulltext_analyzer,
                user_id=settings.local_user,
            )
            loaded = await loading.load(export_file, report)
    if wait and not loaded.vectors:
        async with opened(settings, vectors=True) as service, worker_processes(settings):
            await service.enrichment.requeue_lost()
            await until_searchable(service)
    return loaded


def _options(time_zone: str | None, date_order: str | None, me: str | None, *, tools: bool) -> ReadOptions:
    from hippograph.graph.clock import system_clock
    from hippograph.graph.transfer.formats.reading import DateOrder, ReadOptions

    orders = {order.value: order for order in DateOrder}
    if date_order is not None and date_order.lower() not in orders:
        raise typer.BadParameter(f"{date_order!r} is no order of dates: {', '.join(orders)}")
    order = orders[date_order.lower()] if date_order else None
    return ReadOptions(system_clock(), _zone(time_zone) if time_zone else None, order, me, tools)


def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo

    from hippograph.graph.errors import InvalidInput
    from hippograph.graph.zones import checked_zone

    try:
        return ZoneInfo(checked_zone(name))
    except InvalidInput as error:
        raise typer.BadParameter(str(error)) from None


def _read(file: Path, options: ReadOptions, given: str | None) -> Reading:
    """Reads a file. If that fails, prints the error and exits with code 2, before the service is opened."""
    from hippograph.graph.errors import InvalidInput
    from hippograph.graph.transfer.formats.detection import read_export
    from hippograph.graph.transfer.formats.reading import Format, Reading

    if given is not None and given not in [one.value for one in Format]:
        raise typer.BadParameter(f"{given!r} is no format: {', '.join(one.value for one in Format)}")
    try:
        reading = read_export(file, options, Format(given) if given else None)
    except InvalidInput as error:
        err.line((str(error), "red"))
        sys.exit(_PROBLEM)
    return reading or Reading(Format.DIALOGUES, file.stem, read_dialogues(file))


def _check_documents(file: Path, reading: Reading, told: ImportOptions, *, watch: bool, said: str | None) -> None:
    from hippograph.graph.transfer.formats.reading import Format

    are_documents = reading.format is Format.DOCUMENTS
    if (told.chat or told.own_words or told.prune or watch) and not are_documents:
        raise typer.BadParameter("--chat, --mine, --prune and --watch are for documents: Markdown or plain text")
    if said and are_documents:
        raise typer.BadParameter("--time-zone and --date-order are for what was said; documents have dates alone")
    if told.prune and not file.is_dir():
        raise typer.BadParameter("--prune is for a folder, not for a zip or a single file")
    if told.chat and told.space:
        raise typer.BadParameter("a chat has a space of its own: give --chat or --space")


def _check_speakers(me: str | None, mapping: dict[str, str], reading: Reading) -> None:
    speakers = dict.fromkeys(turn.speaker for each in reading.content.dialogues for turn in each.turns)
    if me is not None and me not in speakers and not (reading.statements and me == reading.me):
        raise typer.BadParameter(f"{me!r} says nothing in the file; who does: {', '.join(map(repr, speakers))}")
    named = speakers.keys() | {member.name for each in reading.content.dialogues for member in each.participants}
    for name in mapping:
        if name not in named:
            raise typer.BadParameter(f"nobody in the file is called {name!r}; there are {', '.join(sorted(named))}")


def _mapping(given: list[str]) -> dict[str, str]:
    pairs = [one.rpartition("=") for one in given]
    for speaker, _, known in pairs:
        if not speaker.strip() or not known.strip():
            raise typer.BadParameter('write --map "SPEAKER=@USERNAME"')
    return {speaker.strip(): known.strip() for speaker, _, known in pairs}


def _show_preview(found: Preview) -> None:
    what = [
        (found.turns, "turn"),
        (found.passages, "passage"),
        (found.statements, "memory"),
        (found.documents, "document"),
    ]
    counts = ", ".join(counted(count, word) for count, word in what if count) or "nothing to import"
    span = f", {found.since:%d %B %Y} – {found.until:%d %B %Y}" if found.since and found.until else ""
    chats = counted(len(found.chats), "chat")
    out.line((found.format, "bold"), f": {counts} in {chats}{span}; nothing was written")
    if found.people:
        out.line(f"people: {_listed(found.people)}; {_you(found.me)}")
    rows = [
        (chat.title, str(chat.turns), f"{chat.since:%Y-%m-%d} – {chat.until:%Y-%m-%d}", _listed(chat.people))
        for chat in found.chats[:_SHOWN_CHATS]
    ]
    if rows:
        out.table("Chats", (("title", False), ("turns", True), ("span", False), ("people", False)), rows)
    if len(found.chats) > _SHOWN_CHATS:
        out.line(f"and {len(found.chats) - _SHOWN_CHATS} more chats")
    show_skipped(found.skipped)
    for note in found.notes:
        out.line((note, "yellow"))


def _listed(people: tuple[str, ...]) -> str:
    more = f" and {len(people) - _SHOWN_PEOPLE} more" if len(people) > _SHOWN_PEOPLE else ""
    return ", ".join(people[:_SHOWN_PEOPLE]) + more


def _show(done: _Done, reading: Reading, *, json: bool) -> None:
    if json:
        print_json(_answer(done))
        return
    _show_counts(done)
    for note in reading.notes:
        err.line((note, "yellow"))
    _show_chats(done.turns, reading)


def _show_chats(turns: Imported, reading: Reading) -> None:
    """Prints the titles of the chats, their speakers, and the commands that search them."""
    from hippograph.graph.model import ChatKind

    dialogues = [each for each in reading.content.dialogues if each.id in turns.chats]
    titles = [each.title or each.id for each in dialogues]
    for each, title in list(zip(dialogues, titles, strict=True))[:_SHOWN_CHATS]:
        # The id is printed in full: `--chat` takes a title or a full id.
        same = f"  {turns.chats[each.id]}" if titles.count(title) > 1 else ""
        speakers = tuple(dict.fromkeys("you" if turn.speaker == reading.me else turn.speaker for turn in each.turns))
        out.line((title, "bold"), (same, "dim"), f"  {counted(len(each.turns), 'turn')}, {_listed(speakers)}")
    if len(dialogues) > _SHOWN_CHATS:
        out.line(f"and {len(dialogues) - _SHOWN_CHATS} more: `hippograph chat list`")
    groups = [title for each, title in zip(dialogues, titles, strict=True) if each.kind is ChatKind.GROUP]
    if groups:
        out.line(_you(reading.me))
        title = groups[0] if titles.count(groups[0]) == 1 else turns.chats[dialogues[titles.index(groups[0])].id]
        out.line(f'search what was said there: hippograph search "…" --chat {shlex.quote(title)}')
    if len(groups) < len(dialogues):
        out.line('search what you said alone with an assistant: hippograph search "…"')


def _you(me: str | None) -> str:
    return f"you are {me}" if me else "none of them is you: say who you are with --me, before you import"


def _answer(done: _Done) -> dict[str, object]:
    """Returns the result for JSON: the global ids of chats and memories, by the ids that the file gives them."""
    from hippograph.api.global_ids import global_id
    from hippograph.api.json_form import json_form

    chats = {name: global_id("Chat", chat) for name, chat in done.turns.chats.items()}
    memories = {
        name: {turn: global_id("Memory", memory) for turn, memory in turns.items()}
        for name, turns in done.turns.memories.items()
    }
    return {
        **json_form(done.turns),
        "chats": chats,
        "memories": memories,
        "statements": done.statements,
        "skipped": done.skipped,
    }


def _show_counts(done: _Done) -> None:
    from hippograph.graph.transfer.formats.preview import by_reason

    turns, statements = done.turns, done.statements
    if turns.chats:
        recorded, chats = counted(turns.recorded, "turn"), counted(len(turns.chats), "chat")
        out.line(f"{recorded} recorded, {turns.repeated} there before, in {chats}")
    if statements.recorded or statements.repeated:
        out.line(f"{counted(statements.recorded, 'memory')} recorded, {statements.repeated} there before")
    if purged := turns.purged + statements.purged:
        out.line(f"left out {purged} that you purged (--bring-back imports them again)")
    if turns.blank:
        out.line(f"left out {counted(turns.blank, 'blank turn')}")
    if split := turns.split + statements.split:
        out.line(f"split {counted(split, 'long turn' if turns.split else 'long memory')} into parts")
    if removed := turns.secrets_removed + statements.secrets_removed:
        out.line(f"removed {counted(removed, 'secret')}")
    show_skipped((*done.skipped, *by_reason([*_refused(turns), *statements.refused])))


def _refused(turns: Imported) -> list[Skipped]:
    from hippograph.graph.transfer.formats.reading import Skipped

    return [Skipped(f"{one.dialogue}, turn {one.turn}", one.reason) for one in turns.refused]
