"""Metrics and a trace span for each operation."""

import time
from collections.abc import Iterator
from typing import Any

from strawberry.extensions import SchemaExtension
from strawberry.types.graphql import OperationType

from hippograph.api.graphql.context import Context

_UNREAD = "unread"
"""Operation type if the document could not be parsed, or lacks the operation."""


class Observed(SchemaExtension):
    """Records operations by type, name and the code of their first error."""

    _code = "OK"

    def on_operation(self) -> Iterator[None]:
        """Counts the operation when it is done, with its duration unless it is a subscription."""
        started = time.perf_counter()
        yield
        kind, name = self._what()
        self._note(self.execution_context.result)
        seconds = None if kind == "subscription" else time.perf_counter() - started
        self._context.service.observation.metrics.operation(kind, name, self._code, seconds)

    def on_execute(self) -> Iterator[None]:
        """Puts a trace span around the execution."""
        kind, name = self._what()
        with self._context.service.observation.tracing.operation(kind, name, self._context.headers):
            yield

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Notes the error code of each result of a subscription; the last one is recorded."""
        yield
        self._note(result)

    @property
    def _context(self) -> Context:
        context: Context = self.execution_context.context
        return context

    def _what(self) -> tuple[str, str | None]:
        context = self.execution_context
        if context.graphql_document is None:
            return _UNREAD, None
        try:
            kind: OperationType = context.operation_type
        except Exception:  # the document has no such operation
            return _UNREAD, None
        return kind.value, context.operation_name

    def _note(self, result: Any) -> None:
        if result is not None and result.errors:
            self._code = str((result.errors[0].extensions or {}).get("code", "INTERNAL"))
