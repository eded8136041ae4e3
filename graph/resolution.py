"""Which entity a name means (W7): what is known of names before the statement that links them decides."""

from collections.abc import Sequence
from typing import Final

from graph.database import Database, Row
from graph.ids import new_id
from graph.model import EntityType
from graph.people import name_token
from nlp.names import Name
from nlp.text import slug

_NAMES_AT_ONCE: Final = 500


async def look_up(database: Database, names: Sequence[Row]) -> None:
    """Adds to each name the ids of the entities of its type that are known by it, the likeliest first."""
    tokens = sorted({name["token"] for name in names})
    known: dict[tuple[str, str], list[str]] = {}
    for start in range(0, len(tokens), _NAMES_AT_ONCE):
        query = f"names:({' '.join(tokens[start : start + _NAMES_AT_ONCE])})"
        for entity in await database.run("entity/find_named", query=query):
            for name in entity["names"]:
                known.setdefault((entity["type"], name), []).append(entity["id"])
    for name in names:
        name["known"] = known.get((name["type"], name["token"]), [])


def mentions(found: Sequence[Name]) -> list[Row]:
    """Names as the graph looks for them; a handle links only to who has it, a name may make a new entity."""
    rows = {}
    for name in found:
        handle, key = name.text.startswith("@"), slug(name.text)
        if key:
            kind = EntityType(name.type.lower())
            rows[kind, handle, key] = {
                "id": new_id(),
                "text": name.text,
                "type": kind.value,
                "label": name.type,
                "token": name_token(name.text),
                "key": None if handle else f"{kind.value}:{key}",
            }
    return list(rows.values())
