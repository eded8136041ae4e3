"""The text of a summary of talk, made from the sentences of its draft."""

from hippograph.graph.summaries.composing import Draft, SummarySection, SummarySentence

SPEAKERS = {"a": "Maya Lindqvist", "b": "Maya Lindqvist", "c": "Ben Okafor", "d": None}


def _text(*sentences: tuple[str, str], section: SummarySection = SummarySection.WHAT_MATTERED) -> str:
    return Draft(tuple(SummarySentence(section, text, (source,)) for source, text in sentences)).in_one_text(SPEAKERS)


def test_who_goes_on_speaking_is_named_once() -> None:
    """A name stands where the speaker changes, and behind a fact."""
    assert "Maya Lindqvist: Hello. I moved. Ben Okafor: When? Maya Lindqvist: In May." == _text(
        ("a", "Maya Lindqvist: Hello."),
        ("b", "Maya Lindqvist: I moved."),
        ("c", "Ben Okafor: When?"),
        ("a", "Maya Lindqvist: In May."),
    )
    assert "Maya Lindqvist: Hello. Lives in Graz. Maya Lindqvist: I moved." == _text(
        ("a", "Maya Lindqvist: Hello."), ("d", "Lives in Graz."), ("b", "Maya Lindqvist: I moved.")
    )


def test_a_colon_is_no_name() -> None:
    """Only the name of the speaker is left out, not other words before a colon."""
    assert "Maya's rent: 820. Maya's rent: 900." == _text(("a", "Maya's rent: 820."), ("b", "Maya's rent: 900."))


def test_the_one_liner_and_repetitions_are_left_out() -> None:
    """Each sentence is there once; the one-liner repeats one of them."""
    assert "" == _text(("a", "Hello."), section=SummarySection.ONE_LINER)
    assert "Hello." == _text(("a", "Hello."), ("b", "Hello."))
