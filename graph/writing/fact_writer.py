"""Writing facts: in a transaction, under locks, each compared with the believed facts of its key (W5, W6).

One statement reads the believed facts, `graph.writing.supersession` decides what a new fact does to those of its key,
and later statements write. Facts of different keys are written together, so that many cost little more than one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from hippograph.graph.access.labels import CONFIDED, guess, label_tokens, space_tokens
from hippograph.graph.access.parameters import request_params
from hippograph.graph.background import read_apart
from hippograph.graph.checks import checked_attributes, moment_after
from hippograph.graph.clock import Clock
from hippograph.graph.database import Row, Transaction
from hippograph.graph.errors import NotFound, QueueFull, StaleRead
from hippograph.graph.ids import new_id, token
from hippograph.graph.jobs.queue import APART_MS, quota
from hippograph.graph.model import NO_END, EntityType, Sensitivity, Viewer
from hippograph.graph.retention.strength import first_stability
from hippograph.graph.retrieval.filters import day, days
from hippograph.graph.stretches import ended, precision_of
from hippograph.graph.writing.fact import Fact, Subject, gist, memory_key, text_key, value_of
from hippograph.graph.writing.fact_claims import Claim, Home, claim_of
from hippograph.graph.writing.memory_properties import DEFAULTS, belonging_tokens, facets
from hippograph.graph.writing.supersession import SELF, Known, New, Plan, closing, plan

_PAUSE_S: Final = 2
_LISTS: Final = ("supersedes", "superseded_by", "outranks", "outranked_by", "contradicts")


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory that holds a fact, and whether it existed before and is now confirmed."""

    memory_id: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """A fact that is being written: its index among those given, its claim, and its form for `supersession`."""

    number: int
    fact: Fact
    claim: Claim
    new: New


