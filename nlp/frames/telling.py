"""The wording of filled frames: a sentence as a person would write it, its day, and its aspect and value.

What belongs here: the way from slots to text, days and keys. What does not: which words of the talk fill a slot
(`nlp.frames.filling`, `nlp.llm.frame_reading`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from hippograph.nlp.dates import Dated, dated
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.quoting import Quoting, reported
from hippograph.nlp.extraction.statements import DATED, AmbiguousReference
from hippograph.nlp.frames.constructions import STATES, is_dead, no_more
from hippograph.nlp.frames.filling import Filled, Filler
from hippograph.nlp.frames.frame import WHO, Frame
from hippograph.nlp.frames.quotations import Quotation
from hippograph.nlp.parsing.clauses import Clause
from hippograph.nlp.parsing.lexicon import lemma, lexicon
from hippograph.nlp.parsing.wording import possessive, third_person
from hippograph.nlp.text import slug

if TYPE_CHECKING:
    from spacy.tokens import Token

_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_SLOT: Final = re.compile(r"\{(a )?(\w+)('s)?\}")
_VERB: Final = re.compile(r"<([^<>]*)>")
_MOVING: Final = frozenset({"move", "push", "shift", "postpone", "reschedule", "change"})
_FROM_TO: Final = re.compile(r"\bfrom\b [^,;:]{1,30}? to\b(?P<to>.*)", re.IGNORECASE)
_HANDLE: Final = re.compile(r"[a-z]\w*[\d._]\w")
"""A username, which is not capitalised at the start of a sentence: bartek_w."""
_STARTS: Final = ("since", "start")
_AHEAD: Final = frozenset({"plan", "promise"})
_BOOKING: Final = frozenset({"book", "reserve", "take", "arrange", "schedule", "organise", "organize", "rent"})
_DAY_OF_YEAR: Final = re.compile(r"\d(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]{2}|[A-Z][a-z]{2,8} (?:the )?\d")
_OF_OTHERS: Final = ("relation", "role")
"""The slots that hold what somebody is to another person; a new boss is soon the boss."""
_LEADING: Final = frozenset({"half", "since", "by", "until", "till", "from", "in", "on", "at", "the", "of"})
_MOST_LEADING: Final = 2
_LONGEST_ASPECT: Final = 60
_ENDING: Final = {"quit", "leave", "retire", "resign", "sell", "stop", "lose", "cancel", "end", "drop", "finish"}
_GIVING_UP: Final = frozenset({"give", "stop", "quit"})
_AROUND: Final = " ,.;:-–—\"'“”"
_FORMER: Final = re.compile(r"\b(?:ex-|(?:former(?:ly)?|until last|used to)\b)")
"""Words of a state that has ended."""
_ACCUSTOMED: Final = re.compile(
    r"(?:\b(?:am|is|are|was|were|be|been|being|get|gets|got|getting|gotten)|['’](?:m|s|re))"
    r"(?: (?:not|n't|so|still|now|quite|\w+ly))* used to\b"
)
"""To be or get used to something, which ends nothing."""


@dataclass(frozen=True, slots=True)
class Told:
    """A worded frame: its sentence, the words of its slots, its aspect (None for events and plans), value and time.

    If it no longer holds, `ends` is the aspect and the value that it had while it held.
    """

    content: str
    slots: Mapping[str, str]
    aspect: str | None
    value: str
    when: Dated
    ends: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What a frame says about `who`, in words. `slots` holds all filled slots but that of the subject, `days` the dates
    of the day slots. `articles` are the articles that noun phrases need, each with a space behind.

    `ended` means that it no longer holds, `happened` that it is past, `named` that the main slot holds a name, and
    `adjective` that it holds an adjective. `told_by` is the speaker who says it of another participant, if the frame is
    `firsthand`; else empty.
    """

    frame: Frame
    who: str
    slots: Mapping[str, str]
    days: Mapping[str, Dated]
    articles: Mapping[str, str]
    ended: bool
    happened: bool
    named: bool
    adjective: bool = False
    told_by: str = ""


