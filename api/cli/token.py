"""The commands about API keys: `hippograph token …`. They are the operator's: they need the database's password."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from api.cli.data import Json
from api.cli.groups import Group
from api.cli.output import out, print_json, progress, run
from graph.model import NO_END

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from graph.access.credentials import ApiKey, ApiKeys
    from graph.people.people import People

T = TypeVar("T")

app: Final = typer.Typer(cls=Group, help="API keys: who may use the service.", no_args_is_help=True)


@app.command()
def create(
    account: Annotated[str, typer.Argument(help="Whose key it is: an account, made if nobody has it.")],
    name: Annotated[str, typer.Option(help="What the key is for.")] = "key",
    service: Annotated[
        bool, typer.Option("--service", help="The key of a trusted service: it may act for any user.")
    ] = False,
    acts_for: Annotated[
        list[str] | None, typer.Option(help="The key of a trusted service: an account that it may act for.")
    ] = None,
    days: Annotated[int | None, typer.Option(max=36_500, help="After so many days it opens nothing.")] = None,
    json: Json = False,
) -> None:
    """Make a key, and print it this once."""
    accounts = ["*"] if service else acts_for or []
    lifetime = None if days is None else timedelta(days=days)

    async def work(people: People, keys: ApiKeys) -> tuple[ApiKey, str]:
        await people.with_account(account, account)
        return await keys.create(account, name, acts_for=accounts, lifetime=lifetime)

    made, secret = _with_keys(work)
    if json:
        print_json({**_shown(made), "key": secret})
        return
    out.line(secret)
    out.line(("Keep it: it is not shown again. Send it as Authorization: Bearer …", "dim"))


@app.command("list")
def list_keys(json: Json = False) -> None:
    """List the keys, without their secrets."""
    keys = _with_keys(lambda _, keys: keys.list())
    if json:
        print_json([_shown(key) for key in keys])
        return
    columns = [("id", False), ("account", False), ("name", False), ("acts for", False), ("until", False)]
    out.table("API keys", columns, ([k.id, k.account, k.name, ", ".join(k.acts_for), _until(k)] for k in keys))


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="The key's id, as `token list` shows it.")],
) -> None:
    """End a key. A running service may take it for five seconds more."""
    _with_keys(lambda _, keys: keys.revoke(key_id))
    out.line("revoked")


def _with_keys(work: Callable[[People, ApiKeys], Awaitable[T]]) -> T:
    from api.cli.reading import read_settings
    from api.connections import open_graph
    from graph.access.credentials import ApiKeys
    from graph.clock import system_clock
    from graph.people.people import People

    settings = read_settings()

    async def do() -> T:
        with progress("Setting up") as report:
            async with open_graph(settings, report) as database:
                return await work(People(database, system_clock), ApiKeys(database, system_clock))

    return run(do())


def _until(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return f"revoked on {key.revoked_at:%d %B %Y}"
    return "" if key.expires_at == NO_END else f"{key.expires_at:%d %B %Y %H:%M}"


def _shown(key: ApiKey) -> dict[str, object]:
    return {
        "id": key.id,
        "name": key.name,
        "account": key.account,
        "actsFor": list(key.acts_for),
        "createdAt": key.created_at.isoformat(),
        "expiresAt": None if key.expires_at == NO_END else key.expires_at.isoformat(),
        "revokedAt": key.revoked_at.isoformat() if key.revoked_at else None,
    }
