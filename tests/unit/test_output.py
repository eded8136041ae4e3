import time

import pytest

from hippograph.api.cli import output


def test_a_step_that_takes_long_is_a_line_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal and with `lines`, a step that takes long is printed once, and a short step is not; without
    `lines` nothing is printed.
    """
    monkeypatch.setattr(output, "_LONG_STEP_S", 0.2)
    with output.progress("Setting up", lines=True) as report:
        report(0, 0, "preparing the graph")
        report(0, 0, "starting Neo4j")
        time.sleep(0.5)
        report(0, 0, "starting Neo4j")
        report(0, 0, "loading models")
    with output.progress("Setting up") as report:
        report(0, 0, "starting Neo4j")
        time.sleep(0.5)
    assert "Starting Neo4j …\n" == capsys.readouterr().err


@pytest.mark.parametrize(("count", "said"), [(0, "0 chats"), (1, "1 chat"), (2, "2 chats")])
def test_a_number_with_its_word(count: int, said: str) -> None:
    """`counted` uses the singular for 1, else the plural; words in -y get -ies."""
    assert said == output.counted(count, "chat")
    assert said.replace("chats", "memories").replace("chat", "memory") == output.counted(count, "memory")
