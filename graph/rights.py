"""What a credential may do beyond what its viewer may (P5, P6).

Every viewer may do what the rules let their person do (P1, P4): read what they may see, write what is theirs, create
people, create chats in which they take part, join and leave chats. Beyond that:

| action | right that it needs |
|---|---|
| reading and writing as another account | `acts_for` it |
| recording turns of other speakers, or in a chat of others; ending a session there | `records` of that chat |
| recording turns of a persona | `records` of that chat, or `speaks_as` it in private chats of the credential's person |
| creating a persona | `records` of all chats, or `admin` |
| adding somebody who has an account to a group without asking them | `records` of that chat, or `admin` |
| vouching for a name that one gives to somebody (P6) | `records` of a chat where they take part, or `admin` |
| naming, merging, erasing others; finding people by name; giving them accounts and ids | `admin` |
| creating chats for others, or with a past; changing participants, or what is extracted, in others' chats | `admin` |
| writing regardless of the backlog of an owner or a group | `acts_for` or `records` of all, or `admin` |
| deciding what an erasure left; upkeep, retrying failed work, progress of all jobs, `/metrics` | `admin` |

No right contains another. Without credentials the only user has all of them.
"""

from dataclasses import dataclass, replace
from typing import Final

from hippograph.graph.errors import NotAllowed

EVERY: Final = "*"
"""In a list of accounts or chats: all of them."""


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of a credential: `acts_for` lists accounts, `records` chats; `speaks_as` is the id of a persona."""

    acts_for: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    speaks_as: str | None = None
    admin: bool = False

    @property
    def serves_all(self) -> bool:
        """Whether it is for a service that serves everybody."""
        return self.admin or EVERY in (*self.acts_for, *self.records)

    def may_act_for(self, account: str) -> bool:
        """Whether it may read and write as an account."""
        return _among(account, self.acts_for)

    def may_record_in(self, chat_id: str) -> bool:
        """Whether it may record turns of any speaker in a chat."""
        return _among(chat_id, self.records)

    def may_add_to(self, chat_id: str) -> bool:
        """Whether it may add others who have an account to a chat without asking them (P6)."""
        return self.admin or self.may_record_in(chat_id)

    @property
    def may_make_personas(self) -> bool:
        """Whether it may create a persona, which is shared by all."""
        return self.admin or EVERY in self.records

    @property
    def vouches_in(self) -> tuple[str, ...]:
        """The chats whose participants' names it may vouch for."""
        return (EVERY,) if self.admin else self.records

    def require_admin(self, action: str) -> None:
        """Raises `NotAllowed` without the right `admin`; `action` says what was asked for."""
        if not self.admin:
            raise NotAllowed(f"only an administrator may {action}")

    def for_another(self) -> "Rights":
        """The rights while it acts for another account, without `speaks_as`, which is for its own person alone."""
        return replace(self, speaks_as=None)

    def includes(self, other: "Rights") -> bool:
        """Whether it has all the rights of the other."""
        return (
            all(self.may_act_for(account) for account in other.acts_for)
            and all(self.may_record_in(chat) for chat in other.records)
            and other.speaks_as in (None, self.speaks_as)
            and self.admin >= other.admin
        )


NO_RIGHTS: Final = Rights()
ALL_RIGHTS: Final = Rights(acts_for=(EVERY,), records=(EVERY,), admin=True)
"""The rights of whoever runs the service on their own machine."""


def _among(one: str, named: tuple[str, ...]) -> bool:
    return EVERY in named or one in named
