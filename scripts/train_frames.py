"""Trains the tagger of frames and names on labelled talk, and the weights of its confidence on verdicts of readers.

The tagger is not trained with the sets of `benchmarks.quality.extraction.LEFT_OUT`. The weights of confidence by tags
are learned from what is found in these sets and in other talk, and from the verdicts of readers (`judged.jsonl`). The
lower layers, the tagger and the weights are written to `nlp/models`, or to another folder. Takes an hour on two cores;
`--weights` learns the weights alone.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.quality.extraction import LEFT_OUT, UNTAUGHT, Dialogue, JudgedFrame, Label, dialogues, judged_talk
from benchmarks.quality.labelled import read_labelled
from benchmarks.quality.names import NamedText
from hippograph.nlp.frames.dialogue import names_in, parsed
from hippograph.nlp.frames.extractor import (
    Sort,
    candidates,
    open_dialogue,
    windows,
)
from hippograph.nlp.frames.frame import load_frames
from hippograph.nlp.frames.tagger import Tagger, frame_labels, slot_labels
from hippograph.nlp.frames.token_window import Framed
from hippograph.nlp.language import LanguageModel, load_language
from hippograph.nlp.models import MODELS
from hippograph.nlp.names.recognition import spotted
from hippograph.nlp.names.tagging import Tokenized, tokenized
from scripts.confidence_weights import Judged, keep_weights, print_table, weigh
from scripts.teach_tagger import CLASSES, Lesson, NameLesson, teach, write

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

FOLDER: Final = Path(__file__).parents[1] / "tests" / "benchmark" / "frames"
_WORDS: Final = re.compile(r"\w+")


def located(words: str, text: str, near: int | None = None) -> tuple[int, int] | None:
    """Returns the character range of labelled words in a text whose spelling was normalised, or None if it lacks them.

    Of several ranges, the one nearest to the offset `near`, else the first. Case, and punctuation between words, are
    ignored.
    """
    parts = [re.escape(each) for each in _WORDS.findall(words)]
    if not parts:
        return None
    pattern = r"(?<!\w)" + r"\W{0,3}".join(parts) + r"(?!\w)"
    found = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
    return min(found, key=lambda each: abs(each[0] - (near or 0)), default=None)


def lessons(language: LanguageModel, some: Sequence[Dialogue]) -> list[Lesson]:
    """Returns the lessons of people's turns in dialogues. Prints on standard error how many labels are not found in the
    turns.
    """
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
    """Returns the lessons on names from the labelled texts of a folder."""
    texts = [each for file in sorted(folder.glob("taught-*.jsonl")) for each in read_labelled(file, NamedText)]
    with language.reading([each.text for each in texts]) as docs:
        return [
            _name_lesson(part, _named_places(each.text, each.n))
            for each, doc in zip(texts, docs, strict=True)
            for part in tokenized(each.text, spotted(doc))
        ]


def _named_places(text: str, names: Sequence[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Returns start, end and sort of every occurrence of names in a text as whole words."""
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
    """Returns the slots of labels in a turn, as start, end and index of the slot; and where their main slots begin,
    each with the index of the frame. Labels whose main slot is not found are counted in `lost`, by frame.
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


def judged(language: LanguageModel, models: Path, some: Sequence[Dialogue]) -> Iterator[Judged]:
    """Yields the candidates in dialogues that have a verdict. Of several with the same text, such as the frames of a
    quoted sentence, only the first is yielded, which is the most probable.
    """
    tagger = Tagger(models)
    verdicts = {(each.d, each.t, each.content): each for each in read_labelled(FOLDER / "judged.jsonl", JudgedFrame)}
    judged_dialogues = {name for name, _, _ in verdicts}
    for dialogue in (each for each in some if each.name in judged_dialogues):
        people, docs = open_dialogue(language, dialogue.said, dialogue.participants, models)
        for number, doc in docs:
            for found in candidates(tagger, people, dialogue.said, number, doc, Counter()):
                place = dialogue.name, number, found.statement.content
                if place in verdicts:
                    verdict = verdicts.pop(place)
                    good = verdict.verdict == "good"
                    yield Judged(found.sort, found.evidence, dialogue.set_name, good, good and verdict.keep)


def main() -> None:
    """Trains, prints the verdicts by confidence, and writes the models and the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=MODELS, help="where the models go")
    parser.add_argument("--weights", action="store_true", help="learn the weights of confidence alone")
    given = parser.parse_args()
    language = load_language()
    if not given.weights:
        if find_spec("onnx") is None:
            parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
        taught = [each for each in dialogues(FOLDER) if each.set_name not in LEFT_OUT | UNTAUGHT]
        write(teach([*lessons(language, taught), *name_lessons(language, FOLDER.parent / "names")]), given.folder)
    found = list(judged(language, given.folder, list(judged_talk(FOLDER))))
    sets = {each.set_name for each in found}
    weights = {}
    for sort in Sort:
        of_sort = [each for each in found if each.sort is sort]
        print_table(f"{sort}, development talk", of_sort, sets, sets - {"unseen"})
        print_table(f"{sort}, unseen.jsonl", of_sort, sets, {"unseen"})
        weights[sort] = weigh(of_sort)
    keep_weights(given.folder, "tagged", weights)
    print("The verifier's weights depend on these: python -m scripts.train_verifier --weights", file=sys.stderr)


if __name__ == "__main__":
    main()
