from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.emotion import LONGEST_TEXT, intensity


@pytest.mark.parametrize(
    "texts",
    [
        ("I moved to Graz.", "I'm scared of the surgery.", "I'm SO scared of the surgery!!!"),
        ("My dog is a greyhound.", "My dog is sick.", "My dog died this morning.", "My dog died this morning 😭"),
        ("Ben loves pizza.", "I love you.", "I LOVE you SO much!!!"),
        ("not bad", "I'm so proud of you", "I'm soooo proud of you!!"),
        ("this is annoying", "this is fucking annoying"),
        ("The train is at nine.", "The train is at nine!", "The damn train is at nine!!!"),
    ],
)
def test_what_is_felt_more_is_more(texts: tuple[str, ...]) -> None:
    """Intensity rises with emotional words, capitals, exclamation marks, lengthened words, swearing and emoji."""
    assert all(intensity(less) < intensity(more) for less, more in pairwise(texts))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n ",
        "...",
        "ok thanks",
        "Good morning!",
        "haha nice one!!",
        "lol",
        "have a nice weekend",
        "I work at Nordbank as an accountant.",
        "I prefer dark mode",
        "I like coffee.",
        "NASA uses the JSON API of AWS",
        "The process was killed with error 137; credit card payment failed.",
        "https://www.example.org/aaaa",
        "Ich wohne seit drei Jahren in Graz.",
    ],
)
def test_facts_and_small_talk_are_calm(text: str) -> None:
    """Plain facts and small talk have an intensity below 0.15."""
    assert intensity(text) < 0.15


@pytest.mark.parametrize("text", ["I am SO happy!!!", "We got engaged!!!!", "I hate this job so fucking much!"])
def test_an_outburst_is_strong(text: str) -> None:
    """An outburst has an intensity above 0.7, with which a memory lasts ten times as long (T1)."""
    assert intensity(text) > 0.7


def test_good_and_bad_count_alike() -> None:
    """A strong negative and a strong positive feeling both have an intensity above 0.5."""
    assert intensity("I am devastated") > 0.5
    assert intensity("I am overjoyed") > 0.5


def test_the_strongest_sentence_counts() -> None:
    """Calm sentences around an emotional one do not change the intensity."""
    alone = intensity("I'm terrified!")
    assert alone == intensity("The train is at nine. I'm terrified! It goes to Graz.")


@given(st.text(max_size=300) | st.text(alphabet="soSO!😭 fuck.I", max_size=300))
def test_no_text_leaves_the_range(text: str) -> None:
    """The intensity of any text is from 0 to 1."""
    assert 0 <= intensity(text) <= 1


@pytest.mark.parametrize("unit", ["I hate this but I love that ", "a! ", "AB ", "s", "fuck", "😭"])
def test_of_a_long_text_the_beginning_counts(unit: str) -> None:
    """Only the first `LONGEST_TEXT` characters are read, which bounds the time, since every turn is rated."""
    text = unit * (10 * LONGEST_TEXT)
    assert intensity(text[:LONGEST_TEXT]) == intensity(text) == intensity(text[:LONGEST_TEXT] + " I am so happy!!!")
