"""`bench entities`: precision and recall of entity linking on labelled pairs of a mention and an entity.

`tests/benchmark/entities/README.md` describes the format of the files. Measured is the service's decision on each pair
alone.
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.environment import Report, Row
from benchmarks.quality.labelled import Labelled
from hippograph.graph.knowledge.entity_resolution.entity_linking import Candidate, Mention, Outcome, decide
from hippograph.graph.model import EntityType
from hippograph.nlp.names.matching.matcher import load_lists
from hippograph.nlp.names.normalization import words_of

Why = Literal[
    "exact",
    "alias",
    "short",
    "transcription",
    "script",
    "username",
    "organisation",
    "namesake",
    "near",
    "part",
    "other",
]


class KnownEntity(Labelled):
    """A known entity: its names, the chats it comes up in, and who else is there (`company`)."""

    name: str
    type: EntityType
    aliases: list[str]
    usernames: list[str]
    chats: list[str]
    company: list[str]


class SaidName(Labelled):
    """A mention in a text: its words, the recognizer's type, the chat, and who else is there (`company`)."""

    text: str
    type: EntityType
    chat: str
    company: list[str]


class LabelledPair(Labelled):
    """An entity and a mention, whether the mention means the entity, and the sort of pair (`why`)."""

    id: str
    known: KnownEntity
    mention: SaidName
    same: bool
    why: Why


@dataclass(slots=True)
class _Count:
    pairs: int = 0
    same: int = 0
    found: int = 0
    right: int = 0
    uncertain: int = 0
    uncertain_same: int = 0

    def add(self, same: bool, outcome: Outcome) -> None:
        self.pairs += 1
        self.same += same
        self.found += outcome is Outcome.SAME
        self.right += same and outcome is Outcome.SAME
        self.uncertain += outcome is Outcome.UNCERTAIN
        self.uncertain_same += same and outcome is Outcome.UNCERTAIN

    def numbers(self) -> dict[str, float]:
        numbers: dict[str, float] = {"pairs": self.pairs}
        if self.found:
            numbers["precision"] = self.right / self.found
        if self.same:
            numbers["recall"] = self.right / self.same
        if self.found and self.same:
            numbers["F1"] = 2 * self.right / (self.found + self.same)
        return numbers | {
            "false merges": self.found - self.right,
            "uncertain": self.uncertain,
            "of them same": self.uncertain_same,
        }


def measure(pairs: Sequence[LabelledPair], report: Report) -> list[Row]:
    """Returns precision, recall and F1 over all and by sort of pair, with the numbers of false merges and of uncertain
    pairs, which count as no match; then each false merge, and the mean time of a decision.
    """
    everything, by_why, merged = _Count(), defaultdict[str, _Count](_Count), []
    took = 0.0
    load_lists()
    for number, pair in enumerate(pairs):
        report(number, len(pairs), "deciding")
        candidate, mention = _candidate(pair), _mention(pair)
        started = time.perf_counter()
        verdict = decide(mention, candidate)
        took += time.perf_counter() - started
        for count in (everything, by_why[pair.why]):
            count.add(pair.same, verdict.outcome)
        if verdict.outcome is Outcome.SAME and not pair.same:
            merged.append(Row(f"false merge {pair.id} ({pair.why}, {verdict.reason})", {"score": verdict.score}))
    rows = [Row("all", everything.numbers())]
    rows += [Row(f"why {why}", count.numbers()) for why, count in sorted(by_why.items())]
    return [*rows, *merged, Row("speed", {"ms per decision": took / len(pairs) * 1000} if pairs else {})]


def _candidate(pair: LabelledPair) -> Candidate:
    known = pair.known
    return Candidate(
        id=pair.id,
        type=known.type,
        names=(known.name, *known.aliases),
        usernames=tuple(known.usernames),
        chats=frozenset(known.chats),
        company=frozenset(known.company),
        people=_ids(known.company),
    )


def _mention(pair: LabelledPair) -> Mention:
    said = pair.mention
    return Mention(said.text, said.type, said.chat, frozenset(said.company), _ids(said.company))


def _ids(names: Sequence[str]) -> frozenset[str]:
    """Returns stand-ins for the ids of people: their normalized names. In the files everybody has one name."""
    return frozenset(" ".join(words_of(name)) for name in names)
