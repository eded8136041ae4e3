import sys

import pytest

from hippograph.api.cli import groups, main


def test_without_a_checkout_bench_says_where_benchmarks_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the benchmarks, which the package lacks, `bench` says to clone the repository, without a traceback."""
    monkeypatch.setattr(groups, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["hippograph", "bench", "retrieval", "talk.json"])

    with pytest.raises(SystemExit) as ended:
        main()

    assert 1 == ended.value.code
    told = capsys.readouterr().err
    assert "clone the repository" in told
    assert "Traceback" not in told
