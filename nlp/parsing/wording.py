"""Words of a clause, written anew in the third person: names in place of pronouns, verbs that agree with them.

What belongs here: how it is said. Who a pronoun means is found out elsewhere (`nlp.extraction.coreference`).
"""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from hippograph.nlp.parsing.lexicon import phrases

if TYPE_CHECKING:
    from spacy.tokens import Token

Resolve = Callable[["Token"], str | None]
"""The name that a pronoun stands for; None when nobody can tell."""

FIRST: Final = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "im", "ive"})
SECOND: Final = frozenset({"you", "your", "yours", "yourself", "u", "ur", "ya", "y'all", "yall"})
THIRD: Final = frozenset(
    {"he", "him", "his", "himself", "she", "her", "hers", "herself", "they", "them", "their", "theirs", "themselves"}
)
IT: Final = frozenset({"it", "its", "itself"})
REFERRING: Final = frozenset({"that", "this", "these", "those", "same", "one", "ones", "latter", "former", "such"})
"""Words that refer to something that they do not name."""
PARENTS: Final = frozenset(
    {"mum", "mom", "mam", "dad", "mama", "papa", "mummy", "daddy", "grandma", "grandpa", "granny", "nana", "amma"}
    | {"auntie", "gran", "grandad", "nan"}
)
"""Whom one calls so without saying whose they are: they are the speaker's."""
POSSESSIVE: Final = frozenset(
    {"my", "mine", "our", "ours", "his", "her", "hers", "their", "theirs", "your", "yours", "its"}
)
SAME: Final = frozenset(
    {"put", "hurt", "cut", "hit", "set", "let", "quit", "cost", "read", "shut", "spread", "split", "burst", "bet"}
)
"""Verbs whose past is written as their present."""
AGO: Final = frozenset({"ago", "yesterday", "last", "already"})
"""What tells that it is the past."""
_CONTRACTIONS: Final = {"'m": "is", "’m": "is", "m": "is", "'re": "is", "’re": "is", "'ve": "has", "’ve": "has"}
_PLURAL: Final = {"is": "are", "has": "have"}
_FULL: Final = {
    "wo": "will",
    "n't": "not",
    "n’t": "not",
    "nt": "not",
    "'ll": "will",
    "’ll": "will",
    "ll": "will",
}
_NOT: Final = {"n't", "n’t", "nt", "not"}
_CAN: Final = {"ca", "can"}
_IRREGULAR: Final = {
    "am": "is",
    "be": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "were": "was",
    "ve": "has",
}
_PASTS: Final = frozenset(phrases("pasts"))
_SIBILANT: Final = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y: Final = re.compile(r"[^aeiou]y$")
_STICKY: Final = {"-", "–", "/", "$", "£", "€", "#", "%", "+", "&"}
_SPACES: Final = re.compile(r"\s+")
_BEFORE_PUNCTUATION: Final = re.compile(r"\s+([,.;:!?'’])")


def third_person(words: "Sequence[Token]", resolve: Resolve) -> str | None:
    """The words with names in place of pronouns; None when one of these stands for nobody in particular."""
    said: list[str] = []
    last: Token | None = None
    for token in words:
        word = _word(token, resolve)
        if word is None:
            return None
        if said and (token.dep_ == "case" or _sticks(last, token)):
            said[-1] += word
        elif word:
            said.append(word)
        last = token
    return _BEFORE_PUNCTUATION.sub(r"\1", _SPACES.sub(" ", " ".join(said))).strip(" ,;:-–—.!?…")


def _word(token: "Token", resolve: Resolve) -> str | None:
    """A word as it is said of somebody else; None when nobody can tell whom it means."""
    lower = token.lower_
    if lower in FIRST | SECOND | THIRD | IT and token.tag_ not in {"NNP", "CD"} and token.dep_ != "expl":
        name = resolve(token)
        return possessive(name) if name is not None and name != token.text and _owns(token) else name
    if is_own_parent(token):
        return resolve(token)
    if token.pos_ in {"VERB", "AUX"}:
        return _verb(token)
    if token.dep_ == "neg" and token.i > 0 and token.nbor(-1).lower_ in _CAN and lower in _NOT:
        return ""  # cannot
    return "not" if token.dep_ == "neg" and lower in _FULL else token.text


def _negated(token: "Token") -> bool:
    """Whether a contracted "not" follows: can't."""
    return token.i + 1 < len(token.doc) and token.nbor(1).dep_ == "neg" and token.nbor(1).lower_ in _NOT


def is_own_parent(token: "Token") -> bool:
    """Whether it is the speaker's mum or dad, called so without a name or whose."""
    if token.lower_ not in PARENTS or token.dep_ in {"compound", "appos", "poss"}:
        return False
    return not any(child.dep_ in {"poss", "det", "appos", "compound", "amod"} for child in token.children)


def _sticks(before: "Token | None", token: "Token") -> bool:
    """Whether two words are written as one: gluten-free, 7am, £40."""
    if before is None or before.whitespace_ or before.i + 1 != token.i:
        return False
    return before.text in _STICKY or token.text in _STICKY or (before.text[-1:].isdigit() and token.text[:1].isalpha())


def _owns(token: "Token") -> bool:
    return token.tag_ == "PRP$" or (token.lower_ in POSSESSIVE and token.dep_ == "poss")


def possessive(name: str) -> str:
    """Whose something is: Maya's."""
    return name if name.endswith(("'s", "’s")) else f"{name}'s"


def _verb(token: "Token") -> str:
    """The verb, agreeing with a name where it agreed with I or we."""
    lower = token.lower_
    if lower in {"'s", "’s"}:
        return "has" if token.dep_ == "aux" and token.head.tag_ == "VBN" else "is"
    if lower in {"'d", "’d", "d"}:
        return "had" if token.head.tag_ == "VBN" else "would"
    if lower in _CONTRACTIONS:
        subject = _subject(token)
        plural = subject is not None and subject.lower_ == "they"
        return _PLURAL.get(_CONTRACTIONS[lower], "") if plural else _CONTRACTIONS[lower]
    if lower in _FULL:
        return _FULL[lower]
    if lower in _CAN:
        return "cannot" if _negated(token) else "can"
    bare = token.tag_ == "VB" and token.dep_ in {"ROOT", "conj"} and not any(c.dep_ == "aux" for c in token.children)
    if bare or token.tag_ == "VBP" or (token.tag_ == "VBD" and lower == "were"):
        subject = _subject(token)
        if subject is not None and subject.lower_ in FIRST and not _tells_past(token):
            return _singular(lower)
    return token.text


def _subject(verb: "Token") -> "Token | None":
    """Its own subject, else that of the verb it belongs to."""
    while True:
        for child in verb.children:
            if child.dep_ in {"nsubj", "nsubjpass"}:
                return child
        if verb.dep_ not in {"aux", "auxpass", "conj"} or verb.head == verb:
            return None
        verb = verb.head


def _tells_past(verb: "Token") -> bool:
    """Whether a verb stands in the past that is written as its present, or was taken for one: I forgot."""
    if verb.tag_ == "VBP" and verb.lower_ in _PASTS:
        return True
    told = (child.lower_ for child in verb.subtree)
    return verb.lower_ == "quit" or (verb.lower_ in SAME and any(word in AGO for word in told))


def _singular(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if _CONSONANT_Y.search(verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if _SIBILANT.search(verb) else f"{verb}s"
