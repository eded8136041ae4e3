"""Causes between turns by how one answers the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.extraction.answered_causes import Uttered, answered_causes

Told = str | tuple[str | None, str]


def talk(*said: Told) -> list[Uttered]:
    """Turns by Maya, or by whom is named."""
    return [Uttered(each, "Maya") if isinstance(each, str) else Uttered(each[1], each[0]) for each in said]


def sure(*said: Told) -> list[tuple[int, int]]:
    """The causes and effects that the words leave no doubt about."""
    return [(each.cause, each.effect) for each in answered_causes(talk(*said)) if each.sure]


def test_the_answer_to_why_is_the_cause_of_what_is_asked_for() -> None:
    """A question of why takes it as given."""
    said: list[Told] = [("Ben", "Why did you leave the choir?"), "They rehearse on my night shifts."]
    assert [(1, 0)] == sure(*said)


def test_the_answer_to_a_bare_why_is_the_cause_of_what_one_said_before() -> None:
    """The question itself says nothing."""
    assert [(2, 0)] == sure("I may not play on Friday.", ("Ben", "Oh no. Why?"), "They put me on call that night.")


def test_what_happened_is_answered_by_the_cause() -> None:
    """Of what the one who answers said before."""
    assert [(2, 0)] == sure("Dad is in hospital again.", ("Ben", "What happened?"), "He fell off the loft ladder.")


def test_so_i_begins_the_effect_of_what_was_said_before() -> None:
    """Whoever said it."""
    assert [(0, 1)] == sure("The trains are on strike tomorrow.", ("Ben", "So I will work from home."))


@pytest.mark.parametrize(
    "said",
    [
        ["The bank turned me down today.", "So we need another plan then?"],
        ["The bank turned me down today.", "So I guess it is over now."],
        [("Ben", "Why don't you ring her up?"), "I will do that tomorrow evening."],
        [("Ben", "Is that why you were so pale?"), "It was only the bends in the road."],
        [("Ben", "Why did he leave so early?"), "I don't know, he did not say."],
        [("Ben", "Why did he leave so early?"), "Why do you ask me that?"],
        ["Something nice happened to me today.", ("Ben", "What happened?"), "I went for a long walk."],
        [("Ben", "Why is the sky blue there?"), (None, "Because of the way light is scattered.")],
    ],
)
def test_what_only_looks_like_it_is_no_cause(said: list[Told]) -> None:
    """Suggestions, guesses, questions, what nobody knows, and what the assistant explains."""
    assert [] == sure(*said)


def test_so_does_not_join_what_is_about_different_things() -> None:
    """Where both turns name entities they share one."""
    lisbon, biscuit = frozenset({"place:lisbon"}), frozenset({"concept:biscuit"})
    turns = [
        Uttered("We are flying to Lisbon in May.", "Ann", lisbon),
        Uttered("So I took Biscuit to the vet.", "Ben", biscuit),
    ]
    assert [] == answered_causes(turns)


def test_what_came_after_is_for_a_judge() -> None:
    """That one thing came after the other is no cause by itself."""
    [found] = answered_causes(talk("The landlord sold our flat.", "After that we moved to Graz."))
    assert (0, 1, False) == (found.cause, found.effect, found.sure)


@given(st.lists(st.tuples(st.sampled_from([None, "Maya", "Ben"]), st.text()), max_size=4))
def test_no_text_is_too_much(said: list[tuple[str | None, str]]) -> None:
    """Whatever is said, a cause names two different turns, and the assistant says none of them."""
    for found in answered_causes(talk(*said)):
        assert found.cause != found.effect
        assert None not in {said[found.cause][0], said[found.effect][0]}
