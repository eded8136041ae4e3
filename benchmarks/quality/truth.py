"""`bench truth`: how much of what the local extractor finds is true, by the verdicts of a reader.

`tests/benchmark/extraction/README.md` describes the format of the files.
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
    """A statement that was found in a turn, and the verdict of a reader of the conversation.

    The verdict `trivial` means true but not worth remembering. `useful` and `biography` (age, home, work, family,
    health, …) are given for true statements only.
    """

    content: str
    about: str
    verdict: Literal["true", "trivial", "wrong_subject", "wrong", "fragment"]
    useful: bool = False
    biography: bool = False


class JudgedTurn(SpokenTurn):
    """A turn, and the judged statements that were found in it so far."""

    judged: tuple[Judged, ...] = ()


class JudgedConversation(Labelled):
    """A conversation of a judged set."""

    id: str
    genre: str
    title: str
    chat: Literal["private", "group"]
    participants: list[str]
    turns: list[JudgedTurn]


class Found(Labelled):
    """A statement that an extractor found, with its turn, in the form that is given to a reader."""

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
"""The key of a statement: conversation, turn, normalized content, and normalized subject."""
Verdicts = Mapping[Place, Judged]


def verdicts(conversations: Sequence[JudgedConversation]) -> Verdicts:
    """Returns all verdicts of a sample."""
    return {
        (each.id, turn.id, normalise(judged.content), normalise(judged.about)): judged
        for each in conversations
        for turn in each.turns
        for judged in turn.judged
    }


def verdict(known: Verdicts, found: Found) -> Judged | None:
    """Returns the verdict on a statement; None if nobody has judged it."""
    return known.get((found.conversation, found.turn, normalise(found.content), normalise(found.about)))


def find(
    extractor: LocalExtractor, conversations: Sequence[JudgedConversation], threshold: float, report: Report
) -> Iterator[Found]:
    """Yields the statements that the extractor finds and the validation accepts at a threshold of confidence."""
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
    """Returns the share of each verdict among the statements found and judged, over all and by genre."""
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
