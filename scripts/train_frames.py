"""Teaches the tagger of frames with labelled talk, and how sure a filled frame is by what was judged of other talk.

The sets of `api.bench.extraction.LEFT_OUT` are not taught with. What the tagger finds there tells how sure it is: what
a reader judged (`judged.jsonl`) by the verdict, the rest by the labels. The tagger and the weights of confidence go to
`nlp/models`, or another folder; an hour on two cores. `--unjudged FILE` writes what nobody judged yet.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy
from sklearn.linear_model import LogisticRegression

from api.bench.extraction import LEFT_OUT, Dialogue, JudgedFrame, Label, dialogues, same_about
from api.bench.labelled import LEAST_F1, read_labelled, token_f1
from nlp.extraction.coreference import People
from nlp.extraction.statements import Unclear
from nlp.frames.extractor import CONFIDENCE, evidence_of, open_dialogue, read_parts, windows
from nlp.frames.filling import Filled, fill
from nlp.frames.frame import WHO, load_frames
from nlp.frames.tagger import frame_labels, slot_labels
from nlp.frames.telling import tell
from nlp.frames.token_window import Framed
from nlp.language import LanguageModel, load_language
from nlp.models.logistic_regression import BIAS
from scripts.teach_tagger import Lesson, Model, export, teach

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

FOLDER: Final = Path(__file__).parents[1] / "tests" / "benchmark" / "frames"
_WORDS: Final = re.compile(r"\w+")


def located(words: str, text: str, near: int | None = None) -> tuple[int, int] | None:
    """Where labelled words stand in a text that was spelled anew: the first place, or that nearest to another."""
    parts = [re.escape(each) for each in _WORDS.findall(words)]
    if not parts:
        return None
    pattern = r"(?<!\w)" + r"\W{0,3}".join(parts) + r"(?!\w)"
    found = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
    return min(found, key=lambda each: abs(each[0] - (near or 0)), default=None)


def lessons(language: LanguageModel, some: Sequence[Dialogue]) -> list[Lesson]:
    """What the tagger learns from dialogues; says on standard error how many labels are not found in the talk."""
    taught, lost = list[Lesson](), Counter[str]()
    for dialogue in some:
        _, docs = open_dialogue(language, dialogue.said, dialogue.participants)
        for number, doc in docs:
            if dialogue.said[number].speaker:
                spans, anchors = _places(dialogue.labels[number], doc, lost)
                for framed, sentences in windows(dialogue.said, number, doc):
                    taught.append(_lesson(framed, sentences, spans, anchors))
    print(f"{len(taught)} lessons; labels that were not found: {dict(lost)}", file=sys.stderr)
    return taught


def _places(
    labels: Sequence[Label], doc: "Doc", lost: Counter[str]
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
    """Where the slots of labels stand in a turn, with the number of each; and where the main ones begin, with the
    number of the frame.
    """
    frames, numbers = load_frames(), {name: number for number, name in enumerate(frame_labels())}
    columns = {label: number for number, label in enumerate(slot_labels())}
    spans, anchors = [], []
    for name, slots in labels:
        main = next((at for s in frames[name].main if slots.get(s) and (at := located(slots[s], doc.text))), None)
        if main is None:
            lost[name] += 1
            continue
        anchors.append((main[0], numbers[name]))
        for slot, words in slots.items():
            if (name, slot) in columns and (place := located(words, doc.text, main[0])) is not None:
                spans.append((*place, columns[name, slot]))
    return spans, anchors


def _lesson(
    framed: Framed,
    sentences: "Sequence[Span]",
    spans: Sequence[tuple[int, int, int]],
    anchors: Sequence[tuple[int, int]],
) -> Lesson:
    tokens: dict[int, set[int]] = {}
    for start, end, column in spans:
        for token in framed.over([(start, end)]):
            if token:
                tokens.setdefault(token, set()).add(column)
    read = []
    for sentence in sentences:
        filled = frozenset(frame for at, frame in anchors if sentence.start_char <= at <= sentence.end_char)
        read.append((framed.over([(sentence.start_char, sentence.end_char)]), filled))
    own = tuple(sorted({token for each, _ in read for token in each}))
    return Lesson(framed.ids, read, {token: frozenset(each) for token, each in tokens.items()}, own)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A frame that was found in a turn, as it is told, what tells how sure it is, and whether it is right."""

    dialogue: str
    turn: int
    frame: str
    about: str
    content: str
    evidence: Mapping[str, float]
    right: bool
    judged: bool


def candidates(language: LanguageModel, model: Model, some: Sequence[Dialogue]) -> Iterator[Candidate]:
    """All that a tagger finds in dialogues, however unsure."""
    judged = {
        (each.d, each.t, each.about, each.content): each for each in read_labelled(FOLDER / "judged.jsonl", JudgedFrame)
    }
    for dialogue in some:
        people, docs = open_dialogue(language, dialogue.said, dialogue.participants)
        for number, doc in docs:
            said = dialogue.said[number]
            if not said.speaker:
                continue
            for filled in fill(people, number, read_parts(model, dialogue.said, number, doc)):
                try:
                    content = tell(filled, people, number, said.time).content
                except Unclear:
                    continue
                about = people.entity(filled.about).name
                verdict = judged.get((dialogue.name, number, about, content))
                agreed = any(agrees(filled, label, people) for label in dialogue.labels[number])
                right = agreed if verdict is None else verdict.verdict == "good"
                yield Candidate(
                    dialogue.name,
                    number,
                    filled.frame.name,
                    about,
                    content,
                    evidence_of(filled),
                    right,
                    verdict is not None,
                )


def agrees(filled: Filled, label: Label, people: People) -> bool:
    """Whether what was found is what is labelled: the frame, whom it is about, and the words of its main slot."""
    name, slots = label
    if name != filled.frame.name or not same_about(people.entity(filled.about).name, slots["about"]):
        return False
    return filled.frame.main == (WHO,) or any(
        slots.get(slot) and slot in filled.slots and token_f1(filled.slots[slot].text, slots[slot]) >= LEAST_F1
        for slot in filled.frame.main
    )


def weigh(found: Sequence[Candidate]) -> dict[str, float]:
    """The weights of what tells how sure a filled frame is: a logistic regression."""
    names = sorted({name for each in found for name in each.evidence})
    given = numpy.array([[each.evidence.get(name, 0.0) for name in names] for each in found])
    model = LogisticRegression(C=1.0, max_iter=2000).fit(given, [each.right for each in found])
    weights = dict(zip(names, model.coef_[0].tolist(), strict=True))
    return {BIAS: round(float(model.intercept_[0]), 4)} | {name: round(weight, 4) for name, weight in weights.items()}


def main() -> None:
    """Teaches, and writes what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the tagger goes")
    parser.add_argument("--unjudged", type=Path, help="a file for what nobody judged yet")
    given = parser.parse_args()
    if find_spec("onnx") is None:
        parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
    language, some = load_language(), list(dialogues(FOLDER))
    model = teach(lessons(language, [each for each in some if each.set_name not in LEFT_OUT]))
    found = list(candidates(language, model, [each for each in some if each.set_name in LEFT_OUT]))
    given.folder.mkdir(parents=True, exist_ok=True)
    (given.folder / CONFIDENCE).write_text(json.dumps(weigh(found), indent=1) + "\n", "utf-8")
    export(model, given.folder)
    if given.unjudged:
        left = [
            {"d": each.dialogue, "t": each.turn, "frame": each.frame, "about": each.about, "content": each.content}
            for each in found
            if not each.judged
        ]
        given.unjudged.write_text("".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in left), "utf-8")


if __name__ == "__main__":
    main()
