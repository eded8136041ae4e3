import re
from importlib.resources import files

import pytest

from hippograph.nlp.names.listed import are_neighbours, called, gender, is_family, is_given, is_shared, other_names


@pytest.mark.parametrize("name", ["people.csv", "places.csv"])
def test_a_list_names_its_source(name: str) -> None:
    """The first line of a list has the source of its names with the version, the date, and the script that made it."""
    first, _ = files("hippograph.nlp.names").joinpath(name).read_text("utf-8").split("\n", 1)
    assert re.fullmatch(r"# From .+ \d+\.\d+\.\d+.*\. \d{4}-\d\d-\d\d, scripts/list_names\.py\.", first)


def test_people_have_names_of_their_countries() -> None:
    """A name is listed as a given name or a family name; two given names are neighbours if a country has both."""
    assert is_given("karin")
    assert not is_family("karin")
    assert not is_given("hofbauer")
    assert is_family("hofbauer")
    assert are_neighbours("karin", "karen")
    assert not are_neighbours("gheorghe", "giorgi")


def test_a_given_name_has_a_sex_where_one_alone_bears_it() -> None:
    """A listed name has the sex that alone bears it, none if both do; the ending decides for a name in no list."""
    assert ["male", "female", None, "female"] == [gender(name) for name in ("otto", "hannelore", "kim", "xandira")]


def test_short_forms_are_those_of_a_name() -> None:
    """The short forms of a name come from a library and from a table of ours; those of the other sex are left out."""
    assert {"bob", "rob"} <= called("robert")
    assert {"sasha", "shura"} <= called("aleksandr")
    assert "nicola" not in called("nicholas")


def test_places_share_names() -> None:
    """Several places share the name Cambridge, but not Paris; Wien is another name of Vienna."""
    assert is_shared(("cambridge",))
    assert not is_shared(("paris",))
    assert "wien" in other_names("vienna")
