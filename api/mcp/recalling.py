"""Tools that find and show what is remembered."""

from collections.abc import Sequence
from typing import Annotated, Final

from mcp.server.mcpserver.tools import Tool
from pydantic import Field

from api.arguments import entity_reference, parse_start, times, words
from api.mcp.forms import (
    ContextForm,
    CountsForm,
    EntityForm,
    ExplanationForm,
    MemoriesForm,
    SearchForm,
    SizeForm,
    WeakFactsForm,
    memory_form,
    relation_form,
    result_form,
    step_form,
    weak_form,
)
from api.mcp.tool_context import READS, ToolCall, ToolContext, cursor_of
from graph.model import NO_END, START, MemoryType, Sensitivity
from graph.retrieval.filters import Filters
from graph.retrieval.ranking import RankingProfile
from graph.retrieval.weak_facts import WEAK
from nlp.questions.intent import Intent

Chat = Annotated[str | None, Field(description="The chat in which you are asked, by title or id.")]
ForGroups = Annotated[
    bool | None, Field(description="Whether it stands in contexts of groups too; what is new does not without it.")
]
Persona = Annotated[
    str | None, Field(description="The persona that answers, by name or id; else that of the chat, if it has one.")
]
AsOf = Annotated[str | None, Field(description="What was true then: 2026-03-01. Now without it.")]
KnownAt = Annotated[str | None, Field(description="What was known then: 2026-03-01. Now without it.")]
First = Annotated[int, Field(description="How many, 1 to 100.")]
Cursor = Annotated[str | None, Field(description="The `cursor` of the page before, with all else the same.")]
MemoryId = Annotated[str, Field(description="The id of a memory, as a result or a context gave it.")]
Words = Annotated[Sequence[str], Field(description="Several are alternatives.")]

_TIMELINE: Final = 10


