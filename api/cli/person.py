"""The commands about a person's data: `hippograph person …`. They are the operator's: they see everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import out, print_json, progress, run
from hippograph.api.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hippograph.graph.transfer.erasure import ErasureReceipt, PlannedPlace, UndecidedErasure

app = typer.Typer(cls=Group, help="What is held on a person: export it, or erase it.", no_args_is_help=True)

Who = Annotated[str, typer.Argument(help="A name, first name, alias or @username.")]


@app.command()
def export(person: Who) -> None:
    """Print all that is held on a person as JSON."""
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings

    async def work() -> dict[str, object]:
        async with opened(read_settings()) as service:
            found = await service.people.called(service.viewer(), person)
            return await service.person_export.export_everything(found.id)

    print_json(run(work()))


@app.command()
def erase(
    person: Who,
    keep_others_words: Annotated[
        bool, typer.Option("--keep-others-words", help="Keep what others said of them, without their names.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count what would go, and change nothing.")] = False,
    confirm: Annotated[
        bool,
        typer.Option("--confirm", help="Take their names out of other words too, which else are left to be decided."),
    ] = False,
    keep_indexes: Annotated[
        bool, typer.Option("--keep-indexes", help="Don't make the indexes anew: searches need not pause.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    json: Json = False,
) -> None:
    """Erase a person for good: what they said, what is theirs, and their names where others meant them. Other words
    with their names are left to be decided, unless --confirm.
    """
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.schema import rebuild_indexes

    settings = read_settings()

    async def work(really: bool) -> tuple[str, ErasureReceipt]:
        async with opened(settings, vectors=really and not keep_indexes) as service:
            found = await service.people.called(service.viewer(), person)
            if not really:
                planned = await service.erasures.plan(service.viewer(), found.id, others_words=not keep_others_words)
                return found.canonical_name, planned
            with progress("Erasing"):
                receipt = await service.erasures.erase(
                    service.viewer(), found.id, others_words=not keep_others_words, confirm=confirm
                )
                if not keep_indexes:
                    await rebuild_indexes(service.database, service.slot, settings.fulltext_analyzer)
            return found.canonical_name, receipt

    if not dry_run and not yes:
        name, planned = run(work(False))
        _show(planned)
        typer.confirm(f"Erase {printable(name)} for good?", abort=True)
    _, receipt = run(work(not dry_run))
    if json:
        print_json(receipt)
        return
    _show(receipt)
    if receipt.finished_at:
        _tell_of_copies(settings.data_dir)


def _tell_of_copies(folder: Path) -> None:
    from hippograph.graph.local.dumps import made_dumps
    from hippograph.graph.local.folder import Folder

    out.line("Erased. Exports and backups that were made before still hold it: delete them.")
    for path in made_dumps(Folder(folder)):
        out.line(f"          {path}")


Erasure = Annotated[str, typer.Argument(help="The id of an erasure, as `hippograph person plan` shows it.")]


@app.command()
def plan(
    erasure: Annotated[str | None, typer.Argument(help="The id of an erasure; without it all are listed.")] = None,
    json: Json = False,
) -> None:
    """Show what erasures left to be decided: words of others in which the person's names stand."""
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings

    async def work() -> list[UndecidedErasure]:
        async with opened(read_settings()) as service:
            return await service.erasures.undecided(service.viewer())

    if erasure is None:
        waiting = run(work())
        if json:
            print_json(waiting)
            return
        for each in waiting:
            out.line(f"{each.id}  {each.places} places: {', '.join(each.names)}")
        return
    places = run(_places(erasure))
    if json:
        print_json(places)
    else:
        _show_places(places)


async def _places(erasure_id: str) -> list[PlannedPlace]:
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.paging import MAX_PAGE

    found: list[PlannedPlace] = []
    after = None
    async with opened(read_settings()) as service:
        while True:
            page = await service.erasures.places(service.viewer(), erasure_id, first=MAX_PAGE, after=after)
            found += [each.item for each in page.items]
            if not page.has_next:
                return found
            after = page.items[-1].cursor


@app.command()
def confirm(erasure: Erasure, json: Json = False) -> None:
    """Take the names out of what an erasure left to be decided, as it stands now."""
    _decide(erasure, confirmed=True, json=json)


@app.command()
def dismiss(erasure: Erasure, json: Json = False) -> None:
    """Leave what an erasure left to be decided as it is, and forget where and of whom it was."""
    _decide(erasure, confirmed=False, json=json)


def _decide(erasure: str, *, confirmed: bool, json: bool) -> None:
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings

    async def work() -> ErasureReceipt:
        async with opened(read_settings()) as service:
            return await service.erasures.decide(service.viewer(), erasure, confirm=confirmed)

    receipt = run(work())
    if json:
        print_json(receipt)
    else:
        _show(receipt)


def _show(receipt: ErasureReceipt) -> None:
    for kind, count in receipt.counts.items():
        if count:
            out.line(f"{count:>8}  {kind}")
    if receipt.undecided:
        out.line(f"{receipt.undecided:>8}  undecided: `hippograph person plan` shows them")
    _show_places(receipt.places)


def _show_places(places: Sequence[PlannedPlace]) -> None:
    for place in places:
        for before, after in place.words:
            out.line(f"{'undecided' if place.undecided else 'goes':<9} {place.item.kind} {place.item.id}")
            out.line(f"          - {before}")
            out.line(f"          + {after}")
