from datetime import UTC, datetime, timedelta, timezone

import pytest

from hippograph.graph.checks import MAX_NAME, checked_moment, checked_name, checked_text, moment_after
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END

MOMENT = datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_text_loses_only_the_white_space_around_it() -> None:
    """White space around a text is removed; inside, it is left as it is."""
    assert "a  b\n c" == checked_text(" \ta  b\n c\n")


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "a\x00", "a\x07", "\ud83d", "a" * (MAX_NAME + 1)])
def test_bad_text_is_invalid_input(text: str) -> None:
    """Texts that are empty, too long, not valid Unicode or hold control characters are refused."""
    with pytest.raises(InvalidInput):
        checked_text(text)


def test_the_limit_is_inclusive() -> None:
    """A text of exactly the maximum length is accepted; one character more is refused."""
    assert "abc" == checked_text("abc", limit=3)
    with pytest.raises(InvalidInput, match="4 characters; 3"):
        checked_text("abcd", limit=3)


def test_moments_come_out_in_utc() -> None:
    """A time with another offset is returned as the same time in UTC."""
    moment = checked_moment(MOMENT.astimezone(timezone(timedelta(hours=-7))))
    assert (MOMENT, UTC) == (moment, moment.tzinfo)


def test_a_naive_moment_is_refused_with_the_mend() -> None:
    """A time without an offset is refused, and the message shows how to write it in UTC."""
    with pytest.raises(InvalidInput, match="2024-05-01T12:00:00Z"):
        checked_moment(MOMENT.replace(tzinfo=None))


def test_not_after_is_inclusive() -> None:
    """The limit itself is accepted; a microsecond later is refused as the future."""
    assert MOMENT == checked_moment(MOMENT, not_after=MOMENT)
    with pytest.raises(InvalidInput, match="future"):
        checked_moment(MOMENT + timedelta(microseconds=1), not_after=MOMENT)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-12))),
    ],
)
def test_moments_outside_the_calendar_are_refused(moment: datetime) -> None:
    """A time outside the years 1 to 9999 in UTC is refused."""
    with pytest.raises(InvalidInput, match="calendar"):
        checked_moment(moment)


def test_no_moment_lies_behind_the_end() -> None:
    """The last time of the calendar becomes `NO_END`, so that nothing lasts longer."""
    assert NO_END == checked_moment(datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC))


def test_what_lasts_beyond_the_calendar_has_no_end() -> None:
    """A duration that ends after the calendar, or at `NO_END` or later, gives `NO_END`."""
    assert MOMENT + timedelta(days=1) == moment_after(MOMENT, timedelta(days=1))
    for lapse in (timedelta.max, timedelta(days=365 * 8000), NO_END - MOMENT):
        assert NO_END == moment_after(MOMENT, lapse)


def test_a_name_holds_no_secret() -> None:
    """A name with a secret is refused, and the message does not repeat the secret."""
    assert "Ben" == checked_name(" Ben ")
    with pytest.raises(InvalidInput, match="secret") as caught:
        checked_name("Ben, password: hunter22")
    assert "hunter22" not in str(caught.value)
