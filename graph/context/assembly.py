"""Assembles the context of a prompt: a standing part, and the results of a search for the question (R8).

The standing part comes first and does not depend on the question, so that prompt caches hit. `graph.context.composing`
selects pieces by their tokens and writes them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import date
from typing import Final

from hippograph.graph.access.parameters import request_params
from hippograph.graph.clock import Clock
from hippograph.graph.context.attribution import as_item, name_of_speaker, origin_of, said_by, words_said
from hippograph.graph.context.cards import Card, Cards, EntitySummary, Relation
from hippograph.graph.context.composing import (
    ALWAYS,
    SEARCHED,
    Composed,
    CountTokens,
    Entry,
    LeftOut,
    Omission,
    Part,
    Piece,
    Reason,
    Section,
    compose,
)
from hippograph.graph.context.fence import defused
from hippograph.graph.database import Database
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import Memory, MemoryType, Times, Viewer
from hippograph.graph.people.blocks import Blocks
from hippograph.graph.people.people import check_persona, time_zone
from hippograph.graph.people.summaries import SummaryReader
from hippograph.graph.people.todos import Todo, Todos
from hippograph.graph.people.user_state import States
from hippograph.graph.retention.recall import ReadKind, Recall
from hippograph.graph.retrieval.analysis import Analysis
from hippograph.graph.retrieval.memories import memory
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.search import Page, Result, Search
from hippograph.graph.zones import UTC_ZONE, day_there, time_there
from hippograph.nlp.questions.intent import Intent

ALWAYS_TOKENS: Final = 1000
"""Maximum size of the standing part, in tokens; it does not count against the budget."""
MOST_PINNED: Final = 20
MOST_TODOS: Final = 20
MOST_TOKENS: Final = 100_000
_CANDIDATES: Final = 40
"""Number of search results that are candidates for a context; the token budget selects from them."""
_CARDS: Final = 10
"""Number of top results whose entities get cards."""
_PROFILES: Final = 8
_RELATIONS: Final = 5

SectionBuilder = Callable[[Viewer, Times | None], Awaitable["Pieces"]]
"""Reads some of the pieces of the standing part."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Candidate pieces of a context, and the memories in them. If not `relevant`, none of the pieces is shown."""

    pieces: Sequence[Piece]
    memories: Sequence[Memory] = ()
    relevant: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """A context as Markdown, within fences that mark it as data. `always` is its standing part.

    `tokens` is the size of both parts together; `budget` is the limit of the part that was found, in tokens. `entries`
    and `left_out` say what is in the context and what is not, and why. `memories` holds the memories of both, by id.
    """

    text: str
    always: str
    tokens: int
    budget: int
    entries: tuple[Entry, ...]
    left_out: tuple[Omission, ...]
    memories: Mapping[str, Memory]
    analysis: Analysis