class FactWriter:
    """Writes facts in a transaction of the caller."""

    def __init__(
        self, clock: Clock, *, lifetimes: Mapping[str, timedelta], decay_rate: float, most_waiting: int | None = None
    ) -> None:
        """`most_waiting` is the maximum number of queued memories of one owner or group; None is no limit."""
        self._clock = clock
        self._lifetimes = lifetimes
        self._most_waiting = most_waiting
        self.decay_rate = decay_rate
        """Decay rate of the confidence of a new fact (T2)."""

    async def write(
        self, transaction: Transaction, viewer: Viewer, home: Home, facts: Sequence[Fact], known: Mapping[str, Subject]
    ) -> list[Remembered]:
        """Stores facts in their order. `known` holds the speaker and the subjects of the facts, by id and by key.

        Raises `NotFound` when the viewer does not take part in the chat, `QueueFull` when the queue of the owner or
        group is full, and `StaleRead` when a subject was merged or erased meanwhile.
        """
        claims = [claim_of(fact, home, known) for fact in facts]
        subjects, before = sorted({subject.id for claim in claims for subject in claim.about}), self._clock()
        [row] = await transaction.run(
            "fact/lock",
            place="" if home.derived else home.scope,
            items=len(facts),
            apart=APART_MS,
            most_waiting=quota(viewer, self._most_waiting),
            locked_chat="" if all(claim.about for claim in claims) else home.chat_id,
            locked_entities=subjects,
            learned_in=home.learned_in,
            own_space=home.space_id,
            now=before,
        )
        if row["full"] and self._most_waiting is not None:
            raise QueueFull(self._most_waiting)
        if row["entities"] < len(subjects):
            raise StaleRead("whom or what a fact is about was merged or erased meanwhile; try again")
        home = replace(home, space_id=row["space"])
        # Extracted facts are enriched within seconds, in batches; explicit ones when their place in the queue is due.
        due_at: datetime = row["due_at"] or _together(before)
        stored: dict[int, Remembered] = {}
        for numbers in _rounds([(claim.key, claim.closes) for claim in claims]):
            now = self._clock()  # read under the locks, so later than all earlier writes
            entries = [_Entry(n, facts[n], claims[n], _new(facts[n], home, claims[n], now)) for n in numbers]
            stored |= await self._round(transaction, viewer, home, entries, now, due_at)
        return [stored[number] for number in range(len(facts))]

    async def _round(
        self,
        transaction: Transaction,
        viewer: Viewer,
        home: Home,
        entries: Sequence[_Entry],
        now: datetime,
        due_at: datetime,
    ) -> dict[int, Remembered]:
        """Writes facts of which no two share a key; returns the results by the numbers of the facts."""
        known = await self._known(transaction, viewer, home, entries, now)
        repeats, splits, ends, rows = [], [], [], []
        stored: dict[int, Remembered] = {}
        for entry in entries:
            decided = _decided(entry, known)
            if decided.confirms:
                repeats.append({"id": decided.confirms, "day": day(entry.fact.said_at or now)} | _sources(entry, home))
                # The viewer must not learn of a memory that they may not see (P3).
                disclosed = any(memory.disclosed for memory in known[entry.number] if memory.id == decided.confirms)
                stored[entry.number] = Remembered(decided.confirms, confirmed=disclosed or home.derived)
                continue
            splits += [{"id": e.id, "new_id": new_id(), "valid_until": e.valid_until} for e in decided.splits]
            ends += [{"id": end.id, "valid_until": end.valid_until} for end in decided.ends]
            make = partial(self._properties, entry, home, decided, now)
            memory = await read_apart(len(entry.fact.content), make)
            rows.append(_row(entry, memory, decided) | _sources(entry, home))
            stored[entry.number] = Remembered(memory["id"], confirmed=False)
        if repeats:
            await transaction.run("fact/repeat", rows=repeats, now=now)
        if splits:  # before `fact/create`, so that the key is free
            await transaction.run("fact/change_end", rows=splits, now=now)
        if rows:
            later = not home.derived and due_at > now
            times = {"job": "enrich later" if later else "enrich", "due_at": due_at, "now": now}
            await transaction.run("fact/create", ends=ends, rows=rows, **times)
        return stored

    @staticmethod
    async def _known(
        transaction: Transaction,
        viewer: Viewer,
        home: Home,
        entries: Sequence[_Entry],
        now: datetime,
    ) -> dict[int, list[Known]]:
        """The believed facts of the key of each entry, by its number, and those of the key that it closes, by
        `_closing(number)`.
        """
        rows = await transaction.run(
            "fact/known",
            claims=[
                {"number": number, "key": key, "authority": entry.claim.authority, "since": entry.new.begins}
                for entry in entries
                for number, key in (
                    (entry.number, entry.claim.key),
                    *([(_closing(entry.number), entry.claim.closes)] if entry.claim.closes else []),
                )
            ],
            scope=home.scope,
            space_id=home.space_id,
            **request_params(viewer, None, lambda: now),
        )
        here = all(row["stands"] and (row["in_group"] or not home.chat_id) for row in rows)
        if not home.derived and not here:
            raise NotFound(f"there is no {'group' if home.chat_id else 'chat'} {viewer.chat_id}")
        return {
            row["number"]: [
                _known(memory, row["seen"], row["disclosed"])
                for memory in row["known"]
                if not home.apart or memory["scope"] != home.scope or memory["id"] in row["disclosed"]
            ]
            for row in rows
        }

    def _properties(self, entry: _Entry, home: Home, decided: Plan, now: datetime) -> Row:
        fact, claim = entry.fact, entry.claim
        # An explicit fact that is confided counts as not said in the group in which it was stored.
        learned_in = "" if fact.confided and not home.derived else home.learned_in
        memory_id, labels = new_id(), _labels(entry, home)
        return {
            **DEFAULTS,
            "id": memory_id,
            "content": fact.content,
            "idempotency_key": fact.idempotency_key,
            "import_id": fact.import_id,
            "type": fact.type.value,
            "kind": fact.kind,
            "category": claim.category,
            "fact_type": fact.fact_type,
            "frame": fact.frame or None,
            "learned_in": learned_in,
            "confided": fact.confided or None,
            **_belonging(home),
            **_keys(entry, home, decided, memory_id),
            "source": fact.source,
            "tags": list(fact.tags),
            "narrative_id": fact.narrative,
            "task_id": fact.task,
            "attributes": checked_attributes(fact.attributes),
            "importance": fact.importance,
            "emotion_intensity": fact.emotion,
            "stability": first_stability(fact.emotion),
            "confidence": float(fact.confidence),
            "decay_rate": self.decay_rate,
            "said_on": [],
            "grown_importance": 0,
            **labels,
            **self._times(entry, decided, now),
            "facets": _facets(entry, home, Sensitivity(labels["sensitivity"]), labels["portable"], learned_in),
        }

    def _times(self, entry: _Entry, decided: Plan, now: datetime) -> Row:
        """The times of a fact: of the event, of learning, of validity and of expiry."""
        fact, new = entry.fact, entry.new
        event_time = fact.event_time or new.valid_from
        precision = fact.event_precision or precision_of(fact.event_time)
        until, expires = ended(event_time, precision), self._expiry(fact, event_time, now)
        return {
            "event_time": event_time,
            "event_precision": precision.value,
            "event_until": until,
            "event_day": days(event_time, until),
            "created_at": now,
            "learned_at": fact.learned_at or now,
            "last_hit_at": now,
            "valid_from": new.valid_from,
            "takes_effect_at": new.takes_effect_at,
            "valid_until": decided.valid_until,
            "ended_at": now if decided.valid_until != NO_END else NO_END,
            "expires_at": expires,
            "lifetime_until": expires,
        }

    def _expiry(self, fact: Fact, event_time: datetime, now: datetime) -> datetime:
        """When a fact expires (T3). The lifetime counts from now; for an event from its time, if that is later."""
        lifetime = fact.ttl or self._lifetimes.get(fact.kind)
        if lifetime is None:
            return NO_END
        return moment_after(max(now, event_time) if fact.kind == "event" else now, lifetime)


