"""Options that stand before the name of a command and apply to any command."""

from contextvars import ContextVar
from pathlib import Path
from typing import Final

from hippograph.api.settings.file import USER_FILE

settings_file: Final[ContextVar[Path]] = ContextVar("settings_file", default=USER_FILE)
"""The file that settings are read from; the option `--env-file` names another."""

demo_chosen: Final[ContextVar[bool]] = ContextVar("demo_chosen", default=False)
"""Whether the command works on the demo's graph (`--demo`)."""
