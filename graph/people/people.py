"""People, personas and chats, and who takes part in which chat when."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Final

from hippograph.graph.access.parameters import request_params
from hippograph.graph.checks import checked_moment, checked_name, checked_text
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict, InvalidInput, NotAllowed, NotFound
from hippograph.graph.ids import new_id, token
from hippograph.graph.model import (
    INTERNAL,
    NO_END,
    Actor,
    Chat,
    ChatKind,
    Entity,
    ExtractionMode,
    Invitation,
    Membership,
    Person,
    Persona,
    Viewer,
    rights_of,
)
from hippograph.graph.people.entities import known_entities
from hippograph.graph.people.rows import chat, invitation, membership, person
from hippograph.graph.rights import EVERY
from hippograph.graph.zones import checked_zone
from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.text import slug

MAX_ALIASES: Final = 100
_SINCE: Final = "say since when somebody takes part: leave it out"
ENDING_BYTES: Final = 3
"""Number of random bytes at the end of the key of a person for whose name nobody vouches, so it cannot be guessed."""
_NAMESAKES: Final = 20
"""Maximum number of people that are read for one name."""
_TRIES: Final = 3
"""Number of random endings that are tried if a key is taken."""


@dataclass(frozen=True, slots=True)
class Member:
    """A period in which a person takes part in a new chat: from `since`, or now, to `until`, or without an end."""

    person_id: str
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewChat(Chat):
    """A chat as `create_chat` returns it. `invited` holds the ids of the invited people (P6); `is_silent` means that it
    has no session yet.
    """

    invited: tuple[str, ...] = ()
    is_silent: bool = True


class People:
    """Creates people, personas and chats, and changes who takes part in which chat."""

    def __init__(self, database: Database, clock: Clock, *, refuse_identifiers: bool = False) -> None:
        self._database = database
        self._clock = clock
        self._refuse_identifiers = refuse_identifiers

    async def create_person(
        self,
        actor: Actor,
        name: str,
        *,
        usernames: Iterable[str] = (),
        user_id: str | None = None,
        person_id: str | None = None,
        self_given: bool = False,
    ) -> Person:
        """A new person, or the existing one with this account or this id, or the one that they were merged into.

        A `person_id` is given for a person from elsewhere, such as a file; people of the same name here are suggested
        to be the same (W7). The key of a namesake, or of a person for whom nobody vouches, gets a random ending
        (`person:john_smith-03fa2c`), so that no key reveals another person. An actor who may vouch in all chats vouches
        for the names (P6), unless they are `self_given`. A person who gets an account is invited to the groups to which
        they were added without the right to do so (`Rights.may_add_to`), and takes part there only once they accept.

        Raises `InvalidInput` for a name without a letter or digit or with a secret, `Conflict` if somebody else has
        one of the usernames, and `NotAllowed` if anybody but an administrator gives an account or an id.
        """
        if user_id is not None or person_id is not None:
            rights_of(actor).require_admin("give a person an account, or change one who is there")
        name, handles = self._person_name(name), [self._username(username) for username in usernames]
        vouched = EVERY in rights_of(actor).vouches_in and not self_given
        [row] = await self._database.run(
            "people/create_person",
            id=person_id or new_id(),
            slug=slug(name),
            endings=[*([""] if vouched else []), *(f"-{secrets.token_hex(ENDING_BYTES)}" for _ in range(_TRIES))],
            **_called(name, handles),
            vouched=_tokens(name, handles) if vouched else [],
            user_id=user_id,
            suggest=person_id is not None,
            created_by=actor.person_id if isinstance(actor, Viewer) else None,
            now=self._clock(),
        )
        if row["taken"]:
            raise Conflict(f"somebody else already has one of the usernames {', '.join(handles)}; choose another")
        return person(row["person"])

    async def with_account(self, account: str, name: str, *, self_given: bool = False) -> str:
        """The id of the person with this account, who is created with this name if nobody has it. Unless it is
        `self_given`, the name is vouched for, also for an existing person (P6). Raises `InvalidInput`.
        """
        row = await self._database.one("people/account", user_id=account)
        if row is None:
            account = self._checked_name(account)
            return (await self.create_person(INTERNAL, name, user_id=account, self_given=self_given)).id
        tokens = [] if self_given else _tokens(name)
        if not set(row["vouched"]).issuperset(tokens):
            await self._database.run("people/vouch", id=row["id"], tokens=tokens, now=self._clock())
        return str(row["id"])

    async def rename(self, viewer: Viewer, person_id: str, name: str) -> Person:
        """Renames a person. The former name becomes an alias; the key stays.

        Allowed for the person, whoever created them, and administrators (P4). Raises `NotFound` for a person whom the
        viewer may not know of, `NotAllowed`, and `InvalidInput` as `create_person` does or for too many aliases.
        """
        return await self._renamed(viewer, person_id, self._person_name(name), None)

    async def add_alias(self, viewer: Viewer, person_id: str, alias: str) -> Person:
        """Adds an alias to a person. Permissions and errors are those of `rename`."""
        return await self._renamed(viewer, person_id, None, self._person_name(alias))

    async def _renamed(self, viewer: Viewer, person_id: str, name: str | None, alias: str | None) -> Person:
        known = await self._seen(viewer, person_id)
        row = await self._database.one(
            "people/rename",
            id=known.id if known else "",
            name=name,
            called=first_name_token(name) if name else None,
            alias=alias,
            name_token=name_token(name or alias or ""),
            vouched=_tokens(name or alias or "") if viewer.person_id != person_id else [],
            vouches_in=list(viewer.rights.vouches_in),
            viewer=viewer.person_id,
            by_right=viewer.rights.admin,
            most=MAX_ALIASES,
            now=self._clock(),
        )
        if row is None:
            raise NotFound(f"there is no person {person_id}")
        if not row["allowed"]:
            raise NotAllowed("a person is named by who made them, by themselves, or by an administrator alone")
        if row["full"]:
            raise InvalidInput(f"a person has up to {MAX_ALIASES} aliases")
        named = person(row["person"])
        shown = await self._seen(viewer, named.id)
        assert shown is not None
        return replace(named, canonical_name=shown.canonical_name, aliases=shown.aliases)

    async def _seen(self, viewer: Viewer, person_id: str) -> Entity | None:
        return (await known_entities(self._database, self._clock, viewer, [person_id])).get(person_id)

    async def called(self, actor: Actor, name: str) -> Person:
        """The person with this name, alias, @username or first name; only for administrators. Among several, those
        for whose name somebody vouches are preferred (P6), then those who have it as more than a first name.

        Raises `NotAllowed` for others, `NotFound`, and `InvalidInput` if several people remain.
        """
        rights_of(actor).require_admin("find anybody by name")
        rows = await self._named(checked_text(name))
        rows = [row for row in rows if row["vouched"]] or rows
        rows = [row for row in rows if row["whole"]] or rows
        if len(rows) > 1:
            people = ", ".join(f"{row['person']['canonical_name']} ({row['person']['key']})" for row in rows)
            raise InvalidInput(f"several people are called {name!r}: {people}; give a whole name or a @username")
        if not rows:
            raise NotFound(f"there is nobody called {name}")
        return person(rows[0]["person"])

    async def with_username(self, username: str) -> Person | None:
        """The person with this username, if somebody vouches for it (P6); else None."""
        rows = await self._named(f"@{username.removeprefix('@')}")
        return next((person(row["person"]) for row in rows if row["vouched"]), None)

    async def _named(self, name: str) -> list[Row]:
        return await self._database.run("people/named", token=name_token(name), limit=_NAMESAKES)

    async def create_persona(self, actor: Actor, name: str) -> Persona:
        """A new persona, or the existing one of this name. Raises `NotAllowed` without `Rights.may_make_personas`."""
        if not rights_of(actor).may_make_personas:
            raise NotAllowed("a persona is shared by all: it needs the right to record in all chats, or to administer")
        name = self._checked_name(name)
        [row] = await self._database.run("people/create_persona", id=new_id(), name=name, now=self._clock())
        return Persona(row["persona"]["id"], row["persona"]["name"])

    async def create_chat(
        self,
        actor: Actor,
        kind: ChatKind,
        title: str,
        members: Iterable[Member],
        *,
        chat_id: str | None = None,
        extraction: ExtractionMode = ExtractionMode.ALL,
        once: bool = False,
    ) -> NewChat:
        """A new chat with its first members. If a chat with this `chat_id` exists, it is returned as it is; so is, with
        `once`, the person's oldest private chat with this title, also if several requests come at once. `extraction`
        says which statements are extracted from the chat. Other people who have an account are invited, unless the
        actor's rights add them at once (`Rights.may_add_to`).

        A private chat has exactly one person, a group one or more; a person may have several periods that do not
        overlap. Raises `InvalidInput`, `NotFound` for an unknown person, and `NotAllowed` if anybody but an
        administrator creates a chat without taking part, gives an id, or gives a `since`.
        """
        title, people = self._checked_name(title), list(members)
        _check_new_chat(actor, kind, people, chat_id, once=once)
        now, made_id = self._clock(), chat_id or new_id()
        [row] = await self._database.run(
            "people/create_chat",
            id=made_id,
            once=once,
            kind=kind.value,
            title=title,
            extraction=extraction.value,
            members=[{"id": new_id(), **asdict(stretch)} for stretch in _stretches(people, now)],
            viewer=actor.person_id if isinstance(actor, Viewer) else "",
            trusted=rights_of(actor).may_add_to(made_id),
            now=now,
        )
        if row["missing"]:
            raise NotFound(f"there is no person {row['missing'][0]}")
        made = chat(row["chat"])
        return NewChat(**asdict(made), invited=tuple(row["invited"]), is_silent=row["silent"])

    async def set_extraction(self, viewer: Viewer, chat_id: str, extraction: ExtractionMode) -> Chat:
        """Sets which statements are extracted from a chat from now on. Raises `NotFound`."""
        return await self._set(viewer, chat_id, extraction=extraction.value)

    async def time_zone(self, viewer: Viewer) -> str:
        """The time zone of the viewer's days: that of their account, else of the chat they are in, else the default."""
        return await time_zone(self._database, self._clock, viewer)

    async def set_time_zone(self, viewer: Viewer, zone: str | None, chat_id: str | None = None) -> None:
        """Sets the time zone of the viewer, or with `chat_id` of a chat; None is unknown. It applies to turns from now
        on that do not give their own. Raises `InvalidInput`, and `NotFound` for the chat.
        """
        zone = zone and checked_zone(zone)
        if chat_id is None:
            await self._database.run("people/set_own_zone", viewer=viewer.person_id, time_zone=zone)
        else:
            await self._set(viewer, chat_id, time_zone=zone)

    async def _set(self, viewer: Viewer, chat_id: str, **values: object) -> Chat:
        row = await self._database.one(
            "people/set_chat",
            chat=chat_id,
            values=values,
            viewer=viewer.person_id,
            by_right=viewer.rights.admin,
            now=self._clock(),
        )
        if row is None:
            raise NotFound(f"there is no chat {chat_id}")
        return chat(row["chat"])

    async def join_chat(
        self, viewer: Viewer, chat_id: str, person_id: str, since: datetime | None = None
    ) -> Membership | Invitation:
        """Adds a person to a group from `since` (default: now) on, without an end. A person who takes part already
        stays; a planned end is removed and a later planned start moved to `since`. Somebody else who has an account is
        invited and takes part once they accept, unless the viewer's rights add them at once (`Rights.may_add_to`).
        Inviting again changes nothing (P6).

        Only an administrator may give `since`, because what was said from then on becomes disclosable to the person.
        Raises `NotFound`, `NotAllowed`, `InvalidInput`.
        """
        if since is not None:
            viewer.rights.require_admin(_SINCE)
        now = self._clock()
        since = checked_moment(since or now)
        if since == NO_END:
            raise InvalidInput(f"the time {since.isoformat()} stands for no end; give one before it")
        row = await self._database.one(
            "people/join_chat",
            id=new_id(),
            chat=chat_id,
            person=person_id,
            viewer=viewer.person_id,
            by_right=viewer.rights.admin,
            trusted=viewer.rights.may_add_to(chat_id),
            since=since,
            now=now,
        )
        row = self._of_group(row, chat_id)
        if not row["person_known"]:
            raise NotFound(f"there is no person {person_id}")
        return membership(row["membership"]) if row["membership"] else invitation(row["invitation"])

    async def leave_chat(
        self, viewer: Viewer, chat_id: str, person_id: str, until: datetime | None = None
    ) -> Membership:
        """Ends a person's participation in a group at `until` (default: now). Only an administrator may end another's.

        An end in the future is a plan, which a later call can move. A person who left of their own accord may come back
        (`Invitations.accept`).

        Raises `NotFound` if there is no such chat or the person does not take part in it, `NotAllowed`, `InvalidInput`.
        """
        if person_id != viewer.person_id:
            viewer.rights.require_admin("take somebody else out of a chat")
        now = self._clock()
        row = await self._database.one(
            "people/leave_chat",
            chat=chat_id,
            person=person_id,
            viewer=viewer.person_id,
            by_right=viewer.rights.admin,
            until=checked_moment(until or now),
            now=now,
        )
        row = self._of_group(row, chat_id)
        if row["membership"] is None:
            raise NotFound(f"person {person_id} takes no part in chat {chat_id}")
        return membership(row["membership"])

    @staticmethod
    def _of_group(row: Row | None, chat_id: str) -> Row:
        if row is None:
            raise NotFound(f"there is no chat {chat_id}")
        if row["kind"] != ChatKind.GROUP:
            raise InvalidInput("a private chat keeps its one person; make a group for more")
        return row

    def _checked_name(self, name: str) -> str:
        return checked_name(name, identifiers=self._refuse_identifiers)

    def _person_name(self, name: str) -> str:
        """The name of a person, without the @ that marks a username. Raises `InvalidInput`."""
        name = self._checked_name(name).lstrip("@").strip()
        if not slug(name):
            raise InvalidInput(f"{name!r} has no letter or digit to make a key of; give a name that has", value=name)
        return name

    def _username(self, username: str) -> str:
        bare = self._checked_name(username).removeprefix("@").lower()
        if not bare or any(character.isspace() for character in bare):
            raise InvalidInput(f"{username!r} is no username: one word, with or without the @", value=username)
        return bare


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The period in which a person takes part; `until` is `NO_END` if it has no end."""

    person_id: str
    since: datetime
    until: datetime

    @classmethod
    def of(cls, member: Member, now: datetime) -> "_Stretch":
        return cls(member.person_id, checked_moment(member.since or now), checked_moment(member.until or NO_END))


def _check_new_chat(actor: Actor, kind: ChatKind, people: Sequence[Member], chat_id: str | None, *, once: bool) -> None:
    """Raises `NotAllowed` if the actor may not create this chat, `InvalidInput` if its kind does not fit its people."""
    takes_part = isinstance(actor, Viewer) and actor.person_id in {member.person_id for member in people}
    if chat_id is not None or not takes_part:
        rights_of(actor).require_admin("make a chat for others: take part in it yourself")
    if any(member.since for member in people):
        rights_of(actor).require_admin(_SINCE)
    if not people:
        raise InvalidInput("a chat needs people: say who takes part")
    if kind is ChatKind.PRIVATE and len(people) != 1:
        raise InvalidInput(f"a private chat is one person with the assistant; {len(people)} people were given")
    if once and kind is not ChatKind.PRIVATE:
        raise InvalidInput("only a private chat is found by its title: make the group, and keep its id", value=once)


def _stretches(members: Iterable[Member], now: datetime) -> list[_Stretch]:
    """The periods of the members. Raises `InvalidInput` for an empty period, or if two of one person overlap."""
    stretches = [_Stretch.of(member, now) for member in members]
    for one in stretches:
        if one.until <= one.since:
            raise InvalidInput(f"the part of person {one.person_id} ends before it begins")
    for one, following in pairwise(sorted(stretches, key=lambda stretch: (stretch.person_id, stretch.since))):
        if one.person_id == following.person_id and following.since < one.until:
            raise InvalidInput(f"person {one.person_id} is given twice: everybody takes part once at a time")
    return stretches


async def check_persona(database: Database, persona_id: str | None) -> None:
    """Raises `NotFound` for the id of a persona that does not exist."""
    if persona_id and not await database.run("browse/personas_by", ids=[persona_id], names=[]):
        raise NotFound("there is no such persona")


def _called(name: str, usernames: Sequence[str]) -> Row:
    """The name and the usernames of a new person and their tokens, as parameters of `people/create_person`."""
    handles = [name_token(f"@{username}") for username in usernames]
    return {
        "name": name,
        "usernames": usernames,
        "username_tokens": handles,
        "names": [name_token(name), *handles],
        "called": first_name_token(name),
    }


def first_name_token(name: str) -> str:
    """The token by which a person is found by their first name."""
    return name_token(first_name(name))


def _tokens(name: str, usernames: Iterable[str] = ()) -> list[str]:
    """The tokens of a name, of its first word (the first name), and of usernames, without duplicates."""
    handles = (f"@{username}" for username in usernames)
    return list(dict.fromkeys([name_token(name), first_name_token(name), *map(name_token, handles)]))


def name_token(name: str) -> str:
    """The token by which an entity is found by exactly this name, regardless of case and spaces."""
    return token("name", ("@" if name.startswith("@") else "") + slug(name))


async def time_zone(database: Database, clock: Clock, viewer: Viewer) -> str:
    """The time zone of the viewer's days where they are; see `People.time_zone`."""
    [row] = await database.run("people/time_zone", **request_params(viewer, None, clock))
    return str(row["time_zone"])
