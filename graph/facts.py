"""Facts that somebody says explicitly: remembered, corrected, confirmed, reworded, weighed and forgotten (W5, W6, W10).

What a new fact does to those of its key is decided in `graph.supersession`, between two statements of one transaction:
the first locks and reads what is believed, the last writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from graph.checks import checked_text, refuse_secrets
from graph.clock import Clock
from graph.database import Database, Row, Transaction
from graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from graph.fact import Fact, Subject, category_of, checked_fact, claim_key, text_key, value_of
from graph.filters import day
from graph.ids import new_id, token
from graph.marks import guess, mark_tokens
from graph.memories import place_params, read_params
from graph.model import NO_END, EntityType, SourceRole, Viewer
from graph.recording import DEFAULTS
from graph.supersession import SELF, Known, New, Plan, plan

MAX_FACTS: Final = 100


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a fact: the memory that holds it, and whether it was there already and is now confirmed."""

    memory_id: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class _Home:
    """Where facts are written: by whom, in whose scope, said where, for which persona."""

    speaker_id: str
    scope: str
    owner_id: str
    chat_id: str
    learned_in: str
    persona_id: str
    source_role: SourceRole


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a fact claims: about whom, on whose authority, under which key."""

    about: tuple[Subject, ...]
    authority: str
    category: str
    key: str


class Facts:
    """Writes facts. Raises `InvalidInput`, `NotFound` and `NotAllowed`; nothing is half-written."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        lifetimes: Mapping[str, timedelta],
        decay_rate: float,
        reinforce_weight: int,
        demote_weight: int,
        max_characters: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._lifetimes = lifetimes
        self._decay_rate = decay_rate
        self._weights = {"reinforce": reinforce_weight, "demote": -demote_weight}
        self._max_characters = max_characters

    async def remember(self, viewer: Viewer, facts: Sequence[Fact], *, for_chat: bool = False) -> list[Remembered]:
        """Stores facts in their order, all or none: the viewer's own, or with `for_chat` the group's they stand in.

        A fact with a known key ends the one that held before, or confirms it (W5, W6).
        """
        if not 1 <= len(facts) <= MAX_FACTS:
            raise InvalidInput(f"1 to {MAX_FACTS} facts at a time; {len(facts)} were given")
        if for_chat and viewer.chat_id is None:
            raise InvalidInput("a fact of a group needs the chat: say in which one")
        chat = viewer.chat_id or ""
        home = _Home(
            speaker_id=viewer.person_id,
            scope=chat if for_chat else viewer.person_id,
            owner_id="" if for_chat else viewer.person_id,
            chat_id=chat if for_chat else "",
            learned_in=chat,
            persona_id=viewer.persona_id or "",
            source_role=SourceRole.MEMORY_AGENT,
        )
        checked = [checked_fact(fact, now=self._clock(), limit=self._max_characters) for fact in facts]
        known = await self._subjects({viewer.person_id, *(ref for fact in checked for ref in fact.about)})
        await self._see_evidence(viewer, [turn for fact in checked for turn in fact.evidence])

        async def store(transaction: Transaction) -> list[Remembered]:
            return [await self._store(transaction, viewer, home, fact, known) for fact in checked]

        return await self._database.transaction("fact/create", store)

    async def correct(self, viewer: Viewer, memory_id: str, content: str, *, value: str | None = None) -> str:
        """Says that a fact was never so, and what was: the old one is retired, the new one holds for its time.

        The id of the new memory. For its owner, or a member of its chat (P4).
        """
        content = self._worded(content)
        row = await self._changing(
            "fact/correct",
            viewer,
            memory_id,
            "correct",
            new_id=(made := new_id()),
            content=content,
            value_key=value_of(content, value),
            text_key=text_key(content),
        )
        if row["turn"]:
            raise InvalidInput("a turn stays as it was said: forget it, or remember what is true")
        if row["taken"]:
            raise Conflict("the same is remembered already; forget the wrong one instead")
        return made

    async def update(self, viewer: Viewer, memory_id: str, content: str) -> None:
        """Words a fact anew, in place; the earlier wording is kept, and what was read then is read as it was (M14)."""
        content = self._worded(content)
        row = await self._changing(
            "fact/update",
            viewer,
            memory_id,
            "reword",
            version_id=new_id(),
            content=content,
            value_key=value_of(content),
            text_key=text_key(content),
        )
        if row["taken"]:
            raise Conflict("another memory says the same already; forget one of the two instead")

    async def forget(self, viewer: Viewer, memory_id: str) -> None:
        """Stops believing a memory from now on; what was known before stays as it was (M13, M14)."""
        await self._changing("fact/forget", viewer, memory_id, "forget")

    async def confirm(self, viewer: Viewer, memory_id: str) -> None:
        """Says that a fact is certain: it neither fades nor runs out."""
        await self._changing("fact/confirm", viewer, memory_id, "confirm")

    async def pin(self, viewer: Viewer, memory_id: str, pinned: bool = True) -> None:
        """Pins a memory: it counts as of importance 3 and does not run out; unpinned it is what it was."""
        await self._changing("fact/pin", viewer, memory_id, "pin", pinned=pinned)

    async def reinforce(self, viewer: Viewer, memory_id: str) -> int:
        """Says that a memory served: its score goes up (T5). The new score; for whoever sees it."""
        return await self._weigh(viewer, memory_id, "reinforce")

    async def demote(self, viewer: Viewer, memory_id: str) -> int:
        """Says that a memory misled: its score goes down (T5). The new score; for whoever sees it."""
        return await self._weigh(viewer, memory_id, "demote")

    async def seed_profile(self, viewer: Viewer, facts: Sequence[Fact]) -> list[Remembered]:
        """What is known of a new user from elsewhere, as facts about them."""
        seeded = [replace(fact, source="seeded_profile", category=fact.category or "profile") for fact in facts]
        return await self.remember(Viewer(viewer.person_id, trusted=viewer.trusted), seeded)

    def _worded(self, content: str) -> str:
        refuse_secrets(content)
        return checked_text(content, limit=self._max_characters)

    async def _weigh(self, viewer: Viewer, memory_id: str, how: str) -> int:
        row = await self._changing("fact/weigh", viewer, memory_id, how, by=self._weights[how], hit=how == "reinforce")
        return int(row["score"])

    async def _changing(self, statement: str, viewer: Viewer, memory_id: str, what: str, **params: object) -> Row:
        reading = read_params(viewer, None, self._clock)
        row = await self._database.one(statement, id=memory_id, no_end=NO_END, **params, **reading)
        if row is None:
            raise NotFound(f"there is no memory {memory_id}")
        if not row["allowed"]:
            raise NotAllowed(f"you may see this memory, but not {what} it")
        return row

    async def _subjects(self, refs: set[str]) -> dict[str, Subject]:
        rows = await self._database.run("fact/subjects", refs=sorted(refs))
        known = {row["ref"]: Subject(row["id"], row["key"], EntityType(row["type"])) for row in rows}
        if missing := sorted(refs - set(known)):
            raise NotFound(f"there is no person or thing {missing[0]}")
        return known

    async def _see_evidence(self, viewer: Viewer, turns: Sequence[str]) -> None:
        if turns:
            params = read_params(viewer, None, self._clock)
            rows = await self._database.run("browse/memories", ids=list(turns), **params)
            if missing := sorted(set(turns) - {row["memory"]["id"] for row in rows}):
                raise NotFound(f"there is no memory {missing[0]}")

    async def _store(
        self, transaction: Transaction, viewer: Viewer, home: _Home, fact: Fact, known: Mapping[str, Subject]
    ) -> Remembered:
        claim, since = _claim(fact, home, known), fact.valid_from or fact.event_time
        await transaction.run(
            "fact/lock",
            locked_chat=home.chat_id,
            locked_entities=sorted({home.speaker_id, *(subject.id for subject in claim.about[:1])}),
            now=self._clock(),
        )
        now = self._clock()  # under the locks: what was written before us was written earlier
        rows = await transaction.run(
            "fact/known",
            key=claim.key,
            since=since or now,
            scope=home.scope,
            authority=claim.authority,
            no_end=NO_END,
            **place_params(viewer),
            **read_params(viewer, None, lambda: now),
        )
        if not rows[0]["stands"] or (home.chat_id and not rows[0]["in_group"]):
            raise NotFound(f"there is no {'group' if home.chat_id else 'chat'} {viewer.chat_id}")
        new = New(
            scope=home.scope,
            persona_id=home.persona_id,
            authority=claim.authority,
            value=value_of(fact.content, fact.value),
            valid_from=since or now,
            valid_until=fact.valid_until or NO_END,
        )
        decided = plan(new, [_known(memory, rows[0]["seen"]) for memory in rows[0]["known"]])
        if decided.confirms:
            evidence = list(fact.evidence)
            await transaction.run(
                "fact/repeat", id=decided.confirms, day=day(now), evidence=evidence, now=now, no_end=NO_END
            )
            return Remembered(decided.confirms, confirmed=True)
        memory = self._properties(home, fact, new, decided, claim, now)
        await self._write(transaction, fact, memory, claim, decided, now)
        return Remembered(memory["id"], confirmed=False)

    @staticmethod
    async def _write(
        transaction: Transaction, fact: Fact, memory: Row, claim: _Claim, decided: Plan, now: datetime
    ) -> None:
        """First what makes room, then the memory."""
        if decided.splits:
            rows = [{"id": end.id, "new_id": new_id(), "valid_until": end.valid_until} for end in decided.splits]
            await transaction.run("fact/tell_anew", rows=rows, now=now, no_end=NO_END)
        await transaction.run(
            "fact/create",
            ends=[{"id": end.id, "valid_until": end.valid_until} for end in decided.ends],
            fact=memory,
            label=fact.type.value.capitalize(),
            about=[{"id": subject.id, "primary": place == 0} for place, subject in enumerate(claim.about)],
            evidence=list(fact.evidence),
            supersedes=list(decided.supersedes),
            superseded_by=list(decided.superseded_by),
            outranks=list(decided.outranks),
            outranked_by=list(decided.outranked_by),
            contradicts=list(decided.contradicts),
            now=now,
            no_end=NO_END,
        )

    def _properties(self, home: _Home, fact: Fact, new: New, decided: Plan, claim: _Claim, now: datetime) -> Row:
        guessed = guess(fact.content)
        sensitivity = fact.sensitivity or guessed.sensitivity
        portable = guessed.portable if fact.portable is None else fact.portable
        given = {"sensitivity": fact.sensitivity, "portable": fact.portable}
        event_time = fact.event_time or new.valid_from
        expires = self._expiry(fact, event_time, now)
        memory_id = new_id()
        ended = now if decided.valid_until != NO_END else NO_END
        live_key = f"{home.scope}|{home.persona_id}|{claim.key}|{new.authority}"
        return {
            **DEFAULTS,
            "id": memory_id,
            "content": fact.content,
            "type": fact.type.value,
            "kind": fact.kind,
            "category": claim.category,
            "fact_type": fact.fact_type,
            "memory_key": f"{claim.category}|{claim.key}",
            "claim_key": claim.key,
            "live_key": live_key if decided.valid_until == NO_END else None,
            "authority": new.authority,
            "value_key": new.value,
            "owner_id": home.owner_id,
            "chat_id": home.chat_id,
            "scope": home.scope,
            "scopes": [home.scope],
            "learned_in": home.learned_in,
            "persona_id": home.persona_id,
            "session_id": "",
            "speaker_id": home.speaker_id,
            "source": fact.source,
            "source_role": home.source_role.value,
            "tags": list(fact.tags),
            "sensitivity": sensitivity.value,
            "portable": portable,
            "guessed": [name for name in guessed.guessed if given[name] is None],
            "importance": fact.importance,
            "confidence": float(fact.confidence),
            "decay_rate": self._decay_rate,
            "event_time": event_time,
            "event_day": day(event_time),
            "created_at": now,
            "last_hit_at": now,
            "valid_from": new.valid_from,
            "valid_until": decided.valid_until,
            "ended_at": ended,
            "expires_at": expires,
            "lifetime_until": expires,
            "said_on": [],
            "grown_importance": 0,
            "due_at": now,
            "attempts": 0,
            "facets": [
                token("type", fact.type),
                token("source", fact.source),
                token("status", "active"),
                token("persona", home.persona_id),
                token("speaker", home.speaker_id),
                token("session", ""),
                *(token("tag", tag) for tag in fact.tags),
                *mark_tokens(
                    sensitivity,
                    portable,
                    home.learned_in,
                    [subject.id for subject in claim.about if subject.type is EntityType.PERSON],
                ),
            ],
        }

    def _expiry(self, fact: Fact, event_time: datetime, now: datetime) -> datetime:
        """When it runs out (T3): counted from now, of an event from when it happens, if that is later."""
        lifetime = fact.ttl or self._lifetimes.get(fact.kind)
        if lifetime is None:
            return NO_END
        return (max(now, event_time) if fact.kind == "event" else now) + lifetime


def _claim(fact: Fact, home: _Home, known: Mapping[str, Subject]) -> _Claim:
    """What somebody says of nobody else is about themselves, or as a group's fact about the group (W6)."""
    speaker = known[home.speaker_id]
    about = tuple(dict.fromkeys(known[ref] for ref in fact.about))
    if not about and not home.chat_id:
        about = (speaker,)
    of_self = set(about) == {speaker}
    primary = about[0] if about else Subject(home.chat_id, f"chat:{home.chat_id}", EntityType.CONCEPT)
    return _Claim(
        about,
        authority=SELF if of_self else speaker.id,
        category=category_of(fact, primary, speaker),
        key=claim_key(fact, primary),
    )


def _known(row: Row, seen: Sequence[str]) -> Known:
    return Known(
        id=row["id"],
        scope=row["scope"],
        persona_id=row["persona_id"],
        authority=row["authority"],
        value=row["value_key"],
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        ended_at=row["ended_at"],
        seen=row["id"] in seen,
    )
