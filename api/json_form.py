"""Domain values as JSON, with the names that GraphQL gives to fields and enums."""

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final

from hippograph.api.global_ids import global_id
from hippograph.graph.model import SourceRole

_IDS: Final = {
    "memory_id": "Memory",
    "session_id": "Session",
    "chat_id": "Chat",
    "space_id": "Space",
    "persona_id": "Persona",
    "learned_in": "Chat",
    "owner_id": "Person",
    "person_id": "Person",
    "changed_by": "Person",
    "invited_by": "Person",
}
"""Fields that hold the id of another object, and the type of that object."""
_NODES: Final = frozenset({"Memory", "Chat", "Session", "Space", "Persona", "UserState", "Person"})


def json_form(value: Any) -> Any:
    """Converts a value to JSON values: dataclasses to objects with camelCase keys and global ids, enums to their names,
    times to ISO 8601. The keys of a mapping are data and stay as they are.
    """
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {camel(each.name): _field(value, each.name) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): json_form(each) for key, each in value.items()}
    if isinstance(value, list | tuple | Set):
        return [json_form(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def camel(name: str) -> str:
    """`event_time` as `eventTime`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _field(owner: object, name: str) -> Any:
    value = getattr(owner, name)
    if isinstance(value, str) and (kind := _type_of(owner, name)):
        return global_id(kind, value)
    return json_form(value)


def _type_of(owner: Any, name: str) -> str | None:
    """The type of the object whose inner id a field holds; None for a field that holds no id."""
    own = type(owner).__name__
    if name == "id" and own == "Entity":
        return str(owner.type.value).capitalize()
    if name == "speaker_id":
        return "Persona" if owner.source_role is SourceRole.ASSISTANT else "Person"
    return own if name == "id" and own in _NODES else _IDS.get(name)
