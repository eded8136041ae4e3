"""Commands that look after a graph: migrate, doctor, settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.choices import settings_file
from api.cli.output import out, print_json, progress, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.jobs.doctor import Finding
    from graph.knowledge.consolidation import Progress

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command()(migrate)
    app.command()(doctor)
    app.command()(consolidate)
    app.command()(settings)


def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be applied.")] = False,
    json: Json = False,
) -> None:
    """Bring the graph's schema up to date."""
    from api.cli.opening import read_settings
    from api.service import open_connection, open_database
    from graph.clock import system_clock
    from graph.schema import migrate as apply_migrations
    from graph.schema import pending_migrations

    async def work() -> list[str]:
        with progress("Setting up") as report:
            async with (
                open_connection(current, report, linger=True) as connection,
                open_database(current, connection) as database,
            ):
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
    """Check what the database cannot constrain, and say how to mend what is wrong. Exit code 1 if anything is."""
    from api.cli.opening import opened, read_settings

    async def work() -> Sequence[Finding]:
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


def consolidate(json: Json = False) -> None:
    """Work out what was said for facts, in all sessions that wait, were left out or failed; and say what was found."""
    from api.cli.opening import opened, read_settings

    async def work() -> Progress:
        async with opened(current, vectors=True, names=True) as service:
            await service.consolidation.queue_left()
            await service.consolidation.queue.retry_failed()
            with progress("Working out what was said") as report:
                await service.runner.work_until_idle(report)
            return await service.consolidation.progress()

    current = read_settings()
    found = run(work())
    if json:
        print_json(found)
        return
    out.line(f"{found.statements} statements in {found.sessions} sessions, {found.consolidated} of them whole")
    for reason, times in found.dropped.items():
        out.line(f"    {times} dropped: {reason}")
    for reason, times in found.reasons.items():
        out.line((f"{times} failed", "red"), f": {reason}")


def settings(json: Json = False) -> None:
    """Every setting, its value and where that came from."""
    from api.cli.opening import read_settings
    from api.settings import shown, sources, variable

    current = read_settings()
    values, origin = shown(current), sources(current, settings_file.get())
    if json:
        print_json({name: {"value": value, "source": origin[name]} for name, value in values.items()})
        return
    for name, field in type(current).model_fields.items():
        out.line((variable(name), "bold"), f" = {values[name]}  ", (f"({origin[name]})", "dim"))
        out.line(f"    {field.description}")
