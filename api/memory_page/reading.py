"""The pages that only read: search, a memory, lists of memories and entities, the timeline, uses, weak facts, merges,
acts of forgetting, and invitations.
"""

from asyncio import gather
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from http import HTTPStatus
from itertools import groupby
from typing import Final, TypeVar

from starlette.responses import Response

from hippograph.api.memory_page.neighbours import around_entity, around_memory
from hippograph.api.memory_page.rendering import page
from hippograph.api.memory_page.visits import HOME, Visit
from hippograph.graph.errors import HippographError, NotFound
from hippograph.graph.model import START, ChatKind, Entity, EntityType, Memory, MemoryType, Sensitivity, Times
from hippograph.graph.paging import Listing
from hippograph.graph.retrieval.filters import NO_FILTERS, Filters
from hippograph.graph.zones import time_there

T = TypeVar("T")

_FACTS: Final = (MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.OPINION)
_RESULTS: Final = 10
_LATEST: Final = 5
_PAGE: Final = 20
_MOMENTS: Final = 50
_ENTITIES: Final = 60
_USES: Final = 5
_LOOKS_BACK: Final = 5
_JUST_BEFORE: Final = timedelta(microseconds=1)
_KEPT: Final = ("q", "show", "type", "key", "of", "as_of", "day", "known", "plan", "merge")
"""Query parameters that the address of the next page keeps."""


async def search_page(visit: Visit) -> Response:
    """The results of a search, each with the reasons for it; without a query the latest memories.

    The search does not count as a recall: pages never change how long a memory lasts.
    """
    service, viewer, query, times = visit.service, visit.viewer, visit.asked("q"), visit.times()
    if query is None:
        latest = await service.browsing.my_memories(viewer, first=_LATEST)
        return page(visit, "search.html", query="", latest=items(latest))
    after = visit.asked("after")
    found = await service.search.search(viewer, query, times=times, first=_RESULTS, after=after, reinforce=False)
    ids = dict.fromkeys(step for result in found.results for link in result.links.values() for step in link.path)
    steps = await service.memories.load(viewer, list(ids), times) if ids else {}
    more = _next_page(visit, HOME, found.results[-1].cursor) if found.has_next and found.results else None
    return page(visit, "search.html", query=query, found=found, steps=steps, more=more)


async def memory_page(
    visit: Visit, memory_id: str, *, error: HippographError | None = None, draft: str | None = None, status: int = 200
) -> Response:
    """One memory: its sources, its history, the forms that change it, and the graph around it.

    `error` says why a change was refused; `draft` is the text that was entered for it. Raises `NotFound`.
    """
    service, viewer = visit.service, visit.viewer
    explanation = await service.explaining.explain(viewer, memory_id)
    found = await service.memories.held(viewer, memory_id)
    around = await around_memory(visit, found, explanation, memory_id)
    step = next(each for each in explanation.chain if each.memory_id == memory_id)
    return page(
        visit,
        "memory.html",
        status,
        memory=found,
        step=step,
        explanation=explanation,
        around=around,
        sensitivities=list(Sensitivity),
        groups=[chat for chat in visit.chats.values() if chat.kind is ChatKind.GROUP],
        uses=items(await service.uses.of_memory(viewer, memory_id, first=_USES)),
        error=error,
        draft=draft,
    )


async def about_me_page(visit: Visit) -> Response:
    """The facts about the viewer, with a summary; or all facts, or all memories; newest first. Raises `NotFound`."""
    shown = visit.asked("show") or "me"
    filters = {
        "me": Filters(types=_FACTS, entities=(visit.me.key,)),
        "facts": Filters(types=_FACTS),
        "all": NO_FILTERS,
    }.get(shown)
    if filters is None:
        raise NotFound("there is no such list")
    found = await _filled(visit, partial(visit.service.browsing.my_memories, visit.viewer, filters, first=_PAGE))
    summary = (await visit.service.summary_reader.here(visit.viewer)).spine if shown == "me" else None
    path = f"{HOME}/me"
    return page(visit, "me.html", shown=shown, summary=summary, found=items(found), more=_more(visit, path, found))


