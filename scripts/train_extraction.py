"""Teaches the extractor what is worth remembering, from the labelled talk that is not held out; writes nlp/models/.

With --check the sets are learned in parts, each judged by what was learned from the others, and nothing is written:
precision and recall over thresholds of confidence, of the pieces that say something labelled. Takes a quarter of an
hour, checking twice that. Writing needs requirements/train.txt.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy
from sklearn.model_selection import GroupKFold

from api.bench.extraction import (
    LEAST_F1,
    Label,
    LabelledDialogue,
    LabelledTurn,
    same_subject,
    token_f1,
)
from api.bench.labelled import read_labelled
from nlp.extraction.extractor import LocalExtractor
from nlp.extraction.framing import Framed
from nlp.extraction.reading import Piece, Reading
from nlp.extraction.relevance import FEATURES, TAUGHT, Features, Judge, Seen, confidence
from nlp.language import load_language
from nlp.parsing.wording import third_person
from scripts.regression import Regression, teaching_sets
from scripts.teach_encoder import Lesson, Model, Told, export, teach

WEIGHTS: Final = Regression(strength=0.1, least=0.02, places=3)
"""Found by cross-validation."""
PLAIN: Final = frozenset({"talk-plain", "talk-short", "talk-casual"})
WEIGHT: Final = 4.0
"""What an example of plain talk counts for: little of the labelled talk is so plain, but who tries it out says such."""
FOLDS: Final = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A piece of the talk `group`, what it counts for, where it is read, what can be seen of it and of whom it may be
    about, and the label it matches.
    """

    group: str
    weight: float
    framed: Framed
    seen: Seen
    label: Label | None
    subjects: dict[str, Seen]
    full: dict[str, str]

    def right(self, name: str) -> bool:
        """Whether it is about somebody or something, by the label."""
        return self.label is not None and same_subject(self.full[name], self.label.subject)


def examples(extractor: LocalExtractor, file: Path) -> Iterator[Example]:
    """The pieces of labelled talk."""
    weight = WEIGHT if file.stem in PLAIN else 1.0
    for dialogue in read_labelled(file, LabelledDialogue):
        said = [turn.said for turn in dialogue.turns]
        reading = Reading(said, dialogue.participants)
        for number, doc in extractor.read(said, dialogue.participants, reading):
            if said[number].speaker:
                read = [piece for sentence in doc.sents for piece in reading.pieces(number, sentence)]
                yield from _of_turn(f"{file.stem} {dialogue.id}", weight, reading, read, dialogue.turns[number])


def _of_turn(
    group: str, weight: float, reading: Reading, read: Sequence[Piece], turn: LabelledTurn
) -> Iterator[Example]:
    labels, before = _matched([_rough(reading, piece) for piece in read], turn.statements), None
    for place, piece in enumerate(read):
        subjects = reading.subjects(piece, before)
        full = {name: reading.people.entity(name).name for name in subjects}
        example = Example(group, weight, piece.framed, piece.seen, labels.get(place), subjects, full)
        yield example
        before = next((name for name in subjects if example.right(name)), next(iter(subjects)))


def _rough(reading: Reading, piece: Piece) -> str:
    """What a piece says, with the pronouns that nobody can resolve."""
    content = third_person(piece.words, lambda t: reading.people.who(piece.turn, t, piece.clause) or t.text) or ""
    named = piece.clause.subject is not None and piece.clause.subject in piece.words
    return content if named else f"{reading.people.speaker(piece.turn)} {content}"


def _matched(contents: Sequence[str], labels: Sequence[Label]) -> dict[int, Label]:
    """The labels that pieces say, by the places of these, the likest first."""
    pairs = [
        (token_f1(content, label.content), i, j) for i, content in enumerate(contents) for j, label in enumerate(labels)
    ]
    found: dict[int, int] = {}
    for likeness, i, j in sorted(pairs, reverse=True):
        if likeness >= LEAST_F1 and i not in found and j not in found.values():
            found[i] = j
    return {i: labels[j] for i, j in found.items()}


