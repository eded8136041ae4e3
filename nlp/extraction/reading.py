"""A talk as it is read: its pieces, and how each is said in the third person.

What belongs here: everything that is found out of a piece before anybody judges whether it is worth remembering.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from nlp.dates import Dated, dated, read_later
from nlp.extraction.candidates import spoken_of
from nlp.extraction.coreference import People
from nlp.extraction.dialogue import framed, names_in
from nlp.extraction.features import of_piece, of_subjects
from nlp.extraction.framing import Framed, Range, Tokens
from nlp.extraction.relevance import Seen
from nlp.extraction.statements import DATED, Said, Unclear
from nlp.parsing.clauses import Clause, auxiliaries, pieces
from nlp.parsing.lexicon import lexicon
from nlp.parsing.wording import IT, THIRD, third_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_ENDS: Final = {".", "!", "…", "..."}
_STOPS: Final = _ENDS | {"?", "\n", "\n\n"}
_INCOMPLETE: Final = {"is", "are", "was", "were", "be", "been", "not", "moved", "moves", "starts", "ends", "falls"}
_THE: Final = re.compile(r"^(?:the|this|that) ", re.IGNORECASE)
_TAIL: Final = re.compile(r",? which (?:means|meant)$")
"""Leads to what another clause says."""
_ARTICLE: Final = re.compile(r"^(?:The|An?|This|That|These|Those|Some|All|Every|No|Both|Each) ")
_SOON: Final = timedelta(days=60)
"""After a day that is no farther away "the 19th" is the next one."""
_LONGEST_GREETING: Final = 5
_DASHES: Final = {"-", "–", "—", "--"}
_SINGULAR: Final = {
    **dict.fromkeys(("am", "'m", "are", "'re", "'s"), "is"),
    **dict.fromkeys(("have", "'ve"), "has"),
    "were": "was",
}
_POINTING: Final = {"that", "this", "those", "these"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause or a fragment of a sentence of turn number `turn`, its words without fillers, the day it names, the part
    of the talk it is read in, and all that can be `seen` of it.
    """

    turn: int
    sentence: "Span"
    clause: Clause
    words: "tuple[Token, ...]"
    when: Dated
    framed: Framed
    seen: Seen


