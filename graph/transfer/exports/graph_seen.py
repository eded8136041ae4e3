"""The scope of the export of one person: what they may see under the access rules (P3), and nothing else.

Each memory is judged from the viewpoint that shows the person most of it, at a time when it was valid. So former facts
and archived memories are included, and forgotten ones are not. Nodes have the properties that the person is shown.
Relationships connect nodes of the export, and their evidence is limited to memories of the export. The export is for
reading and for use elsewhere and cannot be loaded: technical properties are left out, and so are ids of chats,
sessions, spaces and persons that are not in it.
"""

from dataclasses import replace
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.model import Person, Viewer
from hippograph.graph.transfer.exports.graph_export import ExportScope
from hippograph.graph.transfer.exports.graph_keys import Keys
from hippograph.graph.transfer.exports.graph_lines import Node

_STATEMENTS: Final = {
    "Space": "export/seen_spaces",
    "Chat": "export/seen_chats",
    "Session": "export/seen_sessions",
    "Persona": "export/seen_personas",
    "Entity": "export/seen_entities",
    "Memory": "export/seen.Memory",
    "RollingSummary": "export/seen.RollingSummary",
    "SummarySpine": "export/seen.SummarySpine",
    "GraphAnalysis": "export/seen.GraphAnalysis",
    "UserState": "export/seen_states",
    "Block": "export/seen_blocks",
    "Todo": "export/seen_todos",
    "Version": "export/seen_versions",
}
"""The statement for each kind. Kinds precede those that refer to them, so that it is known which ids to leave out."""

_NODES: Final = (
    # of memories
    *("id", "content", "frame", "type", "kind", "category", "fact_type", "title", "tags", "speaker_name"),
    *("event_time", "event_precision", "event_until", "created_at", "valid_from", "valid_until"),
    *("takes_effect_at", "ended_at", "retired_at", "retired_by", "expires_at"),
    *("confidence", "decay_rate", "importance", "grown_importance", "pinned", "emotion_intensity", "stability"),
    *("strength", "access_count", "last_accessed_at", "score", "last_hit_at", "sensitivity", "portable", "source"),
    *("source_role", "owner_id", "chat_id", "learned_in", "persona_id", "session_id", "status", "archived_at"),
    *("secrets_removed", "changed_at", "narrative_id", "task_id", "space_id", "attributes", "scope", "speaker_id"),
    *("time_zone", "attachments"),
    # of summaries
    *("summary_kind", "version", "until", "sentences", "sections", "people", "tone", "of_session"),
    *("algorithm", "modularity"),
    # of states, blocks and todos
    *("key", "value", "person_id", "name", "description", "updated_at", "due_at", "due_until", "closed_at"),
    # of sessions, chats, personas and entities
    *("started_at", "consolidated_at", "last_activity_at", "extraction", "canonical_name", "aliases", "usernames"),
    "user_id",
)
"""The properties of nodes that are exported. A name means the same for all kinds."""

_KEYED: Final = ("Entity", "UserState")
"""Kinds whose key consists of names that people gave; the keys of other kinds consist of ids and are left out."""

_REFERENCES: Final = {
    "owner_id": ("Entity",),
    "speaker_id": ("Entity",),
    "person_id": ("Entity",),
    "chat_id": ("Chat",),
    "learned_in": ("Chat",),
    "session_id": ("Session",),
    "of_session": ("Session",),
    "space_id": ("Space",),
    "scope": ("Entity", "Chat"),
}
"""Properties that hold an id, and the kinds of the node that it may refer to."""

_OF_CLAIMS: Final = ("weight", "confidence", "valid_from", "valid_until", "evidence", "predicate", "created_at")
_LINKS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("TEMPORAL", "CAUSAL", "ENTITY", "CONTRADICTS"), _OF_CLAIMS),
    "DERIVED_FROM": (*_OF_CLAIMS, "words"),
    "SUPERSEDES": (*_OF_CLAIMS, "outranks"),
    "CO_RECALLED": ("strength", "created_at"),
    "ABOUT": ("primary", "name", "created_at"),
    "MENTIONS": ("texts", "created_at"),
    "PARTICIPATES_IN": ("since", "until", "created_at"),
    "ANALYSED_IN": ("community", "centrality", "created_at"),
    **dict.fromkeys(("STATED_BY", "LEARNED_IN", "IN_SESSION", "IN_CHAT", "WITH_PERSONA"), ("created_at",)),
    **dict.fromkeys(("SUMMARIZES", "OF", "HAS_VERSION"), ("created_at",)),
    "RELATED_TO": ("predicate", "evidence"),
}
"""The exported properties of each type of relationship; other types are left out. The confidence and the times of
RELATED_TO are left out, because they are computed from all evidence, including memories hidden from the person.
"""


def seen_by(person: Person, clock: Clock, space_id: str | None = None) -> ExportScope:
    """The scope of what a person may see, in all their chats and with all personas. With `space_id`, it has only the
    memories and todos of that space, and of the rest what they see within it.
    """
    params = {**read_params(Viewer(person.id, space_id=space_id), None, clock), "of_space": space_id}
    params["shown"] = list(_NODES)
    return ExportScope(_STATEMENTS, params, of=person.key, shown=_LINKS, finish=_told)


def _told(node: Node, keys: Keys) -> Node:
    """The node without ids of nodes that are not in the export."""
    return replace(node, properties={k: v for k, v in node.properties.items() if _tells(node.kind, k, v, keys)})


def _tells(kind: str, name: str, value: object, keys: Keys) -> bool:
    if name in _REFERENCES:
        return any(f"{of}/{value}" in keys for of in _REFERENCES[name])
    return name != "key" or kind in _KEYED
