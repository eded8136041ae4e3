"""Requests to the assistant: what it is to do always or never, and what it is to remember."""

from datetime import UTC, datetime

import pytest

from hippograph.nlp.extraction.statements import Said
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.language import LanguageModel

MAYA, BEN = "Maya Lindqvist", "Ben Okafor"
NOW = datetime(2026, 8, 2, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def extractor(language: LanguageModel) -> LocalExtractor:
    """The local extractor."""
    return LocalExtractor(language)


def told(extractor: LocalExtractor, *turns: tuple[str | None, str], people: list[str]) -> list[tuple[str, str]]:
    """The frames and sentences of the facts that are found in a talk."""
    found = extractor.find([Said(speaker, NOW, text) for speaker, text in turns], people)
    return [(each.frame, each.content) for turn in found.turns for each in turn]


@pytest.mark.parametrize(
    ("said", "frame", "words"),
    [
        ("From now on, answer in metric units.", "instruction", "From now on, answer in metric units"),
        ("Oh and never give me bullet points.", "instruction", "never give me bullet points"),
        ("Please always answer in French.", "instruction", "always answer in French"),
        ("Don't ever call me Bob.", "instruction", "Don't ever call me Bob"),
        ("I want you to always cite your sources.", "instruction", "I want you to always cite your sources"),
        ("Do not propose another dog, now or later.", "instruction", "Do not propose another dog, now or later"),
        ("Whenever I send you a recipe, convert it to grams.", "instruction", None),
        ("Remember my locker is 214.", "note", "my locker is 214"),
        ("Atlas, remember my locker is 214.", "note", "my locker is 214"),
        ("Can you remember that the shed is locked after six?", "note", "the shed is locked after six"),
        ("\n Never give me bullet points.", "instruction", "Never give me bullet points"),
        ("I work at Siemens, so don't ever use jargon with me.", "instruction", None),
    ],
)
def test_what_the_assistant_is_asked_to_do_is_quoted(
    extractor: LocalExtractor, said: str, frame: str, words: str | None
) -> None:
    """What is asked in plain words of the assistant, with whom the speaker is alone, is kept in the words of the
    request.
    """
    expected = f'Maya: "{words or said.rstrip(".")}"'
    assert (frame, expected) in told(extractor, (MAYA, said), people=[MAYA])


@pytest.mark.parametrize(
    "said",
    [
        "Never mind, good night.",
        "You always say that it depends.",
        "If I won the lottery I'd open a bakery in Cluj and never talk to anyone before noon.",
        "My mother always says: never trust a man with clean shoes.",
        "Remind me that I never want to see the word isolation again.",
        "I always keep my shoes by the door.",
        "Never do that again.",
        "Remember when we went to Rome?",
        "Remember to buy milk.",
        "Remember the time we got lost in Graz?",
        "Remember the milk.",
        "I remember that my locker was 214.",
        "Remember that song we danced to in 1998?",
        "Remember that dog we had?",
        "Remember last summer when we drove to Split?",
        "Tom said: don't ever call me again.",
        "Mum keeps saying never give up.",
        "Never avoid the hard talk, says my therapist.",
        "You can always ask Tom.",
        "Add a log line whenever the cache misses.",
        "Whenever the user clicks save, show a toast.",
        "Note that the parser returns null when the list is empty.",
        "Ben, remember the shed is locked after six.",
    ],
)
def test_what_only_sounds_like_a_request_is_none(extractor: LocalExtractor, said: str) -> None:
    """Reminiscences, reminders, maxims, suppositions and requests that refer to something unnamed are no requests."""
    frames = {frame for frame, _ in told(extractor, (MAYA, said), (None, "Yes."), people=[MAYA, BEN])}
    assert frames.isdisjoint({"instruction", "note"})


def test_what_fills_a_frame_is_no_note_as_well(extractor: LocalExtractor) -> None:
    """What the assistant is asked to remember is told from its slots if it fills a frame."""
    assert [("allergy", "Maya is allergic to nuts")] == told(
        extractor, (MAYA, "Remember that I'm allergic to nuts."), people=[MAYA]
    )


def test_in_a_group_only_what_the_assistant_answers_is_asked_of_it(extractor: LocalExtractor) -> None:
    """In a group a request counts if the assistant answers it; else it is addressed to the others."""
    asked = (MAYA, "Remember the shed code is 4471.")
    of_it = told(extractor, asked, (None, "I will."), people=[MAYA, BEN])
    of_others = told(extractor, asked, (BEN, "I will."), people=[MAYA, BEN])
    assert [("note", 'Maya: "the shed code is 4471"')] == of_it
    assert [] == of_others
