"""Frames: their file, how tagged words fill them, and how they are worded."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from spacy.tokens import Doc, Span

from benchmarks.quality.extraction import JudgedFrame, dialogues, judged_talk
from benchmarks.quality.labelled import Kind, read_labelled
from hippograph.nlp.dates import Dated
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.quoting import Quoting
from hippograph.nlp.extraction.statements import Said
from hippograph.nlp.extraction.validation import SENSITIVITIES
from hippograph.nlp.frames.extractor import LocalExtractor, open_dialogue, windows
from hippograph.nlp.frames.filling import Parts, fill
from hippograph.nlp.frames.frame import NOT_ASKED, AskedFrames, asked_frames, frame_order, load_frames
from hippograph.nlp.frames.quotations import quotations
from hippograph.nlp.frames.tagger import Tags, frame_labels, slot_labels
from hippograph.nlp.frames.telling import Told, quote, tell
from hippograph.nlp.frames.token_window import Framed
from hippograph.nlp.language import LanguageModel

SUNDAY = datetime(2026, 5, 3, 18, 20, tzinfo=UTC)
MAYA = "Maya Lindqvist"
Slots = dict[str, str]
Tell = Callable[..., list[Told]]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where does Maya live now?", AskedFrames(("home",))),
        ("and where do I work?", AskedFrames(("work",), of_asker=True)),
        ("What am I allergic to?", AskedFrames(("allergy",), of_asker=True)),
        ("What’s Jonas’s dog called?", AskedFrames(("pet", "adoption"))),
        ("What is my dog called?", AskedFrames(("pet", "adoption"), of_asker=True)),
        ("When did I adopt Rex?", AskedFrames(("adoption",), of_asker=True)),
        ("What does Lantern run on?", AskedFrames(("technology",))),
        ("How old is my sister?", AskedFrames(("age",))),
        ("What does Ana not like?", AskedFrames(("dislike",))),
        ("What does Maya love about living in Graz?", NOT_ASKED),
        ("Where does Maya live and work?", NOT_ASKED),
        ("How old was Ana when she moved to Graz?", NOT_ASKED),
        ("Where did Maya put her keys?", NOT_ASKED),
        (f"Where does {'Maya ' * 30}live?", NOT_ASKED),
        ("", NOT_ASKED),
    ],
)
def test_a_question_asks_for_a_kind_of_fact(question: str, asked: AskedFrames) -> None:
    """A question asks for frames only if it asks for nothing else. `of_asker` says whether it is about the asker."""
    assert asked == asked_frames(question)


def test_every_frame_can_be_told() -> None:
    """A frame has a sentence unless it is quoted. The sentence names all of its slots except days. Its kind, its label
    and the number of its aspects are valid.
    """
    for frame in load_frames().values():
        assert frame.closed == bool(frame.sentence)
        told = set(re.findall(r"\{(?:a )?(\w+)(?:'s)?\}", frame.sentence)) - {"who"}
        assert told <= set(frame.slots), frame.name
        unsaid = {slot for slot, sort in frame.slots.items() if sort != "day"} - {"who"} - told
        assert not (frame.closed and unsaid), frame.name
        assert frame.kind in get_args(Kind)
        assert frame.label in SENSITIVITIES
        assert len(frame.aspects) in {1, len(frame.main)}


def test_cards_begin_with_who_somebody_is() -> None:
    """Each frame is in the order once. Name, home and work come before family, health, likes and plans."""
    order = frame_order()
    assert sorted(load_frames()) == sorted(order)
    assert sorted(told := ["name", "home", "work", "relative", "health", "like", "plan"], key=order.index) == told


@pytest.fixture(scope="module")
def told(language: LanguageModel) -> Tell:
    """Returns a function that words what Maya says, with the given words tagged as slots of the given frames."""

    def tagged(text: str, *labels: tuple[str, Slots]) -> list[Told]:
        found = []
        for people, doc, parts in _untagged(language, text):
            for framed, _, tags in parts:
                for name, slots in labels:
                    tags.frames[:, frame_labels().index(name)] = 1
                    for slot, words in slots.items():
                        start = doc.text.index(words)
                        tokens = framed.over([(start, start + len(words))])
                        tags.slots[list(tokens), slot_labels().index((name, slot))] = 1
            found += [tell(each, people, 0, SUNDAY) for each in fill(people, 0, Parts(doc, parts))]
        return found

    return tagged


TOLD: list[tuple[str, str, Slots, str]] = [
    ("I live in Graz.", "home", {"who": "I", "place": "Graz"}, "Maya lives in Graz"),
    ("I moved to Graz in March.", "home", {"who": "I", "place": "Graz", "since": "March"},
     "Maya lives in Graz (since March 2026)"),
    ("I start at Nordbank in November.", "work", {"who": "I", "employer": "Nordbank", "since": "in November"},
     "Maya works at Nordbank from November 2026"),
    ("I live in Graz until March 2027.", "home", {"who": "I", "place": "Graz", "until": "March 2027"},
     "Maya lives in Graz until March 2027"),
    ("I work as a performer at Siemens.", "work", {"who": "I", "employer": "Siemens", "role": "performer"},
     "Maya works at Siemens"),
    ("I am used to working at Siemens.", "work", {"who": "I", "employer": "Siemens"}, "Maya works at Siemens"),
    ("I worked at Siemens until March.", "work", {"who": "I", "employer": "Siemens", "until": "March"},
     "Maya worked at Siemens (until March 2026)"),
    ("My sister Ana is a nurse.", "work", {"who": "My sister Ana", "role": "nurse"}, "Ana works as a nurse"),
    ("My sister Ana is a nurse.", "relative", {"who": "My", "relation": "sister", "name": "Ana"},
     "Ana is Maya's sister"),
    ("I adopted a dog yesterday, Biscuit.", "pet", {"who": "I", "animal": "dog", "since": "yesterday"},
     "Maya has a dog (since 2 May 2026)"),
    ("I don't eat pork.", "diet", {"who": "I", "diet": "pork"}, "Maya's diet: no pork"),
    ("I have a stammer.", "health", {"who": "I", "condition": "stammer"}, "Maya has a stammer"),
    ("I have asthma.", "health", {"who": "I", "condition": "asthma"}, "Maya has asthma"),
    ("My birthday is on 3 June.", "birthday", {"who": "My", "day": "3 June"}, "Maya's birthday is 3 June"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "frame", "slots", "content"), TOLD)
def test_a_frame_is_told_from_its_slots(told: Tell, text: str, frame: str, slots: Slots, content: str) -> None:
    """A frame is worded in the third person, with its days and articles."""
    assert content in [each.content for each in told(text, (frame, slots))]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("my cousin Rui is lending us his van", ["Rui is Maya's cousin"]),
        ("Did my sister Ana call?", ["Ana is Maya's sister"]),
        ("If my sister Ana calls, I'm out.", ["Ana is Maya's sister"]),
        ("Karin, my boss, hugged me.", ["Karin is Maya's boss"]),
        ("It belongs to Matej, Ana's brother.", ["Matej is Ana's brother"]),
        ("I asked Sabine, my ward manager, to take me off nights.", ["Sabine is Maya's ward manager"]),
        ("Rui is my cousin.", ["Rui is Maya's cousin"]),
        ("My old friend Jean-Luc sings.", ["Jean-Luc is Maya's old friend"]),
        ("I asked Anne-Marie, my ward manager, to take me off nights.", ["Anne-Marie is Maya's ward manager"]),
        ("My son Duarte is with my dentist Dr. Ito.", ["Maya has a son, Duarte", "Maya's dentist is Dr. Ito"]),
        ("My dog Biscuit is asleep.", ["Maya has a dog, Biscuit"]),
        ("My new neighbour Perpetua sings.", ["Perpetua is Maya's neighbour"]),
        ("In November I start at Brightwater, which means I'm busy.", ["Maya works at Brightwater from November 2026"]),
        ("I've been a bus driver for 17 years.", ["Maya works as a bus driver"]),
        ("I was a midwife for thirty years.", ["Maya worked as a midwife"]),
        ("I lived in Rome until 2019.", ["Maya lived in Rome (until 2019)"]),
        ("My brother moved to Oslo last May.", ["Maya's brother lives in Oslo (since May 2025)"]),
        ("I can't stand sushi.", ["Maya dislikes sushi"]),
        ("My wife loves long train rides.", ["Maya's wife likes long train rides"]),
        ("I'm scared of swimming in lakes.", ["Maya dislikes swimming in lakes"]),
        ("I've got a dog called Miso.", ["Maya has a dog, Miso"]),
        ("I have two kids.", ["Maya has two kids"]),
        ("My sister is allergic to peanuts.", ["Maya's sister is allergic to peanuts"]),
        ("I was diagnosed with coeliac disease.", ["Maya has coeliac disease"]),
        ("Dad takes metformin.", ["Maya's dad takes metformin"]),
        ("I'm 34.", ["Maya is 34"]),
        ("My son is eight months old.", ["Maya's son is eight months"]),
        ("My mum's birthday is on the 12th of May.", ["Maya's mum's birthday is 12 May"]),
        ("My mum's birthday is in June.", ["Maya's mum's birthday is in June"]),
        ("My grandmother died last spring.", ["Maya's grandmother died (2025)"]),
        ("I got divorced in 2019.", ["Maya separated"]),
        ("I play the cello.", ["Maya plays cello"]),
        ("I studied physics.", ["Maya studied physics"]),
        ("We fly to Lisbon on 3 March.", ["Maya goes to Lisbon (3 March 2027)"]),
        ("I sold my car.", ["Maya sold a car"]),
        ("Ana is married to Tom.", ["Ana is married to Tom"]),
        ("I have lived in Rome since 2019.", ["Maya lives in Rome (since 2019)"]),
        ("My dad turned seventy.", ["Maya's dad is seventy"]),
        ("My sister is called Ana.", ["Ana is Maya's sister"]),
        ("My boss is Karin Holm.", ["Karin Holm is Maya's boss"]),
        ("My dentist is still old Dr Gallo.", ["Maya's dentist is Dr Gallo"]),
        ("My groom is a Scot.", []),
        ("My cat's name is Mikan.", ["Maya has a cat, Mikan"]),
        ("The name of my boss is Karin.", ["Karin is Maya's boss"]),
        ("I have a brother, Tom.", ["Tom is Maya's brother"]),
        ("I have a daughter named Mia.", ["Maya has a daughter, Mia"]),
        ("My favourite colour is green.", ["Maya's favourite colour is green"]),
        ("Ana's favorite band is Radiohead.", ["Ana's favourite band is Radiohead"]),
        ("I've gone vegan.", ["Maya is vegan"]),
        ("Ben is vegan.", ["Maya says that Ben is vegan"]),
        ("I don't eat pork.", ["Maya's diet: no pork"]),
        ("Ben is coeliac.", ["Maya says that Ben has coeliac"]),
        ("Ben loves sushi.", ["Maya says that Ben likes sushi"]),
        ("Karla loves sushi.", ["Karla likes sushi"]),
        ("I adopted Biscuit this afternoon.", ["Maya adopted Biscuit"]),
        ("My new rent is 820 a month, which I can manage.", ["Maya's rent: 820 a month"]),
        ("I'm scared of Friday.", []),
        ("I am physiotherapist in Graz, at the practice of Hilde Bogaert.", ["Maya works as a physiotherapist"]),
        ("My late husband, dear. He died in 2021.", ["Maya's late husband died (2021)"]),
        ("I can't have walnuts.", ["Maya is allergic to walnuts"]),
        ("I have an allergy to peanuts.", ["Maya is allergic to peanuts"]),
        ("My nephew Zain is obsessed with trains.", ["Zain is Maya's nephew", "Zain likes trains"]),
        ("I joined Siemens in March.", ["Maya works at Siemens (since March 2026)"]),
        ("I got a job at Siemens.", ["Maya works at Siemens"]),
        ("We've bought a flat in Pune.", ["Maya lives in Pune", "Maya bought a flat"]),
        ("We're off to Norway on Friday.", ["Maya goes to Norway (8 May 2026)"]),
        ("I speak Turkish and German.", ["Maya speaks Turkish", "Maya speaks German"]),
        ("I'm allergic to nuts and eggs.", ["Maya is allergic to nuts", "Maya is allergic to eggs"]),
        ("I don't eat pork or beef.", ["Maya's diet: no pork", "Maya's diet: no beef"]),
        ("I'm allergic to penicillin and Tom.", []),
        ("I speak French but not German.", []),
        ("I work at Siemens and Bosch.", []),
        ("I speak German and not French.", []),
        ("I play guitar and my brother drums.", []),
        ("I can't have a dog in this flat.", []),
        ("I can't have egg.", ["Maya is allergic to egg"]),
        ("My daughter May lives in Utrecht.", ["Maya's daughter lives in Utrecht"]),
        ("It's Wexford we're from, not Waterford.", []),
        ("I live in Graz, not Vienna.", ["Maya lives in Graz"]),
        ("Nana's my mother.", []),
        ("I have two kids, Tom and Mia.", ["Maya has two kids"]),
    ],
)
def test_the_parse_alone_is_believed_where_it_is_plain(told: Tell, text: str, contents: list[str]) -> None:
    """Without any tag, the parse finds relations to names, even in questions and suppositions, and the plain sentences
    of the frames.
    """
    assert contents == [each.content for each in told(text)]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("alice", "Alice"),
        ("李明", "李明"),
        ("ana_k", "ana_k"),
        ("Mrs. Smith", "Mrs. Smith"),
        ("Dr. Ada Byron", "Ada"),
        ("👩 Ada", "Ada"),
        ("Byron, Ada", "Byron"),
        ("+49 170 123456", "+49 170 123456"),
    ],
)
def test_who_speaks_is_called_by_a_name(extractor: LocalExtractor, name: str, shown: str) -> None:
    """A speaker is called by a first name, never by a title, an emoji or a part of a number. A name needs no capital:
    account names and names in some scripts have none.
    """
    said = [Said(name, SUNDAY, text) for text in ("I work at Siemens.", "My dad takes metformin.")]
    [[works], [takes]] = extractor.find(said, [name]).turns
    assert [f"{shown} works at Siemens", f"{shown}'s dad takes metformin"] == [works.content, takes.content]


@pytest.mark.parametrize("text", ["I live in Rome\nI work at Siemens", "I work at Siemens. I live in Rome."])
def test_a_frame_of_one_sentence_is_not_quoted_from_the_next(extractor: LocalExtractor, text: str) -> None:
    """What a sentence says is told once, although the tags of a frame reach into the sentence beside it."""
    [found] = extractor.find([Said(MAYA, SUNDAY, text)], [MAYA]).turns
    assert {"Maya lives in Rome", "Maya works at Siemens"} == {each.content for each in found}
    assert 2 == len(found)


def test_she_may_be_somebody_of_whom_the_assistant_asked(extractor: LocalExtractor) -> None:
    """Alone with somebody, the assistant means them by "you". A full name has the gender of its first word."""
    turns = (
        ("Priya Raman", "Yes, a Mr Grace, Bill Grace, does the bathroom."),
        (None, "Is there anything about your mother that I should know?"),
        ("Priya Raman", "She takes metformin."),
    )
    found = extractor.find([Said(speaker, SUNDAY, text) for speaker, text in turns], ["Priya Raman"]).turns
    assert ["Priya's mother takes metformin"] == [each.content for each in found[2]]


def test_what_is_booked_lies_ahead(extractor: LocalExtractor) -> None:
    """A day without a year for which something has been booked is the nearest such day, before or behind."""
    said = datetime(2026, 11, 22, 9, tzinfo=UTC)
    text = "I have taken the train to Utrecht, out on the 21st of December and home on the 4th of January."
    [[booked]] = extractor.find([Said("Maya Lindqvist", said, text)], ["Maya Lindqvist"]).turns
    assert datetime(2026, 12, 21, tzinfo=UTC) == booked.event_time


def test_what_is_told_of_invented_people_is_no_fact(extractor: LocalExtractor) -> None:
    """A turn that asks for a story tells nothing of the people in it; what it says of the speaker counts."""
    text = "I'm allergic to cats. Write a story about Odo. Odo lives in Oslo and hates ladders."
    [found] = extractor.find([Said("Maya Lindqvist", SUNDAY, text)], ["Maya Lindqvist"]).turns
    assert ["Maya is allergic to cats"] == [each.content for each in found]


def test_who_is_spoken_of_needs_no_capital(extractor: LocalExtractor) -> None:
    """A quotation about a participant whose account name has no capital is about them, and not about the speaker."""
    said = [Said("alice", SUNDAY, "Ben is going to repair the boiler on Friday.")]
    [[plan]] = extractor.find(said, ["alice", "ben"]).turns
    assert "ben" == plan.subject


@pytest.mark.parametrize(
    "text",
    [
        "We don't have milk.",
        "I don't have dogs.",
        "I didn't eat bread today.",
        "My favourite place is the beach.",
        "My favourite colour was green.",
        "Our son's name was going to be Luka.",
        "I have a sister.",
        "Come on Ana, my friend.",
        "I see Margit on Fridays, my therapist is away.",
        "I teach my husband Japanese.",
        "Rui is not my cousin.",
        "Is Rui your cousin?",
        "I'm moving to Berlin.",
        "I'm moving to Berlin in March if they take me.",
        "I moved all my photos to Nextcloud.",
        "My mother comes from Kassel on Monday.",
        "Yara is the teacher.",
        "I'm no doctor.",
        "I'm a terrible cook.",
        "I'm allergic to Mondays.",
        "He was told that I live in Rome.",
        "I'd love dark chocolate.",
        "I love this song.",
        "I loved my trip.",
        "I like Pietro.",
        "I'm dying to see it.",
        "I died of shame.",
        "We're four.",
        "I was six.",
        "I can drive a van.",
        "We have a flat there.",
        "He no longer has a dog.",
        "He goes to Machakos each Tuesday.",
        "Himself went to Perth.",
        "I was married to Tom.",
        "I had a dog as a child.",
        "My mother had cancer.",
        "My son was allergic to eggs.",
        "I used Jira at my last job.",
        "I'm selling my car.",
        "We're buying a house.",
        "We're having a baby!",
        "We were flying to Lisbon, but it got cancelled.",
        "I've taken ibuprofen.",
        "I've had a car before.",
        "I've lived in Rome.",
        "Grandma died laughing.",
        "My brother died in the second level.",
        "THE OVEN DIED.",
        "I'm practically a doctor.",
        "She tells all of Rotterdam I'm practically a doctor.",
        "In my dream my mum died.",
        "I'm engaged to Tom.",
        "I'm single.",
        "My sister prescribes antibiotics.",
        "I sing in Vienna.",
        "I don't just like jazz, I love it.",
        "I hate dogs when they bark.",
        "I don't like coffee in the evening.",
        "I have cancer in my family.",
        "I have two kids in my class.",
        "In 1999 I turned 18.",
        "Since I turned 18, I've lived alone.",
        "Tom thinks my birthday is on the 20th.",
        "My rent is too high.",
        "My rent was 700 back then.",
        "My old rent is 700 a month in today's money.",
        "My budget is whatever five people can eat.",
        "I adopted a new approach.",
        "Queue is 74, oldest is 19 hours.",
        "karens dad is going to. He is a mechanic at Siemens.",
    ],
)
def test_the_parse_alone_is_not_believed_elsewhere(told: Tell, text: str) -> None:
    """Without any tag, nothing is found in what is addressed, denied, asked, supposed, past, future, figurative or
    about things, nor in a noun with an article that stands for something known.
    """
    assert [] == told(text)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("If I lived in Graz I'd cycle.", "I lived"),
        ("Do you live in Graz?", "you"),
        ("I don't live in Graz.", "I"),
        ("Maybe I live in Graz.", "I"),
        ("I don't think I live in Graz.", "I live"),
        ("I live above Graz.", "I"),
    ],
)
def test_what_is_not_said_to_be_so_fills_no_frame(told: Tell, text: str, who: str) -> None:
    """A sentence that is conditional, asked, denied or doubted fills no frame, even if its slots are surely tagged."""
    assert [] == told(text, ("home", {"who": who, "place": "Graz"}))


@pytest.mark.parametrize(
    ("text", "thing", "likes"),
    [
        ("I hate this weather.", "weather", False),
        ("I am terrified of tomorrow's dive.", "dive", False),
        ("I can't stand those noises.", "noises", False),
        ("I hate flying today.", "flying", False),
        ("I hate mornings.", "mornings", True),
        ("I can't stand the smell of fish.", "smell", True),
    ],
)
def test_a_like_is_lasting(told: Tell, text: str, thing: str, likes: bool) -> None:
    """A dislike of something momentary, or of something of the day, is not told, even if the tagger is certain."""
    assert likes is bool(told(text, ("dislike", {"who": "I", "thing": thing})))


def test_likes_and_dislikes_are_one_matter(told: Tell) -> None:
    """A like and a dislike of the same thing have one aspect and different values, so that the later one replaces the
    earlier one, and one's own word goes before what others say.
    """
    [likes], [dislikes] = told("I love raw fish."), told("I can't stand raw fish.")
    assert likes.aspect == dislikes.aspect
    assert likes.value != dislikes.value


@pytest.mark.parametrize(
    ("text", "age", "said"),
    [
        ("I'm 35.", "35", ["Maya is 35"]),
        ("My dog is eight.", "eight", []),
        ("I want a boat before I turn 35.", "35", []),
    ],
)
def test_an_age_is_of_whom_it_is_said(told: Tell, text: str, age: str, said: list[str]) -> None:
    """An age is not told of the owner of the dog that has it, and not before somebody has it."""
    who = "My" if text.startswith("My") else "I"
    assert said == [each.content for each in told(text, ("age", {"who": who, "age": age}))]


def test_what_holds_no_more_ends_what_was_told_before(told: Tell) -> None:
    """A frame that no longer holds is told under an aspect of its own. Its `ends` has the aspect and value from while
    it held.
    """
    [lives] = told("I live in Graz.", ("home", {"who": "I", "place": "Graz"}))
    assert ("lives_in", "Graz", None) == (lives.aspect, lives.value, lives.ends)
    [lived] = told("I no longer live in Graz.", ("home", {"who": "I", "place": "Graz"}))
    assert "Maya lived in Graz" == lived.content
    assert ("lives_in", "Graz") == lived.ends
    assert lives.aspect != lived.aspect


QUOTED: list[tuple[str, str, list[str]]] = [
    ("I'll bring you the book on Friday.", "promise", ["I'll bring you the book on Friday"]),
    ("So, we booked the hut for 5 December!", "plan", ["we booked the hut for 5 December"]),
    ("My brother Lars lives in Oslo and he hates it.", "home", []),
    ("My mum says thyroid.", "health", []),
    ("My physio says no climbing for six weeks.", "health", ["My physio says no climbing for six weeks"]),
    ("Lars called. He works at Siemens.", "work", ["He [Lars] works at Siemens"]),
    ("Ana and Ida called. She works at Siemens.", "work", []),
    ("That one goes to yoga.", "habit", []),
    ("If I had time I'd go to yoga.", "habit", []),
    ("Do you go to yoga?", "habit", []),
    ("Yoga again.", "habit", []),
    ("It means joy. Born on 30 August, in the middle of the night.", "birthday", []),
    ("I was born on 30 August.", "birthday", ["I was born on 30 August"]),
    ("From Sweden, he fixes wind turbines.", "work", []),
    ('Short answers, no lists, no "great question".', "instruction", ["Short answers, no lists"]),
    ("he rings up and him and Priya are having a baby, January.", "child", []),
    ("I don't want Lars going alone.", "dislike", []),
    ("I really don't like Lars going alone.", "dislike", ["I really don't like Lars going alone"]),
]


@pytest.mark.parametrize(("text", "frame", "words"), QUOTED)
def test_words_are_quoted_that_stand_alone(language: LanguageModel, text: str, frame: str, words: list[str]) -> None:
    """A sentence is quoted whole, without introductory words, and with the name that a pronoun stands for. It is left
    out if it cannot be understood alone.
    """
    assert words == [quoted for quoted, _ in _quotes(language, text, frame)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "I turn 53 on the second of March, which I mention only so you don't sing.",
            "I turn 53 on the second of March",
        ),
        ("Papa turns 70 on 8 November and Sólrún and I will surprise him.", "Papa turns 70 on 8 November"),
        ("I turn 53 on 2 mar. Who brings the cake?", "I turn 53 on 2 mar"),
        ("Aunt Ida turns thirty-one in May (the ninth).", "Aunt Ida turns thirty-one in May (the ninth)"),
    ],
)
def test_what_belongs_to_the_next_sentence_is_not_quoted(language: LanguageModel, text: str, words: str) -> None:
    """A quotation ends with its sentence, although the parse splits some sentences in the wrong place."""
    assert [words] == [quoted for quoted, _ in _quotes(language, text, "birthday", 0)]


def test_a_plan_has_the_day_that_comes(language: LanguageModel) -> None:
    """The day of a plan is in the future, although its verb is in the past tense."""
    [(_, when)] = _quotes(language, "I booked the hut for 5 December.", "plan")
    assert datetime(2026, 12, 5, tzinfo=UTC) == when.start


def test_what_was_offered_was_on_the_day_before(language: LanguageModel) -> None:
    """The day of an accepted offer is in the past: "on Thursday" is the Thursday before."""
    [(_, when)] = _quotes(language, "I accepted the job at Lidl on Thursday.", "offer")
    assert SUNDAY > (when.start or SUNDAY)


def test_whose_something_is_has_a_name_without_an_ending(language: LanguageModel) -> None:
    """A possessive noun names its owner without the ending: the owner of "my mother's birthday" is Maya's mother."""
    text = "March 6 is my mother's birthday."
    found = [people.noun(0, doc[4]) for people, doc, _ in _untagged(language, text)]
    assert ["Maya's mother"] == found


