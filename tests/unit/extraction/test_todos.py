"""Commitments, open threads and completions, recognised by their wording (S7)."""

from datetime import UTC, datetime

import pytest

from hippograph.nlp.extraction.todos import find_completions, find_todos, is_over_with_its_day

MONDAY = datetime(2024, 3, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "verb", "day"),
    [
        ("I'll send you the report on Friday.", "send", 8),
        ("Sure, I’ll call the landlord tomorrow!", "call", 5),
        ("I will definitely bring the cake on 9 March", "bring", 9),
        ("I promise I'll pay the rent by Monday", "pay", 11),
        ("I'll send you the report a week from Friday", "send", 15),
        ("I'll send you the link on Black Friday", "send", None),
        ("ok, let me check the numbers", "check", None),
        ("I'm going to email Ana", "email", None),
        ("I promised to help her paint the kitchen", "help", None),
        ("I've promised my sister I'd fix her bike by Sunday", "fix", 10),
    ],
)
def test_a_promise_is_a_commitment(text: str, verb: str, day: int | None) -> None:
    """A promise is a commitment with the verb of the deed and the day it is due, if it names one."""
    [found] = find_todos(text, MONDAY)
    assert ("commitment", verb, day) == (found.kind, found.verb, found.due.day if found.due else None)


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("I still need to book the flights to Porto", "book"),
        ("I haven't heard back from the bank yet", None),
        ("I'm waiting for the visa", None),
    ],
)
def test_what_is_still_to_do_is_a_thread(text: str, verb: str | None) -> None:
    """A deed that is still to be done, or something waited for, is a thread."""
    assert [("thread", verb)] == [(found.kind, found.verb) for found in find_todos(text, MONDAY)]


@pytest.mark.parametrize(
    "text",
    [
        "If I have time I'll send it.",
        "Maybe I'll buy a bike",
        "I won't send it",
        "I'll never write to him again",
        "I'll be there",
        "I'll miss you",
        "Will I send it?",
        "I'll send it?",
        "She said I'll send it",
        "I have to say it is great",
        "I need to be honest",
        "You'll send me the report",
        "I'll send it " + "and so on " * 30,
    ],
)
def test_what_is_no_promise_is_none(text: str) -> None:
    """A supposition, question, denial, quotation, deed of another or without an end, or long sentence is no todo."""
    assert [] == find_todos(text, MONDAY)


def test_each_sentence_is_looked_at() -> None:
    """Each promise of a turn is found with its own sentence; other sentences are left out."""
    found = find_todos("Nice! I'll call Ana. The weather is bad. I'll pay the rent.", MONDAY)
    assert ["I'll call Ana.", "I'll pay the rent."] == [each.sentence for each in found]


@pytest.mark.parametrize(
    ("text", "verb", "words"),
    [
        ("Sent it!", "send", set()),
        ("I've just sent the report", "send", {"report"}),
        ("I sent you the report on Friday.", "send", {"report"}),
        ("Booked the flights!", "book", {"flights"}),
        ("Called her back", "call", set()),
    ],
)
def test_what_is_done_is_told(text: str, verb: str, words: set[str]) -> None:
    """A statement that something is done is a completion, with the words behind the verb, or none for a pronoun."""
    [found] = find_completions(text)
    assert (True, words) == (verb in found.verbs, set(found.words))


@pytest.mark.parametrize(
    "text", ["I haven't sent it", "Did I send it?", "I almost sent it", "sent", "Done!", "If I sent it", "He sent it"]
)
def test_what_may_not_be_done_is_not_told(text: str) -> None:
    """A denial, question, supposition, deed of another, or statement without a deed or its object is no completion."""
    assert [] == find_completions(text)


@pytest.mark.parametrize(
    ("plan", "over"),
    [
        ("I have a dentist appointment on 12 March", True),
        ("We are flying to Lisbon on 3 May", True),
        ("I have to renew my passport on 3 May", False),
        ("The form goes to the office by 3 May", False),
        ("My tax return is due on 3 May", False),
    ],
)
def test_an_appointment_is_told_from_a_duty(plan: str, over: bool) -> None:
    """An appointment is over after its day; a duty or a deadline is not."""
    assert over is is_over_with_its_day(plan)
