"""Clauses of a parsed text: who does what, whether it is so, and which words say it.

What belongs here: what the grammar alone tells. What does not: whether a clause is worth remembering
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
"""So many words a fragment has at least."""
_CAUSING: Final = {"want", "need", "get", "have", "like"}
_UNREAL: Final = {"would", "could", "might", "'d", "’d"}
_CONDITIONS: Final = {"if", "unless", "whether"}
_ASKING: Final = {"who", "what", "when", "where", "why", "how", "which", "whose"}


@dataclass(frozen=True, slots=True)
class Clause:
    """One finite clause: its verb, its subject (its own, or that of the clause before it), the words that say it, and
    the verb under which it stands ("says", "think"), if it does. With `implied` the subject is left out, and is whoever
    speaks: "Moved to Graz yesterday". A `fragment` is no clause: "Dentist on Thursday".
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
        """The verb that says what is done: that behind "going to"."""
        if self.head.lemma_ in {"go", "gon"} and self.head.tag_ == "VBG":
            return next((child for child in self.head.children if child.dep_ == "xcomp"), self.head)
        return self.head

    @property
    def negated(self) -> bool:
        """Whether it says that something is not so."""
        return any(child.dep_ == "neg" or child.lower_ in {"never", "no"} for child in self.head.children)

    @property
    def past(self) -> bool:
        """Whether it tells of the past."""
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
        """Whether it has been so, or has come to be so: has been, has gone off."""
        have = any(token.lemma_ in {"have", "'ve", "’ve"} for token in self.auxiliaries)
        return have or (self.head.lower_ == "been" and not self.auxiliaries)

    @property
    def future(self) -> bool:
        """Whether it tells of what is to come: will, or going to."""
        return any(token.lower_ in {"will", "'ll", "wo", "shall", "ll", "’ll"} for token in self.auxiliaries) or (
            self.head.lemma_ in {"go", "gon"} and any(child.dep_ == "xcomp" for child in self.head.children)
        )

    @property
    def modal(self) -> str:
        """The modal verb that makes it less than a fact: would, could, might; empty without one."""
        return next((token.lower_ for token in self.auxiliaries if token.tag_ == "MD" and not self.future), "")

    @property
    def hedged(self) -> bool:
        """Whether it is but a guess, a wish or a joke: maybe I move, I wish I lived there."""
        hedges, wishing = lexicon().words["hedges"], lexicon().words["wishing"]
        wished = self.under is not None and self.under.head.lemma_.lower() in wishing
        return wished or any(token.lower_ in hedges for token in self.head.subtree)

    @property
    def often(self) -> bool:
        """Whether it is so again and again: usually, every second Monday, at weekends."""
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
        """Whether it holds only if something else does."""
        return conditional(self.head, behind=self.future or self.modal in _UNREAL)


def conditional(verb: "Token", *, behind: bool = False) -> bool:
    """Whether a verb has a condition before it, or `behind` it too, or is part of one itself."""
    return any(child.dep_ == "mark" and child.lower_ in _CONDITIONS for child in verb.children) or any(
        child.dep_ == "advcl"
        and (child.i < verb.i or behind)
        and any(mark.lower_ in _CONDITIONS for mark in child.children)
        for child in verb.children
    )


def pieces(sentence: "Span") -> list[Clause]:
    """The clauses of a sentence and, of what is in none of them, the fragments; in their order, none of a question."""
    if asks(sentence):
        return []
    said = _clauses(sentence)
    return sorted([*said, *_fragments(sentence, said)], key=lambda each: each.words[0].i)


def clause_of(token: "Token", clauses: Iterable[Clause]) -> Clause | None:
    """The clause that a word is part of."""
    return next((each for each in clauses if token in each.words), None)


def _clauses(sentence: "Span") -> list[Clause]:
    found: dict[int, Clause] = {}
    heads = [token for token in sentence if _is_head(token, sentence)]
    for head in heads:
        above = found.get(head.head.i) if head.dep_ != "ROOT" else None
        subject = subject_of(head) or (above.subject if above and head.dep_ in {"conj", "dep"} else None)
        # What stands before the verb it hangs on was said by itself, without a full stop.
        within = head.dep_ == "ccomp" and head.i > head.head.i and not _spliced(head)
        under = above if above and within else above.under if above and head.dep_ == "conj" else None
        implied = subject is None and head == sentence.root and _begins(head, sentence)
        found[head.i] = Clause(head, subject, tuple(_words(head, heads)), auxiliaries(head), under, implied)
    return list(found.values())


def _fragments(sentence: "Span", said: list[Clause]) -> Iterator[Clause]:
    """What stands between punctuation and joining words, and in no clause."""
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
    """The auxiliary verbs of a verb."""
    return tuple(child for child in head.children if child.dep_ in {"aux", "auxpass"})


def _named_or_counted(token: "Token") -> bool:
    """Whether it is part of a name (Boogie Nights), or so many of them (two weekends later)."""
    named = token.text.istitle() and token.ent_type_ not in {"", "DATE", "TIME"}
    return named or (token.tag_ == "NNS" and any(child.dep_ == "nummod" for child in token.children))


def asks(sentence: "Span") -> bool:
    """Whether a sentence asks."""
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
    """Whether a clause was only put behind another, with a comma or a small word, and is no part of it."""
    first = next(iter(head.subtree))
    if subject_of(head) is None or first.i == 0:
        return False
    return first.nbor(-1).is_punct or first.lower_ in {"and", "so", "but", "then"} or first.nbor(-1).dep_ == "cc"


def _begins(head: "Token", sentence: "Span") -> bool:
    """Whether a sentence begins with a verb that tells, and does not command."""
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
    # Behind a word that is no verb, a finite verb with a subject of its own stands by itself.
    return token.dep_ in _BESIDE and finite and subject_of(token) is not None


def subject_of(head: "Token") -> "Token | None":
    """The nearest before the verb, else the first behind it."""
    found = [child for child in head.children if child.dep_ in _SUBJECTS]
    before = [child for child in found if child.i < head.i]
    return before[-1] if before else found[0] if found else None


def _words(head: "Token", heads: "list[Token]") -> "list[Token]":
    """What the clause itself says: without the clauses beside and within it, and without the words that join them."""
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
    """Whether a word only joins the clause of this verb to another one."""
    if token.head != head:
        return False
    if token.dep_ == "cc" and token.i > head.i:
        return next((child.i in others for child in head.rights if child.dep_ == "conj" and child.i > token.i), True)
    said_no = token.dep_ == "intj" and token.lower_ == "no" and token.i > head.i
    return (token.dep_ in _LEFT_OUT and not said_no) or (token.dep_ == "mark" and token.lower_ in _REASONS)
