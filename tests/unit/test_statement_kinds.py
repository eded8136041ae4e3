"""The kind of an explicit statement, found by its words."""

import pytest

from hippograph.graph.model import KINDS
from hippograph.nlp.statement_kinds import _patterns, kind_of


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("Ben lives in Graz.", "identity"),
        ("Maya took a job at Brightwater.", "identity"),
        ("I moved to Ljubljana last night.", "identity"),
        ("Priya is allergic to walnuts.", "identity"),
        ("Sarah's birthday is March 15.", "identity"),
        ("Anna is Ben's sister.", "relationship"),
        ("Ben’s older brother runs a bakery.", "relationship"),
        ("Jonas is married to Lea.", "relationship"),
        ("The user prefers dark mode.", "preference"),
        ("Tomás can't stand coriander.", "preference"),
        ("Ben doesn't drink coffee.", "preference"),
        ("Maya seems tired.", "observation"),
        ("Ben needs to renew his passport.", "task"),
        ("The report is due on Friday.", "task"),
        ("Priya has a dentist appointment.", "event"),
        ("Ben flew to Oslo.", "event"),
        ("Maya is currently reading Middlemarch.", "context"),
        ("The staging server runs Postgres 16.", "knowledge"),
        ("Der Server läuft mit Postgres.", "knowledge"),
        ("", "knowledge"),
    ],
)
def test_kind_of_a_statement(statement: str, kind: str) -> None:
    """A statement has the kind that its words show; without such words it is knowledge."""
    assert kind == kind_of(statement)


def test_every_kind_is_one_that_facts_have() -> None:
    """Each kind of the table is one that facts may have."""
    assert {kind for kind, _ in _patterns()} <= set(KINDS)