class Reading:
    """One talk as far as it was read. `participants` are full names."""

    def __init__(self, turns: Sequence[Said], participants: Sequence[str]) -> None:
        names = names_in(turns, participants)
        self._turns = turns
        self.names: Collection[str] = names
        self.people = People([turn.speaker for turn in turns], participants, names)
        self._framed: list[Framed] = []

    def hear(self, turn: int, doc: "Doc") -> None:
        """Takes the next turn."""
        self.people.hear(turn, doc)
        self._framed = []

    def pieces(self, turn: int, sentence: "Span") -> Iterator[Piece]:
        """The pieces of a sentence of the turn that was heard last."""
        part = self._part(turn, sentence)
        for clause in pieces(sentence):
            words = self._bare(clause)
            if clause.head in words or clause.fragment:
                said = self._turns[turn].time
                when = dated(" ".join(token.text for token in words), said, past=clause.past)
                seen = Seen(
                    of_piece(self.people, turn, clause, words, sentence, when, said),
                    (part.over(map(_place, words)), part.over([_place(clause.head)])),
                )
                yield Piece(turn, sentence, clause, tuple(words), when, part, seen)

    def _part(self, turn: int, sentence: "Span") -> Framed:
        """The part of a turn that a sentence is of."""
        if not self._framed:
            self._framed = framed(self._turns, turn, sentence.doc)
        return next(each for each in self._framed if sentence.start_char < each.end)

    def subjects(self, piece: Piece, before: str | None) -> dict[str, Seen]:
        """Whom and what a piece may be about, by name, and what can be seen of each; `before` is whom the piece before
        it is about.
        """
        named = spoken_of(self.people, piece.turn, piece.clause, piece.words, before)
        features = of_subjects(self.people, piece.clause, piece.seen.features, named)
        return {name: Seen(seen, (self._where(piece, name),)) for name, seen in features}

    def _where(self, piece: Piece, name: str) -> Tokens:
        if name == self.people.speaker(piece.turn):
            return piece.framed.of_speaker()
        return piece.framed.where(name, max(_place(token)[1] for token in piece.words))

    def day(self, piece: Piece, kind: str) -> Dated:
        """When an event was or a plan is to be: what its own words name, and those of no other clause."""
        if kind not in DATED:
            return Dated(None, timed=False)
        past, said = piece.clause.past and kind == "event", self._turns[piece.turn].time
        earlier = _dated(piece.sentence.doc[_start(piece.sentence) : piece.words[0].i], said, past=past).day
        soon = earlier if earlier is not None and earlier - said < _SOON else None
        return _dated(piece.words, said, past=past, after=soon)

    def worded(self, piece: Piece, subject: str, kind: str) -> str:
        """What a piece says, in the third person, so that it stands alone. Raises `Unclear`."""
        clause, said = piece.clause, self._turns[piece.turn].time
        if any(_points(token) for token in piece.words):
            raise Unclear("nobody can tell what")
        if _unfinished(piece):
            raise Unclear("not finished")
        later: dict[int, str] = {}
        if not clause.often:
            later = _read_later(piece.words, said, past=clause.past, kept=kind not in DATED)
        if clause.fragment and all(token.i in later or token.is_stop or token.like_num for token in piece.words):
            raise Unclear("nothing to remember")
        instead = {token.i: "the" for token in piece.words if _pointed(token)} | later
        content = third_person(piece.words, lambda token: self.people.who(piece.turn, token, clause), instead)
        content = content and _complete(_TAIL.sub("", content), later, piece.when)
        if not content:
            raise Unclear("nobody can tell who")
        return self._about(piece, subject, kind, content)

    def _about(self, piece: Piece, subject: str, kind: str, content: str) -> str:
        """What is said with whom it is about, where the words leave that out."""
        clause = piece.clause
        shared = clause.subject is not None and clause.subject.i < piece.words[0].i
        if shared and clause.subject is not None and clause.subject.lower_ in THIRD:
            subject = self.people.who(piece.turn, clause.subject, clause) or ""
            if not subject:
                raise Unclear("nobody can tell who")
        if clause.implied or shared:
            lower = content[0].lower() + content[1:] if clause.implied else content
            if clause.implied and clause.head.tag_ == "VBG":
                return f"{subject} is {lower}"
            return " ".join([subject, *_shared_auxiliaries(clause), lower])
        if _mentions(content, subject):
            return content
        if kind == "opinion":
            return f"{subject} thinks {_ARTICLE.sub(lambda article: article[0].lower(), content)}"
        if (
            not clause.fragment
            and piece.when.day is None
            and _THE.match(content)
            and self.people.entity(subject).type == "Person"
        ):
            raise Unclear("nobody can tell whose")
        return f"{subject}: {content}" if clause.fragment else content

    def _bare(self, clause: Clause) -> "list[Token]":
        """The words without fillers before and behind them, and without whom they are said to."""
        fillers, words = lexicon().words["fillers"], _ungreeted(_up_to_end(clause))
        while len(words) > 1 and _empty(words[0], fillers) and words[0] != clause.subject:
            words.pop(0)
        while len(words) > 1 and (
            words[-1].lower_ in fillers or words[-1].is_punct or self.people.addressed(words[-1])
        ):
            called = self.people.addressed(words.pop())
            if called and len(words) > 1 and words[-1].lower_ in lexicon().words["titles"]:
                words.pop()  # uncle Gethin
        return [token for token in words if not _adds_nothing(token)] or words


def _shared_auxiliaries(clause: Clause) -> list[str]:
    """The auxiliaries of the verb before that hold of this one too: is 42 and (is) earning."""
    head, above = clause.head, clause.head.head
    if head.dep_ != "conj" or clause.auxiliaries or head.tag_ not in {"VBG", "VBN"}:
        return []
    told = [above] if above.lemma_ == "be" and not auxiliaries(above) else list(auxiliaries(above))
    return [_SINGULAR.get(token.lower_, token.lower_) for token in told if head.tag_ == "VBG" or token.lemma_ == "have"]


def _empty(token: "Token", fillers: Collection[str]) -> bool:
    """Whether a word at the beginning says nothing; "no" does say something of a noun: no training on Monday."""
    none = token.lower_ == "no" and token.dep_ == "det" and token.head.pos_ != "PROPN"
    return (token.lower_ in fillers or token.is_punct) and not none


def _unfinished(piece: Piece) -> bool:
    """Whether a piece ends where it should say what: I don't want to; I hate (that the list is full)."""
    last = next((token for token in reversed(piece.words) if not token.is_punct), piece.words[-1])
    stranded = last.dep_ == "prep" and not any(last.children)
    return last.tag_ == "TO" or stranded or (piece.clause.cut_short and last == piece.clause.head)