class ContextAssembly:
    """Assembles contexts. `count` counts the tokens of a text; it may block, and runs in `executor`.

    A `fixed_budget` is the default token budget for what was found. If it is None, the default follows from the
    complexity of the question (R3).
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        search: Search,
        *,
        count: CountTokens,
        executor: Executor | None,
        fixed_budget: int | None,
        recall: Recall | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._search = search
        self._cards = Cards(database, clock)
        self._states = States(database, clock)
        self._count = count
        self._executor = executor
        self._recall = recall
        self._fixed_budget = fixed_budget
        self._blocks = Blocks(database, clock)
        self._summaries = SummaryReader(database, clock)
        self._todos = Todos(database, clock)
        self._builders: tuple[SectionBuilder, ...] = (
            self._working_memory,
            self._state,
            self._pinned,
            self._lately,
            self._open,
        )

    async def context(
        self,
        viewer: Viewer,
        query: str,
        *,
        budget: int | None = None,
        total: int | None = None,
        times: Times | None = None,
        profile: RankingProfile | None = None,
        intent: Intent | None = None,
        reinforce: bool = False,
        id_length: int | None = None,
    ) -> Context:
        """Returns what an assistant needs to answer, as far as the viewer may see it from where they are.

        The search results get up to `budget` tokens; the default is `fixed_budget`, or follows from the complexity of
        the question. The standing part gets up to 1000 more. With a `total`, which overrides `budget`, both parts share
        that many tokens, and the standing part gets at most half of them. `profile` and `intent` are passed to the
        search.

        With `reinforce` the memories in the context count as recalled, search results first (T4). `id_length` is the
        number of characters written of each id; without it ids are written in full. Raises `InvalidInput` for an empty
        or overlong query or a budget out of range, and `NotFound` for an unknown persona or a chat in which the viewer
        does not take part.
        """
        for given in (budget, total):
            if given is not None and not 0 <= given <= MOST_TOKENS:
                raise InvalidInput(f"a budget is 0 to {MOST_TOKENS} tokens; {given} were given")
        always, (page, found) = await asyncio.gather(
            self._always(viewer, times), self._searched(viewer, query, times, profile, intent)
        )
        if budget is None:
            budget = page.analysis.budget.tokens if self._fixed_budget is None else self._fixed_budget
        pieces, irrelevant = (found.pieces, ()) if found.relevant else ((), found.pieces)
        before, after = await asyncio.get_running_loop().run_in_executor(
            self._executor, self._compose, always.pieces, pieces, budget, total, id_length
        )
        known = {one.id: one for one in (*always.memories, *found.memories)}
        if reinforce and self._recall is not None:
            self._recall.note(viewer, _recalled(page, [*after.entries, *before.entries]), ReadKind.CONTEXT)
        return Context(
            text="\n\n".join(filter(None, (before.text, after.text))),
            always=before.text,
            tokens=before.tokens + after.tokens,
            budget=budget if total is None else total - before.tokens,
            entries=before.entries + after.entries,
            left_out=(
                *before.left_out,
                *after.left_out,
                *(Omission(piece, LeftOut.IRRELEVANT) for piece in irrelevant),
            ),
            memories=known,
            analysis=page.analysis,
        )

    async def standing(self, viewer: Viewer, *, id_length: int | None = None) -> str:
        """The standing part alone, for where the viewer is. Raises `NotFound` for an unknown persona."""
        await check_persona(self._database, viewer.persona_id)
        always = await self._always(viewer, None)
        composed = await asyncio.get_running_loop().run_in_executor(
            self._executor, self._compose, always.pieces, (), 0, None, id_length
        )
        return composed[0].text

    def _compose(
        self, always: Sequence[Piece], found: Sequence[Piece], budget: int, total: int | None, id_length: int | None
    ) -> tuple[Composed, Composed]:
        room = ALWAYS_TOKENS if total is None else min(ALWAYS_TOKENS, total // 2)
        before = compose(always, ALWAYS, room, self._count, id_length=id_length)
        if total is not None:
            budget = total - before.tokens
        return before, compose(found, SEARCHED, budget, self._count, before, id_length=id_length)

    async def _always(self, viewer: Viewer, times: Times | None) -> Pieces:
        built = await asyncio.gather(*(builder(viewer, times) for builder in self._builders))
        return _joined(built)

    async def _working_memory(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The blocks of viewer and persona (S2), in a group those for groups (P6). Empty if `times` is given."""
        blocks = [] if times else await self._blocks.for_context(viewer)
        return Pieces([_told(Section.BLOCKS, Reason.BLOCK, one.content, one.name) for one in blocks])

    async def _lately(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The spine of the viewer, and the summaries of the latest session and of recent talk here (S3–S5)."""
        here = await self._summaries.texts_here(viewer, times)
        spine = here.spine.sentences if here.spine else ()
        told = [_told(Section.SPINE, Reason.SPINE, each.text, each.section, each.memory_ids) for each in spine]
        told += [
            _told(Section.SUMMARIES, Reason.SUMMARY, summary.content, f"{summary.kind} summary")
            for summary in (here.session, here.rolling)
            if summary
        ]
        return Pieces(told)

    async def _open(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The open todos that may be shown here (S7). Empty if `times` is given."""
        todos = [] if times else await self._todos.open_here(viewer, MOST_TODOS)
        zone = await time_zone(self._database, self._clock, viewer) if todos else UTC_ZONE
        return Pieces([_todo_piece(one, zone) for one in todos])

    async def _state(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The viewer's state with their persona (S1), in a group only what may be shown there (P6)."""
        states = await self._states.current(viewer, times, for_context=True)
        return Pieces(
            [Piece(Section.STATE, Reason.STATE, (Part(f"{one.key}: {one.value}"),), detail=one.key) for one in states]
        )

    async def _pinned(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The latest memories that the viewer pinned, oldest first."""
        rows = await self._database.run(
            "context/pinned", most=MOST_PINNED, **request_params(viewer, times, self._clock)
        )
        pinned = [memory(row) for row in rows]
        return Pieces([_piece(one, viewer, Section.PINNED, Reason.PINNED) for one in pinned], pinned)

    async def _searched(
        self,
        viewer: Viewer,
        query: str,
        times: Times | None,
        profile: RankingProfile | None,
        intent: Intent | None,
    ) -> tuple[Page, Pieces]:
        page = await self._search.search(viewer, query, times=times, profile=profile, intent=intent, first=_CANDIDATES)
        return page, await self._found(viewer, page, times)

    async def _found(self, viewer: Viewer, page: Page, times: Times | None) -> Pieces:
        """The pieces for search results: cards, facts and turns, profiles of entities, and the sources of facts. If no
        result is above the relevance floor, they are marked as not relevant.
        """
        found = [result.memory for result in page.results]
        holding = [result.outdated.now for result in page.results if result.outdated and result.outdated.now]
        ranked = [
            piece
            for rank, result in enumerate(page.results, start=1)
            for piece in _found_pieces(result, viewer, rank, page.analysis.time_zone)
        ]
        if not any(result.relevance > page.floor for result in page.results):
            return Pieces(ranked, [*found, *holding], relevant=False)
        first = [one.id for one in found[:_CARDS]]
        facts = [one for one in found if one.type is not MemoryType.EPISODIC]
        cards, sources = await asyncio.gather(
            self._cards.of_found(viewer, first, times),
            self._sources(viewer, facts, times, page.analysis.time_zone),
        )
        keys = list(dict.fromkeys([*(one.key for one in page.analysis.entities), *(card.key for card in cards)]))
        profiles = await self._profiles(viewer, keys[:_PROFILES], times)
        of_cards = Pieces([_card_piece(card) for card in cards], [fact for card in cards for fact in card.facts])
        return _joined([of_cards, Pieces(ranked, [*found, *holding]), profiles, sources])

    async def _profiles(self, viewer: Viewer, keys: Sequence[str], times: Times | None) -> Pieces:
        """The summary and the relations of each entity."""
        summaries, relations = await asyncio.gather(
            self._cards.summaries(viewer, keys, times),
            self._cards.relations(viewer, dict.fromkeys(keys), times=times, first=_RELATIONS),
        )
        pieces, memories = [], [each.memory for each in summaries.values()]
        for key in keys:
            related = [listed.item for listed in relations[key].items]
            memories += [relation.evidence[0] for relation in related if relation.evidence]
            summary = [_summary_part(summaries[key])] if key in summaries else []
            parts = (*summary, *(_related_part(relation, viewer) for relation in related))
            if parts:
                pieces.append(Piece(Section.PROFILES, Reason.PROFILE, parts, lead=f"{key}: ", detail=key))
        return Pieces(pieces, memories)

    async def _sources(self, viewer: Viewer, facts: Sequence[Memory], times: Times | None, zone: str) -> Pieces:
        """The turns that facts were extracted from, as quotations, unless the fact already quotes the turn."""
        rows = await self._database.run(
            "context/sources", facts=[fact.id for fact in facts], **request_params(viewer, times, self._clock)
        )
        turns = {row["fact"]: memory(row) for row in rows}
        pieces = [
            _quotation(turn, fact.id, zone)
            for fact in facts
            if (turn := turns.get(fact.id)) and not fact.quotes(turn.content)
        ]
        return Pieces(pieces, list(turns.values()))


def _recalled(page: Page, entries: Sequence[Entry]) -> list[str]:
    """The ids of the memories in a context: search results by rank, then the others."""
    there = dict.fromkeys(memory_id for entry in entries for memory_id in entry.piece.memory_ids)
    best = [result.memory.id for result in page.results if result.memory.id in there]
    return list(dict.fromkeys([*best, *there]))


def _joined(all_pieces: Sequence[Pieces]) -> Pieces:
    return Pieces(
        [piece for each in all_pieces for piece in each.pieces], [one for each in all_pieces for one in each.memories]
    )


def _told(section: Section, reason: Reason, text: str, name: str, made_of: Iterable[str] = ()) -> Piece:
    """A piece that belongs to no single memory, under a name."""
    lead = f"{defused(name).replace('_', ' ')}: "
    return Piece(section, reason, (Part(text, made_of=frozenset(made_of)),), lead=lead, detail=name)


def _todo_piece(todo: Todo, zone: str) -> Piece:
    day = f" ({todo.standing or 'due'}: {_day(day_there(todo.due_at, zone))})" if todo.due_at else ""
    return Piece(Section.TODOS, Reason.TODO, (Part(f"{todo.content}{day}"),), lead=f"{todo.kind}: ", detail=todo.id)


def _piece(one: Memory, viewer: Viewer, section: Section, reason: Reason, detail: str = "") -> Piece:
    return Piece(
        section,
        reason,
        (Part(words_said(one, viewer.person_id), one.id, said_by(one, viewer.person_id)),),
        detail=detail,
    )


def _card_piece(card: Card) -> Piece:
    parts = tuple(Part(as_item(fact, card.viewer_id), fact.id, said_by(fact, card.viewer_id)) for fact in card.facts)
    return Piece(Section.FACTS, Reason.CARD, parts, lead=f"[{card.key}]: ", detail=card.key)


def _found_pieces(result: Result, viewer: Viewer, rank: int, zone: str) -> list[Piece]:
    """The pieces for a search result. A turn gets its speaker and day, and is sorted by time. Any other memory is a
    fact. An outdated turn is marked as such, and the memory that replaces it is added as a fact.
    """
    one, outdated = result.memory, result.outdated
    if one.type is not MemoryType.EPISODIC:
        return [_piece(one, viewer, Section.FACTS, Reason.FOUND, str(rank))]
    over = f" (no longer so: {outdated.reason} {_day(day_there(outdated.since, zone))})" if outdated else ""
    lead = f"{_said(one, zone)}{over}: "
    order = f"{one.event_time.isoformat()} {one.id}"
    turn = Piece(Section.TEMPORAL, Reason.FOUND, (Part(result.excerpt, one.id),), lead, str(rank), order=order)
    now = outdated.now if outdated else None
    return [_piece(now, viewer, Section.FACTS, Reason.FOUND, str(rank)), turn] if now else [turn]


def _quotation(turn: Memory, fact_id: str, zone: str) -> Piece:
    return Piece(
        Section.EVIDENCE,
        Reason.SOURCE,
        (Part(turn.content, turn.id),),
        f"{_said(turn, zone)}: ",
        fact_id,
        under=fact_id,
    )


def _summary_part(summary: EntitySummary) -> Part:
    return Part(summary.memory.content, summary.memory.id, made_of=summary.sources)


def _related_part(relation: Relation, viewer: Viewer) -> Part:
    """A relation as a part, attributed to the viewer if they stated it too, else to the latest speaker."""
    words = relation.words
    if not relation.evidence:
        return Part(words)
    own = [one for one in relation.evidence if one.speaker_id == viewer.person_id]
    said = said_by((own or relation.evidence)[0], viewer.person_id)
    return Part(words, relation.evidence[0].id, said, same_as=tuple(one.id for one in relation.evidence))


def _said(turn: Memory, zone: str) -> str:
    """The speaker of a turn, its day in the reader's time zone, and its origin if that was not talk, in one line."""
    return f"{name_of_speaker(turn)}, {_day(time_there(turn, zone))}{origin_of(turn)}"


def _day(moment: date) -> str:
    return f"{moment.day} {moment:%B %Y}"
