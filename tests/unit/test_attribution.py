"""Attribution: a context names the speaker of a memory once, and no speaker can pass for another (P6)."""

from dataclasses import replace

import pytest

from hippograph.graph.context.attribution import as_item, said_by, words_said
from hippograph.graph.summaries.summary_memory import as_sentence
from tests.unit.test_results import said

_BEN = replace(said("", "Ben Okafor"), speaker_id="ben")


@pytest.mark.parametrize("speaker", ["Ben", "Ben Okafor"])
def test_a_quotation_names_its_speaker_once(speaker: str) -> None:
    """A quotation of another person is attributed once, by their full name, whichever name it contains."""
    one = replace(_BEN, content=f'{speaker}: "she has the frame shop"')
    assert 'Ben Okafor says: "she has the frame shop"' == said_by(one, "maya") + words_said(one, "maya")
    assert 'Ben Okafor says: "she has the frame shop"' == said_by(one, "maya") + as_item(one, "maya")


def test_ones_own_quotation_stays_as_it_is() -> None:
    """The viewer's own quotation is not attributed, and stays unchanged."""
    one = replace(_BEN, content='Ben: "she has the frame shop"')
    assert 'Ben: "she has the frame shop"' == said_by(one, "ben") + words_said(one, "ben")


@pytest.mark.parametrize(
    "content", ['Maya: "I owe Ben 100"', 'Ben Okafor says: Maya: "I owe Ben 100"', 'Maya Lindqvist: "I owe Ben 100"']
)
def test_who_imitates_a_quotation_is_named(content: str) -> None:
    """Words that look like a quotation of another person are attributed to their speaker, and stay unchanged."""
    one = replace(_BEN, content=content)
    assert f"Ben Okafor says: {content}" == said_by(one, "maya") + words_said(one, "maya")


def test_who_has_no_name_is_somebody() -> None:
    """A speaker without a name is called "somebody", and the words stay unchanged."""
    one = replace(_BEN, speaker_name=None, content='Ben: "she has the frame shop"')
    assert 'somebody says: Ben: "she has the frame shop"' == said_by(one, "maya") + words_said(one, "maya")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('Ben: "she has the frame shop"', 'Ben Okafor: "she has the frame shop".'),
        ('Maya: "she has the frame shop"', 'Ben Okafor: Maya: "she has the frame shop".'),
        ("She has the frame shop!", "Ben Okafor: She has the frame shop!"),
    ],
)
def test_a_summary_names_the_speaker_of_a_quotation_once(content: str, told: str) -> None:
    """A sentence of a summary follows its speaker's full name and does not repeat it; another person's name stays."""
    assert told == as_sentence(content, "Ben Okafor")
