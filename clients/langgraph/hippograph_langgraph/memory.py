"""The memory of threads: two nodes of a graph over messages, one before its model and one after."""

from collections.abc import Mapping
from typing import Any

from hippograph_client import AsyncHippograph, Message
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig


class HippographMemory:
    """What a graph remembers. A thread is the user's private chat of its `thread_id`.

    `recall` and `record` are nodes over a state with `messages`. `budget` is how many tokens a context has at most.
    """

    def __init__(self, memory: AsyncHippograph, *, budget: int = 2_000) -> None:
        self._memory = memory
        self._budget = budget

    async def recall(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, list[AnyMessage]]:
        """What belongs into an answer to the last message: as `context`, system messages for before the talk."""
        question = state["messages"][-1].text
        found = await self._thread(config).context(question, budget=self._budget)
        return {"context": [SystemMessage(found.text)] if found.text else []}

    async def record(self, state: Mapping[str, Any], config: RunnableConfig) -> dict[str, object]:
        """Keeps what user and model said: what is kept already, by the messages' ids, is not kept again."""
        said = [
            Message("user" if isinstance(each, HumanMessage) else "assistant", each.text, id=each.id)
            for each in state["messages"]
            if isinstance(each, HumanMessage | AIMessage) and each.text
        ]
        await self._thread(config).record(*said)
        return {}

    def _thread(self, config: RunnableConfig) -> AsyncHippograph:
        return self._memory.at(chat=str(config["configurable"]["thread_id"]))
