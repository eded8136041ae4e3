"""Explicit facts: remembering, sharing, correcting, confirming, rewording, scoring and forgetting them (W5, W6, W10).

How facts are written is in `graph.writing.fact_writer`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol

from hippograph.graph.access.labels import guess
from hippograph.graph.access.parameters import read_params
from hippograph.graph.background import read_apart
from hippograph.graph.checks import checked_name, checked_text, numbered, refuse_secrets
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound, StaleRead
from hippograph.graph.ids import new_id, token
from hippograph.graph.model import EventPrecision, MemoryType, SourceRole, Viewer
from hippograph.graph.people.entities import known_entities
from hippograph.graph.people.people import check_persona
from hippograph.graph.writing.fact import Fact, Subject, checked_fact, text_key, value_of
from hippograph.graph.writing.fact_claims import Home
from hippograph.graph.writing.fact_writer import FactWriter, Remembered

MAX_FACTS: Final = 100


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a memory after reinforcing and demoting. It `counts` for the memory's owner alone (T5); for the
    memory of another or of a group, `value` is 0.
    """

    value: int
    counts: bool


class ReadFacts(Protocol):
    """Facts after reading, before they are written."""

    async def resolved(self, transaction: Transaction) -> tuple[list[Fact], dict[str, Subject]]:
        """The facts, and the entities that they are about, by id and by key. New entities are created."""

    async def relate(self, transaction: Transaction, memories: Sequence[str]) -> None:
        """Stores the relations between entities that the facts state. `memories` are the ids of the facts, in order."""


class FactReading(Protocol):
    """Infers the claims of facts that come without an aspect (`graph.knowledge.fact_reading`)."""

    async def read(
        self, viewer: Viewer, facts: Sequence[Fact], known: Mapping[str, Subject], *, for_chat: bool
    ) -> ReadFacts:
        """Reads facts of the viewer, or with `for_chat` of their group. `known` holds the viewer and the entities that
        the facts name as subjects, by id or key.
        """


