"""Wording of times, labels and reasons on the pages. Pure functions, which templates use as filters."""

from datetime import date, datetime
from typing import Final

from hippograph.graph.model import EntityType, EventPrecision, Memory, MemoryType
from hippograph.graph.retrieval.fusion import ENTITY, FULL_TEXT, PERIOD, VECTOR, Hit, Link
from hippograph.graph.retrieval.search import Result
from hippograph.graph.zones import UTC_ZONE, day_there, time_there, wall_clock

_TIMES: Final = {
    EventPrecision.MINUTE: "%-d %B %Y, %H:%M",
    EventPrecision.DAY: "%-d %B %Y",
    EventPrecision.MONTH: "%B %Y",
    EventPrecision.YEAR: "%Y",
}

LISTS: Final = {
    FULL_TEXT: "its words",
    VECTOR: "its meaning",
    ENTITY: "who or what you named",
    PERIOD: "the time you named",
}
LINKS: Final = {
    "title_hop": "a name in another result",
    "causal": "cause and effect",
    "temporal": "what came before and after",
    "co_recalled": "what came up together before",
}
INTENTS: Final = {
    "why": "asks why",
    "when": "asks when",
    "who": "asks who",
    "what": "asks what",
    "general": "a general question",
}
SOURCES: Final = {
    "conversation": "said in a chat",
    "tool_result": "a tool's answer",
    "extraction": "worked out from what was said",
    "consolidation": "worked out from a whole session",
    "agent": "told by an agent or on these pages",
    "narrative": "a narrative",
    "migration": "imported",
    "seeded_profile": "known from elsewhere",
    "curated_fold": "several that say the same",
}
READS: Final = {"search": "a search", "context": "a context", "card": "a card"}
RETIRED: Final = {
    "corrected": "corrected",
    "forgotten": "forgotten",
    "expired": "run out",
    "faded": "faded",
    "folded": "folded into another",
}
FORGETTING: Final = {
    "planned": "Planned, nothing is changed yet",
    "forgetting": "Being forgotten",
    "forgotten": "Forgotten",
    "undoing": "Being taken back",
    "undone": "Taken back",
    "purging": "Being deleted for good",
    "purged": "Deleted for good",
}
FORGOTTEN_KINDS: Final = {
    "turns": "What was said",
    "facts": "Facts",
    "procedures": "How things are done",
    "opinions": "Opinions",
    "found_in_them": "Facts that rest on these alone",
    "given_up": "Believed no more already",
}
TYPES: Final = {
    EntityType.PERSON: "Person",
    EntityType.PROJECT: "Project",
    EntityType.ORGANIZATION: "Organization",
    EntityType.PLACE: "Place",
    EntityType.CONCEPT: "Topic",
    EntityType.TOOL: "Tool",
}
SECTIONS: Final = {"profile": "Profile", "projects": "Projects", "people": "People", "open_loops": "Left open"}


def when(memory: Memory, zone: str) -> str:
    """The event time of a memory in a time zone, as precisely as it is known."""
    return time_there(memory, zone).strftime(_TIMES[memory.event_precision])


def day(moment: date, zone: str = UTC_ZONE) -> str:
    """A day, or the local day of a moment in a time zone: `3 May 2026`."""
    there = day_there(moment, zone) if isinstance(moment, datetime) else moment
    return there.strftime("%-d %B %Y")


def moment(at: datetime, zone: str) -> str:
    """A moment in a time zone: `3 May 2026, 14:05`."""
    return wall_clock(at, zone).strftime(_TIMES[EventPrecision.MINUTE])


def is_turn(memory: Memory) -> bool:
    """Whether a memory is a turn, which stays as it was said."""
    return memory.type is MemoryType.EPISODIC


def predicate(name: str) -> str:
    """The name of a predicate as words: `works at` for `works_at`."""
    return name.replace("_", " ")


def reasons(result: Result) -> str:
    """Why a memory is a result, in short: the ranked lists that it is in, and the links that lead to it."""
    linked = [LINKS.get(name, predicate(name)) for name in result.links]
    return ", ".join([*(LISTS[name] for name in result.hits), *linked])


def place_in(name: str, hit: Hit) -> str:
    """A result's rank in one of the ranked lists.

    Only the vector list also shows its score. The full-text score depends on texts that the viewer may not see (P3).
    """
    alike = f", {hit.score:.0%} alike" if name == VECTOR else ""
    return f"by {LISTS[name]}: number {hit.rank}{alike}"


def led_by(name: str) -> str:
    """The kind of links that lead to a result, in words."""
    return f"by {LINKS.get(name, predicate(name))}"


def way_to(result: Result, link: Link) -> list[str]:
    """The ids of the memories on a link's path to a result, without the result."""
    return [each for each in link.path if each != result.memory.id]
