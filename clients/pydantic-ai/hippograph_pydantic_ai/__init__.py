"""hippograph for Pydantic AI: `Agent(toolsets=[hippograph_toolset(memory)])`."""

from typing import Any

from hippograph_client import AsyncHippograph, memory_tools
from pydantic_ai import FunctionToolset


def hippograph_toolset(memory: AsyncHippograph, *, budget: int = 2_000) -> FunctionToolset[Any]:
    """Tools that find, keep and forget, in the memory's chat and for its persona. `budget` is in tokens."""
    return FunctionToolset(memory_tools(memory, budget=budget))