def test_a_tendon_that_complains_is_nobody(language: LanguageModel) -> None:
    """A part of the body that has a name, such as the Achilles, is nobody, even as the subject of a verb."""
    found = [people.noun(0, doc[1]) for people, doc, _ in _untagged(language, "Left Achilles is complaining.")]
    assert [None] == found


def test_a_full_stop_is_nobody(language: LanguageModel) -> None:
    """A full stop is no candidate for a pronoun, although the parser takes the one in "NO. is he ok??" for a name."""
    people, docs = open_dialogue(language, [Said(MAYA, SUNDAY, "NO. is he ok??")], [MAYA, "Ben Okafor"])
    [(number, doc)] = docs
    assert [] == [each for each in people.before(number, doc[-1]) if "." in each.name]


def test_a_quotation_is_about_whom_the_tags_tell(language: LanguageModel) -> None:
    """A quotation is about the tagged relative of the speaker, not about the speaker, although "my" is tagged too."""
    found = []
    for people, doc, parts in _untagged(language, "My aunt Meena lives by the frame shop."):
        framed, _, tags = parts[-1]
        tags.frames[-1, frame_labels().index("home")] = 1
        tags.slots[list(framed.over([(0, len("My aunt Meena"))])), slot_labels().index(("home", "who"))] = 1
        found += [each.about for each in quotations(people, 0, Parts(doc, parts))]
    assert ["Meena"] == found


