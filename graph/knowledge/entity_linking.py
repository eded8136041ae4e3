"""Which entity a name means (W7): the decision, pure, and what is known of names before a statement links them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Final

from graph.database import Database, Row
from graph.ids import derived_id, new_id, token
from graph.model import EntityType
from graph.people.people import name_token
from nlp.names.matching import Likeness, Needs, has_namesakes, likeness, sound_keys
from nlp.names.phonetics import words_of
from nlp.names.recognition import Name
from nlp.names.screening import Screen
from nlp.text import slug

_NAMES_AT_ONCE: Final = 500
_FEW: Final = 4
_NAMESAKES: Final = 20
"""Of so many who go by exactly one name the chats are looked up."""
_MOST_LIKELY: Final = 3
"""So many merges are suggested for a new entity."""
_SURELY: Final = 0.95
"""The score of what sounds the same."""


class Outcome(StrEnum):
    """What a mention and an entity are to each other."""

    SAME = "same"
    UNCERTAIN = "uncertain"
    """Somebody has to look at it: a merge is suggested."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as a text says it: the type that a recogniser gave it, in which chat, and who else is named or takes part
    there (by their names).
    """

    text: str
    type: EntityType
    chat: str = ""
    company: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that may be meant: its own name and then its aliases, in which chats it comes up, and among whom."""

    id: str
    type: EntityType
    names: tuple[str, ...]
    usernames: tuple[str, ...] = ()
    chats: frozenset[str] = frozenset()
    company: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mention means an entity, how sure that is (0 to 1), and why.

    `by_name` when it is the entity's own name, or an alias; `lasting` when it is worth keeping as one. Of several that
    a mention may mean, the one of the least `rank` is likelier.
    """

    outcome: Outcome
    score: float = 0.0
    reason: str = ""
    by_name: bool = False
    lasting: bool = False
    rank: tuple[int, int, float] = (0, 0, 0.0)


_OTHER: Final = Verdict(Outcome.OTHER)


class _Context(IntEnum):
    """How a mention stands to where an entity was met before, the nearest first."""

    CHAT = 0
    """In the same chat."""
    COMPANY = 1
    """Elsewhere, with somebody in common."""
    UNKNOWN = 2
    """Elsewhere, where nobody is known."""
    STRANGERS = 3
    """Among others."""


_OUTCOMES: Final = {
    Needs.NOTHING: (Outcome.SAME, Outcome.SAME, Outcome.SAME, Outcome.SAME),
    Needs.NO_STRANGERS: (Outcome.SAME, Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN),
    Needs.COMPANY_OR_REVIEW: (Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN, Outcome.UNCERTAIN),
    Needs.COMPANY: (Outcome.SAME, Outcome.SAME, Outcome.UNCERTAIN, Outcome.OTHER),
    Needs.CHAT: (Outcome.SAME, Outcome.UNCERTAIN, Outcome.OTHER, Outcome.OTHER),
    Needs.REVIEW: (Outcome.UNCERTAIN, Outcome.UNCERTAIN, Outcome.OTHER, Outcome.OTHER),
}
"""In each context, in the order of `_Context`."""


def decide(mention: Mention, candidate: Candidate) -> Verdict:
    """Whether a mention means an entity: first what its words say, then whether chat and company bear it out.

    Names that are the same mean the same, but for those that several may have (people, projects, some places) where
    nobody in common is; a short form needs the chat, what sounds alike the chat or somebody in common. Another type is
    mostly a matter for review: recognisers err, and an entity keeps its type.
    """
    alike = likeness(mention.text, candidate.names, candidate.type.value, candidate.usernames)
    if not alike.score:
        return _OTHER
    context = _context(mention, candidate)
    if mention.type is not candidate.type:
        return _of_other_types(mention, candidate, alike, context)
    outcome = _outcome(alike.needs, context, candidate.type)
    if not alike.named:
        outcome = _beside_others(outcome, mention, candidate, alike)
    return Verdict(
        outcome,
        alike.score,
        alike.reason,
        by_name=alike.named,
        lasting=alike.lasting,
        rank=_rank(mention, alike, context),
    )


def _rank(mention: Mention, alike: Likeness, context: _Context) -> tuple[int, int, float]:
    """A name in full counts before where it is said; of a person's first name it is the other way round."""
    there, words = int(context), int(alike.needs)
    first_name = mention.type is EntityType.PERSON and len(words_of(mention.text)) == 1
    return (there, words, -alike.score) if first_name else (words, there, -alike.score)


