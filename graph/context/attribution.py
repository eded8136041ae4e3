"""Attribution: how a line of a context or a card says who said its memory (P6)."""

from typing import Final

from hippograph.graph.context.fence import defused
from hippograph.graph.model import Memory
from hippograph.nlp.extraction.quoting import without_speaker

_ORIGINS: Final = {"tool_result": "from a tool's output", "migration": "imported"}


def said_by(memory: Memory, viewer_id: str) -> str:
    """The prefix of a memory's words: its speaker, unless that is the viewer or nobody (a summary), and its origin if
    that was not talk. Empty, or ends with a space.
    """
    origin = f"({_ORIGINS[memory.origin]})" if memory.origin else ""
    if memory.speaker_id in (None, viewer_id):
        return f"{origin} " if origin else ""
    return f"{name_of_speaker(memory)} says{f' {origin}' if origin else ''}: "


def name_of_speaker(memory: Memory) -> str:
    """The name of a memory's speaker, in one line, without semicolons; "somebody" if it is unknown."""
    return defused(memory.speaker_name or "").replace(";", ",") or "somebody"


def origin_of(memory: Memory) -> str:
    """The origin of a turn, for the end of its lead; empty for talk."""
    return f" ({_ORIGINS[memory.origin]})" if memory.origin else ""


def words_said(memory: Memory, viewer_id: str) -> str:
    """The words of a memory to follow `said_by`, which names the speaker: a quotation loses the speaker's name."""
    if memory.speaker_id in (None, viewer_id) or not memory.speaker_name:
        return memory.content
    return without_speaker(memory.content, memory.speaker_name)


def as_item(memory: Memory, viewer_id: str) -> str:
    """The words of a memory as an item of a list on one line, separated by semicolons. In the words of other people,
    semicolons become commas, so that they cannot add items.
    """
    words = defused(words_said(memory, viewer_id))
    return words if memory.speaker_id in (None, viewer_id) else words.replace(";", ",")
