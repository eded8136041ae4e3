"""Causes between turns, found by how one answers the other."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippograph.nlp.extraction.answered_causes import Uttered, answered_causes

Told = str | tuple[str | None, str]


def talk(*said: Told) -> list[Uttered]:
    """Turns by Maya, or by the named speaker (None is the assistant)."""
    return [Uttered(each, "Maya") if isinstance(each, str) else Uttered(each[1], each[0]) for each in said]


def sure(*said: Told) -> list[tuple[int, int]]:
    """The sure causes of the last turn, each as the indexes of cause and effect."""
    return [(each.cause, each.effect) for each in answered_causes(talk(*said)) if each.sure]


def test_the_answer_to_why_is_the_cause_of_what_is_asked_for() -> None:
    """The answer to a question of why is the cause of the question's turn, which presupposes what it asks about."""
    said: list[Told] = [("Ben", "Why did you leave the choir?"), "They rehearse on my night shifts."]
    assert [(1, 0)] == sure(*said)


def test_the_answer_to_a_bare_why_is_the_cause_of_what_one_said_before() -> None:
    """A bare "Why?" asks about what the answerer said before it; the answer is the cause of that turn."""
    assert [(2, 0)] == sure("I may not play on Friday.", ("Ben", "Oh no. Why?"), "They put me on call that night.")


def test_what_happened_is_answered_by_the_cause() -> None:
    """The answer to "What happened?" is the cause of what the answerer said before the question."""
    assert [(2, 0)] == sure("Dad is in hospital again.", ("Ben", "What happened?"), "He fell off the loft ladder.")


def test_so_i_begins_the_effect_of_what_was_said_before() -> None:
    """A turn that begins with "So I" is the effect of the turn before it, even if somebody else said that."""
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
    """Suggestions, guesses, questions, evasive answers, and explanations of the assistant give no sure cause."""
    assert [] == sure(*said)


def test_so_does_not_join_what_is_about_different_things() -> None:
    """A turn that begins with "So I" gives no cause if both turns name entities and share none."""
    lisbon, biscuit = frozenset({"place:lisbon"}), frozenset({"concept:biscuit"})
    turns = [
        Uttered("We are flying to Lisbon in May.", "Ann", lisbon),
        Uttered("So I took Biscuit to the vet.", "Ben", biscuit),
    ]
    assert [] == answered_causes(turns)


def test_what_came_after_is_for_a_judge() -> None:
    """A turn that begins with "After that" gives an unsure candidate, since order alone is no cause."""
    [found] = answered_causes(talk("The landlord sold our flat.", "After that we moved to Graz."))
    assert (0, 1, False) == (found.cause, found.effect, found.sure)


SENTENCES = [
    "I moved to Graz in May.",
    "Why?",
    "Why did you leave your choir?",
    "What happened?",
    "because I moved to Graz in May.",
    "So I moved to Graz in May.",
    "After that I moved to Graz in May.",
]
SPEAKERS = st.sampled_from([None, "Maya", "Ben"])


@given(
    st.lists(st.tuples(SPEAKERS, st.sampled_from(SENTENCES)), min_size=2, max_size=4)
    | st.lists(st.tuples(SPEAKERS, st.text()), max_size=4)
)
@example([("Maya", "I moved to Graz in May."), ("Ben", "Why?"), ("Maya", "because I moved to Graz in May.")])
@example([(None, "Why did you leave your choir?"), ("Maya", "because I moved to Graz in May.")])
@example([(None, "I moved to Graz in May."), ("Maya", "So I moved to Graz in May.")])
@example([("Maya", "I moved to Graz in May."), ("Ben", "So I moved to Graz in May.")])
@example([("Maya", "I moved to Graz in May."), ("Maya", "After that I moved to Graz in May.")])
def test_no_text_is_too_much(said: list[tuple[str | None, str]]) -> None:
    """For any texts, a cause names two different turns, neither of them the assistant's."""
    for found in answered_causes(talk(*said)):
        assert found.cause != found.effect
        assert None not in {said[found.cause][0], said[found.effect][0]}