async def entities_page(visit: Visit) -> Response:
    """The entities that the viewer may know of, of one type or of all."""
    written = visit.asked("type")
    kind = EntityType(written) if written in list(EntityType) else None
    found = await visit.service.browsing.entities(visit.viewer, kind=kind, first=_ENTITIES, after=visit.asked("after"))
    more = _more(visit, f"{HOME}/people", found)
    return page(visit, "people.html", kind=kind, kinds=list(EntityType), found=items(found), more=more)


async def entity_page(visit: Visit) -> Response:
    """An entity: its card, summary, relations, latest memories, and the graph around it. Raises `NotFound`."""
    entity = await _entity(visit, visit.asked("key"))
    service, viewer, key = visit.service, visit.viewer, entity.key
    cards, summaries, mentions, relations, latest, around = await gather(
        service.cards.cards(viewer, [key]),
        service.cards.summaries(viewer, [key]),
        service.cards.mentions(viewer, [key]),
        service.cards.relations(viewer, {key: None}),
        _filled(visit, partial(service.browsing.entity_memories, viewer, entity.id, first=_PAGE)),
        around_entity(visit, entity),
    )
    return page(
        visit,
        "entity.html",
        entity=entity,
        facts=cards[key].facts,
        summary=summaries.get(key),
        mentions=mentions[key],
        relations=items(relations[key]),
        latest=items(latest),
        more=_more(visit, f"{HOME}/entity", latest),
        around=around,
    )


async def _entity(visit: Visit, key: str | None) -> Entity:
    known = await visit.service.browsing.entities_by(visit.viewer, [key]) if key else {}
    if key is None or key not in known:
        raise NotFound("there is no such person or thing")
    return known[key]


@dataclass(frozen=True, slots=True)
class Span:
    """The range of days of a slider, both ends included, and the day that it is set to."""

    first: date
    last: date
    at: date


async def timeline_page(visit: Visit) -> Response:
    """The timeline of an entity (by default the viewer) or a chat, as of the day of the slider. Raises `NotFound`."""
    chat_id = visit.viewer.chat_id if visit.asked("of") == "chat" else None
    key = visit.asked("key") or visit.me.key
    entity = None if chat_id else await _entity(visit, key)
    times, today = visit.times(), visit.service.clock().date()
    begin = min(await _beginning(visit, entity, chat_id), today)
    found = await _filled(visit, partial(_timeline, visit, entity, chat_id, times, count=_MOMENTS))
    months = [(month, list(some)) for month, some in groupby(items(found), key=partial(_month, visit.time_zone))]
    return page(
        visit,
        "timeline.html",
        entity=entity,
        chat=visit.chats[chat_id] if chat_id else None,
        span=Span(begin, today, min(max(times.as_of.date(), begin), today) if times else today),
        past=times is not None,
        months=months,
        more=_more(visit, f"{HOME}/timeline", found),
    )


async def _beginning(visit: Visit, entity: Entity | None, chat_id: str | None) -> date:
    """The day of the earliest memory of a timeline; today if there is none.

    Memories that no longer hold count too: up to `_LOOKS_BACK` reads, each as of the time just before the last find.
    """
    now = begin = visit.service.clock()
    times = None
    for _ in range(_LOOKS_BACK):
        first = items(await _timeline(visit, entity, chat_id, times, count=1))
        if not first or first[0].event_time >= begin:
            break
        begin = first[0].event_time
        if begin == START:
            break
        times = Times(begin - _JUST_BEFORE, now)
    return begin.date()


