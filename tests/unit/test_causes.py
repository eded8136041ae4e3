from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.extraction.causes import Told, causes
from hippograph.nlp.extraction.statements import Said

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


def talk(*said: str | tuple[str | None, str]) -> list[Said]:
    """Turns by Maya, or by whom is named."""
    return [Said("Maya", NOON, each) if isinstance(each, str) else Said(each[0], NOON, each[1]) for each in said]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("Ben moved because his landlord sold the flat.", "his landlord sold the flat.", "Ben moved"),
        ("My landlord sold the flat, so I moved to Graz.", "My landlord sold the flat", "I moved to Graz."),
        ("Because the tram broke down, I was late.", "the tram broke down", "I was late."),
        ("The match was cancelled due to the storm.", "the storm.", "The match was cancelled"),
        ("We missed the train and therefore we slept in Linz.", "We missed the train", "we slept in Linz."),
        ("The heating failed, which is why we left.", "The heating failed", "we left."),
    ],
)
def test_words_that_join_tell_which_is_the_cause(text: str, cause: str, effect: str) -> None:
    """In whatever order they stand."""
    [found] = causes(talk(text))
    assert (Told(0, cause), Told(0, effect)) == (found.cause, found.effect)


@pytest.mark.parametrize(
    "text",
    [
        "Did you leave because of the noise?",
        "Maybe he left because of the noise.",
        "If it rains, so be it, we will stay at home.",
        "I like it so much that I bought two.",
        "He has lived here since May.",
        "So far it works.",
        "",
    ],
)
def test_what_is_asked_supposed_or_says_something_else_is_no_cause(text: str) -> None:
    """Rather none than a wrong one."""
    assert [] == causes(talk(text))


def test_that_is_why_points_to_what_was_said_before() -> None:
    """Whoever said it, over questions and what the assistant says; not farther back than a few turns."""
    turns = talk("The bridge is closed.", ("Ben", "Really?"), (None, "Yes."), ("Ben", "That's why I took the tram."))
    [found] = causes(turns)
    assert (Told(0), Told(3)) == (found.cause, found.effect)
    assert [] == causes(talk("The bridge is closed.", "What?", "Who?", "When?", "That's why I took the tram."))


def test_an_answer_with_because_is_the_cause_of_what_one_said() -> None:
    """The question between them is somebody else's, and others may speak before it."""
    [found] = causes(talk("I sold the car.", ("Ben", "Why?"), "Because the parking got too expensive."))
    assert (Told(2), Told(0)) == (found.cause, found.effect)
    others = [("Ben", "WHAT"), ("Ben", "ok good for you"), ("Ida", "Furious. Why now?")]
    answer = "Because the parking got too expensive, and I cycle anyway. It's only two miles."
    [found] = causes(talk("I sold the car.", *others, answer))
    assert (Told(4), Told(0)) == (found.cause, found.effect)


@given(st.lists(st.tuples(st.sampled_from([None, "Maya", "Ben"]), st.text()), max_size=6))
def test_no_text_is_too_much(said: list[tuple[str | None, str]]) -> None:
    """Whatever is said, a cause names two turns of the talk, and the assistant says none."""
    for found in causes(talk(*said)):
        for end in (found.cause, found.effect):
            assert said[end.turn][0] is not None
