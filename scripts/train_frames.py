"""Teaches the tagger of frames with labelled talk, and how sure a filled frame is with the talk left out.

One set in six is not taught with: what the tagger finds there tells how sure it is, and how good. Writes
`nlp/models/frames.onnx` and `frame_confidence.json`, and prints precision and recall for the model card. Half an hour
on two cores. With `--left-out` other sets or styles are left out, and nothing is written.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import numpy
from sklearn.linear_model import LogisticRegression

from api.bench.extraction import ASSISTANT, LEAST_F1, LabelledDialogue, same_subject, token_f1
from api.bench.labelled import read_labelled
from nlp.extraction.coreference import People
from nlp.extraction.statements import Said
from nlp.frames.extractor import CONFIDENCE, confidence, evidence_of, open_dialogue, read_parts, windows
from nlp.frames.filling import Filled, fill
from nlp.frames.frame import WHO, load_frames
from nlp.frames.tagger import MODELS, frame_labels, slot_labels
from nlp.frames.token_window import Framed
from nlp.language import LanguageModel, load_language
from scripts.regression import teaching_sets
from scripts.teach_tagger import Lesson, Model, export, teach

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

LEFT_OUT: Final = frozenset({"talk-voice", "talk-home", "dev3", "dev6", "talk-mates", "talk-company"})
"""The sets that the tagger is not taught with."""
_WORDS: Final = re.compile(r"\w+")

Label = tuple[str, Mapping[str, str]]
"""A frame and its slots, as labelled."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A labelled dialogue of a set, and its turns as they are read."""

    file: str
    labelled: LabelledDialogue
    said: Sequence[Said]

    @property
    def names(self) -> set[str]:
        """Its set and its style."""
        return {self.file, self.labelled.style}


def dialogues() -> Iterator[Dialogue]:
    """Those whose frames are labelled."""
    for file in teaching_sets():
        for each in read_labelled(file, LabelledDialogue):
            if all(turn.frames is not None for turn in each.turns):
                said = [Said(None if t.speaker == ASSISTANT else t.speaker, t.time, t.text) for t in each.turns]
                yield Dialogue(file.stem, each, said)


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
        _, docs = open_dialogue(language, dialogue.said, dialogue.labelled.participants)
        for number, doc in docs:
            if dialogue.said[number].speaker:
                spans, anchors = _places(dialogue.labelled.turns[number].frames or [], doc, lost)
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


@dataclass(slots=True)
class Judged:
    """A frame that was found in a dialogue, what tells how sure it is, and whether it is right."""

    dialogue: Dialogue
    frame: str
    evidence: Mapping[str, float]
    right: bool
    sure: float = 0.0


@dataclass(slots=True)
class Found:
    """What was found in dialogues, and how many labels there are, by style and frame."""

    judged: list[Judged] = field(default_factory=list)
    labelled: Counter[tuple[str, str]] = field(default_factory=Counter)


def find(language: LanguageModel, model: Model, some: Sequence[Dialogue]) -> Found:
    """All that a tagger finds in dialogues, however unsure."""
    result = Found()
    for dialogue in some:
        people, docs = open_dialogue(language, dialogue.said, dialogue.labelled.participants)
        for number, doc in docs:
            if not dialogue.said[number].speaker:
                continue
            left = list(dialogue.labelled.turns[number].frames or [])
            result.labelled.update((dialogue.labelled.style, name) for name, _ in left)
            found = list(fill(people, number, read_parts(model, dialogue.said, number, doc)))
            for each in sorted(found, key=lambda one: -one.evidence["frame"]):
                label = next((one for one in left if agrees(each, one, people)), None)
                if label is not None:
                    left.remove(label)
                result.judged.append(Judged(dialogue, each.frame.name, evidence_of(each), label is not None))
    return result


def agrees(filled: Filled, label: Label, people: People) -> bool:
    """Whether what was found is what is labelled: the frame, whom it is about, and the words of its main slot."""
    name, slots = label
    whose, apostrophe, what = slots["about"].partition("'s ")
    about = f"{people.short(whose)}'s {what}" if apostrophe else whose
    if name != filled.frame.name or not same_subject(people.entity(filled.about).name, about):
        return False
    if filled.frame.main == (WHO,):
        return True
    return any(
        slots.get(slot) and slot in filled.slots and token_f1(filled.slots[slot].text, slots[slot]) >= LEAST_F1
        for slot in filled.frame.main
    )


def weigh(judged: Sequence[Judged]) -> dict[str, float]:
    """The weights of what tells how sure a filled frame is: a logistic regression."""
    names = sorted({name for each in judged for name in each.evidence})
    given = numpy.array([[each.evidence.get(name, 0.0) for name in names] for each in judged])
    model = LogisticRegression(C=1.0, max_iter=2000).fit(given, [each.right for each in judged])
    weights = dict(zip(names, model.coef_[0].tolist(), strict=True))
    return {"": round(float(model.intercept_[0]), 4)} | {name: round(weight, 4) for name, weight in weights.items()}


def rate(judged: Sequence[Judged]) -> None:
    """How sure each is, by weights that were learned from the dialogues of the other half."""
    half = {name: number % 2 for number, name in enumerate(sorted({_name(each) for each in judged}))}
    for part in (0, 1):
        weights = weigh([each for each in judged if half[_name(each)] != part])
        for each in judged:
            if half[_name(each)] == part:
                each.sure = confidence(weights, each.evidence)


def _name(judged: Judged) -> str:
    return f"{judged.dialogue.file} {judged.dialogue.labelled.id}"


def table(found: Found) -> Iterator[str]:
    """Precision and recall at some bounds, of closed frames and of phrases, then by style and by frame at 0.7."""
    for closed, kind in ((True, "closed"), (False, "phrase")):
        frames = {frame.name for frame in load_frames().values() if frame.closed == closed}
        for bound in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
            yield _row(f"{kind} frames at {bound}", found, frames, bound=bound)
    for style in sorted({style for style, _ in found.labelled}):
        yield _row(f"style {style}", found, set(load_frames()), styles={style})
    for frame in load_frames():
        yield _row(f"frame {frame}", found, {frame})


def _row(name: str, found: Found, frames: set[str], *, styles: set[str] | None = None, bound: float = 0.7) -> str:
    kept = [
        each
        for each in found.judged
        if each.frame in frames and each.sure >= bound and (not styles or each.dialogue.labelled.style in styles)
    ]
    total = sum(
        n for (style, frame), n in found.labelled.items() if frame in frames and (not styles or style in styles)
    )
    right = sum(each.right for each in kept)
    return f"{name}: precision {right / max(1, len(kept)):.2f}, recall {right / max(1, total):.2f} of {total}"


def main() -> None:
    """Teaches, and writes what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--left-out", nargs="+", metavar="NAME", help="sets and styles to judge on; writes nothing")
    given = parser.parse_args()
    if not given.left_out and find_spec("onnx") is None:
        parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
    left_out = set(given.left_out or LEFT_OUT)
    language, some = load_language(), list(dialogues())
    model = teach(lessons(language, [each for each in some if not each.names & left_out]))
    found = find(language, model, [each for each in some if each.names & left_out])
    rate(found.judged)
    print("\n".join(table(found)))
    if not given.left_out:
        CONFIDENCE.write_text(json.dumps(weigh(found.judged), indent=1) + "\n", "utf-8")
        export(model, MODELS)


if __name__ == "__main__":
    main()
