"""`bench extraction`: which frames are found of those that are labelled, and how many of the found ones are right.

The format of the files, and what counts as right, is written beside the sets (`tests/benchmark/frames/README.md`).
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from benchmarks.environment import Report, Row
from benchmarks.quality.labelled import (
    LEAST_F1,
    Count,
    Labelled,
    LabelledDialogue,
    SpokenDialogue,
    SpokenTurn,
    read_labelled,
    same_subject,
    token_f1,
)
from benchmarks.quality.truth import JudgedConversation
from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.statements import Said, Statement
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.frames.frame import WHO, load_frames

LABELS: Final = "labels.jsonl"
LEFT_OUT: Final = frozenset({"talk-voice", "talk-home", "dev3", "dev6", "talk-mates", "talk-company"})
"""The sets that the tagger is not taught with. The verifier is."""

UNTAUGHT: Final = frozenset(
    {*("blocks-and-gardens", "careers-and-studies", "clinics-and-pets", "coasts-and-bands", "farms-and-islands")}
    | {*("homes-and-money", "joint-families", "markets-and-wards", "online-friends", "patchwork-families")}
    | {*("shifts-and-ranches", "small-companies", "teams-and-home-labs", "trips-and-hobbies")}
)
"""Sets of natural talk that the tagger is not taught with either: with them it was no better (BENCHMARKS)."""

Label = tuple[str, dict[str, str]]
"""A frame, and its slots as they stand in the turn; `about` is whom or what it is about."""


class LabelledFrames(Labelled):
    """The frames that a turn of a set of statements fills: `d` is the set and the id of the dialogue, `t` the turn."""

    d: str
    t: str
    f: list[Label]


class JudgedFrame(Labelled):
    """What was found in a turn (by its place) of a dialogue, and what a reader thinks of it: true and standing alone
    (good), wrong, about somebody else, a fragment, or but for its day right; and whether it is worth keeping.
    `quotation` are the words that it was taken from, where the turn is long.
    """

    d: str
    t: int
    frame: str
    about: str
    content: str
    verdict: Literal["good", "wrong", "wrong_subject", "fragment", "wrong_day"]
    keep: bool
    quotation: str = ""


class UnseenTurn(SpokenTurn):
    """A turn, and what readers think of what was found in it."""

    judged: tuple[dict[str, Any], ...] = ()


class ChangedFact(Labelled):
    """What a turn makes of what was said in the turn `of`: what was so before, and what is so after it (empty:
    nothing); `kept` are the words that said it.
    """

    turn: str
    of: str
    sort: str
    before: str
    after: str
    kept: str = ""


class UnchangedFact(Labelled):
    """A turn that only sounds as if it changed what was said in the turn `of`, and why it does not; the rest as in
    `ChangedFact`.
    """

    turn: str
    of: str
    why: str
    before: str = ""
    kept: str = ""


class UnseenConversation(Labelled):
    """A conversation that the tagger was not taught with, with what a careful friend would note of it, the entities in
    it, and what of what was said is changed later.
    """

    id: str
    genre: str
    title: str
    chat: str
    participants: list[str]
    turns: list[UnseenTurn]
    notes: tuple[dict[str, Any], ...] = ()
    entities: tuple[dict[str, Any], ...] = ()
    changes: tuple[ChangedFact, ...] = ()
    no_changes: tuple[UnchangedFact, ...] = ()


class FramedTurn(SpokenTurn):
    """A turn, and the frames that it fills."""

    frames: list[Label]


class FramedDialogue(SpokenDialogue):
    """A dialogue of a set that was written for frames."""

    turns: list[FramedTurn]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue, its turns as they are read, and the labels of each; its name is that of its set and its id."""

    set_name: str
    name: str
    style: str
    participants: Sequence[str]
    said: Sequence[Said]
    labels: Sequence[Sequence[Label]]


def dialogues(folder: Path) -> Iterator[Dialogue]:
    """The labelled dialogues of a folder with `labels.jsonl`: those of the sets of statements beside it, in the folder
    `extraction`, and those that have their labels with them.
    """
    labels = {(each.d, each.t): each.f for each in read_labelled(folder / LABELS, LabelledFrames)}
    for file in sorted((folder.parent / "extraction").glob("*.jsonl")):
        if not file.stem.startswith("heldout"):
            for each in read_labelled(file, LabelledDialogue):
                name = f"{file.stem}/{each.id}"
                found = [labels.get((name, turn.id), []) for turn in each.turns]
                yield Dialogue(
                    file.stem, name, each.style, each.participants, [turn.said for turn in each.turns], found
                )
    for file in sorted(folder.glob("*-*.jsonl")):
        for framed in read_labelled(file, FramedDialogue):
            own = [turn.frames for turn in framed.turns]
            name = f"{file.stem}/{framed.id}"
            yield Dialogue(
                file.stem, name, framed.style, framed.participants, [turn.said for turn in framed.turns], own
            )