class Facts:
    """Writes facts, each call in full or not at all. Raises `InvalidInput`, `NotFound`, `NotAllowed` and `Conflict`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        fact_writer: FactWriter,
        *,
        reading: FactReading | None = None,
        reinforce_weight: int,
        demote_weight: int,
        max_characters: int,
        refuse_identifiers: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._fact_writer = fact_writer
        self._reading = reading
        self._weights = {"reinforce": reinforce_weight, "demote": -demote_weight}
        self._max_characters = max_characters
        self._refuse_identifiers = refuse_identifiers

    async def remember(self, viewer: Viewer, facts: Sequence[Fact], *, for_chat: bool = False) -> list[Remembered]:
        """Stores facts in their order, all or none: as the viewer's own, or with `for_chat` as those of their group.

        A fact with a known key ends the one that held before, or confirms it (W5, W6). If no aspect is given, it is
        inferred from the words where these are clear. A fact that is to be kept from somebody ("don't tell Maya") is
        for the viewer alone, whatever its labels (P1). An error in one of several facts says which one.
        """
        if not 1 <= len(facts) <= MAX_FACTS:
            raise InvalidInput(f"1 to {MAX_FACTS} facts at a time; {len(facts)} were given")
        if for_chat and viewer.chat_id is None:
            raise InvalidInput("a fact of a group needs the chat: say in which one")
        chat = viewer.chat_id or ""
        home = Home(
            speaker_id=viewer.person_id,
            scope=chat if for_chat else viewer.person_id,
            owner_id="" if for_chat else viewer.person_id,
            chat_id=chat if for_chat else "",
            learned_in=chat,
            persona_id=viewer.persona_id or "",
            source_role=SourceRole.MEMORY_AGENT,
            space_id=viewer.space_id or "",
        )
        await check_persona(self._database, viewer.persona_id)
        now, limit, identifiers = self._clock(), self._max_characters, self._refuse_identifiers
        checked = await read_apart(
            sum(len(fact.content) + len(fact.value or "") for fact in facts),
            lambda: _checked(facts, now=now, limit=limit, identifiers=identifiers),
        )
        if for_chat and any(fact.confided for fact in checked):
            raise InvalidInput("what is to be kept from somebody is no fact of a group: leave out the chat")
        try:
            return await self._remember(viewer, home, checked, for_chat=for_chat)
        except StaleRead:  # a subject was merged meanwhile: its id now leads to what it was merged into
            return await self._remember(viewer, home, checked, for_chat=for_chat)

    async def share(self, viewer: Viewer, memory_id: str, chat_id: str) -> Remembered:
        """Shares a fact of the viewer's own with a group in which they and others take part. The group gets a copy of
        the words, stated by the viewer; it is retired with the original or by `unshare`. The result is `confirmed` if
        the copy exists already, or if the group itself knows the fact; then no copy is made.

        The copy does not reveal when or where the viewer was told, or the evidence. Also raises `InvalidInput` for a
        fact that is to be kept from somebody, and for one of a space to which the group does not belong (P7).
        """
        there = replace(viewer.alone(), chat_id=chat_id)
        [row] = await self._shareable(self._database, viewer, memory_id, chat_id)
        if row["shared"]:
            return Remembered(row["shared"], confirmed=True)
        fact = _shared(row, self._clock())
        known = await self._subjects(there, {viewer.person_id, *fact.about})
        read = await self._reading.read(there, [fact], known, for_chat=True) if self._reading else None
        home = Home(viewer.person_id, chat_id, "", chat_id, chat_id, "", SourceRole.MEMORY_AGENT, apart=True)

        async def store(transaction: Transaction) -> Remembered:
            [now] = await self._shareable(transaction, viewer, memory_id, chat_id)
            if now["shared"]:
                return Remembered(now["shared"], confirmed=True)
            if (now["fact"], now["about"]) != (row["fact"], row["about"]):
                raise Conflict("the memory was changed meanwhile: look at it, and share it again")
            [stored] = await self._store(transaction, there, home, [fact], known, read)
            if not stored.confirmed:
                params = {"copy": stored.memory_id, **self._of(viewer, memory_id)}
                if not await transaction.run("fact/share", **params):
                    raise InvalidInput("nobody would see it there: it is about nobody who takes part in the group")
            return stored

        return await self._database.transaction("fact/share", store)

    async def unshare(self, viewer: Viewer, memory_id: str, chat_id: str | None = None) -> int:
        """Retires the copies of a memory of the viewer's own in a group, or in all groups; returns their number. The
        memory may be retired, and the viewer may have left the group. What was said in the group stays.
        """
        row = await self._changing("fact/unshare", viewer, memory_id, "take it back", chat=chat_id)
        taken_back: int = row["taken_back"]
        return taken_back

    async def correct(self, viewer: Viewer, memory_id: str, content: str, *, value: str | None = None) -> str:
        """Replaces a fact that was never true: the old one is retired, the new one is valid for the same time.

        A viewer who corrects the words of another person states the new fact themselves; a statement of that person
        about themselves stays and is contradicted (P6, W6). Returns the id of the new memory. Allowed for the owner of
        the fact and for members of its chat (P4).
        """
        words, made = await self._words(content, value), new_id()

        async def change(transaction: Transaction) -> None:
            rows = await transaction.run("fact/correct", new_id=made, **self._of(viewer, memory_id), **words)
            row = _allowed(rows, memory_id, "correct")
            _raise_unchanged(row)
            if row["by_another"]:
                gone = [token("speaker", row["speaker"]), token("source", row["source"])]
                facets = [token("speaker", viewer.person_id), token("source", "agent")]
                own = {"decay_rate": self._fact_writer.decay_rate, "gone": gone, "facets": facets}
                now = {"viewer": viewer.person_id, "now": self._clock()}
                await transaction.run("fact/restate", id=memory_id, new_id=made, **words, **own, **now)

        await self._database.transaction("fact/correct", change)
        return made

    async def update(
        self,
        viewer: Viewer,
        memory_id: str,
        content: str | None = None,
        *,
        value: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> None:
        """Rewords a fact in place, or replaces the tags of a memory; None leaves what there is. The earlier wording is
        kept as a version, for reads of an earlier time (M14). Raises `NotAllowed` for the words of another person (P6).
        """
        if content is None and tags is None:
            raise InvalidInput("say what is to change: give other words, or tags")
        words = None if content is None else await self._words(content, value)
        checked = None if tags is None else self._tags(tags)

        async def change(transaction: Transaction) -> None:
            if words is not None:
                rows = await transaction.run("fact/update", version_id=new_id(), **self._of(viewer, memory_id), **words)
                row = _allowed(rows, memory_id, "reword")
                if row["by_another"] and not row["turn"]:
                    raise NotAllowed(
                        "these are the words of another person: with correctFact you say in your own name what is true"
                    )
                _raise_unchanged(row)
            if checked is not None:
                rows = await transaction.run("fact/tags", **self._of(viewer, memory_id))
                gone = [token("tag", tag) for tag in _allowed(rows, memory_id, "tag")["tags"]]
                facets = [token("tag", tag) for tag in checked]
                await transaction.run("fact/set_tags", id=memory_id, tags=checked, gone=gone, facets=facets)

        await self._database.transaction("fact/update", change)

    async def forget(self, viewer: Viewer, memory_id: str, *, with_sources: bool = False) -> None:
        """Retires a memory; reads of an earlier time still find it (M13, M14). `with_sources` also forgets the turns of
        its evidence in which nothing else was found, where the viewer may forget them.
        """
        await self._changing("fact/forget", viewer, memory_id, "forget", with_sources=with_sources)

    async def unfold(self, viewer: Viewer, memory_id: str) -> str:
        """Restores a fact that was folded into another as its paraphrase. It is believed again beside the other, and
        never folded again. Returns its new id. Allowed for its owner and for members of its chat (P4).
        """
        await self._changing("fact/unfold", viewer, memory_id, "take it out of the other", new_id=(made := new_id()))
        return made

    async def confirm(self, viewer: Viewer, memory_id: str) -> None:
        """Marks a fact as certain: its confidence does not decay, and it does not expire."""
        await self._changing("fact/confirm", viewer, memory_id, "confirm")

    async def pin(self, viewer: Viewer, memory_id: str, pinned: bool = True) -> None:
        """Pins or unpins a memory for the viewer. A pinned memory has importance 3 for them. It does not expire while
        anybody pins it; after the last pin it has its former expiry. If it is reworded by somebody else, or the person
        who pinned it is erased, it stays protected until somebody unpins it.
        """
        await self._changing("fact/pin", viewer, memory_id, "pin" if pinned else "unpin", pinned=pinned)

    async def reinforce(self, viewer: Viewer, memory_id: str) -> Score:
        """Notes that a memory was useful; raises its score for its owner (T5). Allowed for whoever sees the memory."""
        return await self._weigh(viewer, memory_id, "reinforce")

    async def demote(self, viewer: Viewer, memory_id: str) -> Score:
        """Notes that a memory misled; lowers its score for its owner (T5). Allowed for whoever sees the memory."""
        return await self._weigh(viewer, memory_id, "demote")

    async def seed_profile(self, viewer: Viewer, facts: Sequence[Fact]) -> list[Remembered]:
        """Stores what is known of a new user from elsewhere, as their own facts; the default category is `profile`."""
        seeded = [replace(fact, source="seeded_profile", category=fact.category or "profile") for fact in facts]
        return await self.remember(viewer.alone(), seeded)

    async def _remember(self, viewer: Viewer, home: Home, facts: Sequence[Fact], *, for_chat: bool) -> list[Remembered]:
        known = await self._subjects(viewer, {viewer.person_id, *(ref for fact in facts for ref in fact.about)})
        if known[viewer.person_id].id != viewer.person_id:
            raise NotFound(f"there is no person {viewer.person_id} any more: they were merged into another")
        await self._see_evidence(viewer, [turn for fact in facts for turn in fact.evidence])
        read = await self._reading.read(viewer, facts, known, for_chat=for_chat) if self._reading else None

        async def store(transaction: Transaction) -> list[Remembered]:
            return await self._store(transaction, viewer, home, facts, known, read)

        return await self._database.transaction("fact/create", store)

    async def _store(
        self,
        transaction: Transaction,
        viewer: Viewer,
        home: Home,
        facts: Sequence[Fact],
        known: Mapping[str, Subject],
        read: ReadFacts | None,
    ) -> list[Remembered]:
        if read is None:
            return await self._fact_writer.write(transaction, viewer, home, facts, known)
        filled, subjects = await read.resolved(transaction)
        stored = await self._fact_writer.write(transaction, viewer, home, filled, subjects)
        await read.relate(transaction, [each.memory_id for each in stored])
        return stored

    async def _shareable(
        self, runs: Database | Transaction, viewer: Viewer, memory_id: str, chat_id: str
    ) -> Sequence[Row]:
        """The row of the memory that is to be shared. Raises the reason if it may not be."""
        rows = await runs.run("fact/shareable", chat=chat_id, **self._of(viewer, memory_id))
        row = _allowed(rows, memory_id, "share")
        if not row["group"]:
            raise NotFound(f"you are in no group {chat_id}; a private chat is none")
        for refused, why in (
            (row["turn"], "a turn stays where it was said: remember what is true, and share that"),
            (row["confided"], "this is to be kept from somebody: it is shared with nobody"),
            (row["ended"], "this holds no longer: share what does"),
            (row["elsewhere"], "this belongs to a space, and the group does not: move it out of its space first"),
            (row["members"] == 0, "nobody else takes part in this group: who is invited has to accept first"),
        ):
            if refused:
                raise InvalidInput(why)
        return rows

    async def _words(self, content: str, value: str | None = None) -> Row:
        """As `_checked_words`; long texts are read in a thread."""
        return await read_apart(len(content) + len(value or ""), lambda: self._checked_words(content, value))

    def _checked_words(self, content: str, value: str | None) -> Row:
        """The Cypher parameters of a new wording: the words, their keys, and the labels inferred from them."""
        content = checked_text(content, limit=self._max_characters)
        value = value and checked_text(value, limit=self._max_characters)
        refuse_secrets(content, value or "", identifiers=self._refuse_identifiers)
        guessed = guess(content)
        return {
            "content": content,
            "value_key": value_of(content, value),
            "text_key": text_key(content),
            "sensitivity": guessed.sensitivity.value,
            "portable": guessed.portable,
        }

    def _tags(self, tags: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(checked_name(tag, identifiers=self._refuse_identifiers) for tag in tags))

    async def _weigh(self, viewer: Viewer, memory_id: str, how: str) -> Score:
        row = await self._changing(
            "fact/change_score", viewer, memory_id, how, by=self._weights[how], hit=how == "reinforce"
        )
        return Score(row["score"], row["counts"])

    async def _changing(self, statement: str, viewer: Viewer, memory_id: str, what: str, **params: object) -> Row:
        return _allowed(await self._database.run(statement, **params, **self._of(viewer, memory_id)), memory_id, what)

    def _of(self, viewer: Viewer, memory_id: str) -> dict[str, object]:
        return {"id": memory_id, **read_params(viewer, None, self._clock)}

    async def _subjects(self, viewer: Viewer, refs: set[str]) -> dict[str, Subject]:
        found = await known_entities(self._database, self._clock, viewer, refs)
        known = {ref: Subject(one.id, one.key, one.type, one.canonical_name) for ref, one in found.items()}
        if missing := sorted(refs - set(known)):
            raise NotFound(f"there is no person or thing {missing[0]}")
        return known

    async def _see_evidence(self, viewer: Viewer, turns: Sequence[str]) -> None:
        if turns:
            params = read_params(viewer, None, self._clock)
            rows = await self._database.run("browse/memories", ids=list(turns), **params)
            if missing := sorted(set(turns) - {row["memory"]["id"] for row in rows}):
                raise NotFound(f"there is no memory {missing[0]}")


def _allowed(rows: Sequence[Row], memory_id: str, what: str) -> Row:
    """The row of a statement that changes a memory. Raises `NotFound`, and `NotAllowed` if it may not be changed."""
    if not rows:
        raise NotFound(f"there is no memory {memory_id}")
    if not rows[0]["allowed"]:
        raise NotAllowed(f"you may see this memory, but not {what} it")
    return rows[0]


def _raise_unchanged(row: Row) -> None:
    if row["turn"]:
        raise InvalidInput("a turn stays as it was said: forget it, or remember what is true")
    if row["taken"]:
        raise Conflict("another memory says the same already; forget one of the two instead")


def _checked(facts: Sequence[Fact], *, now: datetime, limit: int, identifiers: bool) -> list[Fact]:
    checked = []
    for number, fact in enumerate(facts, start=1):
        with numbered("fact", number, len(facts)):
            checked.append(checked_fact(fact, now=now, limit=limit, identifiers=identifiers))
    return checked


def _shared(row: Row, now: datetime) -> Fact:
    """The copy of a shared fact, as it is stated in the group."""
    given, aspect = row["fact"], row["fact"]["aspect"]
    return Fact(
        given["content"],
        tuple(row["about"]),
        kind=given["kind"],
        type=MemoryType(given["type"]),
        fact_type=given["fact_type"],
        aspect=aspect,
        value=given["value_key"] if aspect else None,
        frame=(aspect and given["frame"]) or "",
        event_time=given["event_time"],
        event_precision=given["event_time"] and EventPrecision(given["event_precision"]),
        valid_from=given["valid_from"],
        valid_until=given["valid_until"],
        ttl=given["expires_at"] and given["expires_at"] - now,
    )
