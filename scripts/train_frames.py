"""Teaches the tagger of frames with labelled talk, and how sure a filled frame is by what was judged of other talk.

The sets of `benchmarks.quality.extraction.LEFT_OUT` are not taught with. What is found there and in other talk, as
readers judged it (`judged.jsonl`), tells how sure it is. The tagger and the weights of confidence go to `nlp/models`,
or another folder; an hour on two cores. `--weights` learns the weights alone.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy
from sklearn.linear_model import LogisticRegression

from benchmarks.quality.extraction import LEFT_OUT, Dialogue, JudgedFrame, Label, dialogues, judged_talk
from benchmarks.quality.labelled import read_labelled
from benchmarks.quality.names import NamedText
from hippograph.nlp.frames.dialogue import names_in, parsed
from hippograph.nlp.frames.extractor import (
    CONFIDENCE,
    Candidate,
    Sort,
    candidates,
    confidence,
    open_dialogue,
    windows,
)
from hippograph.nlp.frames.frame import load_frames
from hippograph.nlp.frames.tagger import Tagger, frame_labels, slot_labels
from hippograph.nlp.frames.token_window import Framed
from hippograph.nlp.language import LanguageModel, load_language
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.logistic_regression import BIAS
from hippograph.nlp.names.recognition import spotted
from hippograph.nlp.names.tagging import Tokenized, tokenized
from scripts.teach_tagger import CLASSES, Lesson, NameLesson, export, teach

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

REGULARISED: Final = 0.3
OFTEN: Final = 8
"""What tells less often how sure something is has no weight."""
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
        names = names_in(dialogue.said, dialogue.participants)
        for number, doc in enumerate(parsed(language, dialogue.said, dialogue.participants, names, None)):
            if dialogue.said[number].speaker:
                spans, anchors = _places(dialogue.labels[number], doc, lost)
                for framed, sentences in windows(dialogue.said, number, doc):
                    taught.append(_lesson(framed, sentences, spans, anchors))
    print(f"{len(taught)} lessons; labels that were not found: {dict(lost)}", file=sys.stderr)
    return taught


def name_lessons(language: LanguageModel, folder: Path) -> list[NameLesson]:
    """What the tagger learns of names from the labelled texts of a folder."""
    texts = [each for file in sorted(folder.glob("taught-*.jsonl")) for each in read_labelled(file, NamedText)]
    with language.reading([each.text for each in texts]) as docs:
        return [
            _name_lesson(part, _named_places(each.text, each.n))
            for each, doc in zip(texts, docs, strict=True)
            for part in tokenized(each.text, spotted(doc))
        ]


def _named_places(text: str, names: Sequence[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Where names stand in a text, each wherever it stands as a word."""
    return [
        (*match.span(), sort) for name, sort in names for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    ]


def _name_lesson(part: Tokenized, places: Sequence[tuple[int, int, str]]) -> NameLesson:
    classes = [0] * len(part.ids)
    for start, end, sort in places:
        inside = [n for n, at in enumerate(part.starts) if start <= at < end and part.ends[n] > at]
        for number in inside:
            classes[number] = CLASSES.index(f"{'B' if number == inside[0] else 'I'}-{sort}")
    return NameLesson(part.ids, part.shapes, tuple(classes))


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
class Judged:
    """What was found in a talk of which set, and whether a reader calls it good, and would keep it too."""

    found: Candidate
    set_name: str
    good: bool
    kept: bool


def judged(language: LanguageModel, models: Path, some: Sequence[Dialogue]) -> Iterator[Judged]:
    """What is found in dialogues and was judged; of the frames of a quoted sentence the likeliest."""
    read = read_labelled(FOLDER / "judged.jsonl", JudgedFrame)
    tagger = Tagger(models)
    verdicts = {(each.d, each.t, each.content): each for each in read}
    for dialogue in some:
        people, docs = open_dialogue(language, dialogue.said, dialogue.participants, models)
        for number, doc in docs:
            for found in candidates(tagger, people, dialogue.said, number, doc, Counter()):
                place = dialogue.name, number, found.statement.content
                if place in verdicts:
                    verdict = verdicts.pop(place)
                    good = verdict.verdict == "good"
                    yield Judged(found, dialogue.set_name, good, good and verdict.keep)


def weigh(found: Sequence[Judged]) -> dict[str, float]:
    """The weights of what tells how sure something is good and worth keeping: a logistic regression."""
    often = Counter(name for each in found for name in each.found.evidence)
    names = sorted(name for name, times in often.items() if times >= OFTEN)
    given = numpy.array([[each.found.evidence.get(name, 0.0) for name in names] for each in found])
    model = LogisticRegression(C=REGULARISED, max_iter=3000).fit(given, [each.kept for each in found])
    weights = dict(zip(names, model.coef_[0].tolist(), strict=True))
    return {BIAS: round(float(model.intercept_[0]), 4)} | {name: round(weight, 4) for name, weight in weights.items()}


def print_table(found: Sequence[Judged]) -> None:
    """Prints how much is good, and worth keeping too, by confidence: by weights that were learned from other sets."""
    sure = list[tuple[float, Judged]]()
    for left_out in {each.set_name for each in found}:
        weights = weigh([each for each in found if each.set_name != left_out])
        sure += [(confidence(weights, each.found.evidence), each) for each in found if each.set_name == left_out]
    for title, unseen in (("development talk", False), ("unseen.jsonl", True)):
        for least in (0.0, 0.6, 0.7, 0.75, 0.8, 0.85):
            some = [each for certain, each in sure if certain >= least and (each.set_name == "unseen") is unseen]
            good, kept = sum(each.good for each in some), sum(each.kept for each in some)
            print(f"{title}, {least:.2f}: of {len(some)} {good} good, {kept} worth keeping too")


def main() -> None:
    """Teaches, and writes what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=MODELS, help="where the models go")
    parser.add_argument("--weights", action="store_true", help="learn the weights of confidence alone")
    given = parser.parse_args()
    language = load_language()
    if not given.weights:
        if find_spec("onnx") is None:
            parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
        taught = [each for each in dialogues(FOLDER) if each.set_name not in LEFT_OUT]
        export(teach([*lessons(language, taught), *name_lessons(language, FOLDER.parent / "names")]), given.folder)
    found = list(judged(language, given.folder, list(judged_talk(FOLDER))))
    weights = {}
    for sort in Sort:
        of_sort = [each for each in found if each.found.sort is sort]
        print(f"{sort}, by weights that were learned from the other sets:")
        print_table(of_sort)
        weights[sort] = weigh(of_sort)
    (given.folder / CONFIDENCE).write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
