from datetime import UTC, datetime

from benchmarks.quality.long_texts import PLACES, with_long_texts
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn


def test_each_answer_is_looked_for_at_each_place() -> None:
    """Each question is asked once for each place of its answer, so that places are compared by the same questions."""
    words = ["The ferry leaves at six.", "Rain again.", "The keys are with Inga.", "Tea?", "Fine."]
    turns = [FileTurn(str(n), "Inga", text, datetime(2026, 5, 1, tzinfo=UTC)) for n, text in enumerate(words)]
    asked = {"When does it leave?": "0", "Where are the keys?": "2"}
    questions = [{"text": text, "category": "fact", "evidence": [turn]} for text, turn in asked.items()]

    made = with_long_texts(DialogueFile([FileDialogue("d", turns, questions=questions)]), 200)

    places: dict[str, dict[str, float]] = {text: {} for text in asked}
    for dialogue in made.dialogues:
        long = {turn.id: turn.text for turn in dialogue.turns}
        for question in dialogue.questions:
            [turn] = question["evidence"]
            at = long[turn].index(words[int(turn)]) / (len(long[turn]) - len(words[int(turn)]))
            places[question["text"]][question["category"]] = at
    for found in places.values():
        assert set(PLACES) == set(found)
        assert 0 == found["start"] < found["middle"] < found["end"] == 1
    assert 3 == len({dialogue.id for dialogue in made.dialogues})
