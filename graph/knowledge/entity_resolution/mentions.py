"""Resolves mentions: finds the entities in the graph that the names in texts refer to, before they are linked (W7)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Final

from hippograph.graph.database import Database, Row
from hippograph.graph.ids import derived_id
from hippograph.graph.knowledge.entity_resolution.entity_linking import (
    Candidate,
    Mention,
    Outcome,
    Verdict,
    decide,
    heard_matters,
)
from hippograph.graph.knowledge.entity_resolution.name_mention import MentionLink, NameMention, sounds
from hippograph.graph.model import EntityType
from hippograph.graph.people.people import ENDING_BYTES, first_name_token, name_token
from hippograph.nlp.names.blocking.index import BlockingIndex
from hippograph.nlp.names.matching.namesakes import has_namesakes

_NAMES_AT_ONCE: Final = 500
_FEW: Final = 4
_NAMESAKES: Final = 20
"""Maximum number of entities with exactly the same name whose chats are looked up."""
_MOST_LIKELY: Final = 3
"""Maximum number of merges that are suggested for a new entity."""


async def resolve(database: Database, executor: Executor, names: Sequence[NameMention]) -> list[MentionLink]:
    """Resolves mentions in order; a later one may link to an entity that an earlier one creates.

    The decisions (`entity_linking.decide`) are made in the executor, with no transaction open. If an entity has a name
    from one that was merged into it, the link is to the merged one, in case the merge is undone before the link is
    written. A name that a person only claims refers to them only for speakers who know them (P6).
    """
    called = await _called(database, names)
    loop = asyncio.get_running_loop()
    asked = await loop.run_in_executor(executor, _asked, names, called.exact)
    found = await database.run("enrichment/candidates", **asked) if asked else []
    met = await _met(database, names, found)
    return await loop.run_in_executor(executor, _resolved, names, called, found, met)


_Met = frozenset[tuple[str, str]]
"""Pairs of a speaker and a person whom they know, by id."""


async def _met(database: Database, names: Sequence[NameMention], found: Sequence[Row]) -> _Met:
    """Returns which of the found people with claims are known to which speakers."""
    people = sorted({row["entity"]["id"] for row in found if _claims(row["entity"])})
    speakers = sorted({name.speaker for name in names} - {""})
    if not people or not speakers:
        return frozenset()
    rows = await database.run("people/met", speakers=speakers, people=people)
    return frozenset((row["speaker"], row["person"]) for row in rows)


def _claims(entity: Row) -> frozenset[str]:
    """Returns the names and @usernames of a person that nobody else vouches for."""
    if entity["vouched"] is None:
        return frozenset()
    called = (entity["canonical_name"], *entity["aliases"], *(f"@{name}" for name in entity["usernames"]))
    return frozenset(name for name in called if name_token(name) not in entity["vouched"])


_Exact = Mapping[tuple[EntityType, str], Sequence[str]]
"""The ids of the entities with exactly a name, by type and name token; those with the shortest keys first."""


@dataclass(frozen=True, slots=True)
class _Called:
    """The entities with exactly these names. `merged` has the id of the merged entity that a name came from, by the id
    of the entity that has it now and the name token. `former` are keys that the entities had before they were retyped.
    """

    exact: _Exact
    merged: Mapping[tuple[str, str], str]
    former: Set[str]


@dataclass(slots=True)
class _Around:
    """The candidates of some mentions.

    `by_id` has them by speaker and entity id, `in_chat` by chat and id, `alike` by speaker and the token of the queried
    name. `made` has the entities that the mentions create, by name token. `people` are the names of the participants,
    by chat and id; `called` the ids of the entities with exactly a name, by token.
    """

    met: _Met
    called: dict[str, set[str]]
    former: Set[str]
    """Keys that entities had before they were retyped; they still lead there."""
    by_id: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    in_chat: dict[str, dict[str, Candidate]] = field(default_factory=dict)
    alike: dict[tuple[str, str], list[Candidate]] = field(default_factory=dict)
    made: dict[str, list[Candidate]] = field(default_factory=dict)
    people: dict[str, dict[str, str]] = field(default_factory=dict)
    new: dict[str, MentionLink] = field(default_factory=dict)
    """The mentions that create an entity, by the id that it will have."""
    indexes: dict[EntityType, BlockingIndex] = field(default_factory=dict)
    """Blocking indexes of all candidates by type, to rule out those whose names are not similar."""

    def index(self, one: Candidate) -> None:
        """Adds a candidate to the blocking index of its type."""
        self.indexes.setdefault(one.type, BlockingIndex(one.type.value)).add(one.id, one.names, one.usernames)

    def add(self, link: MentionLink) -> MentionLink:
        """Adds the entity that a mention creates, if any, as a candidate for later mentions. Returns the link."""
        name = link.mention
        if link.key is not None:
            self.new[name.id] = link
            there = self.people.get(name.chat, {})
            made = Candidate(
                name.id,
                link.type,
                (name.text,),
                chats=frozenset({name.chat}),
                company=frozenset({*there.values(), *name.beside}),
                people=frozenset(there) | self.named(name.beside),
            )
            self.index(made)
            self.called.setdefault(name.token, set()).add(name.id)
            self.in_chat.setdefault(name.chat, {})[name.id] = made
            self.made.setdefault(name.token, []).append(made)
        return link

    def named(self, names: Iterable[str]) -> frozenset[str]:
        """Returns the ids of the entities with exactly these names."""
        return frozenset[str]().union(*(self.called.get(name_token(name), ()) for name in names))

    def to_speaker(self, found: Candidate, name: NameMention) -> Candidate:
        """Returns a candidate, with `met` set if they take part in the chat or the speaker knows them."""
        known = found.id in self.people.get(name.chat, {}) or (name.speaker, found.id) in self.met
        return replace(found, met=True) if known else found


async def _called(database: Database, names: Sequence[NameMention]) -> _Called:
    tokens = sorted({name.token for name in names})
    known: dict[tuple[EntityType, str], list[str]] = {}
    merged: dict[tuple[str, str], str] = {}
    former = set[str]()
    for start in range(0, len(tokens), _NAMES_AT_ONCE):
        query = f"names:({' '.join(tokens[start : start + _NAMES_AT_ONCE])})"
        for entity in await database.run("entity/find_named", query=query):
            for name in entity["names"]:
                known.setdefault((EntityType(entity["type"]), name), []).append(entity["id"])
            former.update(entity["former"])
            for gone in entity["merged"]:
                for name in gone["names"]:
                    merged.setdefault((entity["id"], name), gone["id"])
    return _Called(known, merged, former)


def _asked(names: Sequence[NameMention], exact: _Exact) -> Row:
    """Returns the parameters of `enrichment/candidates` for the names that exact equality does not resolve; empty if
    there are none.
    """
    asked = [name for name in names if has_namesakes(name.text, name.type) or not exact.get((name.type, name.token))]
    if not asked:
        return {}
    queries = {}
    for name in asked:
        keys = [] if name.handle else sounds([name.text], name.type)
        if keys and not exact.get((name.type, name.token)):
            asks = {"place": name.token, "speaker": name.speaker, "query": f"sounds:({' '.join(keys)})"}
            queries[name.type, name.token, name.speaker] = {**asks, "type": name.type.value}
    ids = {
        (known, name.speaker)
        for name in asked
        for known in (*exact.get((name.type, name.token), ())[:_NAMESAKES], *_of_other_types(name, exact))
    }
    return {
        "chats": sorted({name.chat for name in asked} - {""}),
        "queries": list(queries.values()),
        "ids": [{"id": known, "speaker": speaker} for known, speaker in sorted(ids)],
    }


def _resolved(
    names: Sequence[NameMention],
    called: _Called,
    found: Sequence[Row],
    met: _Met,
) -> list[MentionLink]:
    exact, merged = called.exact, called.merged
    everybody: dict[str, set[str]] = {}
    for (_, name_of_all), ids in exact.items():
        everybody.setdefault(name_of_all, set()).update(ids)
    around = _around(found, _Around(met, everybody, called.former))
    links = [
        _link(name, exact.get((name.type, name.token), ()), _of_other_types(name, exact), around) for name in names
    ]
    return [
        replace(link, known=tuple(merged.get((known, link.mention.token), known) for known in link.known))
        for link in links
    ]


def _around(rows: Sequence[Row], around: _Around) -> _Around:
    for row in rows:
        found = candidate(row["entity"])
        around.index(found)
        if row["chat"]:
            around.in_chat.setdefault(row["chat"], {}).setdefault(found.id, found)
        elif row["place"]:
            around.alike.setdefault((row["speaker"], row["place"]), []).append(found)
        else:
            around.by_id[row["speaker"], found.id] = found
        if row["takes_part"]:
            around.people.setdefault(row["chat"], {})[found.id] = found.names[0]
    return around


def _of_other_types(name: NameMention, exact: _Exact) -> list[str]:
    """Returns the ids of things with exactly this name but another type, at most `_NAMESAKES`."""
    kinds = (kind for kind in EntityType if kind not in (name.type, EntityType.PERSON))
    return [known for kind in kinds for known in exact.get((kind, name.token), ())][:_NAMESAKES]


def _link(name: NameMention, known: Sequence[str], others: Sequence[str], around: _Around) -> MentionLink:
    """Resolves a mention; `known` are the ids of entities with exactly its name and type, `others` of things with its
    name but another type.
    """
    link = MentionLink(name, name.made_type, name.key, name.token, tuple(known))
    candidates = _candidates(name, known, others, around)
    if here := [one for one in candidates if one.id in known and name.chat in one.chats and not _claimed(name, one)]:
        candidates = here  # an exact match in this chat takes precedence over similar names
    if name.of_family and any(_has_first_name(name, one, around) for one in candidates):
        return replace(link, known=(), key=None)  # "my daughter Maya" is not the participant Maya
    if not candidates:
        return link if known else around.add(link)
    same, uncertain = _judged(name, candidates, around)
    if not same and len(sharing := _sharing(name, uncertain, around)) > 1:
        same = [each for each in sharing if each[1].id != name.speaker]
        if len(same) > 1:
            return replace(link, known=(), key=None)  # ambiguous: not linked
    if same:
        return _following(link, same, around)
    taken = bool(known) or (name.made_type is not name.type and name.token in around.called)
    return _new(replace(link, known=()), uncertain, taken, around)


def _claimed(name: NameMention, candidate: Candidate) -> bool:
    """Whether the name is only claimed by a candidate whom the speaker has not met."""
    return not candidate.met and any(name_token(claim) == name.token for claim in candidate.claims)


_Judged = list[tuple[Verdict, Candidate]]


def _judged(name: NameMention, candidates: list[Candidate], around: _Around) -> tuple[_Judged, _Judged]:
    """Returns the candidates that the mention refers to, likeliest first, and the uncertain ones."""
    verdicts = [(decide(_mention(name, one, around), one), one) for one in _likely(name, candidates, around)]
    same = sorted((each for each in verdicts if each[0].outcome is Outcome.SAME), key=lambda each: each[0].rank)
    uncertain = [each for each in verdicts if each[0].outcome is Outcome.UNCERTAIN]
    if len(same) > 1 and same[0][0].rank[:2] == same[1][0].rank[:2] and _several(same[0], same[1]):
        return [], [*same, *uncertain]  # ambiguous
    return same, uncertain


def _sharing(name: NameMention, found: _Judged, around: _Around) -> _Judged:
    """Returns the candidates who take part in the chat and have the name as their first name."""
    return [each for each in found if _has_first_name(name, each[1], around)]


def _has_first_name(name: NameMention, candidate: Candidate, around: _Around) -> bool:
    """Whether a name is the first name of a candidate who takes or took part in the chat."""
    there = around.people.get(name.chat, {})
    return candidate.id in there and first_name_token(candidate.names[0]) == name.token


def _several(one: tuple[Verdict, Candidate], other: tuple[Verdict, Candidate]) -> bool:
    """Whether two equally ranked candidates count as different. They do unless the mention is a name of the first and
    not both are people.
    """
    return not one[0].by_name or (one[1].type is EntityType.PERSON and other[1].type is EntityType.PERSON)


def _following(link: MentionLink, same: _Judged, around: _Around) -> MentionLink:
    """Links a mention to existing entities, or to the one that an earlier mention creates."""
    verdict, meant = same[0]
    link = replace(
        link,
        place=name_token(meant.names[0]),
        follows=True,
        learned=verdict.lasting and not link.known and link.mention.key is not None,
    )
    if new := around.new.get(meant.id):
        return replace(link, known=(), key=new.key, type=new.type)
    return replace(link, known=tuple(one.id for _, one in same if one.id not in around.new))


def _new(link: MentionLink, uncertain: _Judged, has_namesake: bool, around: _Around) -> MentionLink:
    """Lets a mention create an entity, if it has a key. The key gets an ending (`ending_of`) if a namesake exists or
    the key is taken.
    """
    if link.key is None:
        return link
    key = link.key
    if has_namesake or key in around.former or any(other.key == key for other in around.new.values()):
        key = f"{key}-{ending_of(link.mention.chat)}"
    likely = sorted(uncertain, key=lambda each: -each[0].score)[:_MOST_LIKELY]
    suggestions = tuple({"id": one.id, "score": verdict.score, "reason": verdict.reason} for verdict, one in likely)
    return around.add(replace(link, key=key, likely=suggestions))


def _likely(name: NameMention, candidates: list[Candidate], around: _Around) -> list[Candidate]:
    """Drops candidates that the blocking indexes rule out. Up to `_FEW` are kept, since comparing them is cheaper."""
    if len(candidates) <= _FEW:
        return candidates
    ids = set[str]().union(
        *(
            index.candidates(name.text, by_sound=heard_matters(name.text, name.type, each))
            for each, index in around.indexes.items()
        )
    )
    return [candidate for candidate in candidates if candidate.id in ids]


def _candidates(name: NameMention, known: Sequence[str], others: Sequence[str], around: _Around) -> list[Candidate]:
    """Returns the entities to compare: those with the name, those that sound alike, and those from the chat."""
    if known and not any((name.speaker, one) in around.by_id for one in known):
        return []  # a name without namesakes: `known` is certain
    named = (*known, *others)
    found = {one: around.by_id[name.speaker, one] for one in named if (name.speaker, one) in around.by_id}
    for candidate in (*around.alike.get((name.speaker, name.token), ()), *around.made.get(name.token, ())):
        found.setdefault(candidate.id, candidate)
    for candidate in around.in_chat.get(name.chat, {}).values():
        if candidate.id in found:
            found[candidate.id] = replace(found[candidate.id], chats=found[candidate.id].chats | candidate.chats)
        else:
            found[candidate.id] = candidate
    return [around.to_speaker(candidate, name) for candidate in found.values()]


def _mention(name: NameMention, candidate: Candidate, around: _Around) -> Mention:
    """Returns the mention with its company. The candidate is left out, since taking part is no evidence against being
    the one mentioned.
    """
    there = around.people.get(name.chat, {})
    others = {one: called for one, called in there.items() if one != candidate.id}
    people = (others.keys() | around.named(name.beside)) - {candidate.id}
    company = frozenset({*others.values(), *name.beside})
    alone = name.speaker if there.keys() == {name.speaker} else ""
    return Mention(name.text, name.type, name.chat, company, frozenset(people), alone)


def candidate(entity: Row) -> Candidate:
    """Returns the candidate for an entity of `enrichment/candidates`."""
    return Candidate(
        id=entity["id"],
        type=EntityType(entity["type"]),
        names=(entity["canonical_name"], *entity["aliases"]),
        usernames=tuple(entity["usernames"]),
        chats=frozenset(entity["chats"]) - {""},
        company=frozenset(one["name"] for one in entity["company"]),
        people=frozenset(one["id"] for one in entity["company"]),
        claims=_claims(entity),
        member=entity["member"],
    )


def ending_of(chat: str) -> str:
    """Returns the ending of a key that distinguishes namesakes of different chats. It looks like the random endings of
    other keys but is derived from the chat, so that two writers who find the same namesake create one entity.
    """
    return derived_id("namesake", chat)[: 2 * ENDING_BYTES]
