"""The errors that an agent gets from the tools."""

from mcp.server.mcpserver.exceptions import ToolError

from hippograph.api.mcp.tool_context import told
from hippograph.graph.errors import HippographError, InvalidInput, QueueFull


def test_an_agent_is_told_what_it_can_act_on() -> None:
    """Invalid input and a full queue become tool errors with reason and code; an internal error is left unchanged."""
    for error in (InvalidInput("no such day"), QueueFull(20_000)):
        shown = told(error)
        assert isinstance(shown, ToolError)
        assert f"{error} ({error.code})" == str(shown)
    hidden = HippographError("inside")
    assert hidden is told(hidden)
