"""Teaches the detector of what later turns take back: with turns that were written for facts (`changes.jsonl`), with
later turns of the same talk (`later_turns.jsonl`) and with talk in which facts are changed (`changing_talk.jsonl`).

It goes to `nlp/models`, or another folder: half an hour on two cores. It is measured on talk of other writers,
in which is told what each turn changes; `--measure` does that alone. Of a false ending more is lost than of a change
that is missed, so it is told how many false ones each bound lets through.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from math import inf
from pathlib import Path
from typing import Final

from benchmarks.quality.extraction import (
    LEFT_OUT,
    ChangedFact,
    Dialogue,
    UnchangedFact,
    UnseenConversation,
    UnseenTurn,
    dialogues,
    judged_talk,
)
from benchmarks.quality.labelled import Labelled, read_labelled
from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.frames.retraction import RETRACTION, RetractionDetector, read, repeats
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.encoder import LOWER_LAYERS
from scripts.pair_training import Lesson, teach, write
from scripts.train_frames import FOLDER

MEASURED_IN: Final = ("unseen8", "unseen9", "unseen10", "unseen11")
"""Sets that nothing was taught with; the threshold was chosen with all in view but `unseen11`."""
JUDGED: Final = frozenset({"unseen4", "unseen6", "unseen7"})
"""Sets of later turns that readers judged, of which no fact has written turns either."""
OTHERS: Final = 4
"""For each change in a talk so many pairs of a fact and a turn that leaves it as it is are learned from."""
BOUNDS: Final = (0.0, 2.0, 3.0, 4.0, 4.5, 5.0, 5.5)


class WrittenTurn(Labelled):
    """A later turn that was written for a fact of a dialogue, told in its turn `t`: what it makes of the fact, or None
    where it leaves it as it is.
    """

    d: str
    t: int
    frame: str
    about: str
    content: str
    change: str | None
    speaker: str
    text: str


class LaterTurn(Labelled):
    """The same of the turn `later` of the dialogue itself."""

    d: str
    t: int
    content: str
    later: int
    change: str | None


class PlainChange(Labelled):
    """A fact, and what its speaker says later: plainly that it is no longer so, and something that changes nothing."""

    fact: str
    speaker: str
    change: str
    kept: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A fact and a later turn, and what that makes of it: `changes`, `sounds` (only like a change) or `other`."""

    fact: str
    speaker: str
    text: str
    sort: str


def lessons() -> list[Lesson]:
    """What is learned: turns that were written for facts, later turns of talk, and talk in which facts are changed."""
    dice = random.Random(0)  # noqa: S311 - for order alone
    taught = [*written_pairs(), *later_pairs(each for each in dialogues(FOLDER) if each.set_name not in LEFT_OUT)]
    for talk in read_labelled(FOLDER / "changing_talk.jsonl", UnseenConversation):
        found = list(pairs(talk))
        others = [each for each in found if each.sort == "other"]
        taught += [each for each in found if each.sort != "other"]
        taught += dice.sample(others, min(len(others), OTHERS * len(talk.changes)))
    return [Lesson(*read(each.fact, each.speaker, each.text), (float(each.sort == "changes"),)) for each in taught]


def written_pairs() -> Iterator[Pair]:
    """Facts of talk beside turns that were written for them."""
    for each in read_labelled(FOLDER / "changes.jsonl", WrittenTurn):
        yield Pair(each.content, each.speaker, each.text, "changes" if each.change else "sounds")


def later_pairs(some: Iterable[Dialogue]) -> Iterator[Pair]:
    """Facts of dialogues beside later turns that are like them."""
    talk = {each.name: each.said for each in some}
    for each in read_labelled(FOLDER / "later_turns.jsonl", LaterTurn):
        if each.d in talk:
            said = talk[each.d][each.later]
            yield Pair(each.content, said.speaker or "", said.text, "changes" if each.change else "other")


def pairs(conversation: UnseenConversation) -> Iterator[Pair]:
    """Each fact that is changed in a talk beside all later turns of its speaker, but for those that change it as well,
    and each turn that only sounds like a change beside the fact that it might have changed.
    """
    turns, places = conversation.turns, {turn.id: number for number, turn in enumerate(conversation.turns)}
    for change in conversation.changes:
        changing = {each.turn for each in conversation.changes if each.of == change.of}
        for turn in turns[places[change.of] + 1 :]:
            of_speaker = turn.speaker == turns[places[change.of]].speaker
            if of_speaker and (turn.id == change.turn or turn.id not in changing):
                for fact in told(change, turns[places[change.of]]):
                    yield Pair(fact, turn.speaker, turn.text, "changes" if turn.id == change.turn else "other")
    befores = {change.of: change.before for change in conversation.changes}
    for kept in conversation.no_changes:
        turn = turns[places[kept.turn]]
        for fact in told(kept, turns[places[kept.of]], befores.get(kept.of, "")):
            yield Pair(fact, turn.speaker, turn.text, "sounds")


def told(fact: ChangedFact | UnchangedFact, said: UnseenTurn, otherwise: str = "") -> Iterator[str]:
    """A fact of a turn in a sentence, and as its words are quoted where they are known."""
    yield fact.before or otherwise or f'{said.speaker}: "{said.text[:200]}"'
    if fact.kept:
        yield f'{first_name(said.speaker)}: "{fact.kept}"'


def plain_pairs() -> Iterator[Pair]:
    """The changes that are told plainly."""
    for each in read_labelled(FOLDER / "plain_changes.jsonl", PlainChange):
        yield Pair(each.fact, each.speaker, each.change, "changes")
        yield Pair(each.fact, each.speaker, each.kept, "sounds")


def measure(models: Path, title: str, some: Iterable[Pair]) -> None:
    """Says how many turns of each sort take a fact back at each bound."""
    detector, counted = RetractionDetector(models), dict[str, list[float]]()
    for pair in some:
        odds = detector.log_odds(pair.fact, pair.speaker, pair.text)
        counted.setdefault(pair.sort, []).append(odds if repeats(pair.fact, pair.speaker, pair.text) else -inf)
    print(f"{title}:", ", ".join(f"{len(found)} {sort}" for sort, found in counted.items()))
    for bound in BOUNDS:
        past = {sort: sum(each >= bound for each in found) for sort, found in counted.items()}
        print(f"  {bound}:", ", ".join(f"{number} {sort}" for sort, number in past.items()))


def main() -> None:
    """Teaches, measures, and writes what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=MODELS, help="where the other models are")
    parser.add_argument("--measure", action="store_true", help="measure the one that is there")
    given = parser.parse_args()
    if not (given.folder / LOWER_LAYERS).is_file():
        parser.error(f"{given.folder} has no {LOWER_LAYERS}: python -m scripts.train_frames writes it.")
    if not given.measure:
        if find_spec("onnx") is None:
            parser.error("Writing needs the package onnx: pip install --require-hashes -r requirements/train.txt")
        taught = lessons()
        print(f"{len(taught)} lessons", file=sys.stderr)
        write(teach(taught), given.folder / RETRACTION, "taken_back")
    measure(given.folder, "told plainly", plain_pairs())
    judged = (each for each in judged_talk(FOLDER) if each.set_name in JUDGED)
    measure(given.folder, ", ".join(sorted(JUDGED)), later_pairs(judged))
    for name in MEASURED_IN:
        talks = read_labelled(FOLDER / f"{name}.jsonl", UnseenConversation)
        measure(given.folder, name, chain.from_iterable(map(pairs, talks)))


if __name__ == "__main__":
    main()
