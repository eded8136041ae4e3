import json
from pathlib import Path

from api.bench.labelled import read_labelled
from api.bench.truth import Found, JudgedConversation, find, measure, verdict, verdicts
from nlp.frames.extractor import LocalExtractor


def conversation(*judged: dict[str, object]) -> str:
    """A line of a set, of one turn."""
    turn = {"id": "1", "speaker": "Maya Lind", "time": "2026-05-03T18:20:00Z", "text": "I live in Leeds. I am a nurse."}
    talk = {"id": "c-1", "genre": "chat", "title": "Hello", "chat": "private", "participants": ["Maya Lind"]}
    return json.dumps({**talk, "turns": [{**turn, "judged": judged}]})


def found(content: str, about: str = "Maya Lind") -> Found:
    """Something that was found in that turn."""
    where = {"conversation": "c-1", "turn": "1", "speaker": "Maya Lind", "text": "…"}
    return Found(**where, content=content, about=about, kind="fact", confidence=0.9, date=None)


def test_shares_are_of_what_was_judged(tmp_path: Path, extractor: LocalExtractor) -> None:
    """What is found and not judged is counted for itself, and can be told from the rest."""
    file = tmp_path / "set.jsonl"
    home = {"content": "Maya lives in Leeds.", "about": "Maya Lind", "verdict": "true", "useful": True}
    file.write_text(conversation(home), "utf-8")
    sample = read_labelled(file, JudgedConversation)
    statements = list(find(extractor, sample, 0.7, lambda *_: None))
    [everything, chat] = [row.numbers for row in measure(sample, statements, [])]
    assert (1, 1, 1.0, 1.0) == tuple(everything[each] for each in ("judged", "unjudged", "true", "useful"))
    assert everything == chat
    assert ["Maya is a nurse"] == [each.content for each in statements if verdict(verdicts(sample), each) is None]


def test_what_an_earlier_extractor_found_is_the_measure(tmp_path: Path) -> None:
    """Useful statements count as kept in other words too; biography is counted on both sides."""
    file = tmp_path / "set.jsonl"
    good = {"about": "Maya Lind", "verdict": "true", "useful": True, "biography": True}
    told = [{"content": each, **good} for each in ("Maya lives in Leeds", "Maya is a nurse", "Maya now lives in Leeds")]
    file.write_text(conversation(*told), "utf-8")
    sample = read_labelled(file, JudgedConversation)
    before = [found("Maya lives in Leeds"), found("Maya is a nurse")]
    against = measure(sample, [found("Maya now lives in Leeds")], before)[-1].numbers
    assert {"useful": 2, "kept": 0.5, "biography before": 2, "biography now": 1, "ratio": 0.5} == against
