"""hippograph for LangGraph: a store (`HippographStore`) and the memory of threads (`HippographMemory`)."""

from hippograph_langgraph.memory import HippographMemory
from hippograph_langgraph.store import HippographStore

__all__ = ["HippographMemory", "HippographStore"]
