"""Export of all data stored about a person, for themselves or for the operator (M13, privacy law)."""

from collections.abc import AsyncIterator
from typing import Any, Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.model import START, Viewer
from hippograph.graph.people.entities import known_entities

_AT_ONCE: Final = 500


class PersonExport:
    """Collects the data stored about a person."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def export(self, viewer: Viewer, person_id: str) -> dict[str, Any]:
        """Returns the data stored about the viewer, with times as text: names, chats, state, credentials, `memories`
        sorted by id, and `uses` (which of these memories their assistant was told).

        Memories are all of their own, also forgotten ones, and those of others about them that they may see. Names are
        those that they see (M3); what others call them in private is not included.

        Raises `NotAllowed` when the viewer is not this person.
        """
        ids = await self._ids(person_id)
        if viewer.person_id not in ids:
            raise NotAllowed("what is held on a person is for themselves and for the operator alone")
        told = read_params(Viewer(viewer.person_id), None, self._clock)
        theirs = [each async for each in self._pages("people/export_memories", ids=ids, everything=False)]
        others = [each async for each in self._pages("people/export_told", ids=ids, **told)]
        seen = await known_entities(self._database, self._clock, viewer.at(None), [viewer.person_id])
        me = seen[viewer.person_id]
        names = {"canonical_name": me.canonical_name, "aliases": list(me.aliases)}
        return {**await self._with(ids, [*theirs, *others], everything=False), **names}

    async def export_everything(self, person_id: str) -> dict[str, Any]:
        """Returns the data of `export`, with all names, relations and memories of others about them, except those told
        in confidence. This is for the operator of the service. Raises `NotFound`.
        """
        ids = await self._ids(person_id)
        if not ids:
            raise NotFound(f"there is no person {person_id}")
        memories = [each async for each in self._pages("people/export_memories", ids=ids, everything=True)]
        return await self._with(ids, memories, everything=True)

    async def _ids(self, person_id: str) -> list[str]:
        row = await self._database.one("people/same_person", person_id=person_id)
        return list(row["ids"]) if row else []

    async def _with(self, ids: list[str], memories: list[dict[str, Any]], *, everything: bool) -> dict[str, Any]:
        found = await self._database.one("people/export", ids=ids, everything=everything)
        assert found is not None
        told = sorted(memories, key=lambda memory: str(memory["id"]))
        return {
            **found["person"],
            "memories": told,
            "uses": await self._uses(ids, {str(memory["id"]) for memory in told}),
        }

    async def _uses(self, ids: list[str], told: set[str]) -> list[dict[str, Any]]:
        """Returns the uses of memories by their assistant. Only ids in `told`, the memories of the export, are
        included: the person may no longer know the others.
        """
        uses: list[dict[str, Any]] = []
        for person_id in ids:
            since, after = START, ""
            while rows := await self._database.run(
                "people/export_uses", person_id=person_id, since=since, after=after, limit=_AT_ONCE
            ):
                uses += [
                    use | {"memory_ids": [each for each in use["memory_ids"] if each in told]}
                    for use in (row["use"] for row in rows)
                ]
                since, after = rows[-1]["at"], rows[-1]["use"]["id"]
        return uses

    async def _pages(self, statement: str, **params: object) -> AsyncIterator[dict[str, Any]]:
        after = ""
        while rows := await self._database.run(statement, **params, after=after, limit=_AT_ONCE):
            for row in rows:
                yield row["memory"]
            after = rows[-1]["memory"]["id"]
