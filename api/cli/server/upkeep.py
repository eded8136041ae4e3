"""Commands that maintain a graph: migrate, doctor, consolidate, reembed, gc, settings, the group `maintenance`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.choices import settings_file
from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import counted, err, out, print_json, progress, run
from hippograph.api.cli.viewers import First, with_service
from hippograph.api.global_ids import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hippograph.api.service import Service
    from hippograph.api.settings.settings import Settings
    from hippograph.graph.jobs.doctor import Finding
    from hippograph.graph.jobs.preflight import Missing
    from hippograph.graph.knowledge.consolidation import Progress
    from hippograph.graph.schema import VectorSlot
    from hippograph.graph.upkeep.upkeep import JobStatus, Planned, Run

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be retired and archived.")]

maintenance = typer.Typer(cls=Group, help="Upkeep: scheduled maintenance of all memories.", no_args_is_help=True)


def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be applied.")] = False,
    json: Json = False,
) -> None:
    """Bring the graph's schema up to date."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.connections import open_graph
    from hippograph.graph.clock import system_clock
    from hippograph.graph.schema import migrate as apply_migrations
    from hippograph.graph.schema import pending_migrations

    async def work() -> list[str]:
        with progress("Setting up") as report:
            async with open_graph(current, report, migrates=False) as database:
                found = await (pending_migrations(database) if dry_run else apply_migrations(database, system_clock))
                return [migration.source for migration in found]

    current = read_settings()
    names = run(work())
    if json:
        print_json({"applied": [] if dry_run else names, "pending": names if dry_run else []})
        return
    for name in names:
        out.line(f"{'would apply' if dry_run else 'applied'} {name}")
    if not names:
        out.line("the schema is up to date")


def doctor(json: Json = False) -> None:
    """Check Neo4j, and the rules that its constraints cannot enforce; say how to mend problems. Exit code 1 if any."""
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.jobs.doctor import Finding

    async def work() -> Sequence[Finding]:
        missing = await _missing_features(current)
        if any(each.needed for each in missing):
            return [Finding(each.what, 1, (), each.mend) for each in missing]
        for each in missing:
            err.line(f"{each.what} ({each.mend})")
        async with opened(current, vectors=True) as service:
            return await service.doctor.examine()

    current = read_settings()
    findings = run(work())
    if json:
        print_json(findings)
    for finding in [] if json else findings:
        out.line((str(finding.count), "red"), f" {finding.what}")
        for example in finding.examples:
            out.line(f"      {example}")
        out.line(f"      mend: {finding.mend}")
    if not findings and not json:
        out.line("the graph is well")
    raise SystemExit(1 if findings else 0)


async def _missing_features(settings: Settings) -> list[Missing]:
    from hippograph.api.connections import open_connection, open_database
    from hippograph.graph.jobs.preflight import missing_features

    with progress("Setting up") as report:
        async with (
            open_connection(settings, report, linger=True) as connection,
            open_database(settings, connection) as database,
        ):
            return await missing_features(database)


def consolidate(json: Json = False) -> None:
    """Extract facts from all sessions that wait, were left out or failed, and report what was found."""

    async def work(service: Service) -> Progress:
        await service.consolidation.queue_left()
        await service.consolidation.queue.retry_failed()
        with progress("Extracting facts") as report:
            await service.runner.work_until_idle(report)
        return await service.consolidation.progress()

    found = with_service(work, vectors=True, names=True)
    if json:
        print_json(found)
        return
    out.line(f"{found.statements} statements in {found.sessions} sessions, {found.consolidated} of them complete")
    for reason, times in found.dropped.items():
        out.line(f"    {times} dropped: {reason}")
    if found.owed:
        out.line(f"{found.owed} sessions wait for the language model (hippograph settings --check)")
    for reason, times in found.reasons.items():
        out.line((f"{times} failed", "red"), f": {reason}")


def reembed() -> None:
    """Embed everything with the model of the settings; services with the old model keep answering meanwhile."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.connections import open_graph
    from hippograph.api.models.query_models import embedder_of
    from hippograph.graph.clock import system_clock
    from hippograph.graph.errors import InvalidInput
    from hippograph.graph.knowledge.reembedding import Reembedding

    async def work() -> VectorSlot | None:
        with progress("Embedding") as report:
            embedder = embedder_of(current, report)
            if embedder is None:
                raise InvalidInput("HIPPOGRAPH_EMBEDDING_MODEL is none: name the model to embed with")
            async with open_graph(current, report) as database:
                moving = Reembedding(database, system_clock, embedder, analyzer=current.fulltext_analyzer)
                return await moving.run(report)

    current = read_settings()
    slot = run(work())
    if slot is None:
        out.line(f"all vectors are from {current.embedding_model} already")
        return
    out.line(f"{slot.model} ({slot.dimensions} dimensions) is in use from now on: restart services and workers with")
    out.line(f"HIPPOGRAPH_EMBEDDING_MODEL={slot.model}")


def gc(dry_run: DryRun = False, json: Json = False) -> None:
    """Retire expired memories now."""
    from hippograph.graph.upkeep.upkeep import GC

    _upkeep(GC, dry_run=dry_run, json=json)


@maintenance.command("run")
def run_maintenance(
    steps: Annotated[list[str] | None, typer.Argument(help="Names of steps (default: those of the night).")] = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Run upkeep now: expire, fade, grow_importance, suggest_merges, fold, archive_for_size and the other steps."""
    _upkeep(steps or (), dry_run=dry_run, json=json)