def _new(fact: Fact, home: Home, claim: Claim, now: datetime) -> New:
    """The fact in its form for `supersession`. A fact about the future is believed from when it is said (M14); if it
    has an aspect, it takes effect at its event time. Only a `valid_from` that the caller gives may lie in the future.
    """
    said = fact.said_at or now
    told = min(said, now)
    begins = fact.begins
    ahead = fact.valid_from is None and begins is not None and begins > said
    return New(
        scope=home.scope,
        persona_id=home.persona_id,
        authority=claim.authority,
        value=value_of(fact.content, fact.value),
        valid_from=fact.valid_from or min(fact.event_time or told, told),
        valid_until=fact.valid_until or NO_END,
        takes_effect_at=begins if ahead and fact.aspect else None,
        space_id=home.space_id,
        sensitivity=None if home.derived else fact.sensitivity,
        portable=None if home.derived else fact.portable,
        gist=gist(fact, claim.about) if home.derived else frozenset(),
        framed=bool(fact.frame),
    )


def _labels(entry: _Entry, home: Home) -> Row:
    """The sensitivity and portability of a fact, and which of the two were inferred from its words."""
    fact, new = entry.fact, entry.new
    guessed = CONFIDED if fact.confided else guess(fact.content)
    if home.derived and fact.portable is False:  # an extractor may only make a fact less portable
        guessed = replace(guessed, portable=False)
    given = {"sensitivity": new.sensitivity, "portable": new.portable}
    follows = bool(fact.evidence)
    return {
        "sensitivity": (new.sensitivity or guessed.sensitivity).value,
        "portable": guessed.portable if new.portable is None else new.portable,
        "inferred_labels": [name for name in guessed.inferred_labels if given[name] is None],
        "explicit_labels": [name for name, label in given.items() if label is not None],
        "own_sensitivity": guessed.sensitivity.value if follows else None,
        "own_portable": guessed.portable if follows else None,
    }


def _belonging(home: Home) -> Row:
    """The owner, scope and speaker of a fact."""
    return {
        "owner_id": home.owner_id,
        "chat_id": home.chat_id,
        "scope": home.scope,
        "scopes": [home.scope],
        "persona_id": home.persona_id,
        "space_id": home.space_id,
        "session_id": "",
        "speaker_id": home.speaker_id,
        "source_role": home.source_role.value,
    }


def _keys(entry: _Entry, home: Home, decided: Plan, memory_id: str) -> Row:
    """The keys by which the same fact, and facts of the same claim, are found again (W5)."""
    fact, claim, new = entry.fact, entry.claim, entry.new
    return {
        "memory_key": memory_key(fact, claim.category, claim.key),
        "claim_key": claim.key,
        "live_key": _live_key(entry, home, memory_id) if decided.valid_until == NO_END else None,
        "authority": new.authority,
        "value_key": new.value,
    }


