"""Clauses of a parsed text: their verb and subject, tense, modality and negation, and their words.

What belongs here: what grammar alone tells. What does not: whether a clause is worth remembering
(`nlp.frames.quotations`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.parsing.wording import AGO, SAME

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_HEADS: Final = {"VERB", "AUX"}
_SUBJECTS: Final = {"nsubj", "nsubjpass", "expl", "csubj"}
_BESIDE: Final = {"conj", "parataxis", "ccomp", "dep"}
_LEFT_OUT: Final = {"cc", "punct", "intj", "preconj"}
_REASONS: Final = {"because", "cause", "cuz", "since", "so", "as", "while", "although", "though", "whereas"}
_WITHIN: Final = {"-", "'", "’", "@"}
_SHORTEST: Final = 2
"""Minimum number of words of a fragment."""
_CAUSING: Final = {"want", "need", "get", "have", "like"}
_UNREAL: Final = {"would", "could", "might", "'d", "’d"}
_CONDITIONS: Final = {"if", "unless", "whether"}
_ASKING: Final = {"who", "what", "when", "where", "why", "how", "which", "whose"}


@dataclass(frozen=True, slots=True)
class Clause:
    """One finite clause: its verb, its subject (its own, or that of the clause before it), its words, and the clause
    whose verb governs it ("says", "think"), if any. With `implied` the subject is left out, and is the speaker: "Moved
    to Graz yesterday". A `fragment` is no clause: "Dentist on Thursday".
    """

    head: "Token"
    subject: "Token | None"
    words: "tuple[Token, ...]"
    auxiliaries: "tuple[Token, ...]"
    under: "Clause | None" = None
    implied: bool = False
    fragment: bool = False

    @property
    def main(self) -> "Token":
        """The main verb: the one after "going to", else `head`."""
        if self.head.lemma_ in {"go", "gon"} and self.head.tag_ == "VBG":
            return next((child for child in self.head.children if child.dep_ == "xcomp"), self.head)
        return self.head

    @property
    def negated(self) -> bool:
        """Whether the clause is negated."""
        return any(child.dep_ == "neg" or child.lower_ in {"never", "no"} for child in self.head.children)

    @property
    def past(self) -> bool:
        """Whether the clause is about the past."""
        tensed = (self.head, *self.auxiliaries)
        if self.head.lower_ in SAME and not self.auxiliaries and self.head.tag_ in {"VB", "VBP", "VBN"}:
            return self.head.lower_ == "quit" or any(token.lower_ in AGO for token in self.words)
        if self.implied and self.head.tag_ == "VBN":
            return True
        return any(token.tag_ == "VBD" for token in tensed) or (
            self.head.tag_ == "VBN"
            and any(token.lemma_ in {"have", "'ve", "’ve"} or token.lower_ == "got" for token in self.auxiliaries)
        )

    @property
    def perfect(self) -> bool:
        """Whether the clause is in the perfect: has been, has gone off."""
        have = any(token.lemma_ in {"have", "'ve", "’ve"} for token in self.auxiliaries)
        return have or (self.head.lower_ == "been" and not self.auxiliaries)

    @property
    def future(self) -> bool:
        """Whether the clause is about the future: will, or going to."""
        return any(token.lower_ in {"will", "'ll", "wo", "shall", "ll", "’ll"} for token in self.auxiliaries) or (
            self.head.lemma_ in {"go", "gon"} and any(child.dep_ == "xcomp" for child in self.head.children)
        )

    @property
    def modal(self) -> str:
        """The modal verb that makes the clause less than a fact (would, could, might); empty without one."""
        return next((token.lower_ for token in self.auxiliaries if token.tag_ == "MD" and not self.future), "")

    @property
    def hedged(self) -> bool:
        """Whether the clause is only a guess or a wish: maybe I move, I wish I lived there."""
        hedges, wishing = lexicon().words["hedges"], lexicon().words["wishing"]
        wished = self.under is not None and self.under.head.lemma_.lower() in wishing
        return wished or any(token.lower_ in hedges for token in self.head.subtree)

    @property
    def often(self) -> bool:
        """Whether the clause is about something regular: usually, every second Monday, at weekends."""
        words = lexicon().words
        for at, token in enumerate(self.words):
            if token.lower_ in {"every", "each"}:
                if any(each.lower_ in words["times"] for each in self.words[at + 1 : at + 4]):
                    return True
            elif token.lower_ in words["often"] and not _named_or_counted(token):
                return True
        return False

    @property
    def conditions(self) -> bool:
        """Whether the clause holds only on a condition."""
        return conditional(self.head, behind=self.future or self.modal in _UNREAL)


def conditional(verb: "Token", *, behind: bool = False) -> bool:
    """Whether a verb is in a conditional clause, or has one before it; with `behind`, one after it counts too."""
    return any(child.dep_ == "mark" and child.lower_ in _CONDITIONS for child in verb.children) or any(
        child.dep_ == "advcl"
        and (child.i < verb.i or behind)
        and any(mark.lower_ in _CONDITIONS for mark in child.children)
        for child in verb.children
    )


def pieces(sentence: "Span") -> list[Clause]:
    """Returns the clauses of a sentence and the fragments outside them, in text order; none for a question."""
    if asks(sentence):
        return []
    said = _clauses(sentence)
    return sorted([*said, *_fragments(sentence, said)], key=lambda each: each.words[0].i)


def clause_of(token: "Token", clauses: Iterable[Clause]) -> Clause | None:
    """Returns the clause that contains a word, None if none does."""
    return next((each for each in clauses if token in each.words), None)


def _clauses(sentence: "Span") -> list[Clause]:
    found: dict[int, Clause] = {}
    heads = [token for token in sentence if _is_head(token, sentence)]
    for head in heads:
        above = found.get(head.head.i) if head.dep_ != "ROOT" else None
        subject = subject_of(head) or (above.subject if above and head.dep_ in {"conj", "dep"} else None)
        # A complement before its governing verb is a sentence of its own that lacks a full stop.
        within = head.dep_ == "ccomp" and head.i > head.head.i and not _spliced(head)
        under = above if above and within else above.under if above and head.dep_ == "conj" else None
        implied = subject is None and head == sentence.root and _begins(head, sentence)
        found[head.i] = Clause(head, subject, tuple(_words(head, heads)), auxiliaries(head), under, implied)
    return list(found.values())


def _fragments(sentence: "Span", said: list[Clause]) -> Iterator[Clause]:
    """Yields the runs of words outside all clauses, delimited by punctuation and conjunctions."""
    taken = {token.i for clause in said for token in clause.words}
    run: list[Token] = []
    for token in [*sentence, None]:
        ends = token is None or token.i in taken or token.dep_ == "cc"
        if token is not None and not ends and not (token.is_punct and token.text not in _WITHIN):
            run.append(token)
        elif run:
            if len(run) >= _SHORTEST and not all(each.is_stop or each.like_num for each in run):
                within = {each.i for each in run}
                head = next(each for each in run if each.head.i not in within or each.head == each)
                yield Clause(head, None, tuple(run), auxiliaries(head), fragment=True)
            run = []


def auxiliaries(head: "Token") -> "tuple[Token, ...]":
    """Returns the auxiliary verbs of a verb."""
    return tuple(child for child in head.children if child.dep_ in {"aux", "auxpass"})


def _named_or_counted(token: "Token") -> bool:
    """Whether a word of time is part of a name (Boogie Nights), or counted (two weekends later)."""
    named = token.text.istitle() and token.ent_type_ not in {"", "DATE", "TIME"}
    return named or (token.tag_ == "NNS" and any(child.dep_ == "nummod" for child in token.children))


def asks(sentence: "Span") -> bool:
    """Whether a sentence is a question, or has no words."""
    words = [token for token in sentence if not token.is_punct and not token.is_space]
    if not words or sentence.text.rstrip().endswith("?"):
        return True
    root = sentence.root
    first = next(
        (token for token in words if token.dep_ not in _LEFT_OUT and token.pos_ not in {"INTJ", "ADV"}), words[0]
    )
    subject = subject_of(root)
    inverted = first.dep_ == "aux" and first.head == root and subject is not None and subject.i > first.i
    copula = first == root and root.lemma_ == "be" and subject is not None and subject.i > root.i
    return inverted or copula or (first.lower_ in _ASKING and first.dep_ != "nsubj" and first.head == root)


def _spliced(head: "Token") -> bool:
    """Whether a clause only follows another after a comma or a small word, and is not part of it."""
    first = next(iter(head.subtree))
    if subject_of(head) is None or first.i == 0:
        return False
    return first.nbor(-1).is_punct or first.lower_ in {"and", "so", "but", "then"} or first.nbor(-1).dep_ == "cc"


def _begins(head: "Token", sentence: "Span") -> bool:
    """Whether a sentence begins with a verb that reports, not one that commands."""
    first = next(
        (token for token in sentence if token.dep_ not in _LEFT_OUT and token.pos_ not in {"INTJ", "ADV"}), None
    )
    if first is None:
        return False
    if head.tag_ == "VB":
        return (
            first.lower_ in {"ca", "can", "wo"} and first.head == head and any(c.dep_ == "neg" for c in head.children)
        )
    bare = not any(child.dep_ in {"aux", "auxpass"} for child in head.children)
    return head.tag_ in {"VBD", "VBG", "VBN"} and bare and (first == head or first.dep_ == "neg")


def _is_head(token: "Token", sentence: "Span") -> bool:
    if token.pos_ not in _HEADS or token.dep_ in {"aux", "auxpass"}:
        return False
    if token == sentence.root:
        return True
    finite = token.tag_ in {"VBD", "VBZ", "VBP"} or any(
        child.dep_ in {"aux", "auxpass"} and child.lower_ != "to" for child in token.children
    )
    if token.dep_ == "advcl" and any(c.dep_ == "mark" and c.lower_ in _REASONS for c in token.children):
        return subject_of(token) is not None
    if token.dep_ == "ccomp" and token.head.lemma_ in _CAUSING and token.tag_ in {"VBD", "VBN"}:
        return False  # want the demo moved
    if token.dep_ in _BESIDE and token.head.pos_ in _HEADS:
        return (
            finite
            or (token.dep_ == "conj" and (token.tag_ != "VB" or token.head.tag_ == "VBP"))
            or (token.dep_ != "ccomp" and subject_of(token) is not None)
        )
    # Attached to a word that is no verb, a finite verb with a subject of its own begins a clause of its own.
    return token.dep_ in _BESIDE and finite and subject_of(token) is not None


def subject_of(head: "Token") -> "Token | None":
    """Returns the subject of a verb: the nearest one before it, else the first after it."""
    found = [child for child in head.children if child.dep_ in _SUBJECTS]
    before = [child for child in found if child.i < head.i]
    return before[-1] if before else found[0] if found else None


def _words(head: "Token", heads: "list[Token]") -> "list[Token]":
    """Returns the words of a clause, without the clauses beside and within it and the words that join them."""
    others = {other.i for other in heads if other != head}
    taken: list[Token] = []
    waiting = [head]
    while waiting:
        token = waiting.pop()
        taken.append(token)
        waiting += [child for child in token.children if child.i not in others and not _joins(child, head, others)]
    subject = subject_of(head)
    if subject is not None and subject.i < head.i:
        first = min(token.i for token in subject.subtree)
        while first > 1 and (hyphen := subject.doc[first - 1]).text == "-" and not hyphen.whitespace_:
            first -= 2  # cut-over
        taken = [token for token in taken if token.i >= first]
    places = {token.i for token in taken}
    taken += [each for each in head.children if each.is_punct and {each.i - 1, each.i + 1} <= places]
    return sorted((token for token in taken if not token.is_space), key=lambda token: token.i)


def _joins(token: "Token", head: "Token", others: "set[int]") -> bool:
    """Whether a word only joins the clause of `head` to another, or is punctuation or an interjection."""
    if token.head != head:
        return False
    if token.dep_ == "cc" and token.i > head.i:
        return next((child.i in others for child in head.rights if child.dep_ == "conj" and child.i > token.i), True)
    said_no = token.dep_ == "intj" and token.lower_ == "no" and token.i > head.i
    return (token.dep_ in _LEFT_OUT and not said_no) or (token.dep_ == "mark" and token.lower_ in _REASONS)