@maintenance.command("plan")
def plan_maintenance(json: Json = False) -> None:
    """Show what upkeep would retire and archive now."""
    _upkeep((), dry_run=True, json=json)


@maintenance.command("status")
def maintenance_status(first: First = 20, json: Json = False) -> None:
    """Show when upkeep is due, and its latest runs."""

    async def work(service: Service) -> tuple[list[JobStatus], list[Run]]:
        page = await service.upkeep.runs(first=first)
        return await service.upkeep.jobs(), [listed.item for listed in page.items]

    jobs, runs = with_service(work)
    if json:
        print_json({"jobs": jobs, "runs": runs})
        return
    for job in jobs:
        at = f", at {job.step} since {job.since:%d %B %Y %H:%M}" if job.step else ""
        out.line((job.name, "bold"), f"  {job.schedule or 'once'}  next {job.next_at:%d %B %Y %H:%M} UTC{at}")
    if not jobs:
        out.line("no worker has run yet: `hippograph serve` or `hippograph worker` start one")
    _show_runs(runs)


def _upkeep(steps: Sequence[str], *, dry_run: bool, json: bool) -> None:
    """Runs steps of upkeep, or the nightly ones; with `dry_run` shows what those that retire and archive would do."""

    async def work(service: Service) -> tuple[list[Planned], list[Run]]:
        if dry_run:
            return await service.upkeep.plan(steps), []
        with progress("Upkeep") as report:
            return [], await service.upkeep.run(steps, lambda step, changed: report(changed, 0, f"{step}: {changed}"))

    planned, runs = with_service(work, vectors=True)
    if json:
        print_json(planned if dry_run else runs)
        return
    for each in planned:
        examples = f"  ({', '.join(map(short, each.examples))}{' …' if each.memories > len(each.examples) else ''})"
        memories = counted(each.memories, "memory")
        out.line((each.step, "bold"), f"  would change {memories}", examples if each.examples else "")
    _show_runs(runs)


def _show_runs(runs: Sequence[Run]) -> None:
    for one in runs:
        took = f"{(one.ended_at - one.started_at).total_seconds():.1f} s" if one.ended_at else "under way"
        out.line(f"{one.started_at:%d %B %Y %H:%M}  ", (one.step, "bold"), f"  {one.changed} changed, {took}")
        if one.failure:
            out.line((f"    failed: {one.failure}", "red"))


def settings(
    check: Annotated[
        bool, typer.Option("--check", help="Test whether the language model answers, and show what it is used for.")
    ] = False,
    json: Json = False,
) -> None:
    """Show every setting, its value and its source. With --check exit code 1 if the model does not answer."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.settings.sources import sources, variable

    current = read_settings()
    if check:
        _check(current, json=json)
        return
    values, origin = current.model_dump(mode="json"), sources(current, settings_file.get())
    if json:
        print_json({name: {"value": value, "source": origin[name]} for name, value in values.items()})
        return
    for name, field in type(current).model_fields.items():
        out.line((variable(name), "bold"), f" = {values[name]}  ", (f"({origin[name]})", "dim"))
        out.line(f"    {field.description}")


def _check(settings: Settings, *, json: bool) -> None:
    from hippograph.api.models.model_check import PURPOSES, check_model

    found = run(check_model(settings))
    uses = {use.value: settings.llm_daily_calls[use] for use in settings.llm_uses}
    if json:
        print_json({"languageModel": found, "callsADay": uses})
    elif found is None:
        out.line("no language model is set: nothing is sent anywhere")
    else:
        out.line((found.model, "bold"), f" at {found.address}")
        if found.answers:
            out.line(("answers", "green"), f" in the form that is asked for, after {found.seconds:.1f} s")
        else:
            out.line(("does not answer", "red"), f": {found.failure}{f' ({found.hint})' if found.hint else ''}")
        for use, purpose in PURPOSES.items():
            calls = uses.get(use.value)
            out.line((use.value, "bold"), f"  {f'up to {calls} calls a day' if calls else 'not used'}: {purpose}")
    if found is not None and not found.answers:
        raise SystemExit(1)