def _dated(words: "Iterable[Token]", said: datetime, *, past: bool, after: datetime | None = None) -> Dated:
    return dated(" ".join(token.text for token in words), said, past=past, after=after)


def _start(sentence: "Span") -> int:
    """Where a sentence begins, or the one before that it follows without a full stop."""
    start = sentence.start
    for each in sentence.doc.sents:
        if each.start == sentence.start:
            break
        start = sentence.start if each[-1].text in _STOPS else each.start
    return start


def _place(token: "Token") -> Range:
    """Where a word stands in its turn."""
    return token.idx, token.idx + len(token)


def _mentions(content: str, subject: str) -> bool:
    return _THE.sub("", subject).casefold() in content.casefold()


def _read_later(words: "Sequence[Token]", said: datetime, *, past: bool, kept: bool) -> dict[int, str]:
    """What to write for the words that tell a time only to those who know when they were said, by their places. Raises
    `Unclear` for those that something is said of: tomorrow is a holiday.
    """
    later: dict[int, str] = {}
    text = " ".join(token.text for token in words)
    starts = list(accumulate((len(token.text) + 1 for token in words), initial=0))
    for start, end, instead in read_later(text, said, past=past, kept=kept):
        within = [token for token, at in zip(words, starts, strict=False) if start <= at < end]
        if any(token.dep_ in {"nsubj", "nsubjpass", "compound"} and token.head not in within for token in within):
            raise Unclear("nobody can tell when")
        later |= {token.i: instead if token == within[0] else "" for token in within}
    return later


def _complete(content: str, later: dict[int, str], when: Dated) -> str:
    """What is said, with the day where without it nothing would be: the interview is on 4 May."""
    if not later or content.rpartition(" ")[2].lower() not in _INCOMPLETE:
        return content
    if when.day is None:
        raise Unclear("nobody can tell when")
    return f"{content} on {when.day.day} {when.day:%B}"


def _ends(token: "Token") -> bool:
    """Whether a sentence ends with it, or what follows is but an afterthought."""
    return token.text in _ENDS or (token.text in _DASHES and bool(token.nbor(-1).whitespace_ and token.whitespace_))


def _ungreeted(words: "list[Token]") -> "list[Token]":
    """Words without whom they are said to, and hello: good morning Faisal, all trays arrived."""
    end = next((at for at, token in enumerate(words[:_LONGEST_GREETING]) if token.text == ","), 0)
    greeted = 0 < end < len(words) - 1 and words[0].lower_ in lexicon().words["greetings"]
    return words[end + 1 :] if greeted else words


def _adds_nothing(token: "Token") -> bool:
    """Whether a word in the midst of a clause is no part of what it says: I just moved, we are all going."""
    if token.lower_ in {"all", "both"} and token.i > 0 and token.nbor(-1).lower_ in {"we", "'re", "’re", "are", "were"}:
        return any(each.lower_ == "we" for each in token.sent[: token.i - token.sent.start])
    if token.lower_ in {"there", "here"} and token.i > 0 and token.nbor(-1).pos_ in {"NOUN", "PROPN"}:
        return token.dep_ == "advmod"  # at the university there
    if token.dep_ != "advmod" or token.lower_ not in lexicon().words["adverbs"]:
        return False
    return token.head.pos_ in {"VERB", "AUX"} and (token.i == 0 or token.nbor(-1).dep_ != "neg")


def _points(token: "Token") -> bool:
    """Whether a word points at what only those who were there can see: that is cold, I want this."""
    if token.lower_ in IT and token.dep_ == "dobj":
        return any(child.dep_ == "prt" for child in token.head.children)
    return token.lower_ in _POINTING and token.dep_ in {"dobj", "pobj", "nsubj", "nsubjpass"}


def _pointed(token: "Token") -> bool:
    """Whether a word points at what the next one names: that road."""
    times = lexicon().words["times"]
    return token.lower_ in _POINTING and token.dep_ == "det" and token.head.lower_ not in times


def _up_to_end(clause: Clause) -> "list[Token]":
    """The words up to where a sentence ends in their midst, which the parser has overlooked."""
    words = list(clause.words)
    end = next((at for at, token in enumerate(words) if _ends(token) and token.i > clause.head.i), len(words))
    return words[:end]
