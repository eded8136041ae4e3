"""Counts and times each operation, and puts a span around it."""

import time
from collections.abc import Iterator
from typing import Any

from strawberry.extensions import SchemaExtension
from strawberry.types.graphql import OperationType

from hippograph.api.graphql.context import Context

_UNREAD = "unread"
"""The type of an operation of a document that cannot be read."""


class Observed(SchemaExtension):
    """Watches operations: by type, name and the code of their first error."""

    _code = "OK"

    def on_operation(self) -> Iterator[None]:
        """Counts the operation when it is done."""
        started = time.perf_counter()
        yield
        kind, name = self._what()
        self._note(self.execution_context.result)
        seconds = None if kind == "subscription" else time.perf_counter() - started
        self._context.service.observation.metrics.operation(kind, name, self._code, seconds)

    def on_execute(self) -> Iterator[None]:
        """Traces the execution."""
        kind, name = self._what()
        with self._context.service.observation.tracing.operation(kind, name, self._context.headers):
            yield

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Notes what a subscription ends with."""
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
