"""The oracle of the access rule, against examples written by hand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.oracle import Part, Places, Record, candidate, counts, visible
from hippograph.graph.model import ChatKind, Sensitivity, Times, Viewer

DAY = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 11)]
NOW = DAY[5]
PRESENT = Times(NOW, NOW)
MINE = Record("me", None, None, DAY[0], DAY[0], DAY[0])
GROUP = Record(None, "group", None, DAY[0], DAY[0], DAY[0])
ABOUT_BOB = Record(
    "alice", None, None, DAY[0], DAY[0], DAY[0], about=frozenset({"bob"}), speaker_id="alice", learned_in="club"
)
KINDS = {"group": ChatKind.GROUP, "club": ChatKind.GROUP, "mine": ChatKind.PRIVATE}
PARTS = (
    Part("me", "group", DAY[0]),
    Part("bob", "group", DAY[0]),
    Part("me", "mine", DAY[0]),
    Part("alice", "club", DAY[0]),
    Part("me", "club", DAY[0], DAY[2]),
)
PLACES = Places(KINDS, PARTS)


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
    """A memory counts if it was recorded by `known_at` and in effect at `as_of`, unless by `known_at` it was retired
    or had expired, or its end was known by then and had passed at `as_of` (M14).
    """
    assert expected == counts(replace(MINE, **changes), Times(DAY[as_of], DAY[known_at]))


@pytest.mark.parametrize(
    ("memory", "viewer", "expected"),
    [
        (MINE, Viewer("me"), True),
        (MINE, Viewer("me", "group"), True),
        (MINE, Viewer("me", "other"), False),
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
    """A viewer sees their own memories in every chat in which they take part, a group's in that group, and a persona's
    only with that persona (P1).
    """
    assert expected == visible(memory, viewer, PLACES, PRESENT, NOW)


@pytest.mark.parametrize(
    ("sensitivity", "changes", "alone", "in_group"),
    [
        # About Bob, who takes part in the group; learned in a club that the viewer has left since.
        ("public", {}, True, True),
        ("public", {"learned_at": DAY[3]}, False, True),
        ("public", {"portable": False}, False, False),
        ("public", {"learned_in": "group", "portable": False}, False, True),
        ("public", {"learned_in": None}, False, True),
        ("public", {"learned_in": None, "source": "migration"}, False, True),
        ("public", {"source": "migration", "learned_at": DAY[3]}, False, True),
        ("public", {"learned_in": None, "speaker_id": "me"}, True, True),
        ("personal", {}, False, False),
        ("personal", {"learned_in": "group"}, False, True),
        ("personal", {"owner_id": "me"}, True, False),
        ("personal", {"owner_id": "me", "learned_at": DAY[3]}, False, False),
        ("personal", {"about": frozenset({"bob", "me"})}, True, True),
        ("sensitive", {}, False, False),
        ("sensitive", {"owner_id": "me", "speaker_id": "me"}, False, False),
        ("sensitive", {"learned_in": "group"}, False, True),
        ("sensitive", {"learned_in": "group", "about": frozenset({"zed"})}, False, False),
        ("sensitive", {"about": frozenset({"me"})}, True, False),
        ("sensitive", {"about": frozenset({"me"}), "learned_in": "group"}, True, True),
        # A self-memory (about nobody): its subject is its owner, else its speaker.
        ("sensitive", {"owner_id": "me", "about": frozenset()}, True, False),
        ("sensitive", {"owner_id": "me", "about": frozenset(), "learned_in": "group"}, True, True),
        ("personal", {"owner_id": "me", "about": frozenset()}, True, True),
        ("public", {"about": frozenset()}, False, False),
        ("sensitive", {"owner_id": None, "chat_id": "group", "about": frozenset(), "speaker_id": "bob"}, False, True),
        ("sensitive", {"owner_id": None, "chat_id": "group", "about": frozenset(), "speaker_id": "zed"}, False, False),
    ],
)
def test_the_table(sensitivity: str, changes: dict, alone: bool, in_group: bool) -> None:
    """Each cell of P2's table, for a viewer who is alone (in no chat or in a private one) and in a group with Bob."""
    memory = replace(ABOUT_BOB, sensitivity=Sensitivity(sensitivity), **changes)
    places = [Viewer("me"), Viewer("me", "mine"), Viewer("me", "group")]
    assert [alone, alone, in_group] == [visible(memory, viewer, PLACES, PRESENT, NOW) for viewer in places]


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        (Viewer("me"), [False, False]),
        (Viewer("me", "mine"), [True, False]),
        (Viewer("me", "group"), [False, False]),
        (Viewer("me", "mine", "other"), [False, True]),
        (Viewer("me", every_persona=True), [True, True]),
        (Viewer("me", "group", every_persona=True), [True, True]),
        (Viewer("you", every_persona=True), [False, False]),
    ],
)
def test_whose_persona(viewer: Viewer, seen: list[bool]) -> None:
    """Without a named persona, a viewer sees the memories of the chat's persona if it has exactly one, else of none;
    with `every_persona`, those of all (P1).
    """
    places = replace(PLACES, personas={"mine": frozenset({"atlas"}), "group": frozenset({"atlas", "other"})})
    found = [replace(MINE, persona_id=persona) for persona in ("atlas", "other")]
    assert seen == [visible(one, viewer, places, PRESENT, NOW) for one in found]


