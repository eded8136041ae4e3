"""Groups of commands: how their help looks, and one that is loaded when it is asked for."""

from typing import Any

import typer.main
from typer.core import TyperGroup


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
    """`hippograph bench …`, whose module loads all of the service and is loaded for its own commands alone."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of its commands."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, None when there is none."""
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        from api.cli.bench import app

        loaded = typer.main.get_command(app)
        assert isinstance(loaded, TyperGroup)
        self.commands = loaded.commands


def _leave_out_types(params: list[Any]) -> None:
    for param in params:
        if getattr(param, "is_bool_flag", False):
            param.metavar = ""
