"""The context of a prompt: what always stands in it, and what was found for a question (R8).

What always stands comes first, and the question changes nothing in it, so that a prompt cache holds. How pieces are
chosen by their tokens and written is `graph.context.composing`.
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
from hippograph.graph.people.people import check_persona
from hippograph.graph.people.summaries import SummaryReader
from hippograph.graph.people.todos import Todo, Todos
from hippograph.graph.people.user_state import States
from hippograph.graph.retention.recall import ReadKind, Recall
from hippograph.graph.retrieval.analysis import Analysis
from hippograph.graph.retrieval.memories import memory
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.search import Page, Result, Search
from hippograph.graph.zones import day_there, time_there
from hippograph.nlp.questions.intent import Intent

ALWAYS_TOKENS: Final = 1000
"""At most so many tokens always stand there, outside the budget."""
MOST_PINNED: Final = 20
MOST_TODOS: Final = 20
MOST_TOKENS: Final = 100_000
_CANDIDATES: Final = 40
"""So many results of the search may take part: the budget decides."""
_CARDS: Final = 10
"""Cards are of what so many of the first results name."""
_PROFILES: Final = 8
_RELATIONS: Final = 5

SectionBuilder = Callable[[Viewer, Times | None], Awaitable["Pieces"]]
"""Reads what of one section always stands in a context."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What may stand in a context, and of which memories. Where it is not `relevant`, nothing of it is shown."""

    pieces: Sequence[Piece]
    memories: Sequence[Memory] = ()
    relevant: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """A context as Markdown, within a fence that says that it is data; what of it always stands there and what was
    found, and why; what was left out, and why.

    `tokens` are those of `text`; `budget` is for what was found. `memories` are all that are in it, by id.
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
    """Assembles contexts. `count` has the tokens of a text; it may block, and runs in `executor`.

    With a `fixed_budget` a question's complexity does not say how many tokens what was found may have (R3).
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
        """What an assistant is to know for its answer, from where the viewer stands: up to `budget` tokens of what was
        found (if not given, by the question's complexity), besides up to 1000 of what always stands there. With a
        `total` instead both together have that many, and what always stands there up to half of them. `profile` and
        `intent` are those of the search.

        With `reinforce` the memories in it count as recalled, those that were found first (T4). Of each id `id_length`
        characters are written, without it the whole. Raises `InvalidInput` for an empty or overlong query or a budget
        out of range, and `NotFound` for a chat in which the viewer takes no part and for an unknown persona.
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
        """What always stands in contexts where the viewer is. Raises `NotFound` for an unknown persona."""
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
        """The blocks of the viewer and their persona (S2), in a group those for groups (P6); none at another time."""
        blocks = [] if times else await self._blocks.for_context(viewer)
        return Pieces([_told(Section.BLOCKS, Reason.BLOCK, one.content, one.name) for one in blocks])

    async def _lately(self, viewer: Viewer, times: Times | None) -> Pieces:
        """What is known of the viewer in short, and what the latest session and talk here were about (S3–S5)."""
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
        """The open todos that may be told here (S7); a context of another time has none."""
        todos = [] if times else await self._todos.open_here(viewer, MOST_TODOS)
        return Pieces([_todo_piece(one) for one in todos])

    async def _state(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The viewer's state, as their persona has it (S1), in a group what may stand there (P6)."""
        states = await self._states.current(viewer, times, for_context=True)
        return Pieces(
            [Piece(Section.STATE, Reason.STATE, (Part(f"{one.key}: {one.value}"),), detail=one.key) for one in states]
        )

    async def _pinned(self, viewer: Viewer, times: Times | None) -> Pieces:
        """The latest of what the viewer pinned, the earliest first."""
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
        """What was found: cards and facts, what is known of whom it is about, turns, and the sources of facts. Where no
        result is as relevant as answers are, nothing may.
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
        """What some entities are, and what they are to others."""
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
        """The turns in which facts were found, as quotations, where they say more than the fact."""
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
    """The memories that stand in a context: as they were found, the best first, then the others."""
    there = dict.fromkeys(memory_id for entry in entries for memory_id in entry.piece.memory_ids)
    best = [result.memory.id for result in page.results if result.memory.id in there]
    return list(dict.fromkeys([*best, *there]))


def _joined(all_pieces: Sequence[Pieces]) -> Pieces:
    return Pieces(
        [piece for each in all_pieces for piece in each.pieces], [one for each in all_pieces for one in each.memories]
    )


def _told(section: Section, reason: Reason, text: str, name: str, made_of: Iterable[str] = ()) -> Piece:
    """What is of no one memory, under its name."""
    lead = f"{defused(name).replace('_', ' ')}: "
    return Piece(section, reason, (Part(text, made_of=frozenset(made_of)),), lead=lead, detail=name)


def _todo_piece(todo: Todo) -> Piece:
    day = f" ({todo.standing or 'due'}: {_day(todo.due_at)})" if todo.due_at else ""
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
    """What was found: a turn with who said it and when, in the order of time; anything else as a fact. Of a turn whose
    statement holds no longer that is said, and what holds now is a fact beside it.
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
    """What one is to another, said by the viewer if they said so too, else by who said it last."""
    words = relation.words
    if not relation.evidence:
        return Part(words)
    own = [one for one in relation.evidence if one.speaker_id == viewer.person_id]
    said = said_by((own or relation.evidence)[0], viewer.person_id)
    return Part(words, relation.evidence[0].id, said, same_as=tuple(one.id for one in relation.evidence))


def _said(turn: Memory, zone: str) -> str:
    """Who said a turn, on which day where the reader is, and where it came from if that was no talk, in one line."""
    return f"{name_of_speaker(turn)}, {_day(time_there(turn, zone))}{origin_of(turn)}"


def _day(moment: date) -> str:
    return f"{moment.day} {moment:%B %Y}"
