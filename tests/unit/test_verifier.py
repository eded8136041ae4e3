from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from benchmarks.quality.extraction import JudgedFrame, dialogues, judged_talk
from benchmarks.quality.labelled import read_labelled
from hippograph.nlp.extraction.statements import Said, Statement, Subject
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.frames.verifier import Verifier, read
from hippograph.nlp.language import LanguageModel
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.encoder import encoded, encoded_pair

MAYA: Final = "Maya Lindqvist"
SUNDAY: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    """The verifier that comes with the package."""
    return Verifier(MODELS)


def _fact(content: str, frame: str, quotation: str = "") -> Statement:
    return Statement(content, (Subject(MAYA, "Person"),), "fact", 0.0, frame=frame, quotation=quotation)


def _said(*texts: str) -> list[Said]:
    return [Said(MAYA, SUNDAY, text) for text in texts]


@pytest.mark.parametrize(
    ("frame", "content", "says", "does_not"),
    [
        (
            "work",
            "Maya works at Siemens",
            "I work at Siemens in Linz now.",
            "If I worked at Siemens I'd have a car by now.",
        ),
        ("health", "Maya has asthma", "I've had asthma since I was six.", "My cat has asthma, the vet says."),
        ("pet", "Maya has a dog", "We have a dog, he's four.", "I'd love a dog, but the landlord says no."),
    ],
)
def test_what_is_said_is_surer_than_what_is_not(
    verifier: Verifier, frame: str, content: str, says: str, does_not: str
) -> None:
    """A fact gets a higher verdict with a turn that says it than with one that only has its words."""
    said, unsaid = (verifier.verdict(_said(turn), 0, _fact(content, frame)) for turn in (says, does_not))
    assert said > unsaid


def test_words_that_nobody_understands_alone_are_less_sure(verifier: Verifier) -> None:
    """A quotation that leaves open what it refers to gets a lower verdict than one that is clear by itself."""
    turns = _said("We booked the hut at Bovec for 5 December.", "I'll do the other one then.")
    whole = verifier.verdict(turns, 0, _fact('Maya: "We booked the hut at Bovec for 5 December"', "plan"))
    cut = verifier.verdict(turns, 1, _fact('Maya: "I\'ll do the other one then"', "plan"))
    assert whole > cut


def test_a_long_turn_is_read_around_the_fact() -> None:
    """A long turn is read around the quotation of the fact, wherever it stands, within a maximum number of tokens."""
    turns = _said("Nothing here. " * 400 + "I live in Graz. " + "Nor here. " * 400)
    ids, length = read(turns, 0, _fact("Maya lives in Graz", "home", quotation="I live in Graz."))
    [graz] = encoded("Graz")[0][1:-1]
    assert graz in ids[1 + length :]
    assert len(ids) <= 64 + 160 + 3


def test_two_texts_are_told_apart() -> None:
    """The encoder's special tokens stand before, between and behind two texts; of the second the last tokens stay."""
    start, *first, end = encoded("Maya lives in Graz")[0]
    second = encoded("I live in Graz")[0][1:-1]
    assert ((start, *first, end, *second[-2:], end), len(first)) == encoded_pair(
        "Maya lives in Graz", "I live in Graz", 9, 2
    )


def test_half_a_character_is_read_as_a_question_mark(verifier: Verifier) -> None:
    """A lone surrogate, which the tokenizer does not take, is read as `?`, in the turn and in the one before."""
    fact = _fact("Maya lives in Graz", "home")
    halves = verifier.verdict(_said("so \ud83d", "I live in \ud83d Graz"), 1, fact)
    assert halves == verifier.verdict(_said("so ?", "I live in ? Graz"), 1, fact)


class _Asked(Verifier):
    """A verifier that gives every fact the same verdict, and keeps the contents that it was asked about."""

    def __init__(self, verdict: float) -> None:
        self._verdict = verdict
        self.asked = list[str]()

    def verdict(self, turns: Sequence[Said], number: int, statement: Statement) -> float:
        self.asked.append(statement.content)
        return self._verdict


def _found(language: LanguageModel, verdict: float, *texts: str) -> tuple[list[str], list[str]]:
    """Returns the contents that are extracted if each fact gets this verdict, and those that were verified."""
    extractor = LocalExtractor(language)
    asked = _Asked(verdict)
    vars(extractor)["_verifier"] = asked
    turns = extractor.find(_said(*texts), [MAYA, "Ben Okafor"]).turns
    return [each.content for turn in turns for each in turn], asked.asked


SAID: Final = "We booked the hut at Bovec for 5 December."


def test_what_the_verifier_doubts_is_no_fact(language: LanguageModel) -> None:
    """A fact with a high verdict is extracted; with a low one it is not, whatever the tagger's confidence."""
    assert f'Maya: "{SAID[:-1]}"' in _found(language, 6.0, SAID)[0]
    assert [] == _found(language, -6.0, SAID)[0]


def test_what_the_parse_says_is_believed_without_a_verdict(language: LanguageModel) -> None:
    """A fact that the parse finds in a plain sentence is extracted without verification."""
    told, asked = _found(language, -6.0, "I live in Graz.")
    assert ["Maya lives in Graz"] == told
    assert "Maya lives in Graz" not in asked


def test_a_turn_gets_a_bounded_number_of_verdicts(language: LanguageModel) -> None:
    """At most 16 quotations of a turn are verified, however many sentences it has, and one quotation of a sentence."""
    places = (
        "Bovec Graz Linz Oslo Lisbon Porto Krakow Vienna Zagreb Trieste Bern Paris Rome Turin Madrid Cork Malmo Basel"
    )
    _, once = _found(language, -6.0, SAID)
    _, often = _found(language, -6.0, " ".join(SAID.replace("Bovec", place) for place in places.split()))
    assert 1 == len([each for each in once if '"' in each])
    assert 16 == len([each for each in often if '"' in each])


def test_every_verdict_is_on_a_turn_that_there_is(root: Path) -> None:
    """Each labelled verdict belongs to a turn of the judged talk that contains its quotation."""
    folder = root / "tests/benchmark/frames"
    talk = {each.name: each for each in (*dialogues(folder), *judged_talk(folder))}
    verdicts = read_labelled(folder / "verdicts.jsonl", JudgedFrame)
    assert len(verdicts) > 12_000
    for each in verdicts:
        assert each.quotation in talk[each.d].said[each.t].text, each
