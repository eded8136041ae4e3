"""The sources of settings, and how another process gets the same settings."""

import json
import os
from pathlib import Path

from pydantic import SecretStr
from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from hippograph.api.settings.file import FILE_VARIABLE, USER_FILE
from hippograph.api.settings.settings import PREFIX, Settings


def sources(settings: Settings, file: Path = USER_FILE) -> dict[str, str]:
    """The source of each setting's value, by name: `environment`, the path of the file, or `default`."""
    given = {
        "environment": set(EnvSettingsSource(Settings)()),
        str(file): set(DotEnvSettingsSource(Settings, env_file=file)()),
    }
    return {
        name: next((source for source, names in given.items() if name in names), "default")
        for name in type(settings).model_fields
    }


def unknown_variables() -> list[str]:
    """Environment variables that have the prefix of settings but name none, such as misspelt ones."""
    known = {FILE_VARIABLE, *(variable(name) for name in Settings.model_fields)}
    return sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known)


def variable(name: str) -> str:
    """The name of a setting's variable in the environment and in files."""
    return f"{PREFIX}{name.upper()}"


def as_environment(settings: Settings) -> dict[str, str]:
    """Environment variables that give another process the same settings, whatever its environment and files hold."""
    values = settings.model_dump(mode="json")
    for name in values:
        if isinstance(secret := getattr(settings, name), SecretStr):
            values[name] = secret.get_secret_value()
    return {FILE_VARIABLE: os.devnull} | {variable(name): _written(value) for name, value in values.items()}


def _written(value: object) -> str:
    """A value in the format of environment variables; an empty one counts as not set."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ",".join(value)
    return json.dumps(value) if isinstance(value, dict) else str(value)
