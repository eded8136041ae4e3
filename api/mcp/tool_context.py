"""What every tool needs: who asks and from where, the answer in JSON, and errors that a model can act on."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from inspect import getdoc
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, get_type_hints

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ConfigDict

from api.arguments import memory_reference
from api.mcp.forms import schema, written
from api.mcp.startup import NotReady, Startup
from api.tracing import TOOL
from graph.errors import DatabaseUnavailable, HippographError
from graph.model import Viewer
from graph.paging import Listing

if TYPE_CHECKING:
    from api.service import Service

T = TypeVar("T")

ToolCall: TypeAlias = Context[Any, Any]
"""The call of a tool, as the SDK gives it."""
Work: TypeAlias = Callable[..., Coroutine[Any, Any, object]]
"""What a tool does: it takes the call and the tool's arguments, and gives a form."""
ViewerResolver: TypeAlias = Callable[[ToolCall], Viewer]
"""On whose behalf a call is made."""

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
REPLACES: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


class ToolContext:
    """The service as tools see it."""

    def __init__(self, startup: Startup, resolve_viewer: ViewerResolver) -> None:
        self._startup = startup
        self._resolve_viewer = resolve_viewer

    @property
    def service(self) -> Service:
        """The service, which a tool has waited for before it works."""
        return self._startup.opened

    async def viewer(self, call: ToolCall, chat: str | None = None, persona: str | None = None) -> Viewer:
        """Who asks, in a chat and for a persona, each by name or id. Raises `NotFound` and `InvalidInput`."""
        from api.viewer import named_viewer  # loads the service, for which nobody waits who lists tools

        service = self.service
        return await named_viewer(
            self._resolve_viewer(call), service.people, service.browsing, person=None, chat=chat, persona=persona
        )

    async def memory(self, viewer: Viewer, given: str) -> str:
        """The id of the memory that a model names. Raises `NotFound` and `InvalidInput`."""
        return await self.service.memories.called(viewer, memory_reference(given))

    def tool(self, work: Work, annotations: ToolAnnotations) -> Tool:
        """A tool of the name and description of `work`, which refuses arguments that it does not know."""
        made = Tool.from_function(
            self._answering(work), description=getdoc(work), annotations=annotations, structured_output=False
        )
        arguments = _strict(made.fn_metadata.arg_model)
        answer = FuncMetadata(arg_model=arguments, output_schema=schema(get_type_hints(work)["return"]))
        parameters = arguments.model_json_schema(by_alias=True)
        return made.model_copy(update={"fn_metadata": answer, "parameters": parameters})

    def _answering(self, work: Work) -> Callable[..., Awaitable[CallToolResult]]:
        """The work with its answer in JSON, counted and timed, as soon as the service is there."""

        @wraps(work)
        async def answer(call: ToolCall, **arguments: Any) -> CallToolResult:
            observation = (await self._waited_for(call)).observation
            started, code = time.perf_counter(), "INTERNAL"
            try:
                with observation.tracing.operation(TOOL, work.__name__, {}):
                    result = _result(await work(call=call, **arguments))
                code = "OK"
                return result
            except HippographError as error:
                code = error.code
                raise _told(error) from error
            finally:
                observation.metrics.operation(TOOL, work.__name__, code, time.perf_counter() - started)

        return answer

    async def _waited_for(self, call: ToolCall) -> Service:
        """The service; who asks for progress is told what is waited for meanwhile."""

        async def told(waited_s: float, what: str) -> None:
            await call.report_progress(waited_s, message=f"hippograph is starting: {what}")

        try:
            return await self._startup.service(told)
        except NotReady as error:
            raise ToolError(str(error)) from error


def cursor_of(page: Listing[T]) -> str | None:
    """The cursor of the next page; None behind the last."""
    return page.items[-1].cursor if page.has_next else None


def _strict(model: type[ArgModelBase]) -> type[ArgModelBase]:
    """The same arguments and no others: one that is misspelt must not be taken for none."""
    members = {"model_config": ConfigDict(extra="forbid"), "__module__": __name__}
    return type(model.__name__, (model,), members)


def _result(answer: object) -> CallToolResult:
    """The answer as structured content, and as text for models that read only that."""
    form = written(answer)
    text = form["text"] if "text" in form else json.dumps(form, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=form)


def _told(error: HippographError) -> Exception:
    """What a model reads of an error. What is nobody's doing is left to the SDK, which hides and logs it."""
    if isinstance(error, DatabaseUnavailable):
        return ToolError("the database does not answer now; try again")
    return ToolError(f"{error} ({error.code})") if error.code in _SHOWN else error


_SHOWN: Final = frozenset({"INVALID_INPUT", "NOT_FOUND", "NOT_ALLOWED", "CONFLICT"})
