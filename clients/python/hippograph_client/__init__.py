"""A typed client of hippograph, sync (`Hippograph`) and async (`AsyncHippograph`): the public names."""

from hippograph_client._async import LOCAL, AsyncHippograph
from hippograph_client._sync import Hippograph
from hippograph_client.errors import (
    Conflict,
    HippographError,
    InvalidInput,
    NotAllowed,
    NotFound,
    RateLimited,
    ServiceError,
    Unauthenticated,
    Unavailable,
    Unreachable,
)
from hippograph_client.messages import Message
from hippograph_client.tools import memory_tools
from hippograph_client.types import (
    Block,
    Card,
    FactInput,
    Found,
    Memory,
    PromptContext,
    Recorded,
    Remembered,
    SearchFilter,
    State,
    Statistics,
    Summary,
    Todo,
    TodoKind,
    TodoStatus,
)

__all__ = [
    "LOCAL",
    "AsyncHippograph",
    "Block",
    "Card",
    "Conflict",
    "FactInput",
    "Found",
    "Hippograph",
    "HippographError",
    "InvalidInput",
    "Memory",
    "Message",
    "NotAllowed",
    "NotFound",
    "PromptContext",
    "RateLimited",
    "Recorded",
    "Remembered",
    "SearchFilter",
    "ServiceError",
    "State",
    "Statistics",
    "Summary",
    "Todo",
    "TodoKind",
    "TodoStatus",
    "Unauthenticated",
    "Unavailable",
    "Unreachable",
    "memory_tools",
]
