"""Finds the event that a question refers to for its time: "before the move to Berlin", "after we adopted Biscuit".

English only. The date of the event comes from memories.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from hippograph.nlp.questions.periods import EARLIEST, LATEST, Period
from hippograph.nlp.questions.reading import read_part

_PHRASE: Final = re.compile(
    r"\b(?P<side>before|until|till|after|since|during)\s+"
    r"(?P<event>(?:the|my|our|his|her|their|[Ii]|we|he|she|they|[A-Z]\w+(?:['’]s)?)\s+[^?,.;!]{3,})",
)
_SIDES: Final[dict[str, Literal["before", "after", "during"]]] = {
    "before": "before",
    "until": "before",
    "till": "before",
    "after": "after",
    "since": "after",
    "during": "during",
}


@dataclass(frozen=True, slots=True)
class EventPhrase:
    """A reference to an event: the side of it that is asked about, the words for the event, and the whole phrase."""

    side: Literal["before", "after", "during"]
    event: str
    words: str


def find_event(question: str) -> EventPhrase | None:
    """Returns the event that a question refers to for its time, None if there is none."""
    question = read_part(question)
    # Only the first letter is tried in lower case too: capitals elsewhere indicate names.
    found = _PHRASE.search(question[:1].lower() + question[1:]) or _PHRASE.search(question)
    if found is None:
        return None
    event = found["event"].strip()
    return EventPhrase(_SIDES[found["side"].casefold()], event, f"{found['side']} {event}")


def around(phrase: EventPhrase, moment: datetime) -> Period:
    """Returns the period on the phrase's side of an event: up to its day, from the day after it, or the day itself.
    `moment` is the time of the event by the clock of the asker.
    """
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    start, end = {
        "before": (EARLIEST, day),
        "after": (day + timedelta(days=1), LATEST),
        "during": (day, day + timedelta(days=1)),
    }[phrase.side]
    return Period(start, end, "day", phrase.words)