def test_a_persona_that_is_named_counts_alone() -> None:
    """Naming a persona overrides `every_persona`."""
    assert Viewer("me", "mine", "atlas") == Viewer("me").with_every_persona().at("mine", "atlas")


def test_a_search_looks_at_the_persons_concerned() -> None:
    """A memory about a person is a candidate only if that person is the viewer, takes part, or is named (P1)."""
    assert [False, True, True] == [
        candidate(ABOUT_BOB, viewer, PLACES, named, NOW)
        for viewer, named in [(Viewer("me"), []), (Viewer("me"), ["bob"]), (Viewer("me", "group"), [])]
    ]


def test_membership_is_judged_today() -> None:
    """Participation lasts from `since` to before `until` and is judged at `now`, whatever the times of the read."""
    stays = Part("me", "group", DAY[0])
    gone, later, back = Part("me", "group", DAY[0], DAY[5]), Part("me", "group", DAY[6]), Part("me", "group", DAY[5])
    assert [True, False, False, True] == [
        Places(KINDS, parts).takes_part("me", "group", NOW) for parts in [(stays,), (gone,), (later,), (gone, back)]
    ]
    past = Times(DAY[2], DAY[2])
    assert not visible(GROUP, Viewer("me", "group"), Places(KINDS, (gone,)), past, NOW)
    assert visible(GROUP, Viewer("me", "group"), Places(KINDS, (gone,)), past, NOW - timedelta(days=1))


@pytest.mark.parametrize(("source", "expected"), [("migration", True), ("seeded_profile", False)])
def test_old_data_is_told_when_a_setting_says_so(source: str, expected: bool) -> None:
    """Imported memories without a chat are disclosable only with `legacy_disclosable`; a seeded profile never is."""
    brought = replace(ABOUT_BOB, learned_in=None, source=source)
    assert expected == visible(brought, Viewer("me"), Places(KINDS, PARTS, legacy_disclosable=True), PRESENT, NOW)
    assert not visible(brought, Viewer("me"), PLACES, PRESENT, NOW)


def test_what_is_told_in_advance_stands_in_nobodys_place_yet() -> None:
    """A memory is shown until the day on which the one that outranks it takes effect (M14, W6)."""
    plan = replace(MINE, takes_effect_at=DAY[7])
    shown = [visible(MINE, Viewer("me"), PLACES, Times(DAY[day], NOW), NOW, [plan]) for day in (5, 6, 7, 8)]
    assert [True, True, False, False] == shown