def taught(told: Sequence[Example]) -> Features:
    """What features are to be learned from examples."""
    matched = [(each, each.label) for each in told if each.label is not None]
    kinds = sorted({label.kind for _, label in matched})
    seen, counting = [each.seen.features for each, _ in matched], [each.weight for each, _ in matched]
    options = [(each, name) for each, _ in matched for name in each.subjects]
    return Features(
        worth=WEIGHTS.weights(
            [e.seen.features for e in told], [e.label is not None for e in told], [e.weight for e in told]
        ),
        kinds={kind: WEIGHTS.weights(seen, [label.kind == kind for _, label in matched], counting) for kind in kinds},
        about=WEIGHTS.weights(
            [e.subjects[n].features for e, n in options],
            [e.right(n) for e, n in options],
            [e.weight for e, _ in options],
        ),
    )


def lessons(told: Sequence[Example]) -> list[Lesson]:
    """The same for the encoder, by what is read together."""
    kinds = sorted({each.label.kind for each in told if each.label is not None})
    found: dict[int, Lesson] = {}
    for each in told:
        lesson = found.setdefault(id(each.framed), Lesson(each.framed.ids, each.weight, []))
        kind = None if each.label is None else kinds.index(each.label.kind)
        options = [(seen.tokens[0], each.right(name)) for name, seen in each.subjects.items()]
        lesson.told.append(Told(each.seen.tokens, kind, options))
    return list(found.values())


def check(told: Sequence[Example]) -> Iterator[str]:
    """How well what is learned from some talks judges others."""
    sure, right, kinds = numpy.zeros(len(told)), numpy.zeros(len(told), bool), []
    for learn, judge in GroupKFold(FOLDS).split(told, groups=[each.group for each in told]):
        learned = [told[i] for i in learn]
        model = teach(lessons(learned))
        judged = Judge(taught(learned), model)
        for i in judge:
            each = told[i]
            verdict = judged.verdict(judged.read(each.framed), each.seen, each.subjects)
            sure[i], right[i] = confidence(verdict.worth, verdict.sure), each.right(verdict.subject)
            if each.label is not None:
                kinds.append(judged.kind(each.seen, verdict) == each.label.kind)
    labelled = numpy.array([each.label is not None for each in told])
    yield f"{len(told)} pieces, {labelled.sum()} of them labelled"
    yield f"of these kind right {numpy.mean(kinds):.2f}, subject right {right[labelled].mean():.2f}"
    for threshold in (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        kept = sure >= threshold
        yield (
            f"{threshold:.2f}: precision {right[kept].mean():.3f}, recall {right[kept].sum() / labelled.sum():.3f}, "
            f"worth it {labelled[kept].mean():.3f}"
        )


def write(features: Features, model: Model) -> None:
    """What was learned, into the package."""
    TAUGHT.mkdir(exist_ok=True)
    weights = {"worth": features.worth, "kinds": features.kinds, "about": features.about}
    (TAUGHT / FEATURES).write_text(json.dumps(weights, ensure_ascii=False, indent=0) + "\n", "utf-8")
    export(model, TAUGHT)


def main() -> None:
    """Reads the sets, and checks or writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="judge parts by the others, and write nothing")
    given = parser.parse_args()
    if not given.check and find_spec("onnx") is None:
        parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
    files = teaching_sets()
    extractor = LocalExtractor(load_language())
    told = [example for file in files for example in examples(extractor, file)]
    if given.check:
        for line in check(told):
            print(line)
        return
    features = taught(told)
    write(features, teach(lessons(told)))
    print(
        f"{len(told)} pieces of {len(files)} sets; {len(features.worth)} and {len(features.about)} features: {TAUGHT}"
    )


if __name__ == "__main__":
    main()
