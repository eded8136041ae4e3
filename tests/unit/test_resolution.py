from dataclasses import replace
from typing import Any

import pytest

from hippograph.graph.knowledge.entity_resolution.entity_linking import Candidate, Mention, Outcome, decide
from hippograph.graph.knowledge.entity_resolution.name_mention import mentions
from hippograph.graph.model import EntityType
from hippograph.nlp.names.recognition import Name

MUKESH = Candidate(
    "1",
    EntityType.PERSON,
    ("Mukesh Sharma",),
    ("mukesh",),
    frozenset({"standup"}),
    frozenset({"Priya Raman"}),
    frozenset({"Priya Raman"}),
)


def said(text: str, chat: str = "standup", *company: str, kind: EntityType = EntityType.PERSON) -> Mention:
    """A mention in a chat; `company` serves as the names and the ids of the others there."""
    return Mention(text, kind, chat, frozenset(company), frozenset(company))


CASES = [
    (said("Mukesh Sharma"), Outcome.SAME),
    (said("Mukesh Sharma", "elsewhere"), Outcome.SAME),
    (said("Mukesh Sharma", "elsewhere", "Priya Raman"), Outcome.SAME),
    (said("Mukesh Sharma", "elsewhere", "Coach Bhatt"), Outcome.UNCERTAIN),
    (said("Mukesh"), Outcome.SAME),
    (said("Mukesh", "elsewhere", "Priya Raman"), Outcome.SAME),  # no listed given name, so it counts as the username
    (said("Mukesh", "elsewhere", "Coach Bhatt"), Outcome.OTHER),
    (said("Makesh", "standup", "Priya Raman"), Outcome.SAME),
    (said("Makesh", "elsewhere", "Priya Raman"), Outcome.UNCERTAIN),
    (said("Makesh", "elsewhere", "Coach Bhatt"), Outcome.OTHER),
    (said("Makesh", "standup", "Makesh Pillai"), Outcome.OTHER),
    (said("Makesh Sharma", "standup", "Mukesh Sharma"), Outcome.OTHER),
    (said("Mahesh", "standup"), Outcome.OTHER),
    (said("@mukesh", "elsewhere", "Coach Bhatt"), Outcome.SAME),
    (said("mukesh", "elsewhere", "Coach Bhatt"), Outcome.OTHER),
    (said("Mukesh Sharma", kind=EntityType.ORGANIZATION), Outcome.SAME),
    (said("Mukesh Sharma", "elsewhere", kind=EntityType.ORGANIZATION), Outcome.OTHER),
]


NAMED_BESIDE = [
    ("Anna Weiss", "Hannah Weiss", ["Hannah"], [], Outcome.OTHER),
    ("Danny", "Daniel Price", ["Dan Price"], [], Outcome.OTHER),
    ("Robert", "Robert Hale", ["@rhale"], [], Outcome.SAME),
    ("Hale", "Robert Hale", ["Robert"], [], Outcome.SAME),
    ("Michael", "Michael Adeleke", [], ["Michael Stern"], Outcome.UNCERTAIN),
    ("Gail", "Abigail Strand", [], ["Gail Porter"], Outcome.OTHER),
    ("Michael", "Michael Adeleke", [], ["Vera"], Outcome.SAME),
    ("Michael", "Michael Adeleke", ["Michael Adeleke"], ["Vera"], Outcome.SAME),
    ("Michael", "Michael Adeleke", ["Michael Adeleke", "Michael Stern"], [], Outcome.UNCERTAIN),
]


@pytest.mark.parametrize(("text", "name", "beside", "company", "outcome"), NAMED_BESIDE)
def test_who_else_is_there_may_be_meant(
    text: str, name: str, beside: list[str], company: list[str], outcome: Outcome
) -> None:
    """A mention is somebody else if the entity is named beside it, or if it fits another person there better. It is
    uncertain if it fits both equally well.
    """
    known = Candidate("1", EntityType.PERSON, (name,), (), frozenset({"standup"}), frozenset(company))
    assert outcome is decide(said(text, "standup", *beside), known).outcome


@pytest.mark.parametrize(("mention", "outcome"), CASES)
def test_chat_and_company_bear_out_what_the_words_say(mention: Mention, outcome: Outcome) -> None:
    """A full name links except among strangers, where it is for review. A similar sound needs the chat, a word that is
    also the username the chat or a person in common. A mention of another type links in the chat only.
    """
    verdict = decide(mention, MUKESH)
    assert outcome is verdict.outcome, verdict