def _quotes(language: LanguageModel, text: str, frame: str, sentence: int = -1) -> list[tuple[str, Dated]]:
    """Returns the quotations of a turn of Maya's, with their dates, if one sentence, by default the last, fills a
    frame.
    """
    found = []
    for people, doc, parts in _untagged(language, text):
        parts[sentence][-1].frames[sentence, frame_labels().index(frame)] = 1
        quoting = Quoting(text, doc.text)
        found += [quote(each, SUNDAY, quoting) for each in quotations(people, 0, Parts(doc, parts))]
    return found


def _untagged(
    language: LanguageModel, text: str
) -> Iterator[tuple[People, Doc, list[tuple[Framed, list[Span], Tags]]]]:
    """Yields a turn of Maya's while it is read: the people, its parse, and its parts with tags that are all 0."""
    said = [Said(MAYA, SUNDAY, text)]
    people, docs = open_dialogue(language, said, [MAYA, "Ben Okafor"])
    for number, doc in docs:
        yield (
            people,
            doc,
            [
                (framed, sentences, Tags.none(len(sentences), len(framed.ids)))
                for framed, sentences in windows(said, number, doc)
            ],
        )


def test_a_phrase_is_whole(told: Tell) -> None:
    """A phrase has all words of a compound, ends where something else begins, and has no preposition before it."""
    [work] = told("I work at the Red Cross, and I like it.", ("work", {"who": "I", "employer": "at the Red"}))
    assert "Red Cross" in work.content
    age, *_ = told("My aunt turned 90, 60 people came.", ("age", {"who": "My aunt", "age": "90, 60"}))
    assert age.content.endswith("is 90")


def test_the_labels_are_in_order(root: Path) -> None:
    """Each label names a frame and its slots, and its words occur in the turn. Each verdict is on an existing turn."""
    folder = root / "tests/benchmark/frames"
    frames, read = load_frames(), {each.name: each for each in dialogues(folder)}
    assert sum(len(turn) for each in read.values() for turn in each.labels) > 6_000
    for each in read.values():
        for said, labels in zip(each.said, each.labels, strict=True):
            for name, slots in labels:
                assert set(slots) - {"about", "who"} <= set(frames[name].slots), (each.name, name)
                assert all(words in said.text for slot, words in slots.items() if slot != "about"), (each.name, slots)
    talk = {each.name: each for each in judged_talk(folder)}
    for judged in read_labelled(folder / "judged.jsonl", JudgedFrame):
        assert judged.t < len(talk[judged.d].said)
