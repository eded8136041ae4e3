"""Converts rows of the database to people, chats, memberships and invitations."""

from hippograph.graph.database import Row
from hippograph.graph.model import (
    NO_END,
    Chat,
    ChatKind,
    ExtractionMode,
    Invitation,
    Membership,
    Person,
)


def person(row: Row) -> Person:
    """A person from the properties of its node."""
    return Person(
        id=row["id"],
        key=row["key"],
        canonical_name=row["canonical_name"],
        aliases=tuple(row["aliases"]),
        usernames=tuple(row["usernames"]),
        user_id=row.get("user_id"),
    )


def chat(row: Row) -> Chat:
    """A chat from the properties of its node."""
    return Chat(
        id=row["id"],
        kind=ChatKind(row["kind"]),
        title=row["title"],
        created_at=row["created_at"],
        extraction=ExtractionMode(row.get("extraction") or ExtractionMode.ALL),
        space_id=row.get("space_id") or None,
        time_zone=row.get("time_zone"),
    )


def membership(row: Row) -> Membership:
    """A membership from its relationship and the ids of its ends."""
    return Membership(
        id=row["id"],
        person_id=row["person_id"],
        chat_id=row["chat_id"],
        since=row["since"],
        until=None if row["until"] == NO_END else row["until"],
    )


def invitation(row: Row) -> Invitation:
    """An invitation from its relationship, the ids of its ends and the title of the chat."""
    return Invitation(
        id=row["id"],
        person_id=row["person_id"],
        chat_id=row["chat_id"],
        title=row["title"],
        invited_by=row["invited_by"] or None,
        created_at=row["created_at"],
    )
