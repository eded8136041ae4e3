"""The graph of `bench privacy`: 100,000 synthetic memories of a thousand people and their groups, with one viewer.

The viewer is the local user, owns few memories, and takes part in three groups and a private chat. Sensitivities are
mixed and some memories are not portable. Many are about one or two persons; a few persons have over a thousand each.
"""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import numpy as np

from benchmarks.environment import Report
from benchmarks.oracle import Part, Places, Record
from benchmarks.synthetic_data import BATCH, SEED, Maker, Vectors, fill
from hippograph.api.service import Service
from hippograph.graph.ids import derived_id, new_id
from hippograph.graph.model import INTERNAL, OLD_DATA, ChatKind, Person, Sensitivity
from hippograph.graph.people.people import Member
from hippograph.graph.schema import await_indexes

USERS: Final = 1_000
MEMORIES: Final = 100_000
OWN: Final = 50
GROUPS: Final = 300
MEMBERS: Final = 8
IN_GROUPS: Final = 0.5
"""Share of the memories that belong to a group."""
ABOUT: Final = 0.4
"""Share of the memories that are about one or two persons."""
POPULAR: Final = 6
ABOUT_POPULAR: Final = 0.2
"""Probability that such a person is one of the `POPULAR` ones, whom everybody talks about."""
PORTABLE: Final = 0.8
SENSITIVITIES: Final = {Sensitivity.PUBLIC: 0.7, Sensitivity.PERSONAL: 0.2, Sensitivity.SENSITIVE: 0.1}
SMALL_GROUP: Final = "in a group of 8"
LARGE_GROUP: Final = "in a group of 30"
LATE_GROUP: Final = "in a group joined late"
MINE: Final = {SMALL_GROUP: (8, 400), LARGE_GROUP: (30, 2_000), LATE_GROUP: (8, 400)}
"""The viewer's groups: the number of people and the number of memories of each."""
_YEAR: Final = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The contents of the graph. `ids`, `records` and `vectors` are in the same order."""

    viewer_id: str
    groups: dict[str, str]
    """Ids of the viewer's groups, by their names in `MINE`."""
    named: tuple[Person, ...]
    """People whom questions may name: the popular ones, and the members of the small group but for the viewer."""
    kinds: dict[str, ChatKind]
    """The kind of each of the viewer's chats, by id."""
    parts: tuple[Part, ...]
    """Who takes part in these chats, and when."""
    ids: list[str]
    records: list[Record]
    vectors: Vectors

    def places(self, chat_id: str | None) -> Places:
        """Returns the places for the oracle when the viewer looks from a chat, or from none. They are limited to the
        parts that matter, since the oracle scans all of them each time.
        """
        asked = (part for part in self.parts if part.chat_id == chat_id or part.person_id == self.viewer_id)
        return Places(self.kinds, tuple(asked))


async def gather(service: Service, maker: Maker, report: Report) -> Crowd:
    """Generates people, chats and memories, and writes them into an emptied graph."""
    chance = _Chance(service.local_user.id, service.clock())
    await _meet(service, chance, report)
    records = chance.records()
    ids, parts = [new_id() for _ in records], []
    for first in range(0, len(records), BATCH):
        report(first, len(records), "a crowd: memories")
        batch = list(zip(ids, records, strict=True))[first : first + BATCH]
        vectors = maker.vectors(len(batch))
        await fill(service.database, maker.rows(batch, vectors, first), service.settings.embedding_model)
        parts.append(vectors)
    await await_indexes(service.database)
    return chance.crowd(ids, records, np.concatenate(parts))


async def _meet(service: Service, chance: "_Chance", report: Report) -> None:
    """Creates the people and chats. Others than the viewer get no private chat, since nobody would look from there."""
    for number in range(USERS - 1):
        report(number, USERS, "a crowd: people")
        chance.people.append(await service.people.create_person(INTERNAL, f"Member{number} Crowd"))
    for name, kind, members in chance.meetings():
        made = await service.people.create_chat(INTERNAL, kind, name, members)
        chance.met(name, made.id, kind, members)


