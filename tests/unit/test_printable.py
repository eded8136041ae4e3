import io
import json
import logging
import unicodedata

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hippograph.api.cli.output import Screen, escaped_json, fail
from hippograph.api.observability.logs import configure_logging
from hippograph.api.printable import beginning, printable
from hippograph.api.settings.settings import Settings
from hippograph.graph.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Slash[/] Person", "Slash[/] Person"),
        ("[link=https://example.org]here[/link] :smile:", "[link=https://example.org]here[/link] :smile:"),
        ("\x9b31mred\x7f", "\\x9b31mred\\x7f"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("first\n2. Ben\r\ttab\x85\u2028", "first\\n2. Ben\\r\\ttab\\x85\\u2028"),
        ("abc\u202egnp.exe\u2066", "abc\\u202egnp.exe\\u2066"),
        ("half \ud800", "half \\ud800"),
        ("Soča 👩‍👩‍👧 می‌خواهم", "Soča 👩‍👩‍👧 می‌خواهم"),
    ],
)
def test_what_steers_a_terminal_is_shown(text: str, shown: str) -> None:
    """Control characters, line breaks, direction marks and surrogates become escapes; markup and joiners are kept."""
    assert shown == printable(text)


def test_a_beginning_is_one_short_line() -> None:
    """A beginning is one line of up to 60 characters, with control characters as escapes."""
    assert "a \\u202eb c" == beginning("a \u202eb\n\tc")
    assert 60 == len(beginning("w" * 200))


@given(st.text(st.characters()))
def test_any_text_prints_as_one_line(text: str) -> None:
    """A screen prints any text as one line without control characters."""
    target = io.StringIO()
    screen = Screen()
    screen.console = Console(file=target, force_terminal=True, highlight=False, markup=False, emoji=False)
    screen.line(text)
    told = target.getvalue()
    assert "\n" == told[-1]
    assert [] == [char for char in told[:-1] if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]


@given(st.text(st.characters()))
def test_json_keeps_its_meaning(text: str) -> None:
    """Escaped JSON has the same value and no characters that could control a terminal."""
    told = escaped_json(json.dumps([text], ensure_ascii=False))
    assert [text] == json.loads(told)
    assert [] == [char for char in told if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]


def test_an_error_cannot_begin_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters in the message of an error are escaped, and its further lines are indented."""
    with pytest.raises(SystemExit):
        fail(InvalidInput("nobody is called [red]Slash[/]\n1. Maya\x9b"))
    assert "nobody is called [red]Slash[/]\n  1. Maya\\x9b\n" == capsys.readouterr().err


def test_a_log_line_holds_nothing_that_steers(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters in a logged value, a library's message and a traceback are escaped."""
    before = logging.getLogger().handlers[:], logging.getLogger().level
    try:
        configure_logging(Settings(_env_file=None))
        structlog.get_logger().info("request", path="/\x1b]0;x\x07\nfaked")
        try:
            raise ValueError("\x9bdanger")  # noqa: TRY301  # to be logged
        except ValueError:
            logging.getLogger("library").exception("broke on %s", "a\x7fb\nfaked")
    finally:
        logging.getLogger().handlers, level = before
        logging.getLogger().setLevel(level)
        structlog.reset_defaults()
    told = capsys.readouterr().err
    assert all(shown in told for shown in ("\\x1b]0;x\\x07\\nfaked", "a\\x7fb\\nfaked", "\\x9bdanger"))
    assert [] == [char for char in told if unicodedata.category(char) == "Cc" and char != "\n"]
    assert [] == [line for line in told.splitlines() if line.startswith("faked")]


def test_commands_print_by_the_screen_alone(root) -> None:
    """No command creates its own console or prints other than through `Screen` and the progress bar."""
    screen = ("output.py", "progress_bar.py")
    others = [file for file in (root / "api" / "cli").glob("*.py") if file.name not in screen]
    words = ("Console(", "print(", ".console", "sys.stdout", "typer.echo", "secho")
    texts = {file.name: file.read_text("utf-8").replace("print_json(", "") for file in others}
    assert [] == [(name, word) for name, text in texts.items() for word in words if word in text]
