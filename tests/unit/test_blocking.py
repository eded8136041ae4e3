from pathlib import Path

from benchmarks.quality.entities import LabelledPair
from benchmarks.quality.labelled import read_labelled
from hippograph.nlp.names.blocking.index import BlockingIndex
from hippograph.nlp.names.matching.matcher import likeness

SETS = sorted((Path(__file__).parents[1] / "benchmark" / "entities").glob("*.jsonl"))


def test_hardly_anything_that_is_alike_is_ruled_out() -> None:
    """Blocking rules out at most one in a thousand of the labelled pairs that match, with and without usernames."""
    alike, missed = 0, []
    for pair in (each for file in SETS for each in read_labelled(file, LabelledPair)):
        known, text = pair.known, pair.mention.text
        names = (known.name, *known.aliases)
        for usernames in {(), tuple(known.usernames)}:
            if likeness(text, names, known.type.value, usernames).score:
                alike += 1
                index = BlockingIndex(known.type.value)
                index.add(pair.id, names, usernames)
                if not index.candidates(text, by_sound=True):
                    missed.append((text, names))
    assert alike > 3_000
    assert len(missed) <= alike / 1_000, missed


def test_what_is_plainly_different_is_ruled_out() -> None:
    """Names without a word, a prefix or a sound in common are no candidates for each other."""
    index = BlockingIndex("person")
    for number, name in enumerate(("Makesh Sharma", "Kazuki Tanaka", "Lothair", "Wilhelmina Dijkstra")):
        index.add(str(number), (name,), ())
    assert {"0"} == index.candidates("Mukesh Sharma", by_sound=True)
    assert {"2"} == index.candidates("Lothar", by_sound=True)
