"""Who said what stands in a context or on a card, in the words of its line (P6)."""

from typing import Final

from hippograph.graph.context.fence import defused
from hippograph.graph.model import Memory
from hippograph.nlp.extraction.quoting import without_speaker

_ORIGINS: Final = {"tool_result": "from a tool's output", "migration": "imported"}


def said_by(memory: Memory, viewer_id: str) -> str:
    """What stands before the words of a memory: who says so, unless the viewer does or it is a summary, and where it
    came from if that was no talk. Empty, or it ends with a space.
    """
    origin = f"({_ORIGINS[memory.origin]})" if memory.origin else ""
    if memory.speaker_id in (None, viewer_id):
        return f"{origin} " if origin else ""
    return f"{name_of_speaker(memory)} says{f' {origin}' if origin else ''}: "


def name_of_speaker(memory: Memory) -> str:
    """The name of who said a memory, in one line."""
    return defused(memory.speaker_name or "") or "somebody"


def origin_of(memory: Memory) -> str:
    """Where a turn came from, for the end of its lead: empty for talk."""
    return f" ({_ORIGINS[memory.origin]})" if memory.origin else ""


def words_said(memory: Memory, viewer_id: str) -> str:
    """The words of a memory behind `said_by`: of a quotation of its speaker without their name, which stands there."""
    if memory.speaker_id in (None, viewer_id) or not memory.speaker_name:
        return memory.content
    return without_speaker(memory.content, memory.speaker_name)


def as_item(memory: Memory, viewer_id: str) -> str:
    """The words of a memory among others in one line: what another said is one item, whatever it holds."""
    words = defused(words_said(memory, viewer_id))
    return words if memory.speaker_id in (None, viewer_id) else words.replace(";", ",")
