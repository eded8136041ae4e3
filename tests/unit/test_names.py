from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import pytest
import spacy

from hippograph.nlp.errors import LanguageModelUnavailable
from hippograph.nlp.language import LanguageModel, load_language
from hippograph.nlp.names.recognition import TYPED, EntityType, Name, NameFinder


@pytest.fixture(scope="module")
def finder(language: LanguageModel) -> NameFinder:
    """A name finder with the default model."""
    return NameFinder(language)


def pairs(finder: NameFinder, text: str) -> list[tuple[str, str]]:
    """The text and the type of each name in a text."""
    return [(name.text, name.type) for name in finder.find([text])[0]]


class TestFind:
    def test_types(self, finder: NameFinder) -> None:
        """People, places and organizations are found with their types; dates and amounts are not names."""
        text = "On Monday Angela Merkel flew from Berlin to Paris for Siemens and paid 300 dollars."

        assert [
            ("Angela Merkel", "Person"),
            ("Berlin", "Place"),
            ("Paris", "Place"),
            ("Siemens", "Organization"),
        ] == pairs(finder, text)

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("I paddled a kayak near Kobarid with Matej and Karin.", ["Kobarid Place", "Matej Person", "Karin Person"]),
            ("My cousin Piotr works in Kraków.", ["Piotr Person", "Kraków Place"]),
            ("24 km along the Mur this morning.", ["Mur Place"]),
            ("Dr Menzies said so, and Sister Mbali.", ["Menzies Person", "Mbali Person"]),
            ("Took Doris to the vet.", ["Doris Person"]),
            ("Herr Pichler rang about the flat.", ["Pichler Person"]),
            ("My aunt Meena has the frame shop, and my brother Graz.", ["Meena Person", "Graz Person"]),
            ("Our client Siemens pays late.", ["Siemens Organization"]),
            ("Yesterday Tom smith called.", ["Tom smith Person"]),
            ("We live in Odense.", ["Odense Place"]),
            ("I'm off sick in Erdington.", ["Erdington Place"]),
            ("I'll clean it up in QGIS.", ["QGIS Tool"]),
            (
                "I met Barack Obama in the office of the Washington Post.",
                ["Barack Obama Person", "Washington Post Organization"],
            ),
            ("Kozjak waterfall in the fog with nobody there.", ["Kozjak Place"]),
            ("I took Tom mountain biking.", ["Tom Person"]),
            ("My aunt has the frame shop on Lendplatz.", ["Lendplatz Place"]),
            ("I leave Brannigan & Hay at the end of the month.", ["Brannigan & Hay Organization"]),
            ("Tom & Anna come on Friday.", ["Tom Person", "Anna Person"]),
            ("There's no son by the way, only Mme Farge.", ["Mme Farge Person"]),
            ("I'll tell Maya about the Hashimoto's.", ["Maya Person"]),
            ("Maya, log this for me: 24k yesterday, left Achilles 4 out of 10, slept five hours.", ["Maya Person"]),
            ("I left Maria at the station.", ["Maria Person"]),
            ("Dr Huber is from St. Pölten.", ["Huber Person", "St. Pölten Place"]),
            ("ask priya, she was in graz with matej", ["priya Person", "graz Place", "matej Person"]),
        ],
    )
    def test_words_around_and_lists_tell_the_type(self, finder: NameFinder, text: str, names: list[str]) -> None:
        """Adjacent verbs, numbers, titles and common words are not part of a name, and the context determines its
        type; names in lower case are found.
        """
        [found] = finder.find([text])
        assert names == [f"{name.text} {name.type}" for name in found]

    def test_nobody_has_a_digit_in_their_name(self, finder: NameFinder) -> None:
        """A word of letters and digits, such as A1c, is not found as a person."""
        assert [name for name in finder.find(["A1c is 5.8. Doc shook my hand."])[0] if name.type == "Person"] == []

    def test_what_is_not_surely_a_name(self, finder: NameFinder) -> None:
        """A common word or food taken for a name is not `sure`, so it creates no entity; ordinary names are `sure`."""
        texts = ["does anyone have the new code for the drug safe. keypad doesnt like me", "I hate satsivi"]
        assert [("keypad", False), ("satsivi", False)] == [(each.text, each.sure) for [each] in finder.find(texts)]
        texts = ["ask priya, she was in graz with matej", "I work at Brightwater in Ljubljana."]
        assert 5 == len([name for names in finder.find(texts) for name in names if name.sure])

    def test_who_has_a_given_name_is_surely_somebody(self, finder: NameFinder) -> None:
        """A person with a common given name has at least the certainty `TYPED`."""
        for text in ("Peter brought a cake.", "alive. putting Noah to bed, one hand typing"):
            [[name]] = finder.find([text])
            assert ("Person", True) == (name.type, name.certainty >= TYPED)

    def test_places_in_the_text(self, finder: NameFinder) -> None:
        """A name has its start and end in the text."""
        text = "Yesterday Angela Merkel's train to Berlin was late."
        [names] = finder.find([text])

        assert ["Angela Merkel", "Berlin"] == [text[name.start : name.end] for name in names]
        assert Name("Angela Merkel", "Person", 10, 23) == names[0]

    def test_each_text_has_its_names(self, finder: NameFinder) -> None:
        """The result has one list per text, in order; it is empty for a text without names."""
        found = finder.find(["We flew to London.", "and then it rained", "", "Barack Obama was there."])

        assert [["London"], [], [], ["Barack Obama"]] == [[name.text for name in names] for names in found]

    def test_no_texts(self, finder: NameFinder) -> None:
        """No texts give an empty list."""
        assert [] == finder.find([])

    def test_a_name_once(self, finder: NameFinder) -> None:
        """A name that occurs several times in a text, in whatever case, is found once, at its first occurrence."""
        text = "Berlin is large. I like Berlin, and BERLIN likes me."

        assert [Name("Berlin", "Place", 0, 6)] == finder.find([text])[0]

    def test_a_first_name_beside_the_full_one(self, finder: NameFinder) -> None:
        """A first name is not found beside the full name, whichever comes first."""
        found = finder.find(["Barack Obama called, and Barack was late.", "Barack called. Barack Obama, that is."])

        assert [["Barack Obama"], ["Barack Obama"]] == [[name.text for name in names] for names in found]

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("We read the Washington Post's article.", "Washington Post"),
            ("We stayed at the Hilton.", "Hilton"),
            ("I met Barack Obama\n", "Barack Obama"),
            ('She works for "Microsoft", I think.', "Microsoft"),
            ("They live in **Germany**.", "Germany"),
            ("They live in `Germany`", "Germany"),
            ("J.K. Rowling wrote it.", "J.K. Rowling"),
            ("He goes to St Teresa's, like all of them.", "St Teresa's"),
            ("We drove in to St. John's today.", "St. John's"),
        ],
    )
    def test_spans_are_clean(self, finder: NameFinder, text: str, name: str) -> None:
        """Articles, possessives, quotes, Markdown and line ends are not part of a name; the dots of initials are."""
        assert [name] == [found.text for found in finder.find([text])[0]]


