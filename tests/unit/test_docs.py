from pathlib import Path

import typer
from pydantic.fields import FieldInfo

from api.settings import Settings


def default(name: str, field: FieldInfo) -> str:
    """A default as the README shows it: folders and names of this machine by what they are."""
    machine = {
        "data_dir": "the user's data folder",
        "cache_dir": "the user's cache folder",
        "local_user": "the login name",
    }
    value = field.get_default()
    if name in machine:
        return machine[name]
    return "none" if value in (None, ()) else f"`{value}`"


def test_every_setting_is_in_the_readme_with_its_default_and_meaning(root: Path) -> None:
    """A setting that the README does not explain is a setting nobody finds."""
    readme = (root / "README.md").read_text("utf-8")
    rows = [
        f"| `HIPPOGRAPH_{name.upper()}` | {default(name, field)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]

    assert [] == [row for row in rows if row not in readme], "\n".join(rows)


def test_every_command_is_in_the_readme(root: Path) -> None:
    """A newcomer reads there what there is to type."""
    from api.cli import app

    readme = (root / "README.md").read_text("utf-8")
    names = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # a group has commands

    assert [] == [name for name in names if f"hippograph {name}" not in readme]


def test_changelog_has_a_place_for_what_is_to_come(root: Path) -> None:
    """What changes is written down as it changes."""
    assert "## [Unreleased]" in (root / "CHANGELOG.md").read_text("utf-8")
