"""Learns the sensitivity of words from the labelled talk that is not held out; writes nlp/models/sensitivity.json.

Trains two logistic regressions over words and pairs of words: one for sensitive, one for personal or sensitive. With
--check it cross-validates on the same talk instead, and writes nothing. Takes a minute.
"""

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from benchmarks.quality.labelled import LabelledDialogue, LabelledTurn, read_labelled, token_f1
from hippograph.nlp.models.logistic_regression import BIAS
from hippograph.nlp.names.listed import is_given
from hippograph.nlp.privacy.sensitivity import LEARNED, THRESHOLD, guess_sensitivity, sentences, words_and_pairs

SETS: Final = Path(__file__).parents[1] / "tests/benchmark/extraction"
FEWEST: Final = 4
"""Minimum number of sentences that have a feature for it to get a weight."""
STRENGTH: Final = 0.3
"""Inverse strength of the L2 regularisation, chosen by cross-validation."""
LEAST: Final = 0.1
"""Weights whose absolute value is at most this are dropped."""
FOLDS: Final = 5
CLASSES: Final = {"sensitive": {"sensitive"}, "personal": {"personal", "sensitive"}}

Example = tuple[str, str, str]
"""The name of the dialogue, a sentence, and its sensitivity."""


def examples(file: Path) -> Iterator[Example]:
    """Yields the sentences of the labelled statements of a file, and those of its turns."""
    for dialogue in read_labelled(file, LabelledDialogue):
        for turn in dialogue.turns:
            group = f"{file.stem} {dialogue.id}"
            for label in turn.statements:
                yield from ((group, each, label.sensitivity.value) for each in sentences(label.content))
            yield from ((group, *each) for each in _said(turn))


def _said(turn: LabelledTurn) -> Iterator[tuple[str, str]]:
    """Yields the sentences of a turn with their sensitivity. Each statement labels the sentence that is most similar to
    it; of several labels the most private counts, and a sentence without one is public.
    """
    said = sentences(turn.text)
    private = dict.fromkeys(said, "public")
    for label in turn.statements:
        likest = max(said, key=lambda each: token_f1(each, label.content), default=None)
        if likest and label.sensitivity.value != "public" and private[likest] != "sensitive":
            private[likest] = label.sensitivity.value
    yield from private.items()


def taught(told: Sequence[Example]) -> dict[str, dict[str, float]]:
    """Returns the weights of words and pairs, by class. Features with a given name get none, since they would say
    nothing of others with that name.
    """
    seen = [{each for each in words_and_pairs(text) if not any(map(is_given, each.split()))} for _, text, _ in told]
    return {name: _weights(seen, [label in labels for *_, label in told]) for name, labels in CLASSES.items()}


def _weights(seen: Sequence[Collection[str]], right: Sequence[bool]) -> dict[str, float]:
    """Returns the weights of features and the bias; `right` says of each example whether it belongs to the class."""
    counted = Counter(each for features in seen for each in features)
    vectorizer = DictVectorizer()
    table = vectorizer.fit_transform([{each: 1.0 for each in features if counted[each] >= FEWEST} for features in seen])
    model = LogisticRegression(C=STRENGTH, max_iter=2_000).fit(table, right)
    named = zip(vectorizer.get_feature_names_out(), model.coef_[0].tolist(), strict=True)
    kept = {str(name): round(weight, 2) for name, weight in sorted(named) if abs(weight) > LEAST}
    return {BIAS: round(float(model.intercept_[0]), 2), **kept}


def check(told: Sequence[Example]) -> Iterator[str]:
    """Yields precision and recall of each class: with the phrase tables alone, and with weights that were learned from
    other dialogues (cross-validation).
    """
    both, alone = numpy.empty(len(told), object), numpy.empty(len(told), object)
    for learn, judge in GroupKFold(FOLDS).split(told, groups=[group for group, *_ in told]):
        weights = taught([told[i] for i in learn])
        for i in judge:
            both[i], alone[i] = guess_sensitivity(told[i][1], weights), guess_sensitivity(told[i][1], {})
    labels = numpy.array([label for *_, label in told])
    for how, found in (("tables alone", alone), (f"and what was learned, from {THRESHOLD}", both)):
        for name, among in CLASSES.items():
            right, kept = numpy.isin(labels, list(among)), numpy.isin(found.astype(str), list(among))
            yield f"{how}: {name} precision {right[kept].mean():.2f}, recall {kept[right].mean():.2f}"


def main() -> None:
    """Reads the sets, and cross-validates or writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="judge parts by the others, and write nothing")
    given = parser.parse_args()
    files = sorted(file for file in SETS.glob("*.jsonl") if not file.stem.startswith("heldout"))
    told = [example for file in files for example in examples(file)]
    if given.check:
        for line in check(told):
            print(line)
        return
    weights = taught(told)
    LEARNED.write_text(json.dumps(weights, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print(f"{len(told)} sentences of {len(files)} sets; {len(weights['sensitive'])} weights: {LEARNED}")


if __name__ == "__main__":
    main()