def _outcome(needs: Needs, context: _Context, kind: EntityType) -> Outcome:
    """What context makes of words. A short form of somebody's name in another chat may be another's, however many they
    have in common, to whom would be shown what is not about them; of a thing's it does no harm.
    """
    if needs is Needs.CHAT and context is _Context.COMPANY and kind is not EntityType.PERSON:
        return Outcome.SAME
    return _OUTCOMES[needs][context]


def _context(mention: Mention, candidate: Candidate) -> _Context:
    if mention.chat and mention.chat in candidate.chats:
        return _Context.CHAT
    if not mention.company or not candidate.company:
        return _Context.UNKNOWN
    return _Context.COMPANY if _folded(mention.company) & _folded(candidate.company) else _Context.STRANGERS


def _of_other_types(mention: Mention, candidate: Candidate, alike: Likeness, context: _Context) -> Verdict:
    """The name of a thing is its name in a chat, whatever sort of thing the recogniser takes it for; but somebody may
    have the name of anything, and by one word so may a place and an idea.
    """
    if context is not _Context.CHAT or not (alike.named or alike.heard):
        return _OTHER
    reason, one_word = f"{alike.reason} of another type", len(words_of(mention.text)) == 1
    if not _heard_matters(mention.text, mention.type, candidate.type):
        return Verdict(Outcome.UNCERTAIN, alike.score / 2, reason) if alike.named else _OTHER
    sure = alike.named or (alike.score >= _SURELY and not one_word)
    outcome = Outcome.SAME if sure else Outcome.UNCERTAIN
    return Verdict(outcome, alike.score, reason, rank=_rank(mention, alike, context))


def _heard_matters(text: str, one: EntityType, other: EntityType) -> bool:
    """Whether what only sounds like the name of something of another type may be it."""
    types, one_word = {one, other}, len(words_of(text)) == 1
    return one is other or not (
        EntityType.PERSON in types or (one_word and types & {EntityType.CONCEPT, EntityType.PLACE})
    )


def _beside_others(outcome: Outcome, mention: Mention, candidate: Candidate, alike: Likeness) -> Outcome:
    """The same in the light of who else is there: somebody whom the name fits better, or as well; or the entity itself,
    by another name: who speaks of Hannah and Anna Weiss speaks of two.
    """
    if candidate.type is not EntityType.PERSON or outcome is Outcome.OTHER:
        return outcome
    words, others = set(words_of(mention.text)), set(mention.company) - {mention.text}
    for name in sorted(others):
        itself = likeness(name, candidate.names, candidate.type.value, candidate.usernames)
        tells = len(words) > 1 or len(words_of(name)) > 1  # a first name alone may be another's
        named = itself.named or (itself.score and not itself.heard and tells)
        if named and words < set(words_of(name)):
            others.remove(name)  # Maya, of whom the same text speaks as Maya Lindqvist
        elif named and name.startswith("@") == mention.text.startswith("@"):
            return Outcome.OTHER
    there = others if candidate.chats - {mention.chat} else others | candidate.company
    fits = [likeness(mention.text, (name,), candidate.type.value) for name in there]
    best = max(((-one.needs, one.score) for one in fits if one.score), default=None)
    if best is None or best < (-alike.needs, alike.score):
        return outcome
    return Outcome.UNCERTAIN if best == (-alike.needs, alike.score) else Outcome.OTHER


def _folded(names: Iterable[str]) -> set[tuple[str, ...]]:
    return {words_of(name) for name in names}


# --- in the graph ---


def mentions(found: Sequence[Name], chat: str = "") -> list[Row]:
    """Names as the graph looks for them; a handle links only to who has it, a name may make a new entity.

    `chat` is where they were said; without it nothing is taken for the same but by its own name.
    """
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
                "chat": chat,
                "beside": [other.text for other in found if other is not name],
            }
    return list(rows.values())


def sounds(names: Sequence[str], kind: str) -> list[str]:
    """The words under which an entity of these names is found by how they sound."""
    return sorted({token("sound", key) for name in names for key in sound_keys(name, kind)})


async def look_up(database: Database, executor: Executor, names: Sequence[Row]) -> None:
    """Adds to each name what it means, for the fragment `named`, deciding one after the other (`decide`). That takes a
    processor a while: the executor does it, and no transaction is open meanwhile.

    `known` are the ids of the entities it means, the likeliest first, none for a new one; `key` becomes that of another
    new name, where it means the same, and a numbered one where strangers have it; `learned` says whether it becomes an
    alias, `likely` what a new entity may be, `place` where its entity stands in the order of locks. A name that an
    entity has from one that was merged into it means that one, should the merge be taken back before it is linked.
    """
    exact, merged = await _exact(database, names)
    loop = asyncio.get_running_loop()
    asked = await loop.run_in_executor(executor, _asked, names, exact)
    found = await database.run("enrichment/candidates", **asked) if asked else []
    await loop.run_in_executor(executor, _settle_all, names, exact, merged, found)


