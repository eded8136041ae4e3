"""hippograph for LlamaIndex: a block of an agent's `Memory`."""

from typing import Any

from hippograph_client import AsyncHippograph, Message
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

_SPOKEN = (MessageRole.USER, MessageRole.ASSISTANT)


class HippographMemoryBlock(BaseMemoryBlock[str]):
    """Gives the context of the last message, and keeps what leaves the short-term memory.

    `memory` says whose and in which chat, `budget` how many tokens a context has at most.
    """

    name: str = "hippograph"
    memory: AsyncHippograph = Field(exclude=True)
    budget: int = 2_000

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        asked = [each.content for each in messages or () if each.role is MessageRole.USER and each.content]
        return (await self.memory.context(asked[-1], budget=self.budget)).text if asked else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        said = [
            Message("user" if each.role is MessageRole.USER else "assistant", each.content)
            for each in messages
            if each.role in _SPOKEN and each.content
        ]
        await self.memory.record(*said)
