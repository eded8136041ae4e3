"""`bench truth`: how much of what the local extractor finds is true, by the verdicts of a reader.

The format of the files is written beside the sets (`tests/benchmark/extraction/README.md`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from benchmarks.environment import Report, Row
from benchmarks.quality.labelled import Labelled, SpokenTurn
from hippograph.nlp.extraction.validation import checked
from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.text import normalise

VERDICTS: Final = ("true", "trivial", "wrong_subject", "wrong", "fragment")


class Judged(Labelled):
    """A statement that was found in a turn, and what a reader of the talk thinks of it.

    `trivial` is true and not worth remembering; `useful` and `biography` (age, home, work, family, health, …) are told
    of true ones.
    """

    content: str
    about: str
    verdict: Literal["true", "trivial", "wrong_subject", "wrong", "fragment"]
    useful: bool = False
    biography: bool = False


class JudgedTurn(SpokenTurn):
    """A turn, and what was found in it so far."""

    judged: tuple[Judged, ...] = ()


class JudgedConversation(Labelled):
    """A conversation of the set."""

    id: str
    genre: str
    title: str
    chat: Literal["private", "group"]
    participants: list[str]
    turns: list[JudgedTurn]


class Found(Labelled):
    """A statement that an extractor found, with the turn it found it in, as it is given to a reader."""

    conversation: str
    turn: str
    speaker: str
    text: str
    content: str
    about: str
    kind: str
    confidence: float
    date: str | None


Place = tuple[str, str, str, str]
"""Where a statement stands, and what it says: conversation, turn, normalised content, and whom it is about."""
Verdicts = Mapping[Place, Judged]


def verdicts(conversations: Sequence[JudgedConversation]) -> Verdicts:
    """All verdicts of a sample."""
    return {
        (each.id, turn.id, normalise(judged.content), normalise(judged.about)): judged
        for each in conversations
        for turn in each.turns
        for judged in turn.judged
    }


def verdict(known: Verdicts, found: Found) -> Judged | None:
    """The verdict on a statement; None when nobody has judged it."""
    return known.get((found.conversation, found.turn, normalise(found.content), normalise(found.about)))


def find(
    extractor: LocalExtractor, conversations: Sequence[JudgedConversation], threshold: float, report: Report
) -> Iterator[Found]:
    """What the extractor finds and the validation lets pass."""
    for number, each in enumerate(conversations):
        report(number, len(conversations), "extracting")
        said = [turn.said for turn in each.turns]
        extracted = extractor.find(said, each.participants)
        passed = checked(extracted, said, each.participants, threshold=threshold)
        for turn, statements in zip(each.turns, passed.turns, strict=True):
            for one in statements:
                day = None if one.event_time is None else one.event_time.date().isoformat()
                yield Found(
                    conversation=each.id,
                    turn=turn.id,
                    speaker=turn.speaker,
                    text=turn.text,
                    content=one.content,
                    about=one.subject,
                    kind=one.kind,
                    confidence=round(one.confidence, 3),
                    date=day,
                )


def measure(conversations: Sequence[JudgedConversation], found: Sequence[Found]) -> list[Row]:
    """The share of each verdict among what was found and judged, over all and by genre."""
    known, genres = verdicts(conversations), {each.id: each.genre for each in conversations}
    return [
        Row("all", _shares(known, found)),
        *(
            Row(f"genre {genre}", _shares(known, [each for each in found if genres[each.conversation] == genre]))
            for genre in sorted(set(genres.values()))
        ),
    ]


def _shares(known: Verdicts, found: Sequence[Found]) -> dict[str, float]:
    judged = [told for each in found if (told := verdict(known, each)) is not None]
    counts, total = Counter(each.verdict for each in judged), max(len(judged), 1)
    return {
        "judged": len(judged),
        "unjudged": len(found) - len(judged),
        "true or trivial": (counts["true"] + counts["trivial"]) / total,
        **{name: counts[name] / total for name in VERDICTS},
        "useful": sum(each.useful for each in judged) / total,
    }