async def _timeline(
    visit: Visit,
    entity: Entity | None,
    chat_id: str | None,
    times: Times | None,
    *,
    count: int,
    after: str | None = None,
) -> Listing[Memory]:
    """A page of the timeline of an entity, or of a chat."""
    timelines, viewer = visit.service.timelines, visit.viewer
    if entity is None:
        assert chat_id is not None
        persona = viewer.persona_id
        return await timelines.of_chat(viewer, chat_id, persona_id=persona, times=times, first=count, after=after)
    return (await timelines.of_entities(viewer, {entity.key: after}, times=times, first=count))[entity.key]


def _month(zone: str, memory: Memory) -> datetime:
    return time_there(memory, zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


async def used_page(visit: Visit) -> Response:
    """The answers given to the viewer's assistant, the latest first."""
    found = await visit.service.uses.of_viewer(visit.viewer, first=_PAGE, after=visit.asked("after"))
    ids = {memory_id for use in items(found) for memory_id in use.memory_ids[:_USES]}
    memories = await visit.service.browsing.memories(visit.viewer, sorted(ids))
    return page(visit, "used.html", found=items(found), memories=memories, more=_more(visit, f"{HOME}/used", found))


async def weak_page(visit: Visit) -> Response:
    """The weak facts, and the day on which each will be retired as faded."""
    found = await _filled(visit, partial(visit.service.weak_facts.weak, visit.viewer, first=_PAGE))
    return page(visit, "weak.html", found=items(found), more=_more(visit, f"{HOME}/weak", found))


async def merges_page(visit: Visit, *, error: HippographError | None = None, status: int = HTTPStatus.OK) -> Response:
    """Suggested merges of entities, and the latest merges of things. `error` says why a change was refused."""
    merging = visit.service.merging
    found = await merging.suggestions(visit.viewer, first=_PAGE, after=visit.asked("after"))
    shown = {
        "found": items(found),
        "more": _more(visit, f"{HOME}/merges", found),
        "done": items(await merging.done(visit.viewer, first=_PAGE)),
        "merge_id": visit.asked("merge"),
    }
    return page(visit, "merges.html", status, error=error, **shown)


async def forgotten_page(
    visit: Visit, *, error: HippographError | None = None, status: int = HTTPStatus.OK
) -> Response:
    """The viewer's plans and acts of forgetting, and the one that the address names, with examples. `error` says why a
    change was refused. Raises `NotFound`.
    """
    acts = visit.service.forgettings
    found = await acts.all(visit.viewer, first=_PAGE, after=visit.asked("after"))
    asked = None if error else visit.asked("plan")
    plan = await acts.of(visit.viewer, asked) if asked else None
    examples = await visit.service.browsing.memories(visit.viewer, plan.examples) if plan else {}
    return page(
        visit,
        "forgotten.html",
        status,
        found=items(found),
        more=_more(visit, f"{HOME}/forgotten", found),
        plan=plan,
        examples=list(examples.values()),
        error=error,
    )


async def invitations_page(visit: Visit) -> Response:
    """The groups that invite the viewer, the latest invitation first."""
    found = await visit.service.invitations.all(visit.viewer, first=_PAGE, after=visit.asked("after"))
    more = _more(visit, f"{HOME}/invitations", found)
    return page(visit, "invitations.html", found=items(found), more=more)


async def _filled(visit: Visit, read: Callable[..., Awaitable[Listing[T]]]) -> Listing[T]:
    """The page of a list that the address names; the first page if nothing is left on it, as after the last memory on
    it was forgotten or confirmed.
    """
    after = visit.asked("after")
    found = await read(after=after)
    return found if found.items or not after else await read()


def items(found: Listing[T]) -> Sequence[T]:
    """The items of a page of a list."""
    return [listed.item for listed in found.items]


def _more(visit: Visit, path: str, found: Listing[T]) -> str | None:
    """The address of the next page of a list, with the same query parameters; None after the last page."""
    return _next_page(visit, path, found.items[-1].cursor) if found.has_next and found.items else None


def _next_page(visit: Visit, path: str, cursor: str) -> str:
    kept = {name: visit.asked(name) for name in _KEPT}
    return visit.url(path, **kept, after=cursor)
