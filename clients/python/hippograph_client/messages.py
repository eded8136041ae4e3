"""What is recorded: the messages of a conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hippograph_client.types import AttachmentInput


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody said.

    `id` is any word of the caller's own, such as the framework's id of the message: a message recorded again under
    its id is kept once. `time` is when it was said, with
    an offset; without it now. `speaker_id` is the person who said it, where that is not the user. With `attachments` it
    may have no words.
    """

    role: Literal["user", "assistant"]
    content: str
    id: str | None = None
    time: datetime | None = None
    speaker_id: str | None = None
    attachments: Sequence[AttachmentInput] = ()
