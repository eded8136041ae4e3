"""Teaches the detector of what later turns take back, with facts and turns written for it (`changes.jsonl`).

It goes to `nlp/models`, or another folder: half an hour on two cores. It is measured on talk of other writers,
in which is told what each turn changes; `--measure` does that alone. Of a false ending more is lost than of a change
that is missed, so it is told how many false ones each bound lets through.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Final

from benchmarks.quality.extraction import Dialogue, UnseenConversation, dialogues, judged_talk
from benchmarks.quality.labelled import ASSISTANT, Labelled, read_labelled
from hippograph.nlp.frames.retraction import RETRACTION, RetractionDetector, read
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.encoder import LOWER_LAYERS
from scripts.pair_training import Lesson, teach, write
from scripts.train_frames import FOLDER

MEASURED_IN: Final = ("unseen8", "unseen9", "unseen10")
"""Sets that nothing was taught with; the bound was chosen with all of them in view."""
BOUNDS: Final = (0.0, 2.0, 3.0, 4.0, 4.5, 5.0, 5.5)


class LaterTurn(Labelled):
    """A turn that is said after a fact of a dialogue was told (in its turn `t`, by its place): what it makes of the
    fact, or None where it leaves it as it is.
    """

    d: str
    t: int
    frame: str
    about: str
    content: str
    change: str | None
    speaker: str
    text: str


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


def lessons(talk: Mapping[str, Dialogue], written: Sequence[LaterTurn]) -> list[Lesson]:
    """What is learned: each written turn beside its fact, and for each change a later turn of the fact's talk, or the
    change of another fact, beside it.
    """
    dice = random.Random(0)  # noqa: S311 - for order alone
    changes = [each for each in written if each.change]
    found = [(each.content, each.speaker, each.text, float(each.change is not None)) for each in written]
    for each in changes:
        other = dice.choice(changes)
        if later := [said for said in talk[each.d].said[each.t + 1 :] if said.speaker]:
            said = dice.choice(later)
            found.append((each.content, said.speaker or "", said.text, 0.0))
        elif (other.d, other.t) != (each.d, each.t):
            found.append((each.content, each.speaker, other.text, 0.0))
    return [Lesson(*read(fact, speaker, text), (changed,)) for fact, speaker, text, changed in found]


def pairs(conversation: UnseenConversation) -> Iterator[Pair]:
    """Each fact that is changed in a talk beside all later turns of people, but for those that change it as well, and
    each turn that only sounds like a change beside what it might have changed.
    """
    places = {turn.id: number for number, turn in enumerate(conversation.turns)}
    befores = dict[str, str]()
    for change in conversation.changes:
        befores[change.of] = change.before
        changing = {each.turn for each in conversation.changes if each.of == change.of}
        for turn in conversation.turns[places[change.of] + 1 :]:
            if turn.speaker != ASSISTANT and (turn.id == change.turn or turn.id not in changing):
                yield Pair(change.before, turn.speaker, turn.text, "changes" if turn.id == change.turn else "other")
    for kept in conversation.no_changes:
        turn, of = conversation.turns[places[kept.turn]], conversation.turns[places[kept.of]]
        yield Pair(befores.get(kept.of, f'{of.speaker}: "{of.text[:200]}"'), turn.speaker, turn.text, "sounds")


def plain_pairs() -> Iterator[Pair]:
    """The changes that are told plainly."""
    for each in read_labelled(FOLDER / "plain_changes.jsonl", PlainChange):
        yield Pair(each.fact, each.speaker, each.change, "changes")
        yield Pair(each.fact, each.speaker, each.kept, "sounds")


def measure(models: Path, title: str, some: Iterable[Pair]) -> None:
    """Says how many turns of each sort take a fact back at each bound."""
    detector, counted = RetractionDetector(models), dict[str, list[float]]()
    for pair in some:
        counted.setdefault(pair.sort, []).append(detector.log_odds(pair.fact, pair.speaker, pair.text))
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
        talk = {each.name: each for each in (*dialogues(FOLDER), *judged_talk(FOLDER))}
        taught = lessons(talk, read_labelled(FOLDER / "changes.jsonl", LaterTurn))
        print(f"{len(taught)} lessons", file=sys.stderr)
        write(teach(taught), given.folder / RETRACTION, "taken_back")
    measure(given.folder, "told plainly", plain_pairs())
    for name in MEASURED_IN:
        talks = read_labelled(FOLDER / f"{name}.jsonl", UnseenConversation)
        measure(given.folder, name, chain.from_iterable(map(pairs, talks)))


if __name__ == "__main__":
    main()