@pytest.mark.parametrize(
    ("alone", "outcome"), [("", Outcome.UNCERTAIN), ("Vera", Outcome.SAME), ("Coach Bhatt", Outcome.UNCERTAIN)]
)
def test_alone_with_the_assistant_a_first_name_is_whom_one_met(alone: str, outcome: Outcome) -> None:
    """Alone with the assistant, a first name means the member with whom the speaker shares a chat. It is for review if
    others take part, or if the two never met.
    """
    robert = Candidate("1", EntityType.PERSON, ("Robert Hale",), (), frozenset({"standup"}), *[frozenset({"Vera"})] * 2)
    mention = replace(said("Robert", "private", "Vera"), alone=alone)
    assert outcome is decide(mention, replace(robert, member=True)).outcome
    assert Outcome.UNCERTAIN is decide(mention, robert).outcome


def test_a_place_is_the_same_everywhere_and_a_project_is_not() -> None:
    """Among strangers, the name of a place is the same place. The name of a project is for review there, and so is
    that of several places.
    """

    def known(kind: EntityType, name: str) -> Any:
        return Candidate("1", kind, (name,), (), frozenset({"a"}), frozenset({"Ann Lee"}))

    for kind, name, outcome in (
        (EntityType.PLACE, "Paris", Outcome.SAME),
        (EntityType.PLACE, "Cambridge", Outcome.UNCERTAIN),
        (EntityType.PLACE, "the Cambridge", Outcome.UNCERTAIN),
        (EntityType.PROJECT, "Project Mercury", Outcome.UNCERTAIN),
        (EntityType.PROJECT, "Mercury", Outcome.UNCERTAIN),
    ):
        verdict = decide(said(name, "b", "Bo Diaz", kind=kind), known(kind, name))
        assert outcome is verdict.outcome


def test_in_one_chat_an_acronym_is_one_thing() -> None:
    """In one chat an acronym means the same entity whatever type it is given; in another chat it is another."""
    known = Candidate("1", EntityType.CONCEPT, ("JFK",), (), frozenset({"standup"}))
    assert Outcome.SAME is decide(said("JFK", kind=EntityType.PLACE), known).outcome
    assert Outcome.OTHER is decide(said("JFK", "elsewhere", kind=EntityType.PLACE), known).outcome


def test_what_is_of_the_same_type_is_likelier_meant() -> None:
    """Of a person and a thing of one name in a chat, a mention of a person ranks the person first."""
    person, thing = (
        Candidate("1", kind, ("Olga",), (), frozenset({"standup"})) for kind in (EntityType.PERSON, EntityType.CONCEPT)
    )
    assert decide(said("Olga"), person).rank < decide(said("Olga"), thing).rank


OTHER_TYPES = [
    ("Leicester Road Surgery", "Lester Road surgery", EntityType.PLACE, Outcome.SAME),
    ("Leicester Road Surgery", "Leicester Road", EntityType.PLACE, Outcome.OTHER),
    ("Miro", "Miro", EntityType.TOOL, Outcome.SAME),
    ("Apple", "apple", EntityType.CONCEPT, Outcome.SAME),
    ("Chelsea", "Chelsea", EntityType.PLACE, Outcome.SAME),
    ("Keller", "Keller", EntityType.PERSON, Outcome.SAME),
]


@pytest.mark.parametrize(("name", "text", "kind", "outcome"), OTHER_TYPES)
def test_a_thing_is_itself_in_its_chat_whatever_sort_it_seems(
    name: str, text: str, kind: EntityType, outcome: Outcome
) -> None:
    """In its chat a thing is linked by its whole name despite another type, since a recognizer takes a surgery for a
    place and a person for a firm. In another chat it is another.
    """
    known = Candidate("1", EntityType.ORGANIZATION, (name,), (), frozenset({"standup"}))
    assert outcome is decide(said(text, kind=kind), known).outcome
    assert Outcome.OTHER is decide(said(text, "b", "Bo Diaz", kind=kind), known).outcome


