"""What an agent reads of an error."""

from mcp.server.mcpserver.exceptions import ToolError

from hippograph.api.mcp.tool_context import told
from hippograph.graph.errors import HippographError, InvalidInput, QueueFull


def test_an_agent_is_told_what_it_can_act_on() -> None:
    """Wrong input, and a queue that is full for now, with code and reason; what is nobody's doing is hidden."""
    for error in (InvalidInput("no such day"), QueueFull(20_000)):
        shown = told(error)
        assert isinstance(shown, ToolError)
        assert f"{error} ({error.code})" == str(shown)
    hidden = HippographError("inside")
    assert hidden is told(hidden)
