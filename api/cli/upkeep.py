"""Commands that look after a graph: migrate, doctor, settings."""

from dataclasses import asdict
from typing import Annotated

import typer

from api.cli.output import out, print_json, progress, read_settings, run, settings_file
from api.service import open_connection, open_database, open_service
from api.settings import shown, sources, variable
from graph.clock import system_clock
from graph.knowledge.consolidation import Progress
from graph.schema import migrate as apply_migrations
from graph.schema import pending_migrations

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

    async def work() -> list[str]:
        with progress("Fetching Neo4j") as report:
            async with (
                open_connection(current, report) as connection,
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

    async def work() -> list[dict[str, object]]:
        with progress("Fetching") as report:
            async with open_service(current, progress=report) as service:
                return [asdict(finding) for finding in await service.doctor.examine()]

    current = read_settings()
    findings = run(work())
    if json:
        print_json(findings)
    for finding in [] if json else findings:
        out.line((str(finding["count"]), "red"), f" {finding['what']}")
        for example in finding["examples"]:  # type: ignore[attr-defined]  # a tuple of strings
            out.line(f"      {example}")
        out.line(f"      mend: {finding['mend']}")
    if not findings and not json:
        out.line("the graph is well")
    raise SystemExit(1 if findings else 0)


def consolidate(json: Json = False) -> None:
    """Work out what was said for facts, in all sessions that wait, were left out or failed; and say what was found."""

    async def work() -> Progress:
        with progress("Working out what was said") as report:
            async with open_service(current, names=True, progress=report) as service:
                await service.consolidation.queue_left()
                await service.consolidation.queue.retry_failed()
                await service.runner.work_until_idle(report)
                return await service.consolidation.progress()

    current = read_settings()
    found = run(work())
    if json:
        print_json(asdict(found))
        return
    out.line(f"{found.statements} statements in {found.sessions} sessions, {found.consolidated} of them whole")
    for reason, times in found.dropped.items():
        out.line(f"    {times} dropped: {reason}")
    for reason, times in found.reasons.items():
        out.line((f"{times} failed", "red"), f": {reason}")


def settings(json: Json = False) -> None:
    """Every setting, its value and where that came from."""
    current = read_settings()
    values, origin = shown(current), sources(current, settings_file.get())
    if json:
        print_json({name: {"value": value, "source": origin[name]} for name, value in values.items()})
        return
    for name, field in type(current).model_fields.items():
        out.line((variable(name), "bold"), f" = {values[name]}  ", (f"({origin[name]})", "dim"))
        out.line(f"    {field.description}")
