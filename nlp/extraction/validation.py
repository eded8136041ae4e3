"""Validation of statements before they are stored, whichever extractor found them.

What belongs here: whether a statement is well formed, and whether the talk supports it. What does not: how it is found
(`nlp.frames.extractor`, `nlp.llm.extractor`), and what it means for what is stored already.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import chain
from typing import Final

from hippograph.nlp.extraction.statements import Extracted, Said, Statement
from hippograph.nlp.privacy.finders.spans import REMOVED
from hippograph.nlp.privacy.secrets import redact
from hippograph.nlp.text import normalise

SENSITIVITIES: Final = ("public", "personal", "sensitive")
"""Labels from the least to the most private."""
LONGEST_STATEMENT: Final = 500
LONGEST_NAME: Final = 100
MOST_OF_A_TURN: Final = 20
FARTHEST: Final = timedelta(days=36_525)
"""Maximum distance of an event from the turn that tells of it."""
AROUND: Final = 2
"""Number of turns before and after its own that may also support a statement: an answer needs its question."""

_VISIBLE: Final = re.compile(r"[^\W_]")
# Control characters, line ends, surrogates and changes of writing direction: a statement is one line of plain text.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PREDICATE: Final = re.compile(r"[^\W_]\w{0,59}")
# Han and Hiragana are written without spaces; each character counts as a word.
_WORD: Final = re.compile(r"[\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff]|[^\W_\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff]+")
_ENDING: Final = re.compile(r"(?<=..)(?:ings?|ed|ies|es|ly|e|s|y)$")
_EMPTY_WORDS: Final = """
a an the s t of in on at to for with from by as and or but not no nor than then is are am was were be been being isn
has have had having do does did will would can could may might should it its that this these those who whom whose which
what he she they them his her hers their him i me my we us our you your there here so very also too about
"""
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())
_BETWEEN_NAMES: Final = frozenset({"the", "a", "an", "of", "and", "s"})


def checked(
    extracted: Extracted, turns: Sequence[Said], participants: Sequence[str] = (), *, threshold: float
) -> Extracted:
    """Returns the statements that may be stored, turn by turn in their order; the others are counted by reason.

    `turns` and `participants` (full names) are those that the extractor was given; `threshold` is the minimum
    confidence. A statement must be well formed and supported by the talk: its turn contains what it quotes, each word
    of its names belongs to a participant or was said in the talk, and some word of its content was said in its turn or
    near it.
    """
    talk = _Talk(turns, participants)
    result = Extracted(dropped=extracted.dropped.copy(), confided=extracted.confided)
    for number, found in zip(range(len(turns)), extracted.turns, strict=True):
        kept: dict[tuple[str, str], Statement] = {}
        for statement in found:
            reason = _malformed(statement, threshold) or talk.objection(number, statement) or _surplus(statement, kept)
            if reason:
                result.dropped[reason] += 1
            else:
                kept[_same(statement)] = statement
        result.turns.append(list(kept.values()))
    return result


def first_person(extracted: Extracted, turns: Sequence[Said]) -> Extracted:
    """Keeps the statements whose primary subject is the speaker; the others are counted as dropped."""
    kept = [
        [statement for statement in found if statement.subject == turn.speaker]
        for turn, found in zip(turns, extracted.turns, strict=True)
    ]
    dropped = sum(map(len, extracted.turns)) - sum(map(len, kept))
    counted = extracted.dropped + Counter({"not in the first person": dropped})
    return Extracted(kept, counted, extracted.confided)


def _malformed(statement: Statement, threshold: float) -> str:
    """The reason why a statement is not well formed or not sure enough; empty if it is."""
    if reason := next((reason for reason, wrong in _FORM if wrong(statement)), ""):
        return reason
    return "below the threshold" if statement.confidence < threshold else ""


def _surplus(statement: Statement, kept: dict[tuple[str, str], Statement]) -> str:
    if _same(statement) in kept:
        return "said twice"
    if len(kept) == MOST_OF_A_TURN:
        return "too many of one turn"
    # Last, because this check is the slowest.
    texts = [statement.content, *_names(statement)]
    return "a secret" if any(REMOVED in text or redact(text)[1] for text in texts) else ""


def _same(statement: Statement) -> tuple[str, str]:
    return normalise(statement.content), normalise(statement.subject)


def _names(statement: Statement) -> Iterator[str]:
    """The names of the subjects of a statement and of both ends of its relation."""
    ends = () if statement.relation is None else (statement.relation.source, statement.relation.target)
    return (each.name for each in chain(statement.subjects, ends))


def _predicates(statement: Statement) -> Iterator[str]:
    if statement.aspect is not None:
        yield statement.aspect
    if statement.relation is not None:
        yield statement.relation.predicate


_FORM: Final[tuple[tuple[str, Callable[[Statement], bool]], ...]] = (
    ("no content", lambda found: not _VISIBLE.search(found.content)),
    ("too long", lambda found: len(found.content) > LONGEST_STATEMENT),
    ("no subject", lambda found: not found.subjects or not all(map(_VISIBLE.search, _names(found)))),
    ("too long", lambda found: any(len(name) > LONGEST_NAME for name in _names(found))),
    ("control characters", lambda found: any(map(_CONTROL.search, (found.content, *_names(found))))),
    ("no confidence", lambda found: not 0 <= found.confidence <= 1),
    ("no predicate", lambda found: not all(map(_PREDICATE.fullmatch, _predicates(found)))),
)


class _Talk:
    """The words of a talk, to check statements against."""

    def __init__(self, turns: Sequence[Said], participants: Sequence[str]) -> None:
        self._turns = turns
        said = [frozenset(_words(turn.text)) for turn in turns]
        speakers = (turn.speaker for turn in turns if turn.speaker)
        self._people = frozenset(word for name in chain(participants, speakers) for word in _words(name))
        self._known = self._people.union(_BETWEEN_NAMES, *said)
        self._known_stems = frozenset(map(_stem, self._known))
        self._stems = [frozenset(map(_stem, words)) for words in said]

    def objection(self, number: int, statement: Statement) -> str:
        """The reason why the talk does not support a statement of turn `number`; empty if it does."""
        turn = self._turns[number]
        if turn.speaker is None:
            return "said by the assistant"
        if statement.quotation not in turn.text:
            return "not in these words"
        if not all(self._is_known(name) for name in _names(statement)):
            return "nobody spoke of them"
        when = statement.event_time
        if when is not None and (when.tzinfo is None or abs(when - turn.time) > FARTHEST):
            return "an absurd date"
        return "" if self._was_said(number, statement) else "not what was said"

    def _is_known(self, name: str) -> bool:
        """Whether each word of a name belongs to a participant or was said; a lower-case word in any of its forms."""
        words = _WORD.findall(unicodedata.normalize("NFKC", name))
        return all(self._knows(word.casefold(), noun=word.islower()) for word in words)

    def _knows(self, word: str, *, noun: bool) -> bool:
        """Whether a word is known. A name also counts as said in a possessive without apostrophe: Hanks birthday."""
        return word in self._known or f"{word}s" in self._known or (noun and _stem(word) in self._known_stems)

    def _was_said(self, number: int, statement: Statement) -> bool:
        """Whether a word of the content was said in the turn or near it, not counting common words and the names of the
        primary subject and the participants. True if no other word is left.
        """
        named = {*_words(statement.subject), *self._people}
        told = {_stem(word) for word in _words(statement.content) if word not in named | _EMPTY}
        near = self._stems[max(0, number - AROUND) : number + AROUND + 1]
        return not told or not all(told.isdisjoint(stems) for stems in near)


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _stem(word: str) -> str:
    """A rough stem, at most four letters, that forms of a word share: moved, moving, move."""
    return _ENDING.sub("", word)[:4]
