"""Decides whether the speaker asserts a clause, or denies, doubts, wants or supposes it in the words around it.

What belongs here: the words that govern or follow a clause. What does not: what the clause itself says
(`nlp.parsing.clauses`), and whether it is worth remembering.
"""

import re
from typing import TYPE_CHECKING, Final

from hippograph.nlp.parsing.clauses import Clause, auxiliaries, conditional, subject_of
from hippograph.nlp.parsing.lexicon import lemma, lexicon, phrases
from hippograph.nlp.parsing.wording import FIRST, IT

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_COMPLEMENTS: Final = {"ccomp", "csubj", "csubjpass", "acl", "pcomp"}
_SUPPOSING: Final = {"if", "unless", "whether", "lest", "like", "than"}
_PURPOSE: Final = {"can", "could", "would", "will", "might", "'ll", "’ll", "'d", "’d", "may"}
_NOT: Final = {
    "no",
    "not",
    "n't",
    "n’t",
    "nt",
    "never",
    "hardly",
    "barely",
    "scarcely",
    "neither",
    "nor",
    "nobody",
    "none",
}
_WAYS: Final = {"way", "chance", "matter"}
_ENDS: Final = {".", "!", "?"}
_HEADS: Final = {"VERB", "AUX"}
_LONGEST_TAG: Final = 5
_INVENTION: Final = re.compile(
    r"\b(?:write|tell|make|invent|give|need|want|come up|draft)\b[^.?!\n]{0,80}\b(?:back ?stor(?:y|ies)|story|poem"
    r"|limerick|scene|sketch|tale|sonnet|haiku|ballad|screenplay|rhyme|monologue|song|fan ?fic(?:tion)?)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL: Final = frozenset({"if", "unless", "whether", "lest", "may", "might", "could", "would"})


def doubted(clause: Clause) -> bool:
    """Whether the words that govern, precede or follow a clause leave open whether it is true, or deny it."""
    return _opened(clause) or _alternative(clause) or _tagged(clause) or _purpose(clause) or _under_doubt(clause.head)


def retracted(doc: "Doc") -> set[int]:
    """Returns the indexes of the first tokens of sentences that are retracted later in a turn: all before a remark
    such as "just kidding", and the last sentence before a correction (no wait, it's June).
    """
    found, last = set[int](), 0
    starts: list[int] = []
    for sentence in doc.sents:
        said = " ".join(t.lower_ for t in sentence if not t.is_punct and not t.is_space).replace(" 'm", "'m")
        if said in phrases("joking"):
            found.update(starts)
        elif any(f"{said} ".startswith(f"{each} ") for each in phrases("retracting")) and _corrects(sentence):
            found.update(starts[last:])
        if said:
            last = last if starts and sentence.start > 0 and doc[sentence.start - 1].text not in _ENDS else len(starts)
            starts.append(sentence.start)
    return found


def _corrects(sentence: "Span") -> bool:
    """Whether a sentence that begins like a correction may be one; "sorry" needs a number, "no" or "not" behind it."""
    return sentence[0].lower_ != "sorry" or any(
        token.like_num or token.lower_ in {"no", "not"} for token in sentence[1:4]
    )


def is_supposed(token: "Token") -> bool:
    """Whether a condition or a modal such as "might" governs a word: if I lived there, I might move."""
    while True:
        said = {child.lower_ for child in token.children if child.dep_ in {"mark", "aux"} and child.i < token.i}
        if said & _HYPOTHETICAL:
            return True
        if token.head == token:
            return False
        token = token.head


def invention_in(doc: "Doc") -> int:
    """The index of the first token of the sentence that asks for a story, a poem or a character, whose people are made
    up; the length of the text if none does.
    """
    asking = (sentence.start for sentence in doc.sents if asks_for_invention(sentence.text))
    return next(asking, len(doc))


def asks_for_invention(text: str) -> bool:
    """Whether a sentence asks for something that is made up: I need a backstory for my monk."""
    return bool(_INVENTION.search(text))


def is_denied_by_noun(token: "Token") -> bool:
    """Whether a noun leaves open, or denies, the clause around a word: it's a myth that I'm *vegetarian*."""
    told = (each for each in (token, *token.ancestors) if each.dep_ == "acl" and "that" in _labels(each))
    return any(each.head.lower_ in lexicon().words["open_claims"] for each in told)


def _opened(clause: Clause) -> bool:
    """Whether a denial precedes the subject of a clause: not that I quit, no way I quit."""
    subject = clause.subject
    if subject is None:
        return False
    before = [child for child in clause.head.children if child.i < subject.left_edge.i]
    no_way = any(child.lower_ in _WAYS and child.left_edge.lower_ == "no" for child in before)
    return no_way or any(child.dep_ == "neg" or child.lower_ in _NOT - {"no"} for child in before)


def _alternative(clause: Clause) -> bool:
    """Whether "or" makes the clause an alternative: be there, or I'm no friend of yours."""
    if clause.subject is None:
        return False
    first = clause.subject.left_edge
    return first.i > first.sent.start and first.nbor(-1).lower_ == "or"


def _tagged(clause: Clause) -> bool:
    """Whether a short remark after the clause qualifies it: I'm allergic to cats, I think."""
    words, sentence = lexicon().words, clause.head.sent
    if sentence.end == len(sentence.doc) or sentence[-1].text in _ENDS or "\n" in sentence[-1].text:
        return False
    behind = sentence.doc[sentence.end].sent
    remark = [t for t in behind if not (t.is_punct or t.is_space or t.dep_ in {"cc", "neg", "aux"})]
    if not 1 < len(remark) <= _LONGEST_TAG or subject_of(behind.root) is None:
        return False
    said_so = lemma(remark[-1]) == "say" and any(token.lower_ == "so" for token in remark)
    return remark[-1].lower_ in {"sure", "certain"} or lemma(remark[-1]) in words["attitudes"] or said_so


def _purpose(clause: Clause) -> bool:
    """Whether the clause states a purpose: so I can work there."""
    marks = {
        child.lower_ for child in clause.head.children if child.dep_ in {"mark", "advmod"} and child.i < clause.head.i
    }
    return "so" in marks and any(token.lower_ in _PURPOSE for token in clause.auxiliaries)


def _under_doubt(verb: "Token") -> bool:
    """Whether a verb is governed, at any level up to the root, by a word that leaves open whether it is true."""
    while verb.dep_ != "ROOT" and verb.head != verb:
        above = verb.head
        if verb.dep_ in _COMPLEMENTS and not _states(verb, above):
            return True
        if verb.dep_ == "advcl" and (_labels(verb) & _SUPPOSING or {"as", "though"} <= _labels(verb)):
            return True
        if verb.dep_ in {"relcl", "acl"} and any(child.lower_ in _NOT for child in above.children):
            return True
        if verb.dep_ == "conj" and subject_of(verb) is None and _shared_denial(verb, above):
            return True
        verb = above
    return False


def _labels(verb: "Token") -> set[str]:
    return {child.lower_ for child in verb.children if child.dep_ in {"mark", "advmod", "prep"} and child.i < verb.i}


def _shared_denial(verb: "Token", above: "Token") -> bool:
    """Whether the negation or modal of a verb also applies to the verb joined to it: I wouldn't go or stay."""
    joined = {child.lower_ for child in above.children if child.dep_ == "cc"}
    own = (verb.tag_ in {"VBZ", "VBD"} or auxiliaries(verb)) and joined.isdisjoint({"or", "nor"})
    return "but" not in joined and not own and (_denied(above) or bool(_modal(above)))


def _states(verb: "Token", above: "Token") -> bool:
    """Whether a verb, an adjective or a noun asserts the clause under it."""
    words = lexicon().words
    if verb.i < above.i or _beside(verb, above):
        return lemma(above) not in words["attitudes"] or subject_of(verb) is None
    finite = _finite(above)
    if conditional(finite) or lemma(finite) in words["withdrawing"]:
        return False
    told = _complement(above) if above.lemma_ == "be" else above
    if told is not None and (told != above or above.pos_ in {"ADJ", "NOUN"}):
        return _states_as_noun(told, finite)
    if above.lemma_ == "be":
        named = subject_of(above)
        plain = not _denied(finite) and not _modal(finite)
        return (
            plain
            and named is not None
            and named.lower_ in words["facts"] | {"it", "that", "this"}
            and "like" not in _labels(verb)
        )
    if _idiom(above, finite):
        return True
    if lemma(above) in words["judging"]:
        found_out = any(child.dep_ == "prt" for child in above.children)
        plain = not _denied(finite) and not _modal(finite)
        return plain and (found_out or (_first(finite) and above == finite))
    if lemma(above) not in words["asserting"] | words["factive"]:
        return False
    return _says(verb, above, finite)


def _complement(be: "Token") -> "Token | None":
    return next((child for child in be.children if child.dep_ in {"acomp", "attr"}), None)


def _states_as_noun(word: "Token", finite: "Token") -> bool:
    words = lexicon().words
    denied = _denied(finite) or _denied(word.head) or any(child.lower_ in _NOT for child in word.children)
    return not denied and not _modal(finite) and word.lower_ in words["factual"] | words["facts"]


def _says(verb: "Token", above: "Token", finite: "Token") -> bool:
    """Whether a verb of saying or knowing asserts the clause under it. What others say about the speaker does
    not count, unless the verb is factive.
    """
    words, name = lexicon().words, lemma(above)
    denied, modal, speaker = _denied(finite), _modal(finite), subject_of(finite)
    if speaker is None and finite.tag_ == "VB":
        return name in words["reminding"] and (not denied or name == "forget")
    if denied:
        return name in words["factive"] and not modal
    if modal:
        return modal in words["admitting"] and _first(finite)
    told = subject_of(verb)
    of_speaker = told is not None and told.lower_ in FIRST
    by_itself = speaker is not None and speaker.lower_ in IT | {"which", "this", "that"}  # "it means I'm moving"
    return name in words["factive"] or _first(finite) or not of_speaker or by_itself


def _idiom(above: "Token", finite: "Token") -> bool:
    """Whether it is an idiom that asserts its clause: I can't believe I moved."""
    return above.lemma_ == "believe" and _denied(finite) and _modal(finite) == "can"


def _beside(verb: "Token", above: "Token") -> bool:
    """Whether a clause only follows another after a comma or a conjunction, and has a subject of its own."""
    first = verb.left_edge
    own = subject_of(verb) is not None and first.i > 0 and (first.nbor(-1).is_punct or first.nbor(-1).dep_ == "cc")
    return own and above.pos_ in _HEADS and lemma(above) not in lexicon().words["attitudes"]


def _finite(word: "Token") -> "Token":
    """The finite verb that governs a word: "forgot" in "I forgot to say", "is" in "it is not true"."""
    while word.dep_ in {"xcomp", "acomp", "attr", "oprd"} and word.head != word:
        word = word.head
    return word


def _denied(verb: "Token") -> bool:
    return any(child.dep_ == "neg" or child.lower_ in _NOT for child in verb.children)


def _modal(verb: "Token") -> str:
    """The modal verb of a verb, in its full form; empty without one."""
    full = {"ca": "can", "'d": "would", "’d": "would", "wo": "will", "'ll": "will", "’ll": "will"}
    return next((full.get(t.lower_, t.lower_) for t in auxiliaries(verb) if t.tag_ == "MD"), "")


def _first(verb: "Token") -> bool:
    subject = subject_of(verb)
    return subject is None or subject.lower_ in FIRST