def told(content: Content, said: datetime) -> Told:
    """Returns a frame in words; `said` is the time of the turn."""
    frame, days, ended = content.frame, content.days, content.ended
    sentence = _sentence(content, future=_future(days, said))
    if content.told_by:
        sentence = reported(content.told_by, sentence)
    # A state that still holds does not begin at its "until".
    dating = ("day", "since", "start", *(("until",) if ended else ()), "end")
    when = next((days[slot] for slot in dating if slot in days), Dated(None))
    words = {slot: text for slot, text in content.slots.items() if frame.slots[slot] != "day"}
    aspect, value = _aspect(content, words), _value(frame, words)
    if frame.kind in DATED:
        return Told(sentence, content.slots, None, value, when)
    if ended:
        return Told(sentence, content.slots, _shortened(f"{aspect}_past_{value}"), value, when, ends=(aspect, value))
    return Told(sentence, content.slots, aspect, value, when)


def tell(filled: Filled, people: People, turn: int, said: datetime) -> Told:
    """Returns a frame in words. Raises `AmbiguousReference` if a slot that it needs cannot be resolved."""
    frame = filled.frame
    slots = {
        slot: _words(slot, people, turn, filled) for slot in filled.slots if slot != WHO and frame.slots[slot] != "day"
    }
    for group in frame.needs:
        if not any(slots.get(slot) or frame.slots[slot] == "day" or slot == WHO for slot in group):
            raise AmbiguousReference("nobody can tell what")
    slots = {slot: words for slot, words in slots.items() if words}
    if frame.name == "diet" and filled.clause is not None:
        if filled.clause.negated:
            slots["diet"] = f"no {slots['diet'].removeprefix('no ')}"
        elif _was(filled.clause):
            raise AmbiguousReference("it is no longer so")
    days = _days(filled, said)
    if any(
        frame.slots[slot] == "day" and slot not in days for group in frame.needs if len(group) == 1 for slot in group
    ):
        raise AmbiguousReference("nobody can tell when")
    content = Content(
        frame,
        who=people.short(people.entity(filled.about).name),
        slots=slots | {slot: written_day(day, year=_has_year(filled, slot)) for slot, day in days.items()},
        days=days,
        articles={slot: _article(filled, slot, words) for slot, words in slots.items()},
        ended=_ended(filled, days, said),
        happened=_happened(filled),
        named=any(token.pos_ == "PROPN" for token in filled.main.words),
        adjective=filled.main.words.root.pos_ == "ADJ",
        told_by=_reporter(filled, people, turn),
    )
    return told(content, said)


def _reporter(filled: Filled, people: People, turn: int) -> str:
    """Returns the speaker, if the frame is `firsthand` and about another participant; else empty."""
    speaker, about = people.full_name(people.speaker(turn)), filled.about
    others = filled.frame.firsthand and people.takes_part(about) and people.full_name(about) != speaker
    return people.short(speaker) if others else ""


def quote(quotation: Quotation, said: datetime, quoting: Quoting) -> tuple[str, Dated]:
    """Returns the words of a quotation, with the name behind a resolved pronoun, and the date that they name."""
    words = quotation.words
    if quotation.meant is None:
        text = quoting.words(words.start_char, words.end_char)
    else:
        token, name = quotation.meant
        while not token.whitespace_ and token.i + 1 < words.end and token.nbor(1).pos_ in {"AUX", "PART"}:
            token = token.nbor(1)  # he'd [Tomás]
        before, behind = quoting.parted(words.start_char, token.idx + len(token), words.end_char)
        text = f"{before} [{name}]{' ' if behind[:1].isalnum() else ''}{behind}"
    past = quotation.frame.name not in _AHEAD and _is_past(quotation.clause)
    when = _moved_to(quotation, said, past=past) or dated(words.text, said, past=past)
    if past and quotation.clause is not None:
        when = _ahead(when, quotation.clause, words.text, said)
    return text.strip(_AROUND), when


def _is_past(clause: Clause | None) -> bool:
    return clause is not None and not clause.future and (clause.past or clause.perfect)


def _ahead(when: Dated, clause: Clause, text: str, said: datetime) -> Dated:
    """Returns the next such day in place of the last one for what somebody has booked, if it is nearer: a train that
    somebody *has taken* on 21 December, as they say in November.
    """
    ahead = dated(text, said, past=False)
    booked = clause.perfect and lemma(clause.main) in _BOOKING and _DAY_OF_YEAR.search(text)
    if not booked or when.start is None or ahead.start is None or said - when.start <= ahead.start - said:
        return when
    return ahead


