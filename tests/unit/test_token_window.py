import pytest

from hippograph.nlp.frames.token_window import LINES, Line, frames
from hippograph.nlp.language import LanguageModel

BEFORE = [Line("Ben", "Who is ill?"), Line("assistant", "Tell me.")]


@pytest.fixture
def read(language: LanguageModel):
    """Returns a function that gives the windows of a turn of Maya's, with the lines before it."""

    def framed(text, before=BEFORE):
        with language.reading([text]) as docs:
            return [frame for doc in docs for frame in frames(before, "Maya", doc)]

    return framed


def _said(frame, tokens) -> str:
    """Returns the text from the first to the last of these tokens."""
    return frame.text[frame.starts[tokens[0]] : frame.ends[tokens[-1]]]


def test_a_turn_is_read_after_the_lines_before(read) -> None:
    """The window of a turn begins with the lines before it; each line begins with its speaker."""
    [frame] = read("My sister has the flu.")
    assert "Ben: Who is ill?\nassistant: Tell me.\nMaya: My sister has the flu." == frame.text
    assert len(frame.ids) == len(frame.starts) == len(frame.ends)


def test_places_of_the_turn_lead_to_its_tokens(read) -> None:
    """Character ranges of the turn give its tokens; none, or one outside it, gives the first token, for the whole."""
    [frame] = read("My sister has the flu.")
    assert "sister" == _said(frame, frame.over([(3, 9)]))
    assert "the flu" == _said(frame, frame.over([(14, 17), (18, 21)]))
    assert (0,) == frame.over([]) == frame.over([(900, 901)])


def test_half_a_character_is_none(read) -> None:
    """Half a surrogate pair in a line of context does not shift the tokens of the turn."""
    [frame] = read("Ana left.", before=[Line("Ben", "\ud83d!")])
    assert "Ana" == _said(frame, frame.over([(0, 3)]))


def test_the_lines_before_are_cut_first(read) -> None:
    """A turn after two lines of context that are too long keeps all its tokens; the lines lose their first ones."""
    turn = "Ana left" + " and left" * 20
    [frame] = read(turn, before=[Line("Ben", "字" * 400), Line("Ben", "语" * 400)])
    assert len(frame.ids) == 512
    assert turn == _said(frame, frame.over([(0, len(turn))]))
    assert frame.starts[1] > 0


def test_a_turn_is_read_in_sentences(read) -> None:
    """Each sentence of a turn has its own window, with earlier sentences as context; ranges are those of the turn."""
    text = " ".join(f"Then we drove past town number {number} and had a long rest there." for number in range(4))
    parts = read(text)
    assert 4 == len(parts)
    assert len(text) == parts[-1].end
    for part in parts:
        assert part.text.count("\n") == LINES
        place = text.rindex("rest", 0, part.end)
        assert "rest" == _said(part, part.over([(place, place + 4)]))


def test_what_is_too_long_is_cut(read) -> None:
    """Only the last 512 tokens of a long sentence are kept; words before them give the token of the whole text."""
    [frame] = read("and " * 3_000)
    assert len(frame.ids) == 512
    assert (0,) == frame.over([(0, 3)])
    assert "and" == _said(frame, frame.over([(11_996, 11_999)]))
