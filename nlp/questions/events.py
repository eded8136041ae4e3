"""Which event a question places itself by: "before the move to Berlin", "after we adopted Biscuit".

English. When that was, memories tell.
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
    """On which side of an event a question asks, the words for the event, and the whole phrase."""

    side: Literal["before", "after", "during"]
    event: str
    words: str


def find_event(question: str) -> EventPhrase | None:
    """The event that a question places itself by; none when it names none."""
    question = read_part(question)
    # Only the first letter may be in lower or upper case: capitals show names.
    found = _PHRASE.search(question[:1].lower() + question[1:]) or _PHRASE.search(question)
    if found is None:
        return None
    event = found["event"].strip()
    return EventPhrase(_SIDES[found["side"].casefold()], event, f"{found['side']} {event}")


def around(phrase: EventPhrase, moment: datetime) -> Period:
    """The stretch of time on the phrase's side of an event that was then, by the clock of who asks: until its day, from
    the day after it on, or the day itself.
    """
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    start, end = {
        "before": (EARLIEST, day),
        "after": (day + timedelta(days=1), LATEST),
        "during": (day, day + timedelta(days=1)),
    }[phrase.side]
    return Period(start, end, "day", phrase.words)