def _moved_to(quotation: Quotation, said: datetime, *, past: bool) -> Dated | None:
    """Returns the new day of a plan that is moved: from 14 to *21 April*. None for anything else."""
    moved = _FROM_TO.search(quotation.words.text) if quotation.frame.name == "plan" else None
    if moved is None or not any(each.pos_ == "VERB" and each.lemma_ in _MOVING for each in quotation.words):
        return None
    when = dated(f"on {moved['to'].strip()}", said, past=past)
    return when if when.start else None


def _words(slot: str, people: People, turn: int, filled: Filled) -> str:
    """Returns what fills a slot, in the third person; empty if a pronoun cannot be resolved."""
    told = third_person(list(filled.slots[slot].words), lambda token: people.who(turn, token, filled.clause)) or ""
    return told.strip().removeprefix("new ") if slot in _OF_OTHERS else told.strip()


def _days(filled: Filled, said: datetime) -> dict[str, Dated]:
    """Returns the dates of the day slots; those that name no date are left out."""
    found = {}
    for slot, filler in filled.slots.items():
        if filled.frame.slots[slot] == "day":
            before = _leading(filler)
            past = _past(filled, before)
            texts = (" ".join([*before, filler.text]), f"in {filler.text}", f"on {filler.text}")
            day = next((each for text in texts if (each := dated(text, said, past=past)).start is not None), None)
            if day is not None:
                found[slot] = day
    return found


def _leading(filler: Filler) -> list[str]:
    """Returns the prepositions and articles before a day, lower case: since the, by."""
    doc, start = filler.words.doc, filler.words.start
    words: list[str] = []
    while start > 0 and len(words) < _MOST_LEADING and doc[start - 1].lower_ in _LEADING:
        start -= 1
        words.insert(0, doc[start].lower_)
    return words


def _past(filled: Filled, before: Sequence[str]) -> bool:
    """Whether a day is in the past: never for plans and promises, else by "since" or the tense of the verb."""
    if filled.frame.name in _AHEAD:
        return False
    return "since" in before or _is_past(filled.clause)


def _future(days: Mapping[str, Dated], said: datetime) -> bool:
    return any(slot in days and (days[slot].start or said) > said for slot in _STARTS)


def _ended(filled: Filled, days: Mapping[str, Dated], said: datetime) -> bool:
    """Whether a frame no longer holds when it is said; a pet is had until it dies."""
    if filled.frame.name == "pet":
        return any(is_dead(token) for filler in filled.slots.values() for token in filler.words)
    if "until" not in filled.frame.slots:
        return False
    if "until" in days:
        until = days["until"].start
        return until is not None and until <= said
    clause = filled.clause
    if clause is None:
        return False
    text = " ".join(token.lower_ for token in clause.words)
    if no_more(clause.words) or _FORMER.search(_ACCUSTOMED.sub(" ", text)):
        return True
    if lemma(clause.main) in STATES and clause.past and not clause.perfect and clause.under is None:
        return True
    leaves = any(_leaves(verb) for verb in (clause.main, clause.head))
    return leaves and not clause.negated and not clause.future


def _was(clause: Clause) -> bool:
    """Whether a clause tells of what is over: I was vegan, I used to be vegan, I gave up being vegan."""
    text = " ".join(token.lower_ for token in clause.words)
    past = lemma(clause.main) == "be" and clause.past and not clause.perfect
    given_up = lemma(clause.head) in _GIVING_UP or any(lemma(each) in _GIVING_UP for each in clause.main.ancestors)
    return past or given_up or bool(no_more(clause.words)) or bool(_FORMER.search(_ACCUSTOMED.sub(" ", text)))


def _leaves(verb: "Token") -> bool:
    """Whether a verb ends a state: quit, leave, end; but not to end up as something."""
    ends_up = verb.lemma_.lower() == "end" and any(child.lower_ == "up" for child in verb.children)
    return verb.lemma_.lower() in _ENDING and not ends_up


def _has_year(filled: Filled, slot: str) -> bool:
    """Whether a day is written with its year; that of a birthday only if it was said."""
    return filled.frame.name != "birthday" or bool(re.search(r"\b(?:19|20)\d\d\b", filled.slots[slot].text))


