from pathlib import Path

import pytest

from benchmarks.entities import LabelledPair
from benchmarks.labelled import read_labelled
from hippograph.nlp.names.blocking.index import BlockingIndex
from hippograph.nlp.names.matching.matcher import likeness

SETS = sorted((Path(__file__).parents[1] / "benchmark" / "entities").glob("*.jsonl"))


@pytest.mark.parametrize("file", SETS, ids=lambda file: file.stem)
def test_nothing_that_is_alike_is_ruled_out(file: Path) -> None:
    """Of all labelled pairs none that has a likeness is ruled out by a bound, with and without usernames."""
    for pair in read_labelled(file, LabelledPair):
        known, text = pair.known, pair.mention.text
        names = (known.name, *known.aliases)
        for usernames in ((), tuple(known.usernames)):
            if likeness(text, names, known.type.value, usernames).score:
                index = BlockingIndex(known.type.value)
                index.add(pair.id, names, usernames)
                assert {pair.id} == index.candidates(text, by_sound=True), (text, names)


def test_what_is_plainly_different_is_ruled_out() -> None:
    """A name without a word, a beginning or a sound in common with another is not compared with it."""
    index = BlockingIndex("person")
    for number, name in enumerate(("Makesh Sharma", "Boris Godunov", "Lothair", "Wilhelmina Drucker")):
        index.add(str(number), (name,), ())
    assert {"0"} == index.candidates("Mukesh Sharma", by_sound=True)
    assert {"2"} == index.candidates("Lothar", by_sound=True)
