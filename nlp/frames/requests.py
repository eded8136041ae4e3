"""Requests to the assistant in plain words: what it is to do always or never, and what it is to remember.

What belongs here: which sentences ask so, and which of their words are quoted. What does not: requests that only the
tagger finds (`nlp.frames.quotations`), and deeds that are still to be done (`nlp.extraction.todos`).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from hippograph.nlp.extraction.assertion import is_supposed
from hippograph.nlp.extraction.coreference import People
from hippograph.nlp.extraction.naming import SUBJECTS
from hippograph.nlp.frames.filling import Parts, log_odds
from hippograph.nlp.frames.frame import load_frames
from hippograph.nlp.frames.quotations import Quotation, without_edges
from hippograph.nlp.parsing.clauses import clause_of
from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.parsing.wording import IT, REFERRING, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

INSTRUCTION: Final = "instruction"
NOTE: Final = "note"
REQUESTS: Final = (INSTRUCTION, NOTE)
"""The frames of requests."""
LONGEST: Final = 30
"""Maximum number of tokens of a quoted request; a longer sentence asks for more than one thing."""
_SHORTEST: Final = 3
_CERTAIN: Final = 0.9
_ASKING: Final = (
    ("can", "you"),
    ("could", "you"),
    ("would", "you"),
    ("will", "you"),
    ("i", "need", "you", "to"),
    ("i", "want", "you", "to"),
    ("i", "would", "like", "you", "to"),
    ("i", "'d", "like", "you", "to"),
)
"""Ways to begin a request other than an imperative."""
_REMEMBER: Final = (("remember",), ("memorise",), ("memorize",), ("keep", "in", "mind"), ("bear", "in", "mind"))
_REMEMBER_THAT: Final = (
    ("note", "that"),
    ("note", "down", "that"),
    ("make", "a", "note", "that"),
    ("write", "down", "that"),
    ("put", "down", "that"),
    ("do", "n't", "forget", "that"),
    ("do", "not", "forget", "that"),
)
_NO_NOTE: Final = frozenset(
    {"to", "when", "how", "if", "whether", "what", "who", "us", "him", "her", "them", "this", "it"}
)
"""Words after "remember" that make it a reminder, a question, or talk of the past; as do `_PAST` after an article."""
_PAST: Final = frozenset({"time", "times", "day", "days", "night", "year", "one", "ones"})
_EVER: Final = {"always", "never"}
_LASTING: Final = (
    ("whenever",),
    ("from", "now", "on"),
    ("from", "here", "on"),
    ("in", "future"),
    ("in", "the", "future"),
    ("going", "forward"),
    ("every", "time"),
    ("each", "time"),
    ("by", "default"),
    ("now", "or", "later"),
)
_NO_MORE: Final = (("again",), ("anymore",), ("any", "more"), ("ever",))
_BARE: Final = {"VB", "VBP"}
_NAMING: Final = {"NOUN", "PROPN", "ADJ", "NUM"}


def requests(people: People, turn: int, parts: Parts) -> Iterator[Quotation]:
    """Yields the requests of a turn that is addressed to the assistant, but for those that refer to something that they
    do not name.
    """
    for place, sentence in enumerate(parts.sentences):
        words, name = _noted(sentence), NOTE
        if words is None and _instructs(sentence):
            words, name = without_edges(list(sentence)), INSTRUCTION
        if words and _SHORTEST <= len(words) <= LONGEST and not _is_open(words):
            span = sentence.doc[words[0].i : words[-1].i + 1]
            clause = clause_of(words[0], parts.clauses[place])
            evidence = {"frame": log_odds(_CERTAIN), "about who speaks": 1.0}
            yield Quotation(load_frames()[name], span, people.speaker(turn), None, clause, sentence, evidence)


def _noted(sentence: "Span") -> "list[Token] | None":
    """Returns the words that are to be remembered; None if the sentence does not ask for it, and for words without a
    verb or a number, which tell nothing yet (remember the milk).
    """
    asked = _asked(sentence)
    said = [token.lower_ for token in asked]
    begun = next((len(each) for each in (*_REMEMBER_THAT, *_REMEMBER) if tuple(said[: len(each)]) == each), 0)
    words = asked[begun:]
    if len(words) > 1 and words[0].lower_ == "that" and words[1].pos_ in {"SCONJ", "PUNCT", "ADP"}:
        return None  # remember that, because …
    while words and (words[0].lower_ in {"that", "for", "me"} or words[0].is_punct) and begun:
        begun, words = begun + 1, words[1:]
    if not begun or not words:
        return None
    is_past = words[0].pos_ == "DET" and len(words) > 1 and words[1].lower_ in _PAST
    if asked[begun - 1].lower_ != "that" and (words[0].lower_ in _NO_NOTE or is_past):
        return None
    return without_edges(words) if any(map(_tells, words)) else None


def _tells(token: "Token") -> bool:
    return token.like_num or token.tag_ in {"VBP", "VBZ", "VBD", "MD"}


def _instructs(sentence: "Span") -> bool:
    """Whether a sentence tells the assistant to do something always or never."""
    told = [token for token in sentence if _is_told(token)]
    if any(each.lower_ in _EVER and (each.head in told or each.nbor(1) in told) for each in sentence[:-1]):
        return True
    words = [token.lower_ for token in sentence]
    denied = any(child.dep_ == "neg" for verb in told for child in verb.children)
    return bool(told) and (_has(words, _LASTING) or (denied and _has(words, _NO_MORE)))


def _is_told(verb: "Token") -> bool:
    """Whether a verb is what the assistant is told to do: an imperative of one of its deeds, or after "can you"."""
    if verb.lower_ not in lexicon().words["assistant_deeds"] or verb.tag_ not in _BARE or is_supposed(verb):
        return False
    also = verb.head if verb.dep_ == "conj" and any(child.lower_ == "and" for child in verb.head.children) else verb
    children = [*verb.children, *(also.children if also != verb else ())]
    subjects = [child.lower_ for child in children if child.dep_ in SUBJECTS]
    helped = any(child.tag_ in {"TO", "MD"} for child in children)
    return subjects == (["you"] if helped else [])


def _asked(sentence: "Span") -> "list[Token]":
    """Returns the words of a sentence from the first verb of a request on."""
    words = without_edges(list(sentence))
    while words and (words[0].lower_ in lexicon().words["request_openers"] or _is_called(words)):
        words.pop(0)
    said = [token.lower_ for token in words]
    begun = next((len(each) for each in _ASKING if tuple(said[: len(each)]) == each), 0)
    while len(said) > begun and said[begun] in {"please", "also", "just"}:
        begun += 1
    return words[begun:]


def _is_called(words: "Sequence[Token]") -> bool:
    """Whether words begin with a name that calls somebody: Atlas, remember that."""
    return len(words) > 1 and words[0].pos_ == "PROPN" and words[1].text == ","


def _is_open(words: "Sequence[Token]") -> bool:
    """Whether words name nothing, or refer to something that they do not name before: never do that again, don't
    mention again, don't bring her up.
    """
    for place, token in enumerate(words):
        if token.pos_ in _NAMING:
            return False
        if token.lower_ in IT | THIRD | REFERRING and token.pos_ in {"PRON", "DET"}:
            return [each.lower_ for each in words[max(0, place - 1) : place + 1]] != ["keep", "it"]
    return True


def _has(words: Sequence[str], some: Sequence[tuple[str, ...]]) -> bool:
    """Whether words contain one of these runs of words."""
    return any(
        tuple(words[place : place + len(each)]) == each for each in some for place in range(len(words) - len(each) + 1)
    )
