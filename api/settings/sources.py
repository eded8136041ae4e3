"""Where settings come from, and how another process gets the same ones."""

import json
import os
from pathlib import Path

from pydantic import SecretStr
from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from hippograph.api.settings.file import FILE_VARIABLE, USER_FILE
from hippograph.api.settings.settings import PREFIX, Settings


def sources(settings: Settings, file: Path = USER_FILE) -> dict[str, str]:
    """Where the value of each setting came from: `environment`, the file's path or `default`."""
    given = {
        "environment": set(EnvSettingsSource(Settings)()),
        str(file): set(DotEnvSettingsSource(Settings, env_file=file)()),
    }
    return {
        name: next((source for source, names in given.items() if name in names), "default")
        for name in type(settings).model_fields
    }


def unknown_variables() -> list[str]:
    """The variables of the environment that look like settings and are none: misspelt ones."""
    known = {FILE_VARIABLE, *(variable(name) for name in Settings.model_fields)}
    return sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known)


def variable(name: str) -> str:
    """The name of a setting in the environment and in files."""
    return f"{PREFIX}{name.upper()}"


def as_environment(settings: Settings) -> dict[str, str]:
    """The variables that give another process the same settings, whatever its environment and its files hold."""
    values = settings.model_dump(mode="json")
    for name in values:
        if isinstance(secret := getattr(settings, name), SecretStr):
            values[name] = secret.get_secret_value()
    return {FILE_VARIABLE: os.devnull} | {variable(name): _written(value) for name, value in values.items()}


def _written(value: object) -> str:
    """A value as a variable has it; an empty one counts as not set."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ",".join(value)
    return json.dumps(value) if isinstance(value, dict) else str(value)
