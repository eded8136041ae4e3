"""Long texts made of the turns of a file of dialogues (R11). The answer to each question is placed at the start, in the
middle and at the end of a text of turns that answer nothing, each time in another chat.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any, Final

from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn

PLACES: Final = ("start", "middle", "end")


def with_long_texts(content: DialogueFile, characters: int) -> DialogueFile:
    """Returns each dialogue three times, with its turns replaced by long texts of about `characters` characters.

    There is one text for each turn that alone answers a question, with its time and speaker. The category of a question
    is the place of its answer in the text, which differs between the three. The texts of a dialogue share their other
    turns, so that only the answer tells them apart.
    """
    dialogues = [_lengthened(each, characters, first) for each in content.dialogues for first in range(len(PLACES))]
    return replace(content, dialogues=dialogues)


def _lengthened(dialogue: FileDialogue, characters: int, first: int) -> FileDialogue:
    turns = {turn.id: turn for turn in dialogue.turns}
    answered = {turn for question in dialogue.questions for turn in question["evidence"]}
    others = [turn.text for turn in dialogue.turns if turn.id not in answered]
    texts, questions, held = list[FileTurn](), list[dict[str, Any]](), set[str]()
    asked = (each for each in dialogue.questions if len(each["evidence"]) == 1 and each["evidence"][0] in turns)
    for number, question in enumerate(asked):
        [answer] = question["evidence"]
        if answer in held:
            continue
        held.add(answer)
        place = (number + first) % len(PLACES)
        lines = _some(others, number * 37, characters)
        lines.insert(place * len(lines) // (len(PLACES) - 1), turns[answer].text)
        texts.append(replace(turns[answer], text="\n".join(lines)))
        questions.append({**question, "category": PLACES[place]})
    return replace(dialogue, id=f"{dialogue.id}-{first}", turns=texts, questions=questions)


def _some(lines: Sequence[str], first: int, characters: int) -> list[str]:
    """Returns lines from index `first` on, starting again after the last, of at most so many characters in all."""
    some, length = list[str](), 0
    for line in islice(cycle(lines), first % max(len(lines), 1), None):
        if length + len(line) > characters:
            break
        some.append(line)
        length += len(line) + 1
    return some