@dataclass(slots=True)
class _Chance:
    """Seeded random generator of the members of chats and of the labels of memories."""

    viewer_id: str
    now: datetime
    people: list[Person] = field(default_factory=list)
    groups: dict[str, list[str]] = field(default_factory=dict)
    mine: dict[str, str] = field(default_factory=dict)
    private: str = ""
    parts: list[Part] = field(default_factory=list)
    _dice: random.Random = field(default_factory=lambda: random.Random(SEED))  # noqa: S311  # not for secrets
    _groups_of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def meetings(self) -> list[tuple[str, ChatKind, list[Member]]]:
        """Returns all chats with their members. The viewer joined one of their groups late."""
        others = [person.id for person in self.people]
        found = [("private", ChatKind.PRIVATE, [self._member(self.viewer_id, always=True)])]
        for name, (size, _) in MINE.items():
            since = self.now - _YEAR / 2 if name == LATE_GROUP else self.now - 2 * _YEAR
            members = [others[0], *self._dice.sample(others[1:], size - 2)]
            found.append((name, ChatKind.GROUP, [Member(self.viewer_id, since), *map(self._member, members)]))
        for number in range(GROUPS):
            members = self._dice.sample(others, MEMBERS)
            found.append((f"group {number}", ChatKind.GROUP, [self._member(member) for member in members]))
        return found

    def met(self, name: str, chat_id: str, kind: ChatKind, members: list[Member]) -> None:
        """Notes a chat that was created."""
        if kind is ChatKind.PRIVATE:
            self.private = chat_id
        else:
            self.groups[chat_id] = [member.person_id for member in members]
            for member in members:
                self._groups_of[member.person_id].append(chat_id)
        if name in MINE:
            self.mine[name] = chat_id
        if name in MINE or kind is ChatKind.PRIVATE:
            self.parts += [Part(m.person_id, chat_id, m.since or self.now, m.until) for m in members]

    def records(self) -> list[Record]:
        """Returns the labels of all memories, in random order."""
        others, elsewhere = (
            [p.id for p in self.people],
            [chat for chat in self.groups if chat not in self.mine.values()],
        )
        of_groups = [self.mine[name] for name, (_, count) in MINE.items() for _ in range(count)]
        of_groups += self._dice.choices(elsewhere, k=int(MEMORIES * IN_GROUPS) - len(of_groups))
        owners = [self.viewer_id] * OWN + self._dice.choices(others, k=MEMORIES - OWN - len(of_groups))
        found = [self._of_group(chat) for chat in of_groups] + [self._personal(owner) for owner in owners]
        self._dice.shuffle(found)
        return found

    def crowd(self, ids: list[str], records: list[Record], vectors: Vectors) -> Crowd:
        """Returns the crowd with these memories."""
        group, people = self.groups[self.mine[SMALL_GROUP]], {person.id: person for person in self.people}
        named = [*self.people[:POPULAR], *(people[member] for member in group if member in people)]
        return Crowd(
            viewer_id=self.viewer_id,
            groups=self.mine,
            named=tuple(dict.fromkeys(named)),
            kinds={self.private: ChatKind.PRIVATE} | dict.fromkeys(self.mine.values(), ChatKind.GROUP),
            parts=tuple(self.parts),
            ids=ids,
            records=records,
            vectors=vectors,
        )

    def _member(self, person_id: str, *, always: bool = False) -> Member:
        """Returns a membership. Most began before all memories; one in ten began four months ago, and one in ten ended
        a month ago. With `always` neither happens.
        """
        came, left = self._dice.random() < 0.1, self._dice.random() < 0.1
        since = self.now - (_YEAR / 3 if came and not always else 2 * _YEAR)
        return Member(person_id, since, self.now - _YEAR / 12 if left and not always else None)

    def _of_group(self, chat: str) -> Record:
        return self._record(None, chat, chat, self._dice.choice(self.groups[chat]), "conversation")

    def _personal(self, owner: str) -> Record:
        """Returns the labels of an owner's memory: most were said in private, some in a group, and some are old data
        from elsewhere, with no chat.
        """
        where, groups = self._dice.random(), self._groups_of[owner]
        if where < 0.1:
            return self._record(owner, None, None, owner, OLD_DATA)
        if where < 0.3 and groups:
            return self._record(owner, None, self._dice.choice(groups), owner, "conversation")
        private = self.private if owner == self.viewer_id else derived_id("private", owner)
        return self._record(owner, None, private, owner, "conversation")

    def _record(self, owner: str | None, chat: str | None, learned_in: str | None, speaker: str, source: str) -> Record:
        said = self.now - timedelta(minutes=self._dice.randrange(_YEAR // timedelta(minutes=1)))
        [sensitivity] = self._dice.choices(list(SENSITIVITIES), list(SENSITIVITIES.values()))
        return Record(
            owner_id=owner,
            chat_id=chat,
            persona_id=None,
            created_at=said,
            learned_at=said,
            valid_from=said,
            sensitivity=sensitivity,
            portable=self._dice.random() < PORTABLE,
            learned_in=learned_in,
            speaker_id=speaker,
            source=source,
            about=frozenset(self._about(chat)),
        )

    def _about(self, chat: str | None) -> list[str]:
        """Returns the ids of the persons whom a memory is about: none, one or two. Each is a popular person, else a
        member of the group, or anybody if there is no group.
        """
        if self._dice.random() >= ABOUT:
            return []
        known = self.groups[chat] if chat else None
        return [self._somebody(known) for _ in range(self._dice.choice((1, 1, 2)))]

    def _somebody(self, known: list[str] | None) -> str:
        if self._dice.random() < ABOUT_POPULAR:
            return self.people[self._dice.randrange(POPULAR)].id
        if known:
            return self._dice.choice(known)
        number = self._dice.randrange(USERS)
        return self.people[number].id if number < len(self.people) else self.viewer_id
