"""Conversion of a language model's findings to statements: the frames that it filled are checked and worded.

What belongs here: whether the words of a slot were said, fit its type and are clear by themselves, and the wording, as
in the local extractor. What does not: how a model is asked (`nlp.llm.extractor`), and whether a statement may be stored
(`nlp.extraction.validation`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from hippograph.nlp.dates import Dated
from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.quoting import LONGEST_QUOTATION, quotation
from hippograph.nlp.extraction.statements import AmbiguousReference, Extracted, Said, Statement, Subject
from hippograph.nlp.extraction.validation import AROUND, SENSITIVITIES
from hippograph.nlp.frames.frame import CONFIDENCE, NAMES, OF_THINGS, TO_ASSISTANT, WHO, Frame, load_frames
from hippograph.nlp.frames.spans import LONGEST_PHRASE
from hippograph.nlp.frames.stating import stated, stated_in_words
from hippograph.nlp.frames.telling import Content, told, written_day
from hippograph.nlp.llm.endpoint import validated
from hippograph.nlp.llm.frame_forms import DaySlot, Filling, NameSlot, filling_forms
from hippograph.nlp.parsing.english import is_english
from hippograph.nlp.parsing.wording import FIRST, IT, REFERRING, SECOND, THIRD
from hippograph.nlp.privacy.sensitivity import guess_sensitivity
from hippograph.nlp.text import WORD_BEGIN, WORD_END

LONGEST_CLAUSE: Final = 22
"""Maximum number of words of a clause that fills a slot."""
_CLAUSE: Final = "clause"
_AROUND_WORDS: Final = " \t\n,.;:!?-–—\"'“”„"
_DATE: Final = re.compile(r"(?:(?P<year>\d{4})|-)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?")
_LEAP: Final = 8
_BEGIN: Final = re.compile(WORD_BEGIN)
_END: Final = re.compile(WORD_END)
_POINTING: Final = IT | REFERRING


class _Rejected(Exception):
    """A finding is not valid; the message is the reason."""


@dataclass(frozen=True, slots=True)
class _Slots:
    """The words of the filled slots of a frame, the dates of the day slots, and the slots that hold a name."""

    words: Mapping[str, str]
    days: Mapping[str, Dated]
    named: frozenset[str]


class FrameReading:
    """One talk, and the statements that a model has found in it so far."""

    def __init__(self, turns: Sequence[Said], participants: Sequence[str]) -> None:
        """`participants` are full names."""
        self._turns = turns
        self.participants = list(dict.fromkeys([*participants, *(turn.speaker for turn in turns if turn.speaker)]))
        self._full_names = _full_names(self.participants)
        self.extracted = Extracted([[] for _ in turns])
        self._english: dict[int, bool] = {}

    def take(self, findings: Sequence[Any], among: range) -> None:
        """Adds the findings of a model in the turns `among`. Findings that are not valid, or were not said, are counted
        by the reason.
        """
        for finding in findings:
            try:
                number, statement = self._statement(finding, among)
            except (_Rejected, AmbiguousReference) as reason:
                self.extracted.dropped[str(reason)] += 1
            else:
                self.extracted.turns[number].append(statement)

    def _statement(self, finding: Any, among: range) -> tuple[int, Statement]:
        """Returns the turn of a finding and its statement. Raises `_Rejected` and `AmbiguousReference`."""
        name = finding.get("frame") if isinstance(finding, dict) else None
        form = filling_forms().get(name) if isinstance(name, str) else None
        filling = validated(form, finding) if form else None
        if filling is None:
            raise _Rejected("wrong shape")
        if filling.turn not in among:
            raise _Rejected("no such turn")
        frame, turn = load_frames()[str(name)], self._turns[filling.turn]
        if frame.name == CONFIDENCE:
            self.extracted.confided.add(filling.turn)
        quoted = self._found(filling.quotation, [turn.text])
        subject = self._subject(frame, filling, turn)
        slots = self._slots(frame, filling)
        if not frame.complete({**slots.words, WHO: subject}):
            raise AmbiguousReference("nobody can tell what")
        if frame.closed:
            statement = self._told(frame, filling, subject, slots, quoted)
        else:
            statement = self._quoted(frame, subject, slots, turn, quoted)
        return filling.turn, replace(
            statement,
            confidence=filling.confidence,
            sensitivity=_more_private(statement.sensitivity, filling.sensitivity, statement.content),
            portable=False if frame.name == CONFIDENCE else filling.portable,
        )

    def _told(self, frame: Frame, filling: Filling, subject: Subject, slots: _Slots, quoted: str) -> Statement:
        """Returns a frame told from its slots: its English sentence with the words of the talk, in any language."""
        turn = self._turns[filling.turn]
        content = Content(
            frame,
            who=self._short(subject.name),
            slots=slots.words,
            days=slots.days,
            articles={},
            ended=filling.time == "past" and "until" in frame.slots and not _ahead(slots.days.get("until"), turn.time),
            happened=filling.time == "past",
            named=frame.main[0] in slots.named,
            told_by=self._reporter(frame, subject, turn),
        )
        return stated(frame, told(content, turn.time), subject, slots.named, quoted)

    def _reporter(self, frame: Frame, subject: Subject, turn: Said) -> str:
        """Returns the speaker, if the frame is `firsthand` and about another participant; else empty."""
        others = frame.firsthand and subject.name in self.participants and subject.name != turn.speaker
        return self._short(turn.speaker or "") if others else ""

    def _quoted(self, frame: Frame, subject: Subject, slots: _Slots, turn: Said, quoted: str) -> Statement:
        """Returns a frame told in the words that fill it."""
        content = quotation(self._short(turn.speaker or ""), slots.words[frame.main[0]])
        day = next(iter(slots.days.values()), Dated(None))
        return stated_in_words(frame, content, subject, day, quoted)

    def _subject(self, frame: Frame, filling: Filling, turn: Said) -> Subject:
        """Returns whom a frame is about. A participant has the full name and is a person, whatever the model says. A
        frame without a slot for the subject is about the speaker. Raises `_Rejected`.
        """
        if WHO not in frame.slots:
            return Subject(turn.speaker or "", "Person")
        name = filling.about.name.strip()
        full = self._full_names.get(name.casefold())
        if full is not None:
            return Subject(full, "Person")
        if filling.about.type != "Person" and frame.name not in OF_THINGS:
            raise _Rejected("about nobody")
        return Subject(name, filling.about.type)

    def _slots(self, frame: Frame, filling: Filling) -> _Slots:
        """Returns what fills the slots, as it was said. Raises `_Rejected` and `AmbiguousReference`."""
        words, days, named = dict[str, str](), dict[str, Dated](), set[str]()
        said = self._turns[filling.turn].time
        for slot, value in filling.slots:
            if value is None:
                continue
            sort = frame.slots[slot]
            text = self._heard(filling.turn, value if isinstance(value, str) else value.words)
            if isinstance(value, DaySlot):
                day, year = _day(value.date, said)
                days[slot], words[slot] = day, written_day(day, year=year)
                continue
            _check(frame, sort, text, english=self._is_english(filling.turn))
            words[slot] = text
            if isinstance(value, NameSlot) and value.type != "Concept":
                named.add(slot)
                words[slot] = self._full_names.get(text.casefold(), text)
        return _Slots(words, days, frozenset(named))

    def _is_english(self, number: int) -> bool:
        """Returns whether a turn is in English; each is looked at once, however many findings it has."""
        if number not in self._english:
            self._english[number] = is_english(self._turns[number].text)
        return self._english[number]

    def _heard(self, number: int, words: str) -> str:
        """Returns words as written in a turn, or in one of the `AROUND` turns before it. Raises `_Rejected`."""
        before = range(number - 1, max(-1, number - AROUND - 1), -1)
        return self._found(words.strip(_AROUND_WORDS), [self._turns[at].text for at in (number, *before)])

    @staticmethod
    def _found(words: str, texts: Sequence[str]) -> str:
        """Returns words as written in the first text that contains them, in any case and spacing. Raises `_Rejected` if
        none does, or if they are too long.
        """
        if len(words) > LONGEST_QUOTATION:
            raise _Rejected("too long")
        parts = words.split()
        if not parts:
            raise _Rejected("not in these words")
        wanted = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
        found = next(filter(None, (_whole(wanted, text) for text in texts)), None)
        if found is None:
            raise _Rejected("not in these words")
        return found

    def _short(self, name: str) -> str:
        """Returns the first name of a participant if no other has it, else the name as it is."""
        first = first_name(name)
        return first if self._full_names.get(first.casefold()) == name else name


def _whole(words: re.Pattern[str], text: str) -> str | None:
    """Returns the first place of a text that matches and is no part of a longer word. Patterns of where words begin and
    end take a hundredth of a second to compile, so they are not part of one for each finding.
    """
    found = words.search(text)
    while found and not (_BEGIN.match(text, found.start()) and _END.match(text, found.end())):
        found = words.search(text, found.start() + 1)
    return found[0] if found else None


def _full_names(participants: Sequence[str]) -> dict[str, str]:
    """Returns the full names by case-folded full name, and by first name if only one participant has it."""
    first = Counter(first_name(name).casefold() for name in participants if name.strip())
    short = {first_name(name).casefold(): name for name in participants if name.strip()}
    alone = {word: name for word, name in short.items() if first[word] == 1}
    return alone | {name.casefold(): name for name in participants}


def _check(frame: Frame, sort: str, text: str, *, english: bool) -> None:
    """Raises `_Rejected` for text too long for its slot, and `AmbiguousReference` for English text that refers to
    something that it does not name.
    """
    words = [word.strip(_AROUND_WORDS).casefold() for word in text.split()]
    if len(words) > (LONGEST_CLAUSE if sort == _CLAUSE else LONGEST_PHRASE):
        raise _Rejected("too long")
    if english and any(_refers(frame, sort, words)):
        raise AmbiguousReference("nobody can tell what")


def _refers(frame: Frame, sort: str, words: Sequence[str]) -> Iterator[bool]:
    if sort == _CLAUSE:
        to = frozenset[str]() if frame.name in TO_ASSISTANT else SECOND
        yield from (word in _POINTING | THIRD | to for word in words)
    elif sort in NAMES | {"phrase"}:
        yield from (word in _POINTING | THIRD | SECOND | FIRST for word in words)


def _ahead(day: Dated | None, said: datetime) -> bool:
    return day is not None and day.start is not None and day.start > said


def _day(told: str, said: datetime) -> tuple[Dated, bool]:
    """Returns the start of the day, month or year that a date names, at midnight UTC, and whether it has a year. A day
    without a year is in the year of the turn, or the last before in which it exists. Raises `AmbiguousReference`.
    """
    found = _DATE.fullmatch(told.strip())
    year, month, day = (found["year"], found["month"], found["day"]) if found else (None, None, None)
    if year is None and day is None:
        raise AmbiguousReference("nobody can tell when")
    for each in (int(year),) if year else range(said.year, said.year - _LEAP, -1):  # not every year has 29 February
        try:
            start = datetime(each, int(month or 1), int(day or 1), tzinfo=UTC)
        except ValueError:
            continue
        precision = "day" if day else "month" if month else "year"
        return Dated(start, precision), year is not None  # type: ignore[arg-type]
    raise AmbiguousReference("nobody can tell when")


def _more_private(frame: str | None, told: str | None, content: str) -> str | None:
    """Returns the more private label of the frame's and the model's; None if it is not more private than the guess from
    the content, which neither can lower.
    """
    most = max(frame or SENSITIVITIES[0], told or SENSITIVITIES[0], key=SENSITIVITIES.index)
    return most if SENSITIVITIES.index(most) > SENSITIVITIES.index(guess_sensitivity(content)) else None
