"""What all tools share: the viewer of a call, answers within a token budget, and errors that a model can act on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from functools import wraps
from inspect import getdoc
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ConfigDict, ValidationError

from hippograph.api.arguments import memory_reference, moment
from hippograph.api.mcp.forms import Form, fitting, reader_zone, written
from hippograph.api.mcp.startup import NotReady, Startup
from hippograph.api.observability.tracing import TOOL
from hippograph.graph.errors import DatabaseUnavailable, HippographError, InvalidInput
from hippograph.graph.model import Viewer
from hippograph.graph.paging import Listing
from hippograph.graph.zones import UTC_ZONE

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.api.service import Service

T = TypeVar("T")

ToolCall: TypeAlias = Context[Any, Any]
"""A call of a tool, as the SDK passes it."""
Work: TypeAlias = Callable[..., Coroutine[Any, Any, Form | str]]
"""The function of a tool. It takes the call and the tool's arguments, and returns a JSON object or Markdown."""
ViewerResolver: TypeAlias = Callable[[ToolCall], Viewer]
"""Returns the viewer on whose behalf a call is made."""

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
REPLACES: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

MOST_TOKENS: Final = 100_000
_LEAST_TOKENS: Final = 100


class ToolContext:
    """What all tools share. Each group of tools is a subclass, whose methods are the tools."""

    def __init__(self, startup: Startup, resolve_viewer: ViewerResolver) -> None:
        self._startup = startup
        self._resolve_viewer = resolve_viewer

    @property
    def service(self) -> Service:
        """The open service; each tool waits for it before it runs."""
        return self._startup.opened

    def caller(self, call: ToolCall) -> Viewer:
        """The viewer of a call, in no chat and for no persona."""
        return self._resolve_viewer(call)

    async def viewer(self, call: ToolCall, chat: str | None = None, persona: str | None = None) -> Viewer:
        """The viewer of a call in a chat and for a persona, each given by name or id. Sets `reader_zone` to the
        viewer's time zone. Raises `NotFound` and `InvalidInput`.
        """
        from hippograph.api.viewer import named_viewer  # imports the service, which listing the tools does not need

        viewer = await named_viewer(self.service, self.caller(call), chat=chat, persona=persona)
        reader_zone.set(await self.service.people.time_zone(viewer))
        return viewer

    async def memory(self, viewer: Viewer, given: str) -> str:
        """Resolves the id of a memory, whole or shortened, given by a model. Raises `NotFound` and `InvalidInput`."""
        return await self.service.memories.called(viewer, memory_reference(given))

    async def page(
        self,
        name: str,
        page: Listing[T],
        form: Callable[[T], Form],
        budget: int | None = None,
        /,
        *,
        least: int = 1,
        **rest: object,
    ) -> Form:
        """A page as an object: `rest`, the items that fit into the token budget under `name`, and the cursor of the
        next page, if there is one. For `least` see `forms.fitting`. Raises `InvalidInput` for a budget out of range.
        """
        items = [(form(listed.item), listed.cursor) for listed in page.items]
        return await self.fitted(name, items, page.has_next, budget, least=least, **rest)

    async def fitted(
        self,
        name: str,
        items: Sequence[tuple[Form, str]],
        more: bool,
        budget: int | None,
        /,
        *,
        least: int = 1,
        **rest: object,
    ) -> Form:
        """Like `page`, for forms and their cursors; `more` says whether there are further pages."""
        # A cursor is counted even if none is returned.
        beside = {**rest, "cursor": max((cursor for _, cursor in items), key=len, default="")}
        kept = await self.fitting(beside, name, [form for form, _ in items], budget, least=least)
        cursor = items[len(kept) - 1][1] if kept and (more or len(kept) < len(items)) else None
        return {**rest, name: kept, **({"cursor": cursor} if cursor else {})}

    async def lists(
        self, form: Form, lists: Mapping[str, Sequence[Any]], budget: int | None, *, least: int = 0
    ) -> Form:
        """Adds lists to an object in their order, each with the items that fit into the rest of the token budget; empty
        lists are left out. With `least` 1 the first list has at least one item, its text cut if necessary.

        Raises `InvalidInput` for a budget out of range.
        """
        for name, items in lists.items():
            if kept := await self.fitting(form, name, items, budget, least=least):
                form = {**form, name: kept}
            least = 0
        return form

    async def fitting(
        self, rest: Form, name: str, items: Sequence[Form], budget: int | None, *, least: int = 0
    ) -> Sequence[Form]:
        """The items that fit into the token budget beside `rest` (`forms.fitting`); tokens are counted in a thread.
        Raises `InvalidInput` for a budget out of range.
        """
        count = self.service.count_tokens
        return await asyncio.to_thread(fitting, rest, name, items, checked_budget(budget), count, least=least)

    async def opened(self, call: ToolCall) -> Service:
        """Waits for the service and returns it; reports progress to a client that asks for it. Raises `NotReady`."""

        async def told(waited_s: float, what: str) -> None:
            await call.report_progress(waited_s, message=f"hippograph is starting: {what}")

        return await self._startup.service(told)

    def tool(self, work: Work, annotations: ToolAnnotations) -> Tool:
        """Returns a tool with the name and docstring of `work`, which rejects unknown arguments."""
        description = " ".join((getdoc(work) or "").split())
        made = _Tool.from_function(
            self._answering(work), description=description, annotations=annotations, structured_output=False
        )
        arguments = _strict(made.fn_metadata.arg_model)
        parameters = _plain(arguments.model_json_schema(by_alias=True), {})
        return made.model_copy(update={"fn_metadata": FuncMetadata(arg_model=arguments), "parameters": parameters})

    def _answering(self, work: Work) -> Callable[..., Awaitable[CallToolResult]]:
        """Wraps `work`: waits for the service, converts the answer to text, and traces, counts and times the call."""

        @wraps(work)
        async def answer(call: ToolCall, **arguments: Any) -> CallToolResult:
            try:
                observation = (await self.opened(call)).observation
            except NotReady as error:
                raise ToolError(str(error)) from error
            started, code = time.perf_counter(), "INTERNAL"
            reader_zone.set(UTC_ZONE)
            try:
                with observation.tracing.operation(TOOL, work.__name__, {}):
                    answered = await work(call=call, **arguments)
                code = "OK"
                text = answered if isinstance(answered, str) else written(answered)
                return CallToolResult(content=[TextContent(type="text", text=text)])
            except HippographError as error:
                code = error.code
                raise told(error) from error
            finally:
                observation.metrics.operation(TOOL, work.__name__, code, time.perf_counter() - started)

        return answer


