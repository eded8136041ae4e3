"""The LlamaIndex memory block over the real service."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from hippograph_client import AsyncHippograph
from hippograph_llamaindex import HippographMemoryBlock
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import Memory


@pytest.fixture
async def memory(place: dict[str, str]) -> AsyncIterator[AsyncHippograph]:
    """A new user's memory, in a chat with a persona."""
    async with AsyncHippograph(**place, chat="Everyday", persona="Atlas") as memory:
        yield memory


def said(role: MessageRole, content: str) -> ChatMessage:
    """A message of a talk."""
    return ChatMessage(role=role, content=content)


async def test_what_leaves_the_window_is_remembered(memory: AsyncHippograph) -> None:
    """A memory with a short window keeps what falls out of it, and gives it back to a question about it."""
    block = HippographMemoryBlock(memory=memory)
    talk = Memory.from_defaults(session_id="one", token_limit=60, memory_blocks=[block])
    await talk.aput(said(MessageRole.USER, "My parrot is called Rio."))
    await talk.aput(said(MessageRole.ASSISTANT, "What a lovely name."))
    await talk.aput(said(MessageRole.TOOL, "Nothing to keep."))
    for number in range(6):
        await talk.aput(
            said(MessageRole.USER, f"Tell me a long story with many words about the number {number}, please.")
        )
        await talk.aput(
            said(MessageRole.ASSISTANT, f"Once upon a time there was the number {number}, and it was alone.")
        )
    kept = {each.content: each.speaker_name async for each in memory.memories()}
    assert "Atlas" == kept["What a lovely name."]
    assert "My parrot is called Rio." in kept
    assert "Nothing to keep." not in kept
    await talk.aput(said(MessageRole.USER, "What is my parrot called?"))
    [context, *_] = await talk.aget()
    assert MessageRole.SYSTEM is context.role
    assert "Rio" in str(context.content)


async def test_a_block_without_a_question_gives_nothing(memory: AsyncHippograph) -> None:
    """Where nobody asked there is no context, and a budget is kept."""
    block = HippographMemoryBlock(memory=memory, budget=400)
    assert "" == await block.aget([said(MessageRole.ASSISTANT, "Hello.")])
    await block.aput([said(MessageRole.USER, f"My plant number {number} is a fern.") for number in range(20)])
    found = await block.aget([said(MessageRole.USER, "Which plants do I have?")])
    assert "fern" in found
    assert found.count("fern") < 20


async def test_the_documented_lines(documented: Any) -> None:
    """What docs/how-to/clients.md shows works as it stands there but for the address and the key."""
    memory = documented("hippograph_llamaindex")["memory"]
    await memory.aput(said(MessageRole.USER, "Hello."))
    assert "Hello." == (await memory.aget())[-1].content
