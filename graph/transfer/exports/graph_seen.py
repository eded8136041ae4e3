"""What the export of one person holds: what they may see under the rule of who may see what (P3), and nothing else.

Memories are judged each where the person sees most of it, at a time when it held, so what was true once and what is
archived is there, and what was forgotten is not. Of each node there are the properties that the person is shown.
Relationships are between nodes that are in the export; of evidence there is what is in it too. It is for reading and
taking along, not for loading: what is technical is left out, and so is each id of a chat, a session or a person that is
not in it.
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
"""What others refer to stands before these, so that it is known whether it is in the export."""

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
"""The properties that are shown of nodes. A name means the same wherever it stands."""

_KEYED: Final = ("Entity", "UserState")
"""Kinds whose key is a name that people give; that of others is made of ids."""

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
"""Properties that hold an id, and what has it."""

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
"""What is shown of relationships of each type. How sure and since when somebody is related to somebody is worked out of
all that is said of it, of what is hidden too.
"""


def seen_by(person: Person, clock: Clock, space_id: str | None = None) -> ExportScope:
    """What a person may see, in all their chats and with all personas; of the memories and todos those of one space
    alone, where one is given, and what of the rest they see within it.
    """
    params = {**read_params(Viewer(person.id, space_id=space_id), None, clock), "of_space": space_id}
    params["shown"] = list(_NODES)
    return ExportScope(_STATEMENTS, params, of=person.key, shown=_LINKS, finish=_told)


def _told(node: Node, keys: Keys) -> Node:
    """A node without the ids of what is not in the export."""
    return replace(node, properties={k: v for k, v in node.properties.items() if _tells(node.kind, k, v, keys)})


def _tells(kind: str, name: str, value: object, keys: Keys) -> bool:
    if name in _REFERENCES:
        return any(f"{of}/{value}" in keys for of in _REFERENCES[name])
    return name != "key" or kind in _KEYED
