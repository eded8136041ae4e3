"""Tools for a model, as functions that frameworks read: names, arguments and docstrings are what the model is told."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec

from hippograph_client._async import AsyncHippograph
from hippograph_client.errors import HippographError

_P = ParamSpec("_P")
_MOST_FOUND = 10


def memory_tools(memory: AsyncHippograph, *, budget: int = 2_000) -> list[Callable[..., Awaitable[str]]]:
    """Tools over a memory. `budget` is how many tokens a context has at most. What the service refuses is told to the
    model, with its code.
    """

    async def get_context(question: str) -> str:
        """What is remembered that belongs into an answer. Call it before you answer.

        Args:
            question: What the user asks, in their words.
        """
        return (await memory.context(question, budget=budget)).text or "Nothing is remembered of that."

    async def search_memory(query: str) -> str:
        """Single memories with their ids, the best first.

        Args:
            query: A question, or keywords.
        """
        found = await memory.search(query, first=_MOST_FOUND)
        return "\n".join(f"[id:{each.memory.id}] {each.memory.content}" for each in found) or "Nothing was found."

    async def remember_fact(fact: str) -> str:
        """Keep a fact for later talks.

        Args:
            fact: A sentence that stands for itself: "Lena lives in Trieste."
        """
        [kept] = await memory.remember(fact)
        return f"[id:{kept.memory_id}] {'It was known already.' if kept.confirmed else 'It is kept.'}"

    async def forget(memory_id: str) -> str:
        """Forget a memory, when the user says that it is wrong or is to go.

        Args:
            memory_id: The id of the memory.
        """
        await memory.forget(memory_id)
        return "It is forgotten."

    return [_told(each) for each in (get_context, search_memory, remember_fact, forget)]


def _told(tool: Callable[_P, Awaitable[str]]) -> Callable[_P, Awaitable[str]]:
    @wraps(tool)
    async def call(*args: _P.args, **more: _P.kwargs) -> str:
        try:
            return await tool(*args, **more)
        except HippographError as error:
            return f"{error.code}: {error.message}"

    return call
