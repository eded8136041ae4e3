"""Erasing a person (M13): what they said, what is theirs and their names go for good, and no text names them any more.

An erasure is an item of the queue. Each of its steps is one transaction that may be done twice, so that another worker
can go on where one was killed. Its record keeps the counts, and nothing of the person.
"""

import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from graph.clock import Clock
from graph.database import Database, Row
from graph.errors import NotAllowed, NotFound
from graph.ids import new_id, token
from graph.jobs.queue import Claim, Queue
from graph.model import INTERNAL, NO_END, Actor, Viewer
from graph.people.people import name_token
from graph.writing.fact import text_key
from nlp.privacy.name_removal import names_pattern, whose_pattern, without_names
from nlp.text import slug

_AT_ONCE: Final = 500
"""Memories that are deleted or read in one transaction."""
_LOOKED_FOR: Final = 100
"""Names that one full-text query asks for."""
_NOBODY: Final = "person||fact|="
"""How the key of a fact begins that was about a person who was erased."""


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What an erasure took away, counted by kind; what it would take away when it is only planned.

    `reworded` counts what others said that stays without the person's names. `finished_at` is None while it is under
    way, and when it is only planned: then `id` is None too.
    """

    id: str | None
    others_words: bool
    counts: Mapping[str, int]
    requested_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Names:
    """What a person is called: everywhere, and where it is clear who is meant."""

    everywhere: tuple[str, ...]
    called: tuple[str, ...]

    @classmethod
    def of(cls, row: Row) -> "_Names":
        full = [name for name in row["names"] if len(name.split()) > 1]
        called = [name.split()[0] for name in row["names"]]
        handles = [f"@{username}" for username in row["usernames"]]
        slugs = [slug for key in row["keys"] if "_" in (slug := key.partition(":")[2].split("-")[0])]
        return cls(tuple(dict.fromkeys([*full, *handles, *slugs])), tuple(dict.fromkeys(called)))


class Erasures:
    """Erases people: for themselves, for a trusted service, and for the operator."""

    name = "erase"

    def __init__(self, database: Database, clock: Clock) -> None:
        self.queue = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock

    async def plan(self, actor: Actor, person_id: str, *, others_words: bool = True) -> ErasureReceipt:
        """What an erasure would take away; nothing is changed. What it raises is as with `erase`."""
        ids = await self._ids(actor, person_id)
        row = await self._database.one("erasure/plan", ids=ids, others_words=others_words)
        assert row is not None
        return ErasureReceipt(None, others_words, row["counts"])

    async def erase(self, actor: Actor, person_id: str, *, others_words: bool = True) -> ErasureReceipt:
        """Erases a person and gives the receipt, when all is done.

        With `others_words` what others said of nobody else goes too; without it that stays, as everything does that
        is about others as well, without the person's names. Raises `NotAllowed`, and `NotFound` for who is not there.
        """
        ids = await self._ids(actor, person_id)
        row = await self._database.one(
            "erasure/request",
            erasure_id=new_id(),
            ids=ids,
            others_words=others_words,
            now=self._clock(),
        )
        if row is None:
            raise NotFound(f"there is no person {person_id}")
        # Another worker may hold it: then the receipt says that it is under way.
        await self.step()
        return await self.receipt(row["id"])

    async def receipt(self, erasure_id: str) -> ErasureReceipt:
        """The record of an erasure. Raises `NotFound`."""
        row = await self._database.one("erasure/receipt", erasure_id=erasure_id)
        if row is None:
            raise NotFound(f"there is no erasure {erasure_id}")
        found = row["receipt"]
        return ErasureReceipt(
            found["id"], found["others_words"], found["counts"], found["requested_at"], found["finished_at"]
        )

    async def step(self) -> int:
        """Claims an erasure that waits and does it; how many."""
        claim = await self.queue.claim(1)
        async with self.queue.held(claim, claim.ids):
            await self.queue.work_through(claim, claim.ids, self._erase)
        return len(claim.items)

    async def _ids(self, actor: Actor, person_id: str) -> list[str]:
        row = await self._database.one("people/same_person", person_id=person_id)
        ids = list(row["ids"]) if row else []
        if actor is not INTERNAL:
            assert isinstance(actor, Viewer)
            # Whether somebody is there is not for everybody to know.
            if not actor.trusted and actor.person_id not in ids:
                raise NotAllowed("a person is erased by themselves, or by a trusted service alone")
        if not ids:
            raise NotFound(f"there is no person {person_id}")
        return ids

    async def _erase(self, erasure_id: str, claim: Claim) -> None:
        held = {"erasure_id": erasure_id, "worker": claim.worker}
        row = await self._database.one("erasure/begin", **held)
        if row is None:
            return
        ids, chats, names = list(row["ids"]), list(row["chats"]), _Names.of(row)
        going = {"ids": ids, "others_words": row["others_words"]}
        while (await self._count("erasure/delete_memories", "deleted", **held, **going, limit=_AT_ONCE)) > 0:
            pass
        for chat in chats:
            await self._database.run("erasure/relink_turns", **held, chat=chat, now=self._clock(), no_end=NO_END)
            await self._database.run("erasure/relink_sessions", **held, chat=chat, now=self._clock(), no_end=NO_END)
        await self._reword_memories(held, ids, chats, names)
        await self._rename_entities(held, ids, names)
        await self._reword_others(held, names)
        await self._database.run("erasure/finish", **held, ids=ids, now=self._clock())

    async def _count(self, statement: str, column: str, **params: object) -> int:
        row = await self._database.one(statement, **params, now=self._clock(), no_end=NO_END)
        return int(row[column]) if row else 0

    async def _reword_memories(self, held: Row, ids: Sequence[str], chats: Sequence[str], names: _Names) -> None:
        tokens = [token(field, each) for each in ids for field in ("about", "speaker")]
        async for found in self._pages(
            "erasure/naming_memories", **held, ids=ids, queries=list(_queries(names, chats))
        ):
            if rows := [changed for row in found if (changed := _without(row, names))]:
                await self._database.run(
                    "erasure/reword_memories", **held, rows=rows, ids=ids, tokens=tokens, now=self._clock()
                )

    async def _rename_entities(self, held: Row, ids: Sequence[str], names: _Names) -> None:
        full = [name for name in names.everywhere if not name.startswith("@")]
        if not full:
            return
        anywhere, whose = names_pattern(full), whose_pattern(full)
        async for found in self._pages("erasure/naming_entities", **held, ids=ids, words=_first_words(full)):
            if rows := [changed for row in found if (changed := _renamed(row, anywhere, whose))]:
                await self._database.run("erasure/rename_entities", **held, rows=rows, now=self._clock())

    async def _reword_others(self, held: Row, names: _Names) -> None:
        if not names.everywhere:
            return
        pattern, words = names_pattern(names.everywhere), _first_words(names.everywhere)
        async for found in self._pages("erasure/naming_others", **held, words=words):
            if rows := [
                {"id": row["id"], "texts": texts} for row in found if (texts := _changed(pattern, row["texts"]))
            ]:
                await self._database.run("erasure/reword_others", **held, rows=rows)

    async def _pages(self, statement: str, **params: object) -> AsyncIterator[list[Row]]:
        """What a statement finds, page by page in the order of ids."""
        after = ""
        while True:
            found = await self._database.run(statement, **params, after=after, limit=_AT_ONCE)
            yield found
            if len(found) < _AT_ONCE:
                return
            after = found[-1]["id"]


def _first_words(names: Iterable[str]) -> list[str]:
    """The first words of names, in small letters: whatever holds a name holds its first word."""
    return sorted({name.lstrip("@").split()[0].lower() for name in names})


def _queries(names: _Names, chats: Sequence[str]) -> Iterable[str]:
    """Lucene queries for texts with the names: anywhere, and where the person took part also with what they are called
    by. Only letters and digits of names get in.
    """
    everywhere = [_phrase(name) for name in names.everywhere]
    called = [_phrase(name) for name in names.called]
    for start in range(0, len(everywhere), _LOOKED_FOR):
        some = " ".join(everywhere[start : start + _LOOKED_FOR])
        yield f"content:({some}) heading:({some}) tags:({some})"
    if called:
        for start in range(0, len(chats), _LOOKED_FOR):
            places = " ".join(token("learned_in", chat) for chat in chats[start : start + _LOOKED_FOR])
            yield f"+facets:({places}) +content:({' '.join(called)})"


def _phrase(name: str) -> str:
    """The name as the index has it: a word that holds underscores is one word there."""
    return '"' + " ".join(re.findall(r"\w+", name)).lower() + '"'


def _without(row: Row, names: _Names) -> Row | None:
    """What of a memory changes when it names the person no longer; None when it does not name them.

    Where another person in it goes by a name, that is whom it means, unless the memory is linked to both.
    """
    others = {name.lstrip("@").casefold() for name in row["others"]}
    known = [*names.everywhere, *names.called]
    unsure = [name for name in known if name.lstrip("@").casefold() not in others]
    looked_for = [*known, *filter(_is_name, row["learned"])] if row["linked"] else unsure
    pattern = names_pattern(looked_for)
    texts = _changed(pattern, row["texts"])
    versions = [[each, new] for each, text in row["versions"] if (new := without_names(pattern, text)) != text]
    quoted = [[each, new] for each, text in row["quoted"] if (new := without_names(pattern, text)) != text]
    if not (row["linked"] or texts or versions or quoted):
        return None
    claim = _claim(row, names, texts)
    texts = {key: value for key, value in texts.items() if key not in ("claim_key", "memory_key", "live_key")}
    return {"id": row["id"], "texts": texts, "versions": versions, "quoted": quoted, "claim": claim}


def _renamed(row: Row, anywhere: re.Pattern[str] | None, whose: re.Pattern[str] | None) -> Row | None:
    """What changes of an entity that is called by the person's names, found `anywhere` in its own; None when it is not.

    A person of the same name, or of one that begins like it, has a name of their own: whoever is a person is called by
    another's when it says `whose` they are.
    """
    kind, _, ref = row["key"].partition(":")
    pattern = whose if kind == "person" else anywhere
    texts = _changed(pattern, row["texts"])
    if not texts:
        return None
    now = {**dict(row["texts"]), **texts}
    if "canonical_name" in texts:
        ref = f"{slug(str(now['canonical_name']))}-{row['id']}"
    tokens = [name_token(each) for each in dict.fromkeys([str(now["canonical_name"]), *now["aliases"]])]
    links = [{"id": link, "texts": new} for link, said in row["links"] if (new := _changed(pattern, said))]
    return {"id": row["id"], "key": f"{kind}:{ref}", "ref": ref, "texts": texts, "names": tokens, "links": links}


def _is_name(text: str) -> bool:
    """Whether words by which somebody was meant can be a name: `my sister` and `she` are none."""
    return text[:1].isalpha() and not text[:1].islower() and len(text) > 1


def _claim(row: Row, names: _Names, changed: Mapping[str, object]) -> str | None:
    """The key of what a fact claims, in the words that it has now (`graph.writing.fact.claim_key`)."""
    claim = row["claim"]
    if claim is None:
        return None
    content = changed.get("content", dict(row["texts"])["content"])
    pattern = names_pattern(names.everywhere + names.called)
    ref = claim.split("|")[1]
    if pattern and pattern.fullmatch(ref.split("-")[0]) and claim.startswith("person|"):
        return f"{_NOBODY}{text_key(str(content))}"
    return f"{claim.split('|=')[0]}|={text_key(str(content))}" if "|=" in claim else str(claim)


def _changed(pattern: re.Pattern[str] | None, texts: Iterable[Sequence[object]]) -> dict[str, object]:
    """The properties whose texts, or texts in lists, hold a name, without it."""
    changed: dict[str, object] = {}
    for key, value in texts:
        if isinstance(value, str) and (text := without_names(pattern, value)) != value:
            changed[str(key)] = text
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            items = [without_names(pattern, each) for each in value]
            if items != value:
                changed[str(key)] = items
    return changed
