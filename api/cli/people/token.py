"""The group `hippograph token …`: API keys. Its commands are for the operator: they need the database password."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import out, print_json, progress, run
from hippograph.graph.clock import system_clock
from hippograph.graph.model import NO_END
from hippograph.graph.rights import Rights

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hippograph.graph.access.credentials import ApiKey, ApiKeys
    from hippograph.graph.database import Database

T = TypeVar("T")

KeyId = Annotated[str, typer.Argument(metavar="ID", help="The key's id, as `token list` shows it.")]
ActsFor = Annotated[list[str] | None, typer.Option(help='Account that the key may act for; "*": all.')]
Records = Annotated[
    list[str] | None, typer.Option(help='Id of a chat in which the key may record turns of anybody; "*": all.')
]
SpeaksAs = Annotated[
    str | None, typer.Option(help="Persona whose turns the key may record in its own person's private chats.")
]
Admin = Annotated[
    bool, typer.Option("--admin", help="The key may administer people, erasures, personas, upkeep, metrics.")
]

app: Final = typer.Typer(cls=Group, help="API keys: who may use the service.", no_args_is_help=True)


@app.command()
def create(
    account: Annotated[str, typer.Argument(help="Account that the key belongs to; created if nobody has it.")],
    name: Annotated[str, typer.Option(help="Name that says what the key is for.")] = "key",
    acts_for: ActsFor = None,
    records: Records = None,
    speaks_as: SpeaksAs = None,
    admin: Admin = False,
    days: Annotated[int | None, typer.Option(max=36_500, help="Days until the key expires (default: never).")] = None,
    json: Json = False,
) -> None:
    """Create a key and print it, which happens only once. Without options it has no rights beyond its account."""
    lifetime = None if days is None else timedelta(days=days)

    async def work(database: Database, keys: ApiKeys) -> tuple[ApiKey, str]:
        from hippograph.graph.people.people import People

        rights = await _rights(database, acts_for, records, speaks_as, admin)
        await People(database, system_clock).with_account(account, account)
        return await keys.create(account, name, rights=rights, lifetime=lifetime)

    made, secret = _with_keys(work)
    if json:
        print_json({**_shown(made), "key": secret})
        return
    out.line(secret)
    out.line(("Keep it: it is not shown again. Send it as Authorization: Bearer …", "dim"))


@app.command("list")
def list_keys(json: Json = False) -> None:
    """List the keys and their rights, without the secrets."""
    keys = _with_keys(lambda _, keys: keys.list())
    if json:
        print_json([_shown(key) for key in keys])
        return
    _show(keys)
    if not any(key.rights.admin and key.holds(system_clock()) for key in keys):
        out.line(("None administers: hippograph token create ACCOUNT --admin makes one that does.", "dim"))


@app.command()
def narrow(
    key_id: KeyId,
    acts_for: ActsFor = None,
    records: Records = None,
    speaks_as: SpeaksAs = None,
    admin: Admin = False,
    json: Json = False,
) -> None:
    """Reduce the rights of a key to those that are named here. A running service follows within five seconds."""

    async def work(database: Database, keys: ApiKeys) -> ApiKey:
        return await keys.narrow(key_id, await _rights(database, acts_for, records, speaks_as, admin))

    key = _with_keys(work)
    if json:
        print_json(_shown(key))
    else:
        _show([key])


@app.command()
def revoke(key_id: KeyId) -> None:
    """Revoke a key. A running service may accept it for five more seconds."""
    _with_keys(lambda _, keys: keys.revoke(key_id))
    out.line("revoked")


def _with_keys(work: Callable[[Database, ApiKeys], Awaitable[T]]) -> T:
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.connections import open_graph
    from hippograph.graph.access.credentials import ApiKeys

    settings = read_settings()

    async def do() -> T:
        with progress("Setting up") as report:
            async with open_graph(settings, report) as database:
                return await work(database, ApiKeys(database, system_clock))

    return run(do())


async def _rights(
    database: Database, acts_for: list[str] | None, records: list[str] | None, speaks_as: str | None, admin: bool
) -> Rights:
    """Returns the rights that the options name. Raises `NotFound` for an unknown persona, and `InvalidInput`."""
    from hippograph.api.arguments import chat_or_every, named_or_id
    from hippograph.graph.reading.browsing import Browsing

    persona = None
    if speaks_as is not None:
        persona = await Browsing(database, system_clock).persona_called(named_or_id("Persona", speaks_as))
    chats = tuple(map(chat_or_every, records or ()))
    return Rights(tuple(acts_for or ()), chats, persona.id if persona else None, admin)


def _show(keys: list[ApiKey]) -> None:
    columns = [("id", False), ("account", False), ("name", False), ("rights", False), ("until", False)]
    out.table("API keys", columns, ([k.id, k.account, k.name, _told(k.rights), _until(k)] for k in keys))


def _told(rights: Rights) -> str:
    lists = (("acts for", rights.acts_for), ("records", rights.records))
    told = [f"{name} {', '.join(values)}" for name, values in lists if values]
    told += [f"speaks as {rights.speaks_as}"] if rights.speaks_as else []
    return "; ".join([*told, "administers"] if rights.admin else told)


def _until(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return f"revoked on {key.revoked_at:%d %B %Y}"
    return "" if key.expires_at == NO_END else f"{key.expires_at:%d %B %Y %H:%M} UTC"


def _shown(key: ApiKey) -> dict[str, object]:
    return {
        "id": key.id,
        "name": key.name,
        "account": key.account,
        "actsFor": list(key.rights.acts_for),
        "records": list(key.rights.records),
        "speaksAs": key.rights.speaks_as,
        "admin": key.rights.admin,
        "createdAt": key.created_at.isoformat(),
        "expiresAt": None if key.expires_at == NO_END else key.expires_at.isoformat(),
        "revokedAt": key.revoked_at.isoformat() if key.revoked_at else None,
    }
