"""Entity typing: determines the type of an entity from all its mentions (W7).

Each mention has the type that the recognizer gave its name, and how certain that was; these are votes. If they are
clearly for another type, the entity gets it, with a key of that type; the old key leads to it. Only entities known from
talk alone are retyped, and only if the votes of each scope by itself agree, so that nobody is shown a type that hidden
talk decided (P3).
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
"""Minimum lead of the votes for another type; a certain mention has one vote. It keeps two equally likely types from
alternating. A larger margin would seldom be reached, since most things are mentioned once or twice.
"""
_MOST_LINKS: Final = 200
"""Maximum number of mentions and facts of an entity that is retyped; with more, it keeps its type."""


async def settle_types(database: Database, clock: Clock, memories: Sequence[str]) -> None:
    """Gives the entities mentioned in these memories the type that all their mentions vote for.

    An entity that facts are about never becomes a person nor stops being one, since facts about people have other
    visibility rules (P1).
    """
    counted = await database.run("enrichment/votes", memories=list(memories), most=_MOST_LINKS, now=clock())
    if rows := [row for each in counted if (row := _retyped(each))]:
        await database.run("enrichment/retype", rows=rows, most=_MOST_LINKS, now=clock())


def settled(present: EntityType, votes: Mapping[EntityType, float]) -> EntityType:
    """Returns the type of an entity by the votes of its mentions: its present type, unless another type has at least
    `MARGIN` more votes and at least `TYPED`.
    """
    best = max(votes, key=lambda kind: votes[kind])
    return best if votes[best] >= max(votes.get(present, 0.0) + MARGIN, TYPED) else present


def _retyped(entity: Row) -> Row | None:
    """Returns the row of an entity for `enrichment/retype`; None if it keeps its type."""
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
