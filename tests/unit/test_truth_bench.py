import json
from pathlib import Path

from benchmarks.quality.labelled import read_labelled
from benchmarks.quality.truth import JudgedConversation, find, measure, verdict, verdicts
from hippograph.nlp.frames.extractor import LocalExtractor


def conversation(*judged: dict[str, object]) -> str:
    """A line of a judged set: a conversation of one turn with these judgements."""
    turn = {
        "id": "1",
        "speaker": "Maya Lind",
        "time": "2026-05-03T18:20:00Z",
        "text": "I live in Graz. My birthday is on 3 June.",
    }
    talk = {"id": "c-1", "genre": "chat", "title": "Hello", "chat": "private", "participants": ["Maya Lind"]}
    return json.dumps({**talk, "turns": [{**turn, "judged": judged}]})


def test_shares_are_of_what_was_judged(tmp_path: Path, extractor: LocalExtractor) -> None:
    """Shares are computed over judged statements only. Statements without a verdict are counted separately."""
    file = tmp_path / "set.jsonl"
    home = {"content": "Maya lives in Graz", "about": "Maya Lind", "verdict": "true", "useful": True}
    file.write_text(conversation(home), "utf-8")
    sample = read_labelled(file, JudgedConversation)
    statements = list(find(extractor, sample, 0.7, lambda *_: None))
    [everything, chat] = [row.numbers for row in measure(sample, statements)]
    assert (1, 1, 1.0, 1.0) == tuple(everything[each] for each in ("judged", "unjudged", "true", "useful"))
    assert everything == chat
    assert ["Maya's birthday is 3 June"] == [
        each.content for each in statements if verdict(verdicts(sample), each) is None
    ]
