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
from hippograph.nlp.parsing.wording import FIRST, IT, REFERRING, THIRD

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

NOTE: Final = "note"
_INSTRUCTION: Final = "instruction"
_LONGEST: Final = 30
"""Maximum number of tokens of a quoted request; a longer sentence asks for more than one thing."""
_SHORTEST: Final = 3
_DIGITS: Final = 3
"""Minimum number of digits of a number that is worth remembering as it stands."""
_PLAIN: Final = 0.9
"""Stands for the tagger's probability of the frame."""
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
_REMEMBER: Final = (
    ("keep", "in", "mind", "that"),
    ("bear", "in", "mind", "that"),
    ("remember", "that"),
    ("remember",),
    ("memorise",),
    ("memorize",),
    ("put", "down", "that"),
    ("write", "down", "that"),
    ("do", "n't", "forget", "that"),
    ("do", "not", "forget", "that"),
)
_REMINISCING: Final = frozenset(
    {"to", "when", "how", "if", "whether", "what", "who", "us", "me", "him", "her", "them", "this", "that", "it"}
    | {"never", "not", "everything", "all", "last", "for"}
)
"""Words after "remember" that make it a reminder, a question, or talk of the past; as do `_TIMES_PAST`."""
_TIMES_PAST: Final = frozenset({"time", "times", "day", "days", "night", "year", "one", "ones"})
_EVER: Final = {"always", "never"}
_FROM_NOW_ON: Final = (
    ("from", "now", "on"),
    ("from", "here", "on"),
    ("in", "future"),
    ("in", "the", "future"),
    ("going", "forward"),
    ("now", "or", "later"),
)
_EACH_TIME: Final = (("whenever",), ("every", "time"), ("each", "time"), ("by", "default"))
"""Words that make a request lasting where it is about the speaker."""
_NO_MORE: Final = (("again",), ("anymore",), ("any", "more"), ("ever",))
_BARE: Final = {"VB", "VBP"}
_NAMING: Final = {"NOUN", "PROPN", "ADJ", "NUM"}


def requests(people: People, turn: int, parts: Parts) -> Iterator[Quotation]:
    """Yields the requests of a turn that is addressed to the assistant, but for those that refer to something that they
    do not name.
    """
    for place, sentence in enumerate(parts.sentences):
        first = next((token for token in sentence if not token.is_space), sentence[0])
        if people.takes_part(first.text.lstrip("@")):
            continue  # it is addressed to somebody else
        asked, is_asked = _asked(sentence)
        words, name = _noted(sentence, asked, is_asked=is_asked), NOTE
        if words is None and _instructs(sentence, is_asked=is_asked):
            words, name = without_edges(list(sentence)), _INSTRUCTION
        if words and _SHORTEST <= len(words) <= _LONGEST and not _refers_back(words):
            span = sentence.doc[words[0].i : words[-1].i + 1]
            clause = clause_of(words[0], parts.clauses[place])
            evidence = {"frame": log_odds(_PLAIN), "about who speaks": 1.0}
            yield Quotation(load_frames()[name], span, people.speaker(turn), None, clause, sentence, evidence)


def _noted(sentence: "Span", asked: "list[Token]", *, is_asked: bool) -> "list[Token] | None":
    """Returns the words that are to be remembered, of those that `_asked` returns. None if the sentence does not ask
    for it, and for words that tell nothing yet (remember the milk, remember that dog we had).
    """
    said = [token.lower_ for token in asked]
    begun = next((len(each) for each in _REMEMBER if tuple(said[: len(each)]) == each), 0)
    if not begun or (sentence[-1].text == "?" and not is_asked):
        return None
    named = said[begun - 1] == "that" and asked[begun - 1].pos_ != "SCONJ"
    words = asked[begun:]
    while words and words[0].is_punct:
        words.pop(0)
    if not words or named or _is_reminiscing(words, after_that=said[begun - 1] == "that"):
        return None
    return without_edges(words) if any(map(_tells, words)) else None


def _is_reminiscing(words: "Sequence[Token]", *, after_that: bool) -> bool:
    if after_that:
        return words[0].pos_ in {"SCONJ", "ADP"}  # remember that, because …
    past = words[0].pos_ == "DET" and len(words) > 1 and words[1].lower_ in _TIMES_PAST
    return words[0].lower_ in _REMINISCING or past