def _live_key(entry: _Entry, home: Home, memory_id: str) -> str:
    """The key that at most one live memory has at a time (W5)."""
    parts = [home.scope, home.persona_id, entry.claim.key, entry.new.authority]
    if home.space_id:
        parts.append(home.space_id)
    if home.apart:  # a memory that the writer may not see may hold the key
        parts.append(memory_id)
    return "|".join(parts)


def _facets(entry: _Entry, home: Home, sensitivity: Sensitivity, portable: bool, learned_in: str) -> list[str]:
    """The tokens by which full-text search filters a fact."""
    fact = entry.fact
    return [
        *facets(fact.type, fact.source, home.persona_id, home.speaker_id, fact.tags),
        token("session", ""),
        *belonging_tokens(fact.narrative, fact.task),
        *label_tokens(
            sensitivity,
            portable,
            learned_in,
            [subject.id for subject in entry.claim.about if subject.type is EntityType.PERSON],
        ),
        *space_tokens(home.space_id),
    ]


def _sources(entry: _Entry, home: Home) -> Row:
    """The evidence of a fact, the words and the minimum sensitivity found there, and the labels that a person gave. A
    label from an extractor does not count as given; its sensitivity raises the minimum.
    """
    fact, new = entry.fact, entry.new
    thought = [fact.sensitivity] if home.derived and fact.sensitivity else []
    return {
        "evidence": list(fact.evidence),
        "said": [text_key(fact.content)] if home.derived and not fact.takes_back else [],
        "words": fact.quotation or None,
        "least_sensitivity": max([home.least_sensitivity, *thought], key=list(Sensitivity).index).value,
        "sensitivity": new.sensitivity.value if new.sensitivity else None,
        "portable": new.portable,
    }


def _row(entry: _Entry, memory: Row, decided: Plan) -> Row:
    return {
        "fact": memory,
        "label": entry.fact.type.value.capitalize(),
        "about": [
            {"id": subject.id, "name": subject.name, "primary": place == 0}
            for place, subject in enumerate(entry.claim.about)
        ],
        **{name: list(getattr(decided, name)) for name in _LISTS},
    }


def _together(now: datetime) -> datetime:
    """The next multiple of two seconds, so that facts extracted one by one get vectors and entity links in batches."""
    return now + timedelta(seconds=_PAUSE_S - now.timestamp() % _PAUSE_S)


def _rounds(keys: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Fact numbers, in order, in rounds in which no key occurs twice. `keys` are pairs of own and closed key."""
    rounds: list[list[int]] = []
    met: Counter[str] = Counter()
    for number, pair in enumerate(keys):
        mine = {key for key in pair if key}
        place = max(met[key] for key in mine)
        if place == len(rounds):
            rounds.append([])
        rounds[place].append(number)
        for key in mine:
            met[key] = place + 1
    return rounds


def _decided(entry: _Entry, known: Mapping[int, Sequence[Known]]) -> Plan:
    """The plan for a fact among the believed facts of its key and of the key that it closes."""
    decided = plan(entry.new, known[entry.number])
    if entry.fact.matter and not decided.confirms:
        hearsay = (memory.id for memory in known[_closing(entry.number)] if memory.authority != SELF)
        return replace(decided, outranks=(*decided.outranks, *hearsay))
    if decided.confirms or entry.claim.closed is None:
        return decided
    closed = closing(entry.new, entry.claim.closed, known[_closing(entry.number)])
    return replace(
        decided,
        ends=decided.ends + closed.ends,
        splits=decided.splits + closed.splits,
        supersedes=decided.supersedes + closed.supersedes,
    )


def _closing(number: int) -> int:
    """The number under which `fact/known` returns the facts of the key that fact `number` closes."""
    return -1 - number


def _known(row: Row, seen: Sequence[str], disclosed: Sequence[str]) -> Known:
    return Known(
        id=row["id"],
        scope=row["scope"],
        persona_id=row["persona_id"],
        space_id=row["space_id"],
        authority=row["authority"],
        value=row["value_key"],
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        ended_at=row["ended_at"],
        takes_effect_at=row["takes_effect_at"],
        sensitivity=Sensitivity(row["sensitivity"]),
        portable=row["portable"],
        seen=row["id"] in seen,
        disclosed=row["id"] in disclosed,
        worded=row["worded"],
    )