class Recalling:
    """Tools that find and show what is remembered."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def tools(self) -> list[Tool]:
        """All of them."""
        work = (
            self.search_memory,
            self.get_context,
            self.get_entity_info,
            self.explain_fact,
            self.weak_facts,
            self.memory_stats,
            self.query_archive,
        )
        return [self._context.tool(each, READS) for each in work]

    async def search_memory(
        self,
        call: ToolCall,
        query: Annotated[str, Field(description="A question, keywords, or both.")],
        chat: Chat = None,
        persona: Persona = None,
        types: Annotated[Sequence[MemoryType], Field(description="episodic are turns, the others facts.")] = (),
        kinds: Words = (),
        categories: Annotated[Sequence[str], Field(description="profile, people, project.")] = (),
        entities: Annotated[Sequence[str], Field(description="Keys of what it is about: person:john.")] = (),
        tags: Annotated[Sequence[str], Field(description="All of them must be there.")] = (),
        narratives: Annotated[Sequence[str], Field(description="Of one of these narratives.")] = (),
        tasks: Annotated[Sequence[str], Field(description="Of one of these tasks.")] = (),
        sensitivities: Sequence[Sensitivity] = (),
        after: Annotated[str | None, Field(description="It happened then or later: 2026-03-01, last_week.")] = None,
        before: Annotated[str | None, Field(description="It happened earlier than that.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        intent: Annotated[Intent | None, Field(description="What is asked for; else the words say.")] = None,
        profile: RankingProfile = RankingProfile.FUSED,
        min_relevance: Annotated[float, Field(description="Leaves out what is less relevant, 0 to 1.")] = 0.0,
        first: Annotated[int | None, Field(description="1 to 100; else 5, or 20 for a complex question.")] = None,
        cursor: Cursor = None,
    ) -> SearchForm:
        """Find memories by their words and their meaning, best first. Search up to three times: with the question, with
        its keywords, with synonyms.
        """
        now = self._context.service.clock()
        filters = Filters(
            types=tuple(types),
            kinds=words(kinds),
            categories=words(categories),
            entities=words(entities),
            tags=words(tags),
            narratives=words(narratives),
            tasks=words(tasks),
            sensitivities=tuple(sensitivities),
            after=parse_start(after, now) if after else START,
            before=parse_start(before, now) if before else NO_END,
        )
        page = await self._context.service.search.search(
            await self._context.viewer(call, chat, persona),
            query,
            filters=filters,
            times=times(self._context.service.clock, as_of, known_at),
            profile=profile,
            intent=intent,
            min_relevance=min_relevance,
            first=first,
            after=cursor,
            reinforce=True,
        )
        return SearchForm(
            results=[result_form(result) for result in page.results],
            intent=page.analysis.intent.value,
            entities=[entity.key for entity in page.analysis.entities],
            period=page.analysis.period.words if page.analysis.period else None,
            cursor=page.results[-1].cursor if page.has_next and page.results else None,
        )

    async def get_context(
        self,
        call: ToolCall,
        query: Annotated[str, Field(description="The user's question or request.")],
        chat: Chat = None,
        persona: Persona = None,
        budget: Annotated[int | None, Field(description="Tokens for what is found; else by the question.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> ContextForm:
        """Get what belongs into an answer: the user's state, pinned memories, and what is found for the question."""
        found = await self._context.service.contexts.context(
            await self._context.viewer(call, chat, persona),
            query,
            budget=budget,
            times=times(self._context.service.clock, as_of, known_at),
            reinforce=True,
        )
        return ContextForm(found.text, found.tokens, found.budget)

    async def get_entity_info(
        self,
        call: ToolCall,
        entity: Annotated[str, Field(description="A name (Ben), a key (person:ben) or an id.")],
        chat: Chat = None,
        persona: Persona = None,
        timeline: Annotated[int, Field(description="How much of its timeline, 1 to 100.")] = _TIMELINE,
        cursor: Annotated[str | None, Field(description="A `timelineCursor`, to go on in the timeline.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> EntityForm:
        """Get what is known of a person, a project, a place or another thing: what matters most, what it is to others,
        and what happened in the order of time.
        """
        viewer = await self._context.viewer(call, chat, persona)
        known = await self._context.service.browsing.entity_called(viewer, entity_reference(entity))
        when, cards, key = times(self._context.service.clock, as_of, known_at), self._context.service.cards, known.key
        card = (await cards.cards(viewer, [key], when, reinforce=True))[key]
        summary = (await cards.summaries(viewer, [key], when)).get(key)
        relations = (await cards.relations(viewer, {key: None}, times=when))[key]
        pages = await self._context.service.timelines.of_entities(viewer, {key: cursor}, times=when, first=timeline)
        return EntityForm(
            key=key,
            name=known.canonical_name,
            aliases=list(known.aliases),
            card=card.text,
            mentions=(await cards.mentions(viewer, [key], when))[key],
            facts=[memory_form(fact) for fact in card.facts],
            relations=[relation_form(listed.item) for listed in relations.items],
            timeline=[memory_form(listed.item) for listed in pages[key].items],
            summary=summary.content if summary else None,
            timeline_cursor=cursor_of(pages[key]),
        )

    async def explain_fact(self, call: ToolCall, memory_id: MemoryId) -> ExplanationForm:
        """Tell why something is believed: its sources, what it replaced, what contradicts it, whom it names."""
        viewer = await self._context.viewer(call)
        found = await self._context.service.explaining.explain(viewer, await self._context.memory(viewer, memory_id))
        return ExplanationForm(
            chain=[step_form(step) for step in found.chain],
            sources=[step_form(step) for step in found.sources],
            contradictions=[step_form(step) for step in found.contradictions],
            entities=[entity.key for entity in found.entities],
        )

    async def weak_facts(
        self,
        call: ToolCall,
        below: Annotated[float, Field(description="The confidence below which a fact is weak, 0 to 1.")] = WEAK,
        first: First = 20,
        cursor: Cursor = None,
    ) -> WeakFactsForm:
        """List facts that are hardly believed any more, the weakest first: ask the user, then `confirm_fact` or
        `forget`.
        """
        viewer = await self._context.viewer(call)
        page = await self._context.service.weak_facts.weak(viewer, below=below, first=first, after=cursor)
        return WeakFactsForm([weak_form(listed.item) for listed in page.items], cursor_of(page))

    async def memory_stats(self, call: ToolCall) -> CountsForm:
        """Count what the user may see: memories by type, entities, links, and what waits to be worked on."""
        counts = await self._context.service.stats.counts(await self._context.viewer(call))
        return CountsForm(
            memories=counts.memories,
            by_type={kind.value: number for kind, number in counts.by_type.items()},
            entities=counts.entities,
            links=counts.links,
            orphans=counts.orphans,
            size_bytes=counts.size_bytes,
            pending=counts.pending,
            waiting_sessions=counts.waiting_sessions,
            failed=counts.failed,
            secrets_removed=counts.secrets_removed,
            links_by_type=dict(counts.links_by_type),
            sizes=[SizeForm(size.size_bytes, round(size.share, 4), size.chat_id) for size in counts.sizes],
            last_consolidated=counts.last_consolidated,
            last_maintenance=counts.last_maintenance,
        )

    async def query_archive(
        self,
        call: ToolCall,
        query: Annotated[str, Field(description="Words that it holds.")],
        chat: Chat = None,
        persona: Persona = None,
        first: First = 20,
        cursor: Cursor = None,
    ) -> MemoriesForm:
        """Search what was archived, which nothing else finds."""
        viewer = await self._context.viewer(call, chat, persona)
        page = await self._context.service.archive.search(viewer, query, first=first, after=cursor)
        return MemoriesForm([memory_form(listed.item) for listed in page.items], cursor_of(page))