class TestChat:
    @pytest.mark.parametrize(
        "text",
        [
            "Hey Rosalind! How was it?",
            "Thanks, Rosalind. That helped.",
            "That is sad. Sorry Rosalind, I did not know.",
            "Good morning Rosalind",
            "Wow, Rosalind! Just great.",
            "yeah Rosalind, me too",
            "No worries, Rosalind! It happens.",
        ],
    )
    def test_who_is_addressed(self, finder: NameFinder, text: str) -> None:
        """A name after a greeting or a reaction is a person, and the greeting is not part of it."""
        assert [("Rosalind", "Person")] == pairs(finder, text)

    @pytest.mark.parametrize(
        "text",
        [
            "Hey there! Hi everyone!",
            "Thanks, Mom! Wow, dude!",
            "Nooo! My weekend!",
            "Awesome! Congrats! Woohoo!",
            "Yeah, sure. Glad you like it",
            "Gonna be late, lol. Wanna come?",
            "Thanks God, it's Fri",
        ],
    )
    def test_chatter_is_no_name(self, finder: NameFinder, text: str) -> None:
        """Interjections, slang and words for nobody in particular are not names."""
        assert [] == pairs(finder, text)

    def test_after_a_reaction_the_model_counts(self, finder: NameFinder) -> None:
        """A place after an interjection is still found as a place."""
        assert ("Paris", "Place") in pairs(finder, "Wow, Paris! I would love to see Paris in France.")

    @pytest.mark.parametrize(
        "text", ["我住在北京", "أنا من القاهرة", "أنا", "Meine Tochter kommt morgen.", "昨日、田中さんに会いました"]
    )
    def test_words_of_other_languages_are_no_names(self, finder: NameFinder, text: str) -> None:
        """Words in scripts without capitals, and lower-case words of another language, are not found as names."""
        assert [] == pairs(finder, text)

    def test_names_in_other_languages_are_found(self, finder: NameFinder) -> None:
        """A capitalized name in a German sentence is found."""
        assert ("Angela Merkel", "Person") in pairs(finder, "Gestern war ich mit Angela Merkel in der Stadt.")