@dataclass(slots=True)
class _Around:
    """What names may mean: by id, by chat, by the place of a name among those asked; and who takes part in a chat."""

    by_id: dict[str, Candidate]
    in_chat: dict[str, dict[str, Candidate]]
    alike: dict[str, list[Candidate]]
    people: dict[str, frozenset[str]]
    new: dict[str, Row]
    """Names that get an entity of their own, by the id it will have."""
    screens: dict[EntityType, Screen]
    """All of these by type, to rule out what a name is not like."""

    def screen(self, one: Candidate) -> None:
        """Adds what may be meant to what names are compared with."""
        self.screens.setdefault(one.type, Screen(one.type.value)).add(one.id, one.names, one.usernames)


async def _exact(
    database: Database, names: Sequence[Row]
) -> tuple[dict[tuple[str, str], list[str]], dict[tuple[str, str], str]]:
    """The ids of the entities that go by a name, by type and token, those of the shortest keys first; and whose a name
    was before they were merged away, by the id of the entity that has it now and by token.
    """
    tokens = sorted({name["token"] for name in names})
    known: dict[tuple[str, str], list[str]] = {}
    merged: dict[tuple[str, str], str] = {}
    for start in range(0, len(tokens), _NAMES_AT_ONCE):
        query = f"names:({' '.join(tokens[start : start + _NAMES_AT_ONCE])})"
        for entity in await database.run("entity/find_named", query=query):
            for name in entity["names"]:
                known.setdefault((entity["type"], name), []).append(entity["id"])
            for gone in entity["merged"]:
                for name in gone["names"]:
                    merged.setdefault((entity["id"], name), gone["id"])
    return known, merged


def _asked(names: Sequence[Row], exact: Mapping[tuple[str, str], Sequence[str]]) -> Row:
    """What one statement is to ask for all names that are not settled by their words alone; nothing without any."""
    asked = [
        name
        for name in names
        if has_namesakes(name["text"], name["type"]) or not exact.get((name["type"], name["token"]))
    ]
    if not asked:
        return {}
    queries = {}
    for name in asked:
        keys = [] if name["text"].startswith("@") else sounds([name["text"]], name["type"])
        if keys and not exact.get((name["type"], name["token"])):
            queries[name["type"], name["token"]] = {
                "place": name["token"],
                "query": f"sounds:({' '.join(keys)})",
                "type": name["type"],
            }
    ids = {known for name in asked for known in exact.get((name["type"], name["token"]), ())[:_NAMESAKES]}
    return {
        "chats": sorted({name["chat"] for name in asked} - {""}),
        "queries": list(queries.values()),
        "ids": sorted(ids),
    }


def _settle_all(
    names: Sequence[Row],
    exact: Mapping[tuple[str, str], list[str]],
    merged: Mapping[tuple[str, str], str],
    found: Sequence[Row],
) -> None:
    """Settles one name after the other: each may mean what one before it made."""
    around = _around(found)
    for name in names:
        _settle(name, exact, around)
        name["known"] = [merged.get((known, name["token"]), known) for known in name["known"]]


def _around(rows: Sequence[Row]) -> _Around:
    around = _Around({}, {}, {}, {}, {}, {})
    people: dict[str, set[str]] = {}
    for row in rows:
        found = _candidate(row["entity"])
        around.screen(found)
        if row["chat"]:
            around.in_chat.setdefault(row["chat"], {}).setdefault(found.id, found)
        elif row["place"]:
            around.alike.setdefault(row["place"], []).append(found)
        else:
            around.by_id[found.id] = found
        if row["takes_part"]:
            people.setdefault(row["chat"], set()).add(found.names[0])
    around.people = {chat: frozenset(names) for chat, names in people.items()}
    return around


