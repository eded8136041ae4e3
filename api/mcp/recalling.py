"""Tools that search and read memories."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Final

from mcp.server.mcpserver.tools import Tool
from pydantic import Field

from hippograph.api.arguments import entity_reference, times, within_time, words
from hippograph.api.global_ids import SHORT, short
from hippograph.api.mcp.forms import (
    CountTokens,
    Form,
    explanation_form,
    given,
    memory_form,
    relation_form,
    result_form,
    weak_form,
)
from hippograph.api.mcp.tool_context import READS, ToolCall, ToolContext, checked_budget
from hippograph.graph.context.assembly import Context
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import MemoryType
from hippograph.graph.reading.weak_facts import WEAK
from hippograph.graph.retrieval.filters import Filters

AsOf = Annotated[str | None, Field(description="true then: 2026-03-01")]
KnownAt = Annotated[str | None, Field(description="known then")]
Budget = Annotated[int | None, Field(description="tokens at most")]
Reinforce = Annotated[bool, Field(description="counts as recall")]

_TIMELINE: Final = 10
_MOST_LEFT_OUT: Final = 20
_SHARE_LEFT_OUT: Final = 5
"""A fifth of the token budget is reserved for the list of what was left out."""


class Recalling(ToolContext):
    """Tools that search and read memories."""

    def tools(self) -> list[Tool]:
        """All tools of this class."""
        work = (
            self.get_context,
            self.search_memory,
            self.get_entity_info,
            self.explain_fact,
            self.weak_facts,
            self.memory_stats,
        )
        return [self.tool(each, READS) for each in work]

    async def get_context(
        self,
        call: ToolCall,
        query: Annotated[str, Field(description="what the user asks")],
        chat: str | None = None,
        persona: str | None = None,
        budget: Budget = None,
        left_out: Annotated[bool, Field(description="also tell what was left out, and why")] = False,
        reinforce: Reinforce = True,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> str:
        """Get the context for an answer: the user's state, blocks and todos, and memories found for the question."""
        service, total = self.service, checked_budget(budget)
        if total and left_out:
            total -= total // _SHARE_LEFT_OUT
        found = await service.contexts.context(
            await self.viewer(call, chat, persona),
            query,
            total=total,
            times=times(service.clock, as_of, known_at),
            reinforce=reinforce,
            id_length=SHORT,
        )
        if not left_out:
            return found.text
        room = None if budget is None else budget - found.tokens
        return f"{found.text}\n\n{await asyncio.to_thread(_left_out, found, room, service.count_tokens)}"

    async def search_memory(
        self,
        call: ToolCall,
        query: Annotated[str, Field(description="a question, or keywords")],
        chat: str | None = None,
        persona: str | None = None,
        types: Annotated[Sequence[MemoryType], Field(description="episodic: turns; the others: facts")] = (),
        kinds: Sequence[str] = (),
        entities: Annotated[Sequence[str], Field(description="keys: person:ben")] = (),
        tags: Sequence[str] = (),
        after: Annotated[str | None, Field(description="happened since: 2026-03-01, last_week")] = None,
        before: str | None = None,
        archived: bool = False,
        first: int | None = None,
        cursor: str | None = None,
        budget: Budget = None,
        reinforce: Reinforce = True,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> Form:
        """Find memories by words and meaning, best first; `cursor` gets the next page."""
        service = self.service
        viewer = await self.viewer(call, chat, persona)
        moment = times(service.clock, as_of, known_at)
        if archived:
            if any((types, kinds, entities, tags, after, before)):
                raise InvalidInput("the archive is searched by its words alone: give no filter with `archived`")
            archive = await service.archive.search(viewer, query, times=moment, first=first or 20, after=cursor)
            return await self.page("results", archive, memory_form, budget)
        filters = Filters(types=tuple(types), kinds=words(kinds), entities=words(entities), tags=words(tags))
        filters = await within_time(filters, service.people, viewer, service.clock(), after, before)
        checked_budget(budget)
        page = await service.search.search(
            viewer, query, filters=filters, times=moment, first=first, after=cursor, reinforce=reinforce
        )
        items = [(result_form(result), result.cursor) for result in page.results]
        return await self.fitted("results", items, page.has_next, budget)

    async def get_entity_info(
        self,
        call: ToolCall,
        entity: Annotated[str, Field(description="a name, or a key: person:ben")],
        chat: str | None = None,
        persona: str | None = None,
        timeline: int = _TIMELINE,
        cursor: str | None = None,
        budget: Budget = None,
        reinforce: Reinforce = True,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> Form:
        """Get what is known of a person or thing: facts, relations to others, and a timeline, earliest first."""
        service = self.service
        viewer = await self.viewer(call, chat, persona)
        known = await service.browsing.entity_called(viewer, entity_reference(entity))
        moment, cards, key = times(service.clock, as_of, known_at), service.cards, known.key
        card = (await cards.cards(viewer, [key], moment, reinforce=reinforce))[key]
        summary = (await cards.summaries(viewer, [key], moment)).get(key)
        relations = (await cards.relations(viewer, {key: None}, times=moment))[key]
        pages = await service.timelines.of_entities(viewer, {key: cursor}, times=moment, first=timeline)
        about = given(
            key=key,
            name=known.canonical_name,
            aliases=list(known.aliases),
            mentions=(await cards.mentions(viewer, [key], moment))[key],
        )
        lists = {
            "summary": [{"text": summary.memory.content}] if summary and summary.tells_more_than(card.facts) else [],
            "facts": [memory_form(fact) for fact in card.facts],
            "relations": [relation_form(listed.item) for listed in relations.items],
        }
        listed = await self.lists(about, lists, budget)
        form = await self.page("timeline", pages[key], memory_form, budget, least=0, **listed)
        if form["timeline"] or cursor is None or not pages[key].items:
            return form
        # The next entry does not fit beside the rest: the timeline goes on alone, with its text cut.
        return await self.page("timeline", pages[key], memory_form, budget, **about)

    async def explain_fact(self, call: ToolCall, memory_id: str, budget: Budget = None) -> Form:
        """Explain why a memory is believed: its sources, what it replaced, what contradicts it, whom it names."""
        viewer = await self.viewer(call)
        memory = await self.memory(viewer, memory_id)
        form = explanation_form(await self.service.explaining.explain(viewer, memory))
        return await self.lists({}, form, budget, least=1)

    async def weak_facts(
        self, call: ToolCall, below: float = WEAK, first: int = 20, cursor: str | None = None, budget: Budget = None
    ) -> Form:
        """List facts of low remaining confidence, weakest first, to ask the user about them."""
        viewer = await self.viewer(call)
        page = await self.service.weak_facts.weak(viewer, below=below, first=first, after=cursor)
        return await self.page("facts", page, weak_form, budget)

    async def memory_stats(self, call: ToolCall) -> Form:
        """Count memories, entities and pending work."""
        counts = await self.service.stats.counts(await self.viewer(call))
        return {
            "memories": counts.memories,
            "types": {kind.value: number for kind, number in counts.by_type.items()},
            "entities": counts.entities,
            "pending": counts.pending,
            "waiting_sessions": counts.waiting_sessions,
            "failed": counts.failed,
            "share_of_room": round(max((size.share for size in counts.sizes), default=0.0), 3),
        }


def _left_out(found: Context, room: int | None, count: CountTokens) -> str:
    """Describes what was left out of a context: for each reason and section the number of memories, and up to 20 ids.
    Lists fewer ids to fit into `room` tokens; the text is empty if the numbers alone do not fit.
    """
    ids: dict[tuple[str, str], list[str]] = {}
    for omission in found.left_out:
        there = ids.setdefault((omission.why.value, omission.piece.section.value), [])
        there += [each for each in map(short, omission.piece.memory_ids) if each not in there]
    for most in range(_MOST_LEFT_OUT, -1, -1):
        lines = [
            f"Left out of {section} ({why}): {len(memories)}{''.join(f' {each}' for each in memories[:most])}"
            for (why, section), memories in ids.items()
        ]
        text = "\n".join(lines or ["Nothing was left out."])
        if room is None or count(text) <= room:
            return text
    return ""
