"""Entity typing: the type of an entity is settled over all that mentions it (W7).

Each mention says of what type its name was taken to be, and how sure that was; these are votes. Where they are
clearly for another type, the entity gets it, and a key of it; the key of before leads to it. Only what talk alone tells
is typed so, and only where each scope's talk by itself tells the same: nobody is shown what hidden talk decided (P3).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.ids import new_id
from hippograph.graph.knowledge.entity_resolution.mentions import ending_of
from hippograph.graph.model import EntityType
from hippograph.nlp.names.recognition import TYPED

MARGIN: Final = 0.25
"""By so much of a certain mention the votes for another type are more. Two types that are as likely do not take turns;
a larger margin would seldom be reached, since most things are mentioned once or twice.
"""
_MOST_LINKS: Final = 200
"""An entity of more mentions keeps the type that it has by then."""


async def settle_types(database: Database, clock: Clock, memories: Sequence[str]) -> None:
    """Gives the entities that these memories mention the type that all their mentions tell.

    An entity that facts are about never becomes a person, and never stops being one, since other rules say who may see
    facts about people (P1).
    """
    counted = await database.run("enrichment/votes", memories=list(memories), most=_MOST_LINKS, now=clock())
    if rows := [row for each in counted if (row := _retyped(each))]:
        await database.run("enrichment/retype", rows=rows, most=_MOST_LINKS, now=clock())


def settled(present: EntityType, votes: Mapping[EntityType, float]) -> EntityType:
    """The type of an entity by the votes of its mentions: the one that it has, unless another has clearly more, and
    enough for a type.
    """
    best = max(votes, key=lambda kind: votes[kind])
    return best if votes[best] >= max(votes.get(present, 0.0) + MARGIN, TYPED) else present


def _retyped(entity: Row) -> Row | None:
    """What changes of an entity, as `enrichment/retype` takes it; nothing when it keeps its type."""
    before = EntityType(entity["type"])
    kinds = {settled(before, {EntityType(vote["type"]): vote["votes"] for vote in votes}) for votes in entity["votes"]}
    if len(kinds) > 1 or len(entity["votes"]) < len(entity["scopes"]):
        return None
    [kind] = kinds
    person = EntityType.PERSON in (before, kind)
    if kind is before or (person and entity["about"]):
        return None
    key = f"{kind.value}:{entity['key'].partition(':')[2]}"
    return {
        "id": entity["id"],
        "old_key": entity["key"],
        "old_type": before.value,
        "old_label": before.value.capitalize(),
        "scopes": entity["scopes"],
        "keys": [key, f"{key}-{ending_of(entity['scopes'][0])}"],
        "type": kind.value,
        "label": kind.value.capitalize(),
        "person": person,
        "tombstone": new_id(),
    }
