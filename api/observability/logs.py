"""Structured logs: one line for each event, on standard error, with the id of the request that caused it.

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
    """Writes to the current `sys.stderr`, which a progress bar replaces for a while."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logging(settings: Settings) -> None:
    """Configures our own logs and those of libraries to go to standard error, as lines for a console or as JSON."""
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
    # At INFO it logs errors of tools, which may quote what people say; the caller gets them anyway.
    logging.getLogger("mcp").setLevel(max(logging.WARNING, root.level))


def _json() -> list[Processor]:
    # Local variables are left out: they hold what people said.
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]


def _console() -> list[Processor]:
    return [
        _printable,
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_traceback, pad_event_to=0),
    ]


def _printable(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Escapes terminal control characters, which a requested path or a library's message can contain."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in event.items()}


def _traceback(target: TextIO, exc_info: ExcInfo) -> None:
    plain = StringIO()
    structlog.dev.plain_traceback(plain, exc_info)
    target.write("\n".join(map(printable, plain.getvalue().split("\n"))))
