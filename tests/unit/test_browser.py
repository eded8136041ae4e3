"""The output of a test run on a machine without a browser."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ADVICE = "apt-get install chromium"


@pytest.fixture
def without_browser(root: Path, tmp_path: Path) -> Path:
    """A folder with one test that needs a browser and one that does not."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    needs_chromium\n")
    (tmp_path / "test_page.py").write_text(
        "import pytest\n\n@pytest.mark.needs_chromium\ndef test_page(): pass\n\ndef test_other(): pass\n"
    )
    return tmp_path


def _run(folder: Path, root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if name != "CI" and "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.browser", "-q", *arguments],
        cwd=folder,
        env=variables | {"PATH": "", "PYTHONPATH": str(root)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_the_last_line_says_what_was_not_looked_at(
    without_browser: Path, root: Path, arguments: tuple[str, ...]
) -> None:
    """Outside CI tests of pages are skipped, and the last line of the run says so and how to install a browser."""
    ended = _run(without_browser, root, *arguments)
    last = ended.stdout.splitlines()[-1]
    assert (0, True, True) == (ended.returncode, last.startswith("NOT LOOKED AT: pages, in 1 test"), ADVICE in last), (
        ended.stdout
    )


def test_under_ci_a_page_that_was_not_looked_at_is_an_error(without_browser: Path, root: Path) -> None:
    """Under CI a skipped test of a page is an error that says how to install a browser, since nobody else runs it."""
    ended = _run(without_browser, root, CI="true")
    assert 1 == ended.returncode, ended.stdout
    assert "1 passed, 1 error" in ended.stdout
    assert ADVICE in ended.stdout


def test_nothing_is_said_of_pages_that_no_test_wanted(without_browser: Path, root: Path) -> None:
    """A run that selects no test of a page says nothing of skipped pages."""
    ended = _run(without_browser, root, "-k", "other")
    assert (0, True) == (ended.returncode, "1 passed, 1 deselected" in ended.stdout), ended.stdout + ended.stderr
    assert "NOT LOOKED AT" not in ended.stdout
