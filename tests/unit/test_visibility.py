"""The oracle itself, by examples written out by hand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph.model import Times, Viewer
from graph.visibility import Part, Record, counts, takes_part, visible

DAY = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 11)]
NOW = DAY[5]
PRESENT = Times(NOW, NOW)
MINE = Record("me", None, None, DAY[0], DAY[0])
GROUP = Record(None, "group", None, DAY[0], DAY[0])
PART = Part("me", "group", DAY[0])


@pytest.mark.parametrize(
    ("changes", "as_of", "known_at", "expected"),
    [
        ({}, 5, 5, True),
        ({}, 0, 0, True),
        ({"created_at": DAY[6]}, 5, 5, False),
        ({"created_at": DAY[6]}, 5, 6, True),
        ({"valid_from": DAY[6]}, 5, 9, False),
        ({"retired_at": DAY[5]}, 0, 5, False),
        ({"retired_at": DAY[5]}, 5, 4, True),
        ({"expires_at": DAY[5]}, 5, 5, False),
        ({"expires_at": DAY[5]}, 9, 4, True),
        ({"valid_until": DAY[3], "ended_at": DAY[4]}, 2, 5, True),
        ({"valid_until": DAY[3], "ended_at": DAY[4]}, 3, 5, False),
        ({"valid_until": DAY[3], "ended_at": DAY[4]}, 3, 3, True),
        ({"valid_until": DAY[3], "ended_at": DAY[4]}, 9, 4, False),
    ],
)
def test_what_counts_at_two_times(changes: dict, as_of: int, known_at: int, expected: bool) -> None:
    """A memory counts from when it was known and true, until its end was known or it was given up (M14)."""
    assert expected == counts(replace(MINE, **changes), Times(DAY[as_of], DAY[known_at]))


@pytest.mark.parametrize(
    ("memory", "viewer", "expected"),
    [
        (MINE, Viewer("me"), True),
        (MINE, Viewer("me", "group"), True),
        (MINE, Viewer("you"), False),
        (GROUP, Viewer("me", "group"), True),
        (GROUP, Viewer("me"), False),
        (GROUP, Viewer("me", "other"), False),
        (GROUP, Viewer("you", "group"), False),
        (replace(MINE, persona_id="atlas"), Viewer("me"), False),
        (replace(MINE, persona_id="atlas"), Viewer("me", None, "atlas"), True),
        (replace(MINE, persona_id="atlas"), Viewer("me", None, "other"), False),
        (MINE, Viewer("me", None, "atlas"), True),
    ],
)
def test_who_sees_what(memory: Record, viewer: Viewer, expected: bool) -> None:
    """One's own everywhere, the group's in the group, and a persona's with it alone (P1)."""
    assert expected == visible(memory, viewer, [PART], PRESENT, NOW)


def test_membership_is_judged_today() -> None:
    """Taking part begins at `since` and ends at `until`, today; the times of the read do not matter."""
    gone, later = Part("me", "group", DAY[0], DAY[5]), Part("me", "group", DAY[6])
    assert [True, False, False] == [takes_part([part], "me", "group", NOW) for part in (PART, gone, later)]
    assert takes_part([gone, Part("me", "group", DAY[5])], "me", "group", NOW)
    past = Times(DAY[2], DAY[2])
    assert not visible(GROUP, Viewer("me", "group"), [gone], past, NOW)
    assert visible(GROUP, Viewer("me", "group"), [gone], past, NOW - timedelta(days=1))
