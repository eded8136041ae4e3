"""The command `search`, and what other commands share: options, printing of results, reading of dialogue files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hippograph.api.cli.output import ending, err, out, print_json, progress
from hippograph.api.cli.viewers import As, First, In, as_viewer
from hippograph.api.global_ids import short
from hippograph.api.printable import beginning
from hippograph.graph.model import EventPrecision, MemoryType
from hippograph.graph.retrieval.ranking import RankingProfile

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Memory, Times, Viewer
    from hippograph.graph.retrieval.analysis import Analysis
    from hippograph.graph.retrieval.search import Page
    from hippograph.graph.transfer.formats.preview import SkippedKind
    from hippograph.graph.writing.dialogue_file import DialogueFile

Json = Annotated[bool, typer.Option("--json", help="Print JSON, with the field names of GraphQL where it has them.")]
Reinforce = Annotated[bool, typer.Option(help="Whether the results count as recalled, and so fade later.")]
Of = Annotated[
    str | None,
    typer.Option("--persona", help="Only what was said to this persona (name or id) or to none (default: to any)."),
]
AsOf = Annotated[
    str | None,
    typer.Option(help="Only what was true at this time: a date or phrase (last_week); default zone: UTC."),
]
KnownAt = Annotated[str | None, typer.Option(help="Only what was known at this time.")]
Within = Annotated[str | None, typer.Option("--space", help="Only what belongs to this space (name or id) or to none.")]
Ranked = Annotated[
    RankingProfile | None,
    typer.Option(help="Ranking profile of the results (default: that of the settings).", show_default=False),
]
_TIMES: Final = {
    EventPrecision.MINUTE: "%d %B %Y %H:%M",
    EventPrecision.DAY: "%d %B %Y",
    EventPrecision.MONTH: "%B %Y",
    EventPrecision.YEAR: "%Y",
}


def search(
    query: Annotated[str, typer.Argument(help="Text to search for.")],
    chat: In = None,
    persona: Of = None,
    space: Within = None,
    as_person: As = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    first: First = 10,
    profile: Ranked = None,
    min_relevance: Annotated[float, typer.Option(help="Minimum relevance of a result, 0 to 1.")] = 0.0,
    reinforce: Reinforce = True,
    json: Json = False,
) -> None:
    """Search what you may see: your own memories, and those of the chat."""
    times = _times(as_of, known_at)

    async def work(service: Service, viewer: Viewer) -> tuple[Page, dict[str, Memory]]:
        page = await service.search.search(
            viewer,
            query,
            times=times,
            profile=profile,
            min_relevance=min_relevance,
            first=first,
            reinforce=reinforce,
        )
        paths = [step for result in page.results for link in result.links.values() for step in link.path]
        return page, await service.memories.load(viewer, list(dict.fromkeys(paths)), times)

    page, steps = as_viewer(work, as_person, chat, persona, space=space, vectors=True)
    if json:
        print_json(page.results)
    else:
        show_analysis(page.analysis)
        show(page, steps)


def _times(as_of: str | None, known_at: str | None) -> Times | None:
    from hippograph.api import arguments
    from hippograph.graph.clock import system_clock

    with ending():
        return arguments.times(system_clock, as_of, known_at)


def show_analysis(found: Analysis) -> None:
    """Prints the analysis of the question on one line: its intent, and the entities and the period that it names."""
    parts = [found.intent.value, *(entity.canonical_name for entity in found.entities)]
    if found.period:
        from hippograph.graph.zones import wall_clock

        start, end = (wall_clock(each, found.time_zone) for each in (found.period.start, found.period.end))
        parts.append(f"{found.period.words} ({start:%d %B %Y} – {end:%d %B %Y})")
    out.line((" · ".join(parts), "dim"))


def show(page: Page, steps: Mapping[str, Memory] = MappingProxyType({})) -> None:
    """Prints results with speaker, time and ranks; `steps` are the memories on the paths of links to them, by id."""
    from hippograph.graph.zones import day_there

    for place, result in enumerate(page.results, start=1):
        memory = result.memory
        why = ", ".join(f"{name} #{hit.rank}" for name, hit in result.hits.items())
        said = f" {memory.speaker_name or 'A summary'}, {when(memory, page.analysis.time_zone)}  "
        out.line((f"{place}.", "bold"), said, (f"{why}  {short(memory.id)}", "dim"))
        out.line(f"   {result.excerpt}")
        if quoted := memory.source_words:
            out.line((f"   {quoted.speaker}, {quoted.day:%d %B %Y}: “{quoted.text}”", "dim"))
        if holding := result.outdated:
            now = f"; now: {holding.now.content}" if holding.now else ""
            since = day_there(holding.since, page.analysis.time_zone)
            what = "a fact from it was " if memory.type is MemoryType.EPISODIC else ""
            out.line((f"   {what}{holding.reason} on {since:%d %B %Y}{now}", "yellow"))
        for name, link in result.links.items():
            way = [steps[step].content for step in link.path[:-1] if step in steps]
            if way:
                out.line((f"   {name}: {' → '.join(map(beginning, way))} → this", "dim"))
    if not page.results:
        err.line("nothing was found")


def show_skipped(skipped: tuple[SkippedKind, ...]) -> None:
    """Prints what was left out of a file, and why."""
    for kind in skipped:
        more = " …" if kind.count > len(kind.places) else ""
        out.line(f"skipped {kind.count}: {kind.reason}  ", (f"({'; '.join(kind.places)}{more})", "dim"))


def when(memory: Memory, zone: str) -> str:
    """Returns the time of a memory's event in the reader's time zone, at the precision at which it is known."""
    from hippograph.graph.zones import time_there

    return f"{time_there(memory, zone):{_TIMES[memory.event_precision]}}"


def read_dialogues(file: Path) -> DialogueFile:
    """Reads and checks a file of dialogues. Up to five errors are printed with their place, and end the command with
    exit code 2.
    """
    from pydantic import TypeAdapter, ValidationError

    from hippograph.graph.errors import InvalidInput
    from hippograph.graph.writing.dialogue_file import DialogueFile, check

    try:
        content = TypeAdapter(DialogueFile).validate_json(file.read_bytes())
        check(content)
        return content
    except InvalidInput as error:
        err.line((str(file), "red"), f": {error}")
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_input=False)[:5]:
            place = ".".join(str(part) for part in problem["loc"])
            err.line((str(file), "red"), f" {place}: {problem['msg']}")
    sys.exit(2)


async def until_searchable(service: Service) -> None:
    """Waits, with a progress bar, until the queues of the workers are empty; prints how many memories failed. Idle
    sessions are ended first, so that the last session of imported talk is read as well.
    """
    await service.sessions.close_idle()
    with progress("Indexing, and extracting facts") as report:
        await service.runner.until_idle(report)
    backlog = await service.enrichment.queue.backlog()
    if backlog.failed:
        err.line((f"{backlog.failed} memories could not be processed; see `hippograph doctor`", "red"))


def sample_file() -> Path:
    """Returns the path of the sample conversation: beside the packages in a clone, inside `api` when installed."""
    api = Path(__file__).resolve().parents[1]  # in a clone, `hippograph/api` is a symbolic link
    return next(file for folder in (api, api.parent) if (file := folder / "examples" / "sample.json").exists())
