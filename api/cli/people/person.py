"""The group `hippograph person …`: a person's data. Its commands are for the operator, and see everything."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.memory.forgetting import DryRun, KeepIndexes, Yes, make_indexes_anew
from hippograph.api.cli.output import Screen, err, out, print_json, progress, tell
from hippograph.api.cli.viewers import with_service
from hippograph.api.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hippograph.api.service import Service
    from hippograph.graph.transfer.erasure import ErasureReceipt, PlannedPlace, UndecidedErasure

app = typer.Typer(cls=Group, help="Data held on a person: export it, or erase it.", no_args_is_help=True)

Who = Annotated[str, typer.Argument(help="The person: a name, first name, alias or @username.")]


@app.command()
def export(person: Who) -> None:
    """Print all data held on a person as JSON."""

    async def work(service: Service) -> dict[str, object]:
        found = await service.people.called(service.viewer(), person)
        return await service.person_export.export_everything(found.id)

    print_json(with_service(work))


_KeepOthersWords = Annotated[
    bool, typer.Option("--keep-others-words", help="Keep what others said of them, without their names.")
]
_Confirm = Annotated[
    bool,
    typer.Option(
        "--confirm", help="Remove their names from all other texts too, which are otherwise left to be decided."
    ),
]


@app.command()
def erase(
    person: Who,
    keep_others_words: _KeepOthersWords = False,
    dry_run: DryRun = False,
    confirm: _Confirm = False,
    keep_indexes: KeepIndexes = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Erase a person for good: what they said, what is theirs, and their names where others meant them. Other texts
    with their names are left to be decided, unless --confirm.
    """

    async def plan(service: Service) -> tuple[str, ErasureReceipt]:
        found = await service.people.called(service.viewer(), person)
        planned = await service.erasures.plan(service.viewer(), found.id, others_words=not keep_others_words)
        return found.canonical_name, planned

    async def work(service: Service) -> ErasureReceipt:
        found = await service.people.called(service.viewer(), person)
        with progress("Erasing"):
            receipt = await service.erasures.erase(
                service.viewer(), found.id, others_words=not keep_others_words, confirm=confirm
            )
        if receipt.finished_at and not keep_indexes:
            await make_indexes_anew(service)
        return receipt

    if not dry_run and not yes:
        name, planned = with_service(plan)
        _show(planned, err if json else out)
        typer.confirm(f"Erase {printable(name)} for good?", abort=True, err=True)
    receipt = with_service(plan)[1] if dry_run else with_service(work, vectors=not keep_indexes)
    tell(receipt, _show, json=json)
    if receipt.finished_at and not json:
        _tell_of_copies()
    elif not dry_run and not json:
        err.line("the erasure is under way in another process: give the command again to see whether it has ended")


def _tell_of_copies() -> None:
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.local.dumps import made_dumps
    from hippograph.graph.local.folder import Folder

    out.line("Erased. Exports and backups made before still contain the data: delete them.")
    for path in made_dumps(Folder(read_settings().data_dir)):
        out.line(f"          {path}")


Erasure = Annotated[str, typer.Argument(help="The id of an erasure, as `hippograph person plan` shows it.")]


@app.command()
def plan(
    erasure: Annotated[str | None, typer.Argument(help="Id of an erasure (default: list all).")] = None,
    json: Json = False,
) -> None:
    """Show what erasures left to be decided: texts of others that contain the person's names."""
    if erasure is None:
        waiting = with_service(lambda service: service.erasures.undecided(service.viewer()))
        tell(waiting, _show_undecided, json=json)
    else:
        tell(with_service(partial(_places, erasure)), _show_places, json=json)


async def _places(erasure_id: str, service: Service) -> list[PlannedPlace]:
    from hippograph.graph.paging import MAX_PAGE

    found: list[PlannedPlace] = []
    after = None
    while True:
        page = await service.erasures.places(service.viewer(), erasure_id, first=MAX_PAGE, after=after)
        found += [each.item for each in page.items]
        if not page.has_next:
            return found
        after = page.items[-1].cursor


@app.command()
def confirm(erasure: Erasure, json: Json = False) -> None:
    """Remove the names from the texts that an erasure left to be decided, as they are now."""
    _decide(erasure, confirmed=True, json=json)


@app.command()
def dismiss(erasure: Erasure, json: Json = False) -> None:
    """Keep the texts that an erasure left to be decided as they are, and forget where and about whom they were."""
    _decide(erasure, confirmed=False, json=json)


def _decide(erasure: str, *, confirmed: bool, json: bool) -> None:

    async def work(service: Service) -> ErasureReceipt:
        return await service.erasures.decide(service.viewer(), erasure, confirm=confirmed)

    tell(with_service(work), _show, json=json)


def _show(receipt: ErasureReceipt, screen: Screen = out) -> None:
    for kind, count in receipt.counts.items():
        if count:
            screen.line(f"{count:>8}  {kind}")
    if receipt.undecided:
        screen.line(f"{receipt.undecided:>8}  undecided: `hippograph person plan` shows them")
    _show_places(receipt.places, screen)


def _show_undecided(waiting: Sequence[UndecidedErasure]) -> None:
    if not waiting:
        err.line("no erasure waits for a decision")
    for each in waiting:
        out.line(f"{each.id}  {each.places} places: {', '.join(each.names)}")


def _show_places(places: Sequence[PlannedPlace], screen: Screen = out) -> None:
    for place in places:
        for before, after in place.words:
            screen.line(f"{'undecided' if place.undecided else 'goes':<9} {place.item.kind} {place.item.id}")
            screen.line(f"          - {before}")
            screen.line(f"          + {after}")
