"""Common to all summaries: the sentence of a source, the sensitivity of a summary, and its properties (M15)."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from hippograph.graph.access.labels import label_tokens, space_tokens
from hippograph.graph.database import Row
from hippograph.graph.ids import new_id, token
from hippograph.graph.model import MemoryType, Sensitivity, SourceRole
from hippograph.graph.writing.memory_properties import DEFAULTS, event_times, facets
from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.quoting import without_speaker

_BY_PRIVACY: Final = (Sensitivity.PUBLIC, Sensitivity.PERSONAL, Sensitivity.SENSITIVE)
_OF_ALL: Final[Row] = {
    "type": MemoryType.SEMANTIC.value,
    "kind": "knowledge",
    "category": "",
    "fact_type": "fact",
    "session_id": "",
    "speaker_id": "",
    "speaker_name": "",
    "source": "consolidation",
    "source_role": SourceRole.MEMORY_AGENT.value,
    "tags": [],
    "portable": False,
}
"""Properties with the same value for all summaries."""


def as_sentence(content: str, speaker_name: str | None) -> str:
    """Returns the content in one line with a full stop, after the name of its speaker unless it begins with it."""
    said = " ".join(content.split())
    if speaker_name is not None and not re.match(rf"{re.escape(first_name(speaker_name))}(?:'s)? ", said):
        said = f"{speaker_name}: {without_speaker(said, speaker_name)}"
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def most_private(labels: Iterable[str]) -> Sensitivity:
    """Returns the most private of some sensitivity labels."""
    return max((Sensitivity(label) for label in labels), key=_BY_PRIVACY.index)


def summary_memory(
    *,
    scope: str,
    chat_id: str,
    persona_id: str,
    space_id: str,
    content: str,
    sensitivity: Sensitivity,
    heading: str,
    now: datetime,
) -> Row:
    """Returns the properties of a summary. Its memory belongs to an owner or, with a `chat_id`, to a group, and to a
    space (`''`: none); it is not portable.
    """
    return {
        **DEFAULTS,
        **_OF_ALL,
        "id": new_id(),
        "content": content,
        "owner_id": "" if chat_id else scope,
        "chat_id": chat_id,
        "scope": scope,
        "scopes": [scope],
        "learned_in": chat_id,
        "persona_id": persona_id,
        "space_id": space_id,
        "sensitivity": sensitivity.value,
        **event_times(now, now),
        "heading": heading,
        "facets": [
            *facets(MemoryType.SEMANTIC, _OF_ALL["source"], persona_id, "", ()),
            token("session", ""),
            *label_tokens(sensitivity, False, chat_id),
            *space_tokens(space_id),
        ],
    }