class TestHandles:
    def test_handles_are_persons(self, finder: NameFinder) -> None:
        """A handle is found as a person, from the @ to its last letter or digit."""
        text = "ask @bob_77, @anna.lee and (@Ōsaka-san)."

        assert ["@bob_77", "@anna.lee", "@Ōsaka-san"] == [name.text for name in finder.find([text])[0]]
        assert {"Person"} == {name.type for name in finder.find([text])[0]}

    @pytest.mark.parametrize(
        "text",
        [
            "write to bob@example.org",
            "@everyone come here, @channel",
            "import @types/node",
            "what @ noon",
            "@ @@ @@bob@",
        ],
    )
    def test_what_is_no_handle(self, finder: NameFinder, text: str) -> None:
        """Email addresses, package names and handles for a whole room are not found as persons."""
        assert [] == [name for name in finder.find([text])[0] if name.type == "Person"]


class TestRobustness:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            " \n\t ",
            "🎉🎉 👩‍👩‍👧‍👦",
            "مرحبا يا أحمد، كيف حالك في القاهرة؟",
            "Привет, Мария! Как Москва?",
            "東京へ行きました。",
            "half \ud800 of a pair and Berlin",
            "\x00\x01",
            "[](){}<>|\\/@#$%^&*",
            "hey " * 8_000,
            "\n" * 30_000,
            "@" * 30_000,
            "a" * 30_000,
            "Angela Merkel met Barack Obama in Berlin. " * 700,
            "x" * 1_200_000,
        ],
        ids=lambda text: ascii(text[:12]),
    )
    def test_odd_texts(self, finder: NameFinder, text: str) -> None:
        """Any text is accepted, and each name found is the text of its span and has a known type."""
        [names] = finder.find([text])

        assert all(text[name.start : name.end] == name.text for name in names)
        assert all(name.type in get_args(EntityType) for name in names)

    def test_threads_agree(self, finder: NameFinder) -> None:
        """Several threads at once find the same names as one."""
        texts = [f"Room {number}: Angela Merkel flew to Berlin." for number in range(12)]
        expected = finder.find(texts)

        with ThreadPoolExecutor(4) as pool:
            actual = [names for [names] in pool.map(lambda text: finder.find([text]), texts)]

        assert expected == actual


class TestLoading:
    def test_a_model_without_names(self, tmp_path: Path) -> None:
        """A model that finds no names is refused."""
        spacy.blank("en").to_disk(tmp_path)

        with pytest.raises(LanguageModelUnavailable, match="finds no names"):
            NameFinder(load_language(str(tmp_path)))
