import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from pydantic.fields import FieldInfo

from hippograph.api.graphql.errors import SHOWN
from hippograph.api.settings.settings import Settings


def default(name: str, field: FieldInfo) -> str:
    """Returns a default as docs/reference/settings.md shows it. Folders and names of this machine are described in
    words.
    """
    machine = {
        "data_dir": "the user's data folder",
        "cache_dir": "the user's cache folder",
        "local_user": "the login name",
    }
    value = field.get_default()
    if name in machine:
        return machine[name]
    return "none" if value in (None, ()) else f"`{value}`"


def test_every_setting_is_documented_with_its_default_and_meaning(root: Path) -> None:
    """docs/reference/settings.md has each setting with its default and its description."""
    page = (root / "docs/reference/settings.md").read_text("utf-8")
    rows = [
        f"| `HIPPOGRAPH_{name.upper()}` | {default(name, field)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]

    assert [] == [row for row in rows if row not in page], "\n".join(rows)


def test_every_command_is_documented(root: Path) -> None:
    """docs/reference/commands.md names each command."""
    from hippograph.api.cli import app

    page = (root / "docs/reference/commands.md").read_text("utf-8")
    names = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # a group has commands

    assert [] == [name for name in names if f"hippograph {name}" not in page]


_ERROR_CODE = re.compile(r'(?:code=|"code": |code": |\d, )"([A-Z_]+)"')


def error_codes(root: Path) -> set[str]:
    """Returns the error codes with which a request may be answered."""
    files = ("graphql/errors", "graphql/http/endpoint", "graphql/http/limits", "web/middleware", "web/admission")
    text = "".join((root / f"api/{file}.py").read_text("utf-8") for file in files)
    return {each.code for each in SHOWN} | set(_ERROR_CODE.findall(text))


def test_every_code_of_an_error_is_documented(root: Path) -> None:
    """docs/reference/graphql.md explains each error code."""
    page, codes = (root / "docs/reference/graphql.md").read_text("utf-8"), error_codes(root)
    assert {"QUEUE_FULL", "UNKNOWN_HOST", "RATE_LIMITED", "INTERNAL", "BODY_TOO_LARGE"} <= codes
    assert [] == sorted(code for code in codes if f"`{code}`" not in page)


def test_changelog_has_a_place_for_what_is_to_come(root: Path) -> None:
    """The changelog has a section for unreleased changes."""
    assert "## [Unreleased]" in (root / "CHANGELOG.md").read_text("utf-8")


_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def anchors(page: str) -> set[str]:
    """Returns the anchors of a page: its headings, as GitHub writes them in links."""
    titles = re.findall(r"(?m)^#+ (.+)$", page)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def pages() -> list[Path]:
    """Returns the pages of the documentation: README and the pages beside it, docs/, examples/ and examples/web/."""
    root = Path(__file__).parents[2]
    folders = [*root.glob("docs/**/*.md"), *root.glob("examples/*.md"), *root.glob("examples/web/*.md")]
    return sorted([*root.glob("*.md"), *folders])


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Each link of a page leads to a file of the repository, and to an existing heading if it names one."""
    broken = []
    for target, anchor in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
        there = (page.parent / target).resolve() if target else page
        if not there.exists() or (anchor and anchor not in anchors(there.read_text("utf-8"))):
            broken.append(f"{target}#{anchor}" if anchor else target)
    assert [] == broken


def test_every_page_is_found_from_the_readme(root: Path) -> None:
    """README links each page in the folders of docs/."""
    readme = (root / "README.md").read_text("utf-8")
    assert [] == [path.name for path in root.glob("docs/*/*.md") if f"({path.relative_to(root)})" not in readme]


def test_the_pages_make_a_site(root: Path, tmp_path: Path) -> None:
    """The site has every page, in its menu too, and no broken link. It loads nothing from another host."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert "not included in" not in built.stderr, built.stderr
    pages = {path.relative_to(root / "docs").with_suffix("") for path in root.glob("docs/*/*.md")}
    assert pages == {path.parent.relative_to(tmp_path) for path in tmp_path.glob("*/*/index.html")}
    loaded = r"<(?:script|link|img)[^>]*(?:src|href)=\"?https?:"
    assert [] == [path for path in tmp_path.rglob("*.html") if re.search(loaded, path.read_text("utf-8"))]
