"""Quotations of the original words of a statement."""

import pytest

from hippograph.nlp.extraction.quoting import LONGEST_QUOTATION, Quoting, quotation, quoted, reported, without_speaker


def written(text: str, spelled: str, words: str) -> str:
    """Returns the original sentences for some words of the normalised text."""
    start = spelled.index(words)
    return Quoting(text, spelled).sentence(start, start + len(words))


@pytest.mark.parametrize(
    ("text", "spelled", "words", "expected"),
    [
        ("Hi! I live in Graz. It rains.", "Hi! I live in Graz. It rains.", "I live in Graz", "I live in Graz."),
        ("i live in graz\nbye", "I live in Graz\nbye", "I live in Graz", "i live in graz"),
        ("*Wow*, im in Graz now 🎉! Ok.", "Wow, I'm in Graz now! Ok.", "I'm in Graz", "*Wow*, im in Graz now 🎉!"),
        ("Well, you know, I quit. Bye.", "I quit. Bye.", "I quit.", "Well, you know, I quit."),
        ("I'm 42, can you help me?", "I'm 42, can you help me?", "I'm 42", "I'm 42, can you help me?"),
    ],
)
def test_the_written_sentence_is_quoted_word_for_word(text: str, spelled: str, words: str, expected: str) -> None:
    """The whole original sentence around the words is quoted verbatim, and no other, however it was normalised."""
    assert expected == written(text, spelled, words)


def test_of_a_turn_without_stops_only_the_words_are_quoted() -> None:
    """If the sentence is longer than the maximum, as in a turn without stops, only the words themselves are quoted."""
    text = f"I moved to Graz {'and so on ' * LONGEST_QUOTATION}"
    assert "I moved to Graz" == written(text, text, "I moved to Graz")


def test_words_before_a_quotation_are_no_speaker() -> None:
    """Words before a quotation are its speaker only if they are the person's full or first name."""
    assert ("Tomás", "it rains") == quoted(quotation("Tomás", "it rains"), "Tomás Ferreira")
    said = 'mine will be short: "no"'
    assert ("", said) == quoted(said, "Tomás Ferreira")


def test_who_said_it_is_left_out_where_it_stands_already() -> None:
    """A person's full or first name is removed from their quotations and reported speech; other content is kept."""
    likes = "Maya likes sushi"
    for name in ("Tomás", "Tomás Ferreira"):
        assert '"it rains"' == without_speaker(quotation(name, "it rains"), "Tomás Ferreira")
        assert likes == without_speaker(reported(name, likes), "Tomás Ferreira")
    for content in (likes, reported("Ben", likes), quotation("Ben", "it rains")):
        assert content == without_speaker(content, "Tomás Ferreira")