def _tells(token: "Token") -> bool:
    """Whether a word tells something of what is to be remembered: a number such as a code, or a finite verb outside
    relative clauses.
    """
    if token.text.isdecimal() and len(token) >= _DIGITS and token.ent_type_ != "DATE":
        return True
    own = token.dep_ not in {"relcl", "acl", "advcl"} and not any(each.dep_ == "relcl" for each in token.ancestors)
    return token.tag_ in {"VBP", "VBZ", "VBD", "MD"} and own


def _instructs(sentence: "Span", *, is_asked: bool) -> bool:
    """Whether a sentence tells the assistant to do something always or never."""
    told = [token for token in sentence if _is_told(token, is_asked=is_asked)]
    if not told:
        return False
    if any(each.lower_ in _EVER and (each.head in told or each.nbor(1) in told) for each in sentence[:-1]):
        return True
    words = [token.lower_ for token in sentence]
    denied = any(child.dep_ == "neg" for verb in told for child in verb.children)
    own = not FIRST.isdisjoint(words)
    return (
        _contains(words, _FROM_NOW_ON)
        or (denied and _contains(words, _NO_MORE))
        or (own and _contains(words, _EACH_TIME))
    )


def _is_told(verb: "Token", *, is_asked: bool) -> bool:
    """Whether a verb is what the assistant is told to do: an imperative of one of its deeds; with `is_asked`, also
    what it is asked to do ("I want you to …"). False in reported speech and under a condition.
    """
    if verb.lower_ not in lexicon().words["assistant_deeds"] or verb.tag_ not in _BARE or is_supposed(verb):
        return False
    if not is_asked and _is_reported(verb):
        return False
    also = verb.head if verb.dep_ == "conj" and any(child.lower_ == "and" for child in verb.head.children) else verb
    children = [*verb.children, *(also.children if also != verb else ())]
    subjects = [child.lower_ for child in children if child.dep_ in SUBJECTS]
    helped = any(child.tag_ in {"TO", "MD"} for child in children)
    return subjects == ["you"] if is_asked and helped else not subjects and not helped


def _is_reported(verb: "Token") -> bool:
    """Whether somebody else's words are told: mum keeps saying never give up; never quit, says my therapist."""
    near = [each for each in (verb.head, *verb.head.children, *verb.children) if each != verb]
    says = (
        each for each in near if each.lemma_ in {"say", "tell", "go", "sing", "let"} and each.pos_ in {"VERB", "AUX"}
    )
    return any(each.dep_ != "conj" for each in says)


def _asked(sentence: "Span") -> "tuple[list[Token], bool]":
    """Returns the words of a sentence from the first verb of a request on, and whether one of `_ASKING` begins it."""
    words = without_edges(list(sentence))
    while words and (words[0].lower_ in lexicon().words["request_openers"] or words[0].is_punct or _is_called(words)):
        words.pop(0)
    said = [token.lower_ for token in words]
    begun = next((len(each) for each in _ASKING if tuple(said[: len(each)]) == each), 0)
    asks = begun > 0
    while len(said) > begun and said[begun] in {"please", "also", "just"}:
        begun += 1
    return words[begun:], asks


def _is_called(words: "Sequence[Token]") -> bool:
    """Whether words begin with a name that calls somebody: Atlas, remember that."""
    return len(words) > 1 and words[0].pos_ == "PROPN" and words[1].text == ","


def _refers_back(words: "Sequence[Token]") -> bool:
    """Whether words name nothing, or refer to something that they do not name before: never do that again, don't
    mention again, don't bring her up. "It" in "keep it short" refers to nothing.
    """
    for place, token in enumerate(words):
        if token.lower_ in IT | THIRD | REFERRING and token.pos_ in {"PRON", "DET"}:
            return [each.lower_ for each in words[max(0, place - 1) : place + 1]] != ["keep", "it"]
        if token.pos_ in _NAMING:
            return False
    return True


def _contains(words: Sequence[str], runs: Sequence[tuple[str, ...]]) -> bool:
    """Whether words contain one of these runs of words."""
    return any(
        tuple(words[place : place + len(each)]) == each for each in runs for place in range(len(words) - len(each) + 1)
    )
