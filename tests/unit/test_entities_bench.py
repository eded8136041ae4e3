import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from benchmarks.quality.entities import LabelledPair, measure
from benchmarks.quality.labelled import read_labelled

KNOWN = {"type": "person", "aliases": [], "usernames": [], "chats": ["standup"], "company": ["Priya Raman"]}


def pair(number: int, name: str, text: str, same: bool, *, chat: str = "standup", **more: object) -> str:
    """Returns a line of a file of labelled pairs: an entity, a mention, and whether they are the `same`."""
    mention = {"text": text, "type": "person", "chat": chat, "company": ["Priya Raman"], **more}
    known = {"name": name, **KNOWN}
    return json.dumps({"id": f"p-{number}", "known": known, "mention": mention, "same": same, "why": "near"})


def test_what_is_uncertain_is_no_match(tmp_path: Path) -> None:
    """Uncertain pairs count as no match in precision and recall. False merges and uncertain pairs are counted
    separately, and false merges are listed.
    """
    file = tmp_path / "pairs.jsonl"
    lines = [
        pair(1, "Mukesh Sharma", "Mukesh", True),
        pair(2, "Mukesh Sharma", "Makesh", False),
        pair(3, "Anna Berger", "Anna Berger", True, chat="tax office", company=["Herr Lobner"]),
        pair(4, "Maria Lenz", "Marta Lenz", False),
    ]
    file.write_text("\n".join(lines), "utf-8")
    rows = {row.what: row.numbers for row in measure(read_labelled(file, LabelledPair), lambda *_: None)}
    numbers = rows["all"]
    assert (4, 0.5, 0.5) == (numbers["pairs"], numbers["precision"], numbers["recall"])
    assert (1, 1, 1) == (numbers["false merges"], numbers["uncertain"], numbers["of them same"])
    assert ["p-2"] == [what.split()[2] for what in rows if what.startswith("false merge")]
    assert rows["speed"]["ms per decision"] > 0


def test_a_line_of_another_form_is_refused(tmp_path: Path) -> None:
    """A line with an unknown field raises an error."""
    file = tmp_path / "pairs.jsonl"
    file.write_text(json.dumps({**json.loads(pair(1, "A", "B", True)), "more": 1}), "utf-8")
    with pytest.raises(ValidationError):
        read_labelled(file, LabelledPair)
