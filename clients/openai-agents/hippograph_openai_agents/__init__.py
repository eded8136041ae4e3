"""hippograph for the OpenAI Agents SDK: `Agent(tools=hippograph_tools(memory))`."""

from agents import FunctionTool, function_tool
from hippograph_client import AsyncHippograph, memory_tools


def hippograph_tools(memory: AsyncHippograph, *, budget: int = 2_000) -> list[FunctionTool]:
    """Tools that find, keep and forget, in the memory's chat and for its persona. `budget` is in tokens."""
    return [function_tool(each) for each in memory_tools(memory, budget=budget)]
