"""Structured logs: one line an event, on standard error, with the id of the request that caused it.

What people say is never logged.
"""

import logging
import sys
from io import StringIO
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from hippograph.api.printable import printable
from hippograph.api.settings.settings import Settings

_BEFORE: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


class _Stderr(StringIO):
    """Standard error as it is when something is written: a progress bar stands in its place for a while."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logging(settings: Settings) -> None:
    """Sends our own events and those of libraries to standard error, as `console` lines or as `json`."""
    renderer = _json() if settings.log_format == "json" else _console()
    structlog.configure(
        processors=[*_BEFORE, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.log_level]),
        logger_factory=structlog.WriteLoggerFactory(_Stderr()),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(_Stderr())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_BEFORE, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level)
    logging.getLogger("sentence_transformers").setLevel(max(logging.WARNING, root.level))
    # What tools refuse is told to who called them; the message may quote what people say.
    logging.getLogger("mcp").setLevel(max(logging.WARNING, root.level))


def _json() -> list[Processor]:
    # Without local variables: they hold what people said.
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]


def _console() -> list[Processor]:
    return [
        _printable,
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_traceback, pad_event_to=0),
    ]


def _printable(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A path that somebody asks for, or a library's message, can hold what steers a terminal."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in event.items()}


def _traceback(target: TextIO, exc_info: ExcInfo) -> None:
    plain = StringIO()
    structlog.dev.plain_traceback(plain, exc_info)
    target.write("\n".join(map(printable, plain.getvalue().split("\n"))))
