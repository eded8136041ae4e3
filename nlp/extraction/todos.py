"""Commitments made in passing ("I'll send you the report on Friday"), open threads ("I still need to call the
landlord"), and completions ("sent it!"). Promises and plans that are worth a fact fill frames (`nlp.frames`).

What belongs here: finding the sentences of a turn that say so, by phrases. What does not: which open todo a completion
refers to. A sentence that asks, supposes or quotes says none of this.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from hippograph.nlp.dates import Precision, dated
from hippograph.nlp.text import full_text_words

LONGEST: Final = 240
"""Maximum length of a sentence that is read, in characters; a longer one says more than one thing."""
_SENTENCE: Final = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)")
_OPENERS: Final = (
    r"(?:(?:ok(?:ay)?|sure|yes|yeah|yep|alright|all right|right|fine|great|perfect|and|but|so|well|oh|anyway|also)\W+)*"
)
_WHO_DID: Final = r"(?:(?:i|i've|i have)(?: just| finally| already| now)* |just |finally )?"
_AFTER: Final = r"[^\w]*(?:(?:off|out|back|today|now|just now|yesterday|this morning)\b[^\w]*)*"


@dataclass(frozen=True, slots=True)
class FoundTodo:
    """A sentence that commits its speaker or leaves a thread open.

    `verb` is the deed promised or still to do, None without one; `words` are the words behind it, by which a later turn
    may refer to it. `due` is the first day of the time it is due, None if it names no time or a past one; `precision`
    is how exactly it is named.
    """

    kind: Literal["commitment", "thread"]
    sentence: str
    verb: str | None
    words: frozenset[str]
    due: datetime | None
    precision: Precision


@dataclass(frozen=True, slots=True)
class Completion:
    """A statement that something is done: the deeds that its verb may stand for, and the words behind the verb; no
    words if a pronoun stands for them.
    """

    verbs: frozenset[str]
    words: frozenset[str]


def find_todos(text: str, said: datetime) -> list[FoundTodo]:
    """The commitments and threads of a turn, in order. `said` is the time of the turn, for relative dates."""
    return [todo for sentence in _sentences(text) if (todo := _todo(sentence, said))]


def find_completions(text: str) -> list[Completion]:
    """The completions of a turn, in order."""
    return [done for sentence in _sentences(text) if (done := _completion(sentence))]


def find_deed(sentence: str) -> tuple[str | None, frozenset[str]]:
    """The first deed that a sentence names, if any, and the words behind it, by which a later turn may refer to it."""
    found = _phrases().deed.search(sentence)
    return (found[0].casefold(), _words(sentence[found.end() :])) if found else (None, frozenset())


def is_over_with_its_day(plan: str) -> bool:
    """Whether a plan, such as an appointment, is over after its day without being reported done. False if it names a
    duty or a deadline.
    """
    return not _phrases().duty.search(plan)


def in_one_line(text: str) -> str:
    """A text in one line with plain instead of typographic apostrophes, as it is matched here."""
    return " ".join(text.replace("’", "'").split())


def _todo(sentence: str, said: datetime) -> FoundTodo | None:
    phrases = _phrases()
    if promise := phrases.promise.match(sentence):
        kind: Literal["commitment", "thread"] = "commitment"
        start, verb = promise.end(), promise["verb"].casefold()
        unsure = phrases.unsure.search(sentence)
    elif thread := phrases.thread.match(sentence):
        kind, start = "thread", thread.end()
        verb = thread["verb"] and thread["verb"].casefold()
        unsure = phrases.unsure.search(sentence, start)
    else:
        return None
    if unsure and (kind == "commitment" or unsure[0].casefold() in ("if", "maybe", "perhaps", "would", "unless")):
        return None
    when = dated(sentence, said, past=False)
    due = when.start if when.start is not None and when.start.date() >= said.date() else None
    return FoundTodo(kind, sentence, verb, _words(sentence[start:]), due, when.precision)


def _completion(sentence: str) -> Completion | None:
    phrases = _phrases()
    found = phrases.done.match(sentence)
    if not found or phrases.unsure.search(sentence):
        return None
    rest = sentence[found.end() :]
    words = _words(rest)
    pronoun = phrases.pronoun.match(rest)
    if not (words or pronoun):
        return None
    return Completion(phrases.deeds_of[found["done"].casefold()], frozenset() if pronoun else words)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a turn but for questions and those longer than `LONGEST`, each as `in_one_line` returns it."""
    for found in _SENTENCE.finditer(text):
        sentence = in_one_line(found[0])
        if sentence and len(sentence) <= LONGEST and not sentence.endswith("?"):
            yield sentence


def _words(rest: str) -> frozenset[str]:
    """The words after a verb that distinguish one deed from another, case-folded."""
    return frozenset(word.casefold() for word in full_text_words(rest)) - _phrases().indistinct


@dataclass(frozen=True, slots=True)
class _Phrases:
    deed: re.Pattern[str]
    promise: re.Pattern[str]
    thread: re.Pattern[str]
    done: re.Pattern[str]
    unsure: re.Pattern[str]
    duty: re.Pattern[str]
    pronoun: re.Pattern[str]
    indistinct: frozenset[str]
    deeds_of: dict[str, frozenset[str]]


@cache
def _phrases() -> _Phrases:
    """The phrases of `todos.toml` as regular expressions, read on first use."""
    table: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    deeds: dict[str, list[str]] = table["deeds"]
    forms = sorted({form for each in deeds.values() for form in each})
    promises, threads = table["promises"], table["threads"]
    deed = rf"(?:(?:{_either(promises['between'])}) )*(?P<verb>{_either(deeds)})\b"
    unsure = _either(rf"\b{word}\b" if word != "n't" else r"n't\b" for word in table["unsure"]["words"])
    return _Phrases(
        deed=_compiled(rf"\b(?:{_either(deeds)})\b"),
        promise=_compiled(rf"{_OPENERS}(?:{_either(promises['starts'])}) {deed}"),
        thread=_compiled(
            rf"{_OPENERS}(?:(?:{_either(threads['before_deeds'])}) {deed}|(?:{_either(threads['starts'])}))"
        ),
        done=_compiled(rf"{_OPENERS}{_WHO_DID}(?P<done>{_either(forms)})\b"),
        unsure=_compiled(unsure),
        duty=_compiled(rf"\b(?:{_either(table['duties']['words'])})\b"),
        pronoun=_compiled(rf"\s*(?:{_either(table['pronouns']['words'])})\b{_AFTER}$"),
        indistinct=frozenset(table["indistinct"]["words"]),
        deeds_of={form: frozenset(deed for deed, each in deeds.items() if form in each) for form in forms},
    )


def _either(patterns: Iterable[str]) -> str:
    return "|".join(patterns)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