def written_day(day: Dated, *, year: bool) -> str:
    """Returns a date as text by its precision: 2 November 2026, November 2026 or 2026; without `year` 2 November."""
    start = day.start
    assert start is not None
    if day.precision == "year":
        return str(start.year)
    if day.precision == "month":
        return f"{start:%B %Y}" if year else f"in {start:%B}"
    return f"{start.day} {start:%B %Y}" if year else f"{start.day} {start:%B}"


def _sentence(content: Content, *, future: bool) -> str:
    frame, who, slots, ended = content.frame, content.who, content.slots, content.ended
    template = _template(content)
    plural = " and " in who or who.endswith(("parents", "children", "kids"))

    def verb(found: re.Match[str]) -> str:
        forms = found[1].split("|")
        past = ended or (frame.kind == "event" and content.happened)
        return forms[2] if past and len(forms) > 2 else forms[1] if plural else forms[0]

    def slot(found: re.Match[str]) -> str:
        article, name, whose = found.groups()
        if name == WHO:
            return possessive(who) if whose else who
        return f"{content.articles.get(name, '')}{slots[name]}" if article else slots[name]

    def optional(found: re.Match[str]) -> str:
        return found[1] if all(name in slots or name == WHO for _, name, _ in _SLOT.findall(found[1])) else ""

    text = _VERB.sub(verb, _SLOT.sub(slot, _OPTIONAL.sub(optional, template)))
    if "since" in slots and "{since}" not in template:
        text += f" from {slots['since']}" if future else f" (since {slots['since']})"
    if "until" in slots:
        text += f" (until {slots['until']})" if ended else f" until {slots['until']}"
    return text if _HANDLE.match(text) else text[:1].upper() + text[1:]


def _template(content: Content) -> str:
    """Returns the sentence of a frame for what its main slot holds: an adjective, a word of a list, or anything."""
    frame = content.frame
    main = next((content.slots[slot].casefold() for slot in frame.main if slot in content.slots), "")
    if frame.listed and main in lexicon().words[frame.listed[0]]:
        return frame.listed[1]
    return (content.adjective and frame.adjective) or frame.sentence


def _happened(filled: Filled) -> bool:
    clause = filled.clause
    return clause is not None and (clause.past or clause.perfect)


def _article(filled: Filled, slot: str, words: str) -> str:
    """Returns the article that a noun phrase needs, with a space behind: "a" or "an" as it was said, else before a
    singular noun that is no condition; else empty.
    """
    filler = filled.slots[slot]
    root, start = filler.words.root, filler.words.start
    before = filler.words.doc[start - 1].lower_ if start else ""
    if before in {"a", "an"}:
        return f"{before} "
    if slot == "condition":
        return ""
    one = root.tag_ == "NN" or (slot == "role" and root.lower_ in lexicon().words["occupations"])
    plain = one and root.lower_ == root.text and not any(t.tag_ in {"CD", "PRP$", "DT"} for t in filler.words)
    if not plain or words[:1].isupper() or (slot == "thing" and root.lower_ not in lexicon().words["possessions"]):
        return ""
    return "an " if words[:1].lower() in "aeiou" else "a "


def _aspect(content: Content, slots: Mapping[str, str]) -> str:
    """Returns the key that it shares with competing claims: the frame's aspect with the words of its identity slots."""
    frame = content.frame
    main = next((number for number, slot in enumerate(frame.main) if slot in slots), 0)
    parts = [frame.aspects[min(main, len(frame.aspects) - 1)]]
    if frame.name == "home" and not content.named:
        parts.append(slots["place"])
    parts += [slots[slot] for slot in frame.identity if slot in slots]
    return _shortened(" ".join(parts))


def _shortened(words: str) -> str:
    return slug(words)[:_LONGEST_ASPECT].strip("_")


def _value(frame: Frame, slots: Mapping[str, str]) -> str:
    """Returns the value of the claim: the words of its slots in the order of the frame, after "not" if the frame has an
    opposite.
    """
    words = " ".join(slots[slot] for slot in frame.slots if slot in slots) or frame.name
    return f"not {words}" if frame.opposite else words
