"""The commands about a person's data: `hippograph person …`. They are the operator's: they see everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.data import Json
from api.cli.groups import Group
from api.cli.output import out, print_json, progress, run

if TYPE_CHECKING:
    from graph.transfer.erasure import ErasureReceipt

app = typer.Typer(cls=Group, help="What is held on a person: export it, or erase it.", no_args_is_help=True)

Who = Annotated[str, typer.Argument(help="A name, an alias or a @username.")]


@app.command()
def export(person: Who) -> None:
    """Print all that is held on a person as JSON."""
    from api.cli.opening import opened
    from api.cli.reading import read_settings

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
    keep_indexes: Annotated[
        bool, typer.Option("--keep-indexes", help="Don't make the indexes anew: searches need not pause.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    json: Json = False,
) -> None:
    """Erase a person for good: what they said, what is theirs, and their names everywhere."""
    from api.cli.opening import opened
    from api.cli.reading import read_settings
    from graph.local.dumps import made_dumps
    from graph.local.folder import Folder
    from graph.schema import rebuild_indexes

    settings = read_settings()

    async def work(really: bool) -> ErasureReceipt:
        async with opened(settings, vectors=really and not keep_indexes) as service:
            found = await service.people.called(service.viewer(), person)
            if not really:
                return await service.erasures.plan(service.viewer(), found.id, others_words=not keep_others_words)
            with progress("Erasing"):
                receipt = await service.erasures.erase(service.viewer(), found.id, others_words=not keep_others_words)
                if not keep_indexes:
                    await rebuild_indexes(service.database, service.slot, settings.fulltext_analyzer)
            return receipt

    if not dry_run and not yes:
        _show(run(work(False)))
        typer.confirm(f"Erase {person} for good?", abort=True)
    receipt = run(work(not dry_run))
    if json:
        print_json(receipt)
        return
    _show(receipt)
    if receipt.finished_at:
        out.line("Erased. Exports and backups that were made before still hold it: delete them.")
        for path in made_dumps(Folder(settings.data_dir)):
            out.line(f"          {path}")


def _show(receipt: ErasureReceipt) -> None:
    for kind, count in receipt.counts.items():
        if count:
            out.line(f"{count:>8}  {kind}")
