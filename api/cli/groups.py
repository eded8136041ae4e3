"""Groups of commands: how their help looks, and one that is loaded when it is asked for."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import typer.main
from typer.core import TyperGroup

from hippograph.api.cli.output import fail


class Group(TyperGroup):
    """A group in whose help no flag carries the word `<bool>`."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, None when there is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _leave_out_types([*command.params, command.get_help_option(ctx)])
        return command

    def get_params(self, ctx: Any) -> Any:
        """The group's own options."""
        params = super().get_params(ctx)
        _leave_out_types(params)
        return params


class BenchGroup(Group):
    """`hippograph bench …`, which is no part of the package and is loaded for its own commands alone."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of its commands."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, None when there is none."""
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        if find_spec("benchmarks") is None:
            fail(
                ModuleNotFoundError("Benchmarks are not in the package: clone the repository, run `make setup` there.")
            )
        loaded = typer.main.get_command(import_module("benchmarks.command_line").app)
        assert isinstance(loaded, TyperGroup)
        self.commands = loaded.commands


def _leave_out_types(params: list[Any]) -> None:
    for param in params:
        if getattr(param, "is_bool_flag", False):
            param.metavar = ""
