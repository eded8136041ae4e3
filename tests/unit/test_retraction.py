from pathlib import Path

import pytest

from benchmarks.quality.extraction import dialogues, judged_talk
from benchmarks.quality.labelled import read_labelled
from hippograph.nlp.frames.retraction import SURE, RetractionDetector, read
from scripts.train_retraction import LaterTurn, WrittenTurn

MAYA = "Maya Lindqvist"


@pytest.fixture(scope="module")
def detector() -> RetractionDetector:
    """The detector with the model of the package."""
    return RetractionDetector()


@pytest.mark.parametrize(
    ("fact", "takes_back", "leaves"),
    [
        (
            "Maya goes to the gym",
            "I've quit the gym, my knee won't have it any more.",
            "My sister has quit her gym, mine is still full of mirrors.",
        ),
        (
            'Maya: "We fly to Lisbon on 14 May"',
            "They've cancelled our flight, so no Lisbon for us in May.",
            "I packed for Lisbon already, three weeks early.",
        ),
        (
            "Maya is on a keto diet",
            "I had rice on Friday and bread yesterday, so that's the end of my diet.",
            "Is there anything keto on the menu there?",
        ),
    ],
)
def test_what_changes_a_fact_is_surer_than_what_does_not(
    detector: RetractionDetector, fact: str, takes_back: str, leaves: str
) -> None:
    """The log-odds of a fact are positive with a turn that retracts it, and negative with one that only has
    its words.
    """
    assert detector.log_odds(fact, MAYA, takes_back) > 0 > detector.log_odds(fact, MAYA, leaves)


def test_a_turn_about_something_else_is_no_retraction(detector: RetractionDetector) -> None:
    """A turn that repeats no word of a fact does not retract it, however sure the model is."""
    fact = 'Maya: "I\'m a type 1 diabetic"'
    turn = "I've said yes. So it's on Thursday 1 October, and the 24th is free again."
    assert SURE < detector.log_odds(fact, MAYA, turn)
    assert [False] == detector.takes_back([(fact, MAYA, turn)])


@pytest.mark.parametrize(
    ("fact", "takes_back"),
    [
        ("Maya goes to the gym", "I've quit the gym."),
        ("Maya works at Siemens", "I left Siemens."),
        ("Maya lives in Graz", "I don't live in Graz any more."),
        ('Maya: "I\'ve given up coffee"', "Coffee is back, I confess."),
        ('Maya: "I swim every morning"', "I've stopped swimming, my shoulder won't have it."),
        ('Maya: "I smoke when I drink"', "I've quit smoking."),
        ('Maya: "I\'ll be there"', "I won't be there after all."),
    ],
)
def test_what_is_taken_back_plainly_is_sure(detector: RetractionDetector, fact: str, takes_back: str) -> None:
    """A turn that retracts a fact in plain words reaches the threshold."""
    assert [True] == detector.takes_back([(fact, MAYA, takes_back)])


def test_a_turn_takes_back_its_likeliest_fact_alone(detector: RetractionDetector) -> None:
    """Of three facts beside one turn, of which two fit it, one is retracted."""
    facts = ["Maya goes to the gym", 'Maya: "I go to the gym with Ben"', "Maya works at Siemens"]
    assert 1 == sum(detector.takes_back([(fact, MAYA, "I've quit the gym.") for fact in facts]))


def test_other_languages_take_nothing_back(detector: RetractionDetector) -> None:
    """A German turn retracts nothing, while the same words in English do: the model was trained with English alone."""
    fact = "Maya is on a keto diet"
    said = "I gave up the keto diet last week, I eat bread again."
    told = "Ich habe die Keto-Diät letzte Woche aufgegeben, ich esse wieder Brot."
    assert detector.log_odds(fact, MAYA, said) >= SURE
    assert [True, False] == detector.takes_back([(fact, MAYA, said), (fact, MAYA, told)])


def test_a_long_turn_is_read_to_a_bound() -> None:
    """The number of tokens that are read has a maximum, however long the fact and the turn are."""
    ids, length = read("Maya lives in Graz. " * 400, MAYA, "I moved. " * 4000)
    assert length <= 64
    assert len(ids) <= 64 + 160 + 3


def test_its_lessons_are_of_the_talk_that_is_there(root: Path) -> None:
    """Each written turn of the training data belongs to a turn of a person; each fact has turns that change it and
    turns that do not.
    """
    folder = root / "tests/benchmark/frames"
    talk = {each.name: each for each in (*dialogues(folder), *judged_talk(folder))}
    written = read_labelled(folder / "changes.jsonl", WrittenTurn)
    assert [] == [each for each in written if not talk[each.d].said[each.t].speaker]
    changed = {(each.d, each.t, each.content) for each in written if each.change}
    assert changed == {(each.d, each.t, each.content) for each in written if not each.change}


def test_later_turns_are_of_the_talk_that_is_there(root: Path) -> None:
    """Each later turn of the training data follows the turn of its fact, and has the same speaker."""
    folder = root / "tests/benchmark/frames"
    talk = {each.name: each.said for each in (*dialogues(folder), *judged_talk(folder))}
    for each in read_labelled(folder / "later_turns.jsonl", LaterTurn):
        said = talk[each.d]
        assert each.t < each.later
        assert said[each.t].speaker == said[each.later].speaker is not None