def _settle(name: Row, exact: Mapping[tuple[str, str], list[str]], around: _Around) -> None:
    known = exact.get((name["type"], name["token"]), [])
    name |= {"known": known, "learned": False, "likely": [], "place": name["token"], "follows": False}
    candidates = _candidates(name, known, around)
    if here := [one for one in candidates if one.id in known and name["chat"] in one.chats]:
        candidates = here  # who goes by exactly this name in this chat is meant, whoever else sounds like it
    if not candidates:
        if not known:
            _remember(name, around)
        return
    verdicts = [
        (decide(_mention(name, candidate, around), candidate), candidate)
        for candidate in _likely(name, candidates, around)
    ]
    same = sorted(
        ((verdict, candidate) for verdict, candidate in verdicts if verdict.outcome is Outcome.SAME),
        key=lambda each: each[0].rank,
    )
    likely = [(verdict, candidate) for verdict, candidate in verdicts if verdict.outcome is Outcome.UNCERTAIN]
    if len(same) > 1 and same[0][0].rank[:2] == same[1][0].rank[:2] and not same[0][0].by_name:
        same, likely = [], [*same, *likely]  # which of them nobody can tell
    if same:
        _follow(name, same, bool(known), around)
        return
    name["known"] = []
    if name["key"] is None:
        return
    if known or any(row["key"] == name["key"] for row in around.new.values()):
        name["key"] = f"{name['key']}-{_number(name['chat'])}"
    name["likely"] = [
        {"id": candidate.id, "score": verdict.score, "reason": verdict.reason}
        for verdict, candidate in sorted(likely, key=lambda each: -each[0].score)[:_MOST_LIKELY]
    ]
    _remember(name, around)


def _likely(name: Row, candidates: list[Candidate], around: _Around) -> list[Candidate]:
    """Those that are not plainly another: of a few a close look at each costs less."""
    if len(candidates) <= _FEW:
        return candidates
    text, type_ = name["text"], EntityType(name["type"])
    ids = set[str]().union(
        *(screen.may_mean(text, by_sound=_heard_matters(text, type_, each)) for each, screen in around.screens.items())
    )
    return [candidate for candidate in candidates if candidate.id in ids]


def _follow(name: Row, same: Sequence[tuple[Verdict, Candidate]], has_namesake: bool, around: _Around) -> None:
    """The name means what is there already, or what another name of the batch makes."""
    verdict, meant = same[0]
    name["place"] = name_token(meant.names[0])
    name["follows"] = True
    name["learned"] = verdict.lasting and not has_namesake and not name["text"].startswith("@")
    if new := around.new.get(meant.id):
        name |= {"known": [], "key": new["key"], "type": new["type"], "label": new["label"]}
    else:
        name["known"] = [candidate.id for _, candidate in same if candidate.id not in around.new]


def _remember(name: Row, around: _Around) -> None:
    """A new entity may be meant by what comes after it."""
    if name["key"] is not None:
        around.new[name["id"]] = name
        company = around.people.get(name["chat"], frozenset()) | set(name["beside"])
        made = Candidate(name["id"], EntityType(name["type"]), (name["text"],), (), frozenset({name["chat"]}), company)
        around.screen(made)
        around.in_chat.setdefault(name["chat"], {})[name["id"]] = made
        around.alike.setdefault(name["token"], []).append(made)


def _candidates(name: Row, known: Sequence[str], around: _Around) -> list[Candidate]:
    """What is worth a look: who goes by the name, who is in the chat, and what sounds like it."""
    found = {one: around.by_id[one] for one in known if one in around.by_id}
    if known and not found:
        return []  # of a sort that means the same everywhere
    for candidate in around.alike.get(name["token"], ()):
        found.setdefault(candidate.id, candidate)
    for candidate in around.in_chat.get(name["chat"], {}).values():
        if candidate.id in found:
            found[candidate.id] = replace(found[candidate.id], chats=found[candidate.id].chats | candidate.chats)
        else:
            found[candidate.id] = candidate
    return list(found.values())


def _mention(name: Row, candidate: Candidate, around: _Around) -> Mention:
    """The name beside who else is there: who takes part is no evidence against being meant."""
    others = around.people.get(name["chat"], frozenset()) - {candidate.names[0]}
    return Mention(name["text"], EntityType(name["type"]), name["chat"], others | set(name["beside"]))


def _candidate(entity: Row) -> Candidate:
    return Candidate(
        id=entity["id"],
        type=EntityType(entity["type"]),
        names=(entity["canonical_name"], *entity["aliases"]),
        usernames=tuple(entity["usernames"]),
        chats=frozenset(entity["chats"]) - {""},
        company=frozenset(entity["company"]),
    )


def _number(chat: str) -> int:
    """Tells namesakes of several chats apart: two writers who meet the same one make one entity of it."""
    return int(derived_id("namesake", chat), 16) % 1_000_000 + 2
