"""The answers of tools as compact JSON, with only the parts of each value that a model needs.

Missing values and usual ones are left out. Ids are shortened (`global_ids.short`), and tools accept shortened ids.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from hippograph.api.global_ids import short
from hippograph.graph.model import EventPrecision, Memory, MemoryType
from hippograph.graph.stretches import precision_of
from hippograph.graph.zones import UTC_ZONE, in_zone

if TYPE_CHECKING:
    from hippograph.graph.context.cards import Relation
    from hippograph.graph.people.blocks import Block
    from hippograph.graph.people.summaries import Summary
    from hippograph.graph.people.todos import Todo
    from hippograph.graph.people.user_state import UserState
    from hippograph.graph.reading.explanation import Explanation, Step
    from hippograph.graph.reading.weak_facts import WeakFact
    from hippograph.graph.retrieval.search import Result

Form = dict[str, Any]
CountTokens = Callable[[str], int]
_CUT: Final = "… (cut)"


def given(**values: object) -> Form:
    """An object of the values that are not None, empty, false or zero."""
    return {name: value for name, value in values.items() if value not in (None, "", False, (), [], {})}


def written(form: object) -> str:
    """A form as compact JSON."""
    return json.dumps(form, ensure_ascii=False, separators=(",", ":"), default=str)


def fitting(
    rest: Form, name: str, items: Sequence[Form], budget: int | None, count: CountTokens, *, least: int = 0
) -> Sequence[Form]:
    """The first items that fit into `budget` tokens as the list `name` beside `rest`; all items if `budget` is None.

    With `least` 1 the first item is always returned, its text cut if necessary.
    """
    if budget is None:
        return items
    room = left = budget - count(written({**rest, name: []}))
    kept = []
    for item in items:
        left -= count(written(item)) + 1
        if left < 0:
            break
        kept.append(item)
    return kept or [_cut(item, room, count) for item in items[:least]]


def _cut(item: Form, room: int, count: CountTokens) -> Form:
    """An item's id, name and version, and its text, halved until the item fits into `room` tokens."""
    words = str(item.get("text", ""))
    what: Form = {name: item[name] for name in ("id", "name", "version") if name in item}
    length = len(words)
    while length and count(written({**what, "text": words[:length] + _CUT})) > room:
        length //= 2
    return {**what, "text": words[:length] + _CUT}


reader_zone: Final[ContextVar[str]] = ContextVar("reader_zone", default=UTC_ZONE)
"""Time zone of the caller of the tool."""


def when(moment: datetime, precision: EventPrecision | None = None) -> str:
    """A time to its precision: in minutes, in the caller's zone with its offset from UTC, or as a day, month or year.
    Without a `precision`, midnight UTC is a day.
    """
    precision = precision or precision_of(moment)
    lengths = {EventPrecision.DAY: 10, EventPrecision.MONTH: 7, EventPrecision.YEAR: 4}
    if precision in lengths:
        return moment.astimezone(UTC).isoformat()[: lengths[precision]]
    return in_zone(moment, reader_zone.get()).isoformat(timespec="minutes").replace("+00:00", "Z")


def memory_form(memory: Memory) -> Form:
    """A memory: its content (`text`), speaker (`by`), event time (`when`), and other values unless they are usual."""
    return given(
        id=short(memory.id),
        text=memory.content,
        when=when(memory.event_time, memory.event_precision),
        by=memory.speaker_name,
        origin=memory.origin,
        type="turn" if memory.type is MemoryType.EPISODIC else memory.kind or memory.type.value,
        until=memory.valid_until and when(memory.valid_until),
        quotation=memory.source_words.text if memory.source_words else None,
        confidence=None if memory.confidence >= 1 else round(memory.confidence, 2),
        pinned=memory.pinned_by_viewer,
        tags=list(memory.tags),
    )


def result_form(found: Result) -> Form:
    """A search result: the memory, its relevance (0 to 1), and if it no longer holds, why and what holds now."""
    form = {**memory_form(found.memory), "text": found.excerpt, "relevance": round(found.relevance, 2)}
    if holding := found.outdated:
        now = memory_form(holding.now) if holding.now else None
        form["outdated"] = given(reason=holding.reason, since=when(holding.since), now=now)
    return form


def relation_form(found: Relation) -> Form:
    """A relation between two entities, given by key, and the ids of the memories that state it."""
    evidence = [short(each.id) for each in found.evidence]
    return given(source=found.source.key, predicate=found.predicate, target=found.target.key, evidence=evidence)


def explanation_form(found: Explanation) -> Form:
    """An explanation of a memory: the memories that it superseded or that superseded it, its sources, the memories that
    contradict it, and the keys of the entities that it is about or names.
    """
    return given(
        chain=[_step_form(step) for step in found.chain],
        sources=[_step_form(step) for step in found.sources],
        contradictions=[_step_form(step) for step in found.contradictions],
        entities=[entity.key for entity in found.entities],
    )


def _step_form(step: Step) -> Form:
    return given(
        id=short(step.memory_id),
        text=step.content,
        when=when(step.event_time),
        by=step.speaker_name,
        source=step.source,
        told=when(step.created_at),
        since=when(step.valid_from),
        until=step.valid_until and when(step.valid_until),
        retired=step.retired_by,
        wordings=[given(text=each.content, until=when(each.until)) for each in step.wordings],
    )


def weak_form(found: WeakFact) -> Form:
    """A weak fact, its decayed confidence (`now`), and when it will be retired (`fades`)."""
    fades = found.fades_at and when(found.fades_at)
    return {**memory_form(found.memory), **given(now=round(found.confidence, 3), fades=fades)}


def state_form(state: UserState) -> Form:
    """A value of the user's state, and the time for which it holds."""
    return given(
        key=state.key,
        text=state.value,
        since=when(state.valid_from),
        until=state.valid_until and when(state.valid_until),
        current=state.is_current,
        for_groups=state.for_groups,
    )


def block_form(block: Block) -> Form:
    """A block of working memory. Its `version` is needed to overwrite it."""
    return given(
        name=block.name,
        text=block.content,
        version=block.version,
        description=block.description,
        for_groups=block.for_groups,
        updated=when(block.updated_at),
    )


def todo_form(todo: Todo) -> Form:
    """A todo. `standing` says whether an open todo with a due time is due."""
    return given(
        id=short(todo.id),
        kind=todo.kind.value,
        text=todo.content,
        status=todo.status.value,
        due=todo.due_at and when(todo.due_at),
        standing=todo.standing and todo.standing.value,
    )


def summary_form(summary: Summary | None) -> Form | None:
    """The summary of a session: its sentences by section, and its tone."""
    if summary is None:
        return None
    sections: Mapping[str, list[str]] = {
        section: summary.of(section) for section in dict.fromkeys(each.section for each in summary.sentences)
    }
    return given(**sections, tone=summary.tone)