def told_time(given: str | None) -> datetime | None:
    """Parses a time given by a model, in the caller's zone if it has no offset. Raises `InvalidInput`."""
    return moment(given, reader_zone.get()) if given else None


def checked_budget(budget: int | None) -> int | None:
    """Returns a token budget (None: unlimited) unchanged. Raises `InvalidInput` if it is out of range."""
    if budget is not None and not _LEAST_TOKENS <= budget <= MOST_TOKENS:
        raise InvalidInput(f"a budget is {_LEAST_TOKENS} to {MOST_TOKENS} tokens; {budget} were given", value=budget)
    return budget


class _Tool(Tool):
    """A tool with its own messages for invalid arguments."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Runs the tool. Raises `ToolError` for errors that a model can act on."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_wrong_arguments(error.__cause__, self.parameters["properties"])) from error
            raise


def _wrong_arguments(error: ValidationError, known: Iterable[str]) -> str:
    """Describes the invalid arguments of a tool, with the error code. `known` are the names of its arguments."""
    said = []
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        path = ".".join(str(step) for step in each["loc"])
        match each["type"]:
            case "missing":
                said.append(f"`{path}` is missing")
            case "extra_forbidden":
                said.append(f"there is no argument `{path}`; there are {', '.join(known)}")
            case _:
                said.append(f"`{path}`: {each['msg'][0].lower()}{each['msg'][1:]}")
    return f"{'; '.join(said)} ({InvalidInput.code})"


def _strict(model: type[ArgModelBase]) -> type[ArgModelBase]:
    """Returns the model with unknown arguments forbidden, so that a misspelt one is not ignored."""
    members = {"model_config": ConfigDict(extra="forbid"), "__module__": __name__}
    return type(model.__name__, (model,), members)


_UNSAID: Final = ("title", "default", "$defs")


def _plain(schema: Any, definitions: dict[str, Any], *, names: bool = False) -> Any:
    """Shortens a JSON Schema, because models read it in every turn: replaces references by their definitions, and
    leaves out titles, defaults and "or null". `names` says that the keys are names of properties.
    """
    if isinstance(schema, list):
        return [_plain(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    definitions = schema.get("$defs", definitions)
    if reference := schema.get("$ref"):
        named = dict(definitions[reference.rpartition("/")[2]])
        named.pop("description", None)
        return _plain({**named, **{name: value for name, value in schema.items() if name != "$ref"}}, definitions)
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) == 1:
        others = {name: value for name, value in schema.items() if name != "anyOf"}
        return _plain({**choices[0], **others}, definitions)
    return {
        name: _plain(value, definitions, names=name == "properties")
        for name, value in schema.items()
        if names or name not in _UNSAID
    }


def told(error: HippographError) -> Exception:
    """Converts an error to one that a model may read. Internal errors are unchanged: the SDK hides and logs them."""
    if isinstance(error, DatabaseUnavailable):
        return ToolError("the database does not answer now; try again")
    return ToolError(f"{error} ({error.code})") if error.code in _SHOWN else error


_SHOWN: Final = frozenset({"INVALID_INPUT", "NOT_FOUND", "NOT_ALLOWED", "CONFLICT", "QUEUE_FULL"})
