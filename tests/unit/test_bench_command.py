import sys

import pytest

from hippograph.api.cli import groups, main


def test_without_a_checkout_bench_says_where_benchmarks_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The package has no benchmarks; the command says what to do, in one line."""
    monkeypatch.setattr(groups, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["hippograph", "bench", "retrieval", "talk.json"])

    with pytest.raises(SystemExit) as ended:
        main()

    assert 1 == ended.value.code
    told = capsys.readouterr().err
    assert "clone the repository" in told
    assert "Traceback" not in told
