"""Reads the settings for a command, and reports invalid ones."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

from hippograph.api.cli.choices import demo_chosen, settings_file
from hippograph.api.cli.output import err
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import unknown_variables, variable

DEMO_USER: Final = "maya"
DEMO_USER_NAME: Final = "Maya Lindqvist"


class WrongSettings(Exception):
    """Invalid settings. `problems` are the name of each and what is wrong with it."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in problems))
        self.problems = problems


def read_settings(**given: object) -> Settings:
    """Returns `checked_settings`; if some are invalid, prints them and exits with code 2."""
    try:
        return checked_settings(**given)
    except WrongSettings as error:
        for name, message in error.problems:
            err.line((name, "red"), f": {message}")
        raise SystemExit(2) from None


def checked_settings(**given: object) -> Settings:
    """Returns the settings, overridden by the `given` options that are not None. With `--demo` they are the demo's.

    Raises `WrongSettings`.
    """
    values = {name: value for name, value in given.items() if value is not None}
    file = settings_file.get()
    try:
        settings = Settings(_env_file=file, **values)  # type: ignore[arg-type, call-arg]  # the names are those of the fields
        problems = [(name, _unknown(name)) for name in unknown_variables()]
    except ValidationError as error:
        problems = [_explained(problem) for problem in error.errors(include_url=False, include_input=False)]
    except (SettingsError, UnicodeDecodeError) as error:
        problems = [("settings", str(error))]
    except OSError as error:
        problems = [(str(file), f"cannot be read: {error.strerror}")]
    if problems:
        raise WrongSettings(problems)
    return of_demo(settings) if demo_chosen.get() else settings


def of_demo(settings: Settings) -> Settings:
    """Returns the settings changed for the demo, which has its own data folder, Neo4j and user."""
    return settings.model_copy(
        update={
            "neo4j_uri": None,
            "neo4j_password": None,
            "data_dir": settings.data_dir / "demo",
            "local_user": DEMO_USER,
            "local_user_name": DEMO_USER_NAME,
        }
    )


def _explained(problem: ErrorDetails) -> tuple[str, str]:
    """Returns the name of a setting and what is wrong with it. An unknown name is given as the file has it."""
    name = "_".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return name.upper(), _unknown(name)
    return variable(name) if name else "settings", problem["msg"]


def _unknown(name: str) -> str:
    """Returns the message for a name that no setting has, with the most similar name of a setting."""
    alike = get_close_matches(name.upper(), map(variable, Settings.model_fields), 1)
    return f"no setting has this name{f'; did you mean {alike[0]}?' if alike else ''}"