ELSEWHERE = [
    ("Deltaroute", "Deltaroute", EntityType.PLACE, "Ann Lee", Outcome.SAME),
    ("Deltaroute", "Deltaroute", EntityType.PERSON, "Ann Lee", Outcome.SAME),
    ("Deltaroute", "Deltaroute", EntityType.PLACE, "Bo Diaz", Outcome.OTHER),
    ("Deltaroute GmbH", "Delta", EntityType.PLACE, "Ann Lee", Outcome.OTHER),
    ("Will", "Will", EntityType.PROJECT, "Ann Lee", Outcome.OTHER),
    ("Selenium", "selenium", EntityType.CONCEPT, "Ann Lee", Outcome.OTHER),
    ("Phoenix", "Phoenix", EntityType.PLACE, "Ann Lee", Outcome.OTHER),
    ("Ruby", "Ruby", EntityType.PERSON, "Ann Lee", Outcome.OTHER),
]


@pytest.mark.parametrize(("name", "text", "kind", "company", "outcome"), ELSEWHERE)
def test_a_thing_is_itself_among_people_whom_one_knows(
    name: str, text: str, kind: EntityType, company: str, outcome: Outcome
) -> None:
    """In another chat with a person in common, a thing is linked by exactly its name despite another type, unless the
    name may mean something else.
    """
    known = Candidate("1", EntityType.ORGANIZATION, (name,), (), frozenset({"a"}), *[frozenset({"Ann Lee"})] * 2)
    assert outcome is decide(said(text, "b", company, kind=kind), known).outcome


@pytest.mark.parametrize(
    ("name", "outcome"), [("Hans Müller", Outcome.UNCERTAIN), ("Ottoline Verhaegen", Outcome.SAME)]
)
def test_a_full_name_that_many_have_is_for_review_elsewhere(name: str, outcome: Outcome) -> None:
    """In another chat, with nobody else named, a rare full name is linked and a common one is for review; in the same
    chat both are linked.
    """
    known = Candidate("1", EntityType.PERSON, (name,), (), frozenset({"a"}), frozenset({"Ann Lee"}))
    assert outcome is decide(said(name, "b"), known).outcome
    assert Outcome.SAME is decide(said(name, "a"), known).outcome


@pytest.mark.parametrize(
    ("claims", "text", "outcome"),
    [
        ({"Bob Smith"}, "Bob Smith", Outcome.UNCERTAIN),
        ({"Bob Smith"}, "Bobby Smith", Outcome.UNCERTAIN),
        ({"Bob Smith"}, "Malvina Crowe", Outcome.SAME),
        ({"Bob Smith", "Malvina Crowe"}, "Malvina Crowe", Outcome.UNCERTAIN),
        ({"@bob"}, "@bob", Outcome.UNCERTAIN),
        (set(), "Bob Smith", Outcome.SAME),
        (set(), "@bob", Outcome.SAME),
    ],
)
def test_who_fits_by_their_own_word_alone_is_for_review(claims: set[str], text: str, outcome: Outcome) -> None:
    """A match by a claim alone, which nobody else vouches for, is for review even in the same chat."""
    known = Candidate(
        "1",
        EntityType.PERSON,
        ("Malvina Crowe", "Bob Smith"),
        ("bob",),
        frozenset({"standup"}),
        claims=frozenset(claims),
    )
    assert outcome is decide(said(text), known).outcome


def test_company_of_the_same_name_is_no_company() -> None:
    """People in common are compared by id: two people called Ann Lee are not the same."""
    known = Candidate(
        "1", EntityType.PERSON, ("Hans Müller",), (), frozenset({"a"}), frozenset({"Ann Lee"}), frozenset({"ann"})
    )
    mention = Mention("Hans Müller", EntityType.PERSON, "b", frozenset({"Ann Lee"}), frozenset({"another ann"}))
    assert decide(mention, known).outcome is Outcome.UNCERTAIN
    assert decide(replace(mention, people=frozenset({"ann"})), known).outcome is Outcome.SAME


def test_a_name_is_not_beside_itself() -> None:
    """A name that a text has twice, in any case, is one mention, and the other names alone are beside it."""
    found = mentions([Name("Maya", "Person", 0, 4), Name("maya", "Person", 6, 10), Name("Ben", "Person", 12, 15)])
    assert [("maya", ("Ben",)), ("Ben", ("Maya", "maya"))] == [(each.text, each.beside) for each in found]
