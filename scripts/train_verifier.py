"""Trains the verifier on verdicts of readers (`verdicts.jsonl`), and the weights of confidence after verification.

The weights are learned from sets that the verifier was not trained with, and measured on these and on others. The
verifier and the weights are written to `nlp/models`, or to another folder. Takes half an hour on two cores; `--weights`
learns the weights alone.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks.quality.extraction import Dialogue, JudgedFrame, dialogues, judged_talk
from benchmarks.quality.labelled import read_labelled
from hippograph.nlp.extraction.statements import Statement, Subject
from hippograph.nlp.frames.extractor import CONFIDENCE, WORTH_A_LOOK, LocalExtractor, Sort, candidates, open_dialogue
from hippograph.nlp.frames.tagger import Tagger
from hippograph.nlp.frames.verifier import VERIFIER, read
from hippograph.nlp.language import LanguageModel, load_language
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.encoder import LOWER_LAYERS
from hippograph.nlp.models.tagger import TAGGER
from scripts.confidence_weights import Judged, keep_weights, print_table, weigh
from scripts.pair_training import Lesson, teach, write
from scripts.train_frames import FOLDER

WEIGHED: Final = frozenset({"unseen4", "unseen6", "unseen7"})
"""The sets from which the weights of confidence are learned; the verifier is not trained with them."""
HELD_OUT: Final = frozenset({"unseen8", "unseen9"})
"""The sets from which nothing is learned; they measure the verifier on talk by other writers."""


def lessons(some: Mapping[str, Dialogue], verdicts: Sequence[JudgedFrame]) -> list[Lesson]:
    """Returns the lessons of the verifier, from verdicts on facts found in dialogues. The targets are: good and worth
    keeping; good.
    """
    taught = []
    for each in verdicts:
        fact = Statement(
            each.content, (Subject(each.about, "Concept"),), "fact", 0.0, frame=each.frame, quotation=each.quotation
        )
        good = each.verdict == "good"
        taught.append(Lesson(*read(some[each.d].said, each.t, fact), (float(good and each.keep), float(good))))
    return taught


def verified(
    language: LanguageModel, models: Path, some: Sequence[Dialogue], verdicts: Sequence[JudgedFrame]
) -> list[Judged]:
    """Returns the candidates in dialogues that are verified, once for each verdict on them. Prints on standard error
    how many these are, and how many facts with a verdict are not found now.
    """
    extractor, tagger, found = LocalExtractor(language, models=models), Tagger(models), list[Judged]()
    by_fact = defaultdict[tuple[str, int, str, str], list[JudgedFrame]](list)
    names = {each.name for each in some}
    for verdict in verdicts:
        if verdict.d in names:
            by_fact[verdict.d, verdict.t, verdict.about, verdict.content].append(verdict)
    for dialogue in some:
        people, docs = open_dialogue(language, dialogue.said, dialogue.participants, models)
        for number, doc in docs:
            for fact in candidates(tagger, people, dialogue.said, number, doc, Counter()):
                told = fact.statement
                read_by = by_fact.pop((dialogue.name, number, told.subject, told.content), [])
                if not read_by or fact.agreed or extractor.tagged(fact) < WORTH_A_LOOK:
                    continue
                evidence = extractor.look(fact, dialogue.said, number)
                for each in read_by:
                    good = each.verdict == "good"
                    found.append(Judged(fact.sort, evidence, dialogue.set_name, good, good and each.keep))
    print(f"{len(found)} verdicts; {len(by_fact)} facts that were judged are not found now", file=sys.stderr)
    return found


def main() -> None:
    """Trains, prints the verdicts by confidence, and writes the verifier and the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=MODELS, help="where the other models are")
    parser.add_argument("--weights", action="store_true", help="learn the weights of confidence alone")
    given = parser.parse_args()
    if missing := [each for each in (LOWER_LAYERS, TAGGER, CONFIDENCE) if not (given.folder / each).is_file()]:
        parser.error(f"{given.folder} has no {', '.join(missing)}: python -m scripts.train_frames writes them.")
    talk = {each.name: each for each in (*dialogues(FOLDER), *judged_talk(FOLDER))}
    verdicts = read_labelled(FOLDER / "verdicts.jsonl", JudgedFrame)
    if not given.weights:
        if find_spec("onnx") is None:
            parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
        taught = [each for each in verdicts if talk[each.d].set_name not in WEIGHED | HELD_OUT]
        write(teach(lessons(talk, taught)), given.folder / VERIFIER, "verdicts")
    some = [each for each in talk.values() if each.set_name in WEIGHED | HELD_OUT]
    found = verified(load_language(), given.folder, some, verdicts)
    weights = {}
    for sort in Sort:
        of_sort = [each for each in found if each.sort is sort]
        for sets in (WEIGHED, HELD_OUT):
            print_table(f"{sort}, {', '.join(sorted(sets))}", of_sort, WEIGHED, sets)
        weights[sort] = weigh([each for each in of_sort if each.set_name in WEIGHED])
    keep_weights(given.folder, "verified", weights)


if __name__ == "__main__":
    main()
