import pytest

from hippograph.nlp.parsing.english import is_english
from hippograph.nlp.parsing.spelling import handles_of, known_names, spelled


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("im um so tired tired", "I'm so tired"),
        ("Ben's finally moving", "Ben is finally moving"),
        ("Ben's got a dog", "Ben has got a dog"),
        ("Ben's dog", "Ben's dog"),
        ("I live in\u200b Ro\u00adme\ufeff", "I live in Rome"),
        ("Ben's snoring keeps me awake", "Ben's snoring keeps me awake"),
        ("I'm at my brother's in Turda", "I'm at my brother's in Turda"),
        ("it is https://example.org/a `code` here", "it is here"),
        ("its broken and its screen is dark", "it is broken and its screen is dark"),
        ("so ill call him", "so I'll call him"),
        ("I am ill", "I am ill"),
        ("she's she's leaving", "she is leaving"),
        ("bens dad is a mechanic", "Ben's dad is a mechanic"),
        ("my lens dad is a mechanic", "my lens dad is a mechanic"),
        ("On Sundays dad cooks", "On Sundays dad cooks"),
        ("DeShawns dad is a mechanic", "DeShawn's dad is a mechanic"),
        ("my neighbour Wilma'll come and we'll see", "my neighbour Wilma will come and we'll see"),
        ("I start at St Ann's in April", "I start at St Ann's in April"),
        ("my mother in laws house", "my mother-in-law house"),
        ("I live in Graz, by the way, with Ana", "I live in Graz, with Ana"),
        ("you know I live in Graz", "I live in Graz"),
        ("Do you know Graz", "Do you know Graz"),
        ("my sister thandi got engaged", "my sister Thandi got engaged"),
        ("my sister just got engaged", "my sister just got engaged"),
        ("and my nephew jamie he broke it", "and my nephew Jamie broke it"),
        ("I told my sister she can come", "I told my sister she can come"),
        ("a guy called peter", "a guy called Peter"),
        ("imo the logo is ugly", "I think the logo is ugly"),
        ("remind me to ring Ben", "I have to ring Ben"),
        ("@maya I can't come", "I can't come"),
        ("@ben hates it", "Ben hates it"),
        ('I read "The Lean Startup" now', "I read The Lean Startup now"),
        ('They said "I live in Graz"', "They said"),
        ("yeah nope we moved 😀 to Graz", "we moved. to Graz"),
    ],
)
def test_what_is_written_fast_or_misheard(text: str, expected: str) -> None:
    """Informal text becomes standard spelling, reduced to the speaker's own words."""
    assert expected == spelled(text, ["Ben", "DeShawn", "Sunday"]).replace(" .", ".").strip()


def test_names_get_their_capitals() -> None:
    """A known name is capitalised in a text without capitals; a text with capitals is left as it is."""
    names = known_names(["I met Svetozar at the station"])
    assert {"Svetozar"} == names
    assert "Svetozar hates fish" == spelled("svetozar hates fish", names)
    assert "the svetozar of Graz" == spelled("the svetozar of Graz", names)


@pytest.mark.parametrize("handle", ["bjorn", "Bjørn", "haugen", "bjornhaugen", "bjorn.haugen", "bhaugen", "bjornh"])
def test_a_handle_is_who_has_it(handle: str) -> None:
    """A handle made from a full name in a usual way becomes the first name; an unknown handle only loses its @."""
    handles = handles_of(["Maya Lindqvist", "Bjørn Haugen"])
    assert "Bjørn hates flying" == spelled(f"@{handle} hates flying", [], handles)
    assert "rex hates flying" == spelled("@rex hates flying", [], handles)


@pytest.mark.parametrize(
    ("handle", "called"),
    [("bjorn", "Bjørn"), ("anna", "Anna"), ("annahaugen", "Anna"), ("bhaugen", "Bjørn"), ("haugen", "haugen")],
)
def test_a_handle_of_two_people_is_nobodys(handle: str, called: str) -> None:
    """A handle that two people may have, such as their family name, stays unresolved; their other handles do not."""
    handles = handles_of(["Bjørn Haugen", "Anna Haugen"])
    assert f"{called} hates flying" == spelled(f"@{handle} hates flying", [], handles)


@pytest.mark.parametrize(
    "text",
    [
        "Vivo en Madrid desde 2010 y trabajo como enfermera.",
        "Mein Bruder Lars arbeitet bei Siemens und hasst Montage.",
        "Je suis infirmière et j'habite à Lyon depuis deux ans.",
        "Mi sono trasferita a Milano ieri con mio fratello Luca.",
        "Eu moro em Lisboa e trabalho num banco.",
        "Ik woon in Utrecht en werk als verpleegster bij Philips.",
        "Mieszkam w Krakowie i pracuję jako nauczycielka.",
        "Ankara'da yaşıyorum ve bir bankada çalışıyorum.",
        "Я живу в Граце и работаю медсестрой.",
        "私は東京に住んでいます。",
        "أعيش في القاهرة",
        "12345 !!!",
        "",
    ],
)
def test_other_languages_are_no_english(text: str) -> None:
    """Texts in other languages, told by their letters or function words, and texts without words are not English."""
    assert not is_english(text)


@pytest.mark.parametrize("text", ["I live in Graz", "uh Motala", "Ana de Vries has the keys", "we moved to São Paulo"])
def test_english_is_english(text: str) -> None:
    """English is recognised, also with foreign names and in very short texts."""
    assert is_english(text)