def judged_talk(folder: Path) -> Iterator[Dialogue]:
    """The talk in which readers judged what was found: no tagger was taught with it. The sets that are left out, those
    that were held out before, those of `bench truth`, and `unseen*.jsonl`. Names begin with that of the set.
    """
    yield from (each for each in dialogues(folder) if each.set_name in LEFT_OUT)
    for file in sorted((folder.parent / "extraction").glob("heldout*.jsonl")):
        for held in read_labelled(file, LabelledDialogue):
            yield _unlabelled(f"{file.stem}/{held.id}", held.style, held.participants, held.turns)
    for file in sorted((folder.parent / "truth").glob("*.jsonl")):
        for told in read_labelled(file, JudgedConversation):
            yield _unlabelled(f"truth-{file.stem}/{told.id}", told.genre, told.participants, told.turns)
    for file in sorted(folder.glob("unseen*.jsonl")):
        for unseen in read_labelled(file, UnseenConversation):
            yield _unlabelled(f"{file.stem}/{unseen.id}", unseen.genre, unseen.participants, unseen.turns)


def _unlabelled(name: str, style: str, participants: Sequence[str], turns: Sequence[SpokenTurn]) -> Dialogue:
    set_name, _, _ = name.partition("/")
    return Dialogue(set_name, name, style, participants, [turn.said for turn in turns], [[] for _ in turns])


def measure(extractor: LocalExtractor, some: Sequence[Dialogue], threshold: float, report: Report) -> list[Row]:
    """Precision and recall of the frames that are filled with a confidence of `threshold` or more: of those told from
    slots (closed) and of those that are quoted, by style and by frame; and how fast it is.
    """
    counts: dict[str, Count] = defaultdict(Count)
    took = 0.0
    for number, dialogue in enumerate(some):
        report(number, len(some), "finding frames")
        started = time.perf_counter()
        extracted = extractor.find(dialogue.said, dialogue.participants)
        took += time.perf_counter() - started
        for labels, found in zip(dialogue.labels, extracted.turns, strict=True):
            kept = [statement for statement in found if statement.confidence >= threshold]
            _compare(dialogue.style, labels, kept, counts)
    rows = [Row(name, count.numbers()) for name, count in sorted(counts.items())]
    return [*rows, Row("speed, parsing and all", {"turns/s": sum(len(each.said) for each in some) / took})]


def _compare(style: str, labels: Sequence[Label], found: Sequence[Statement], counts: Mapping[str, Count]) -> None:
    """Matches each label with at most one of what was found."""
    left = list(found)
    for label in labels:
        match = next((each for each in left if _right(each, label)), None)
        if match is not None:
            left.remove(match)
        for name in _names(style, label[0]):
            counts[name].labelled += 1
            counts[name].right += match is not None
    for each in found:
        for name in _names(style, each.frame):
            counts[name].found += 1


def _names(style: str, frame: str) -> tuple[str, str, str]:
    return ("closed" if load_frames()[frame].closed else "quoted"), f"frame {frame}", f"style {style}"


def _right(found: Statement, label: Label) -> bool:
    """Whether what was found fills the labelled frame, about the same, and with half of the words of its main slot."""
    name, slots = label
    if found.frame != name or not any(same_about(each.name, slots["about"]) for each in found.subjects):
        return False
    frame = load_frames()[name]
    wanted = [slots[slot] for slot in frame.main if slots.get(slot) and slot != WHO and frame.slots[slot] != "day"]
    return not wanted or any(contains(found.content, words) for words in wanted)


def same_about(one: str, labelled: str) -> bool:
    """Whether two names of whom a frame is about are one: Ada Byron's sister is Ada's sister."""
    whose, apostrophe, what = labelled.partition("'s ")
    return same_subject(one, labelled) or (bool(apostrophe) and same_subject(one, f"{first_name(whose)}'s {what}"))


def contains(content: str, words: str) -> bool:
    """Whether a sentence has most of some words: F1 with those of the sentence that are among them."""
    among = " ".join(word for word in content.split() if token_f1(word, words))
    return token_f1(among, words) >= LEAST_F1
