"""Removal of a person's names from texts."""

import pytest

from hippograph.nlp.privacy.name_removal import longest_parts, names_pattern, without_names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("D’Arcy Byron", "Ask D'Arcy Byron"),
        ("D'Arcy Byron", "Ask D’Arcy Byron"),
        ("Ada-Lena Byron", "Ask ada_lena byron"),
        ("Jörg Groß", "Ask Jörg Gross"),
        ("Ada Jörgensen", "Ask Ada%20J%C3%B6rgensen"),
        ("José Núñez", "Ask Jos%C3%A9_N%C3%BA%C3%B1ez"),
        ("Ada Örjansson", "Ask Ada_%C3%96rjansson"),
        ("Анна Иванова", "Ask %D0%90%D0%BD%D0%BD%D0%B0%20%D0%98%D0%B2%D0%B0%D0%BD%D0%BE%D0%B2%D0%B0"),
        ("@ada.b", "Ask @Ada_B"),
    ],
)
def test_a_text_that_holds_a_name_holds_its_longest_part(name: str, text: str) -> None:
    """A text from which a name is removed contains a longest part of the name, by which texts are looked up."""
    assert "Ask [name removed]" == without_names(names_pattern([name]), text)
    assert any(part in text.lower() for part in longest_parts([name]))


@pytest.mark.parametrize(("name", "written"), [("D’Arcy", "D'Arcy"), ("D'Arcy", "D’Arcy"), ("D'Arcy", "D'Arcy")])
def test_either_apostrophe_is_of_a_name_as_it_is_written(name: str, written: str) -> None:
    """A name that is found only as it is written is found with a straight and a curly apostrophe, in no other case."""
    pattern = names_pattern([], [name])
    assert "[name removed] and d'arcy" == without_names(pattern, f"{written} and d'arcy")
    assert any(part in written.lower() for part in longest_parts([name]))


def test_an_initial_is_not_looked_for_in_place_of_a_word() -> None:
    """The longest part of a name is looked for, and not an initial that needs no percent-encoding."""
    assert ["j%c3%b6rgensen", "jörgensen"] == longest_parts(["J. Jörgensen"])


def test_parts_are_of_names_that_have_letters() -> None:
    """A name without letters or digits, which no pattern finds, has no part."""
    assert ["byron"] == longest_parts(["🙂", "Ada Byron"])
