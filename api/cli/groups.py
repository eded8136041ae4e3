"""Classes for groups of commands: one that tidies their help, and one whose commands are loaded on demand."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import typer.main
from typer.core import TyperGroup

from hippograph.api.cli.output import fail


class Group(TyperGroup):
    """A group whose help shows flags without the type `<bool>`."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns the command of a name, None if there is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _leave_out_types([*command.params, command.get_help_option(ctx)])
        return command

    def get_params(self, ctx: Any) -> Any:
        """Returns the group's own options."""
        params = super().get_params(ctx)
        _leave_out_types(params)
        return params


class BenchGroup(Group):
    """The group `hippograph bench …`. Benchmarks are not part of the package; they are imported on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names of the commands."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns the command of a name, None if there is none."""
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
