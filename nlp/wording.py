"""Words of a clause, written anew in the third person: names in place of pronouns, verbs that agree with them.

What belongs here: how it is said. Who a pronoun means is found out elsewhere (`nlp.people`).
"""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Token

Resolve = Callable[["Token"], str | None]
"""The name that a pronoun stands for; None when nobody can tell."""

FIRST: Final = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "im", "ive"})
SECOND: Final = frozenset({"you", "your", "yours", "yourself", "u", "ur", "ya", "y'all", "yall"})
THIRD: Final = frozenset(
    {"he", "him", "his", "himself", "she", "her", "hers", "herself", "they", "them", "their", "theirs", "themselves"}
)
POSSESSIVE: Final = frozenset({"my", "mine", "our", "ours", "his", "her", "hers", "their", "theirs", "your", "yours"})
_CONTRACTIONS: Final = {"'m": "is", "’m": "is", "m": "is", "'re": "is", "’re": "is", "'ve": "has", "’ve": "has"}
_FULL: Final = {
    "ca": "can",
    "wo": "will",
    "n't": "not",
    "n’t": "not",
    "nt": "not",
    "'ll": "will",
    "’ll": "will",
    "ll": "will",
}
_IRREGULAR: Final = {"am": "is", "are": "is", "have": "has", "do": "does", "go": "goes", "were": "was", "ve": "has"}
_SIBILANT: Final = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y: Final = re.compile(r"[^aeiou]y$")
_SPACES: Final = re.compile(r"\s+")
_BEFORE_PUNCTUATION: Final = re.compile(r"\s+([,.;:!?'’])")


def third_person(words: "Sequence[Token]", resolve: Resolve) -> str | None:
    """The words with names in place of pronouns; None when one of these stands for nobody in particular."""
    said: list[str] = []
    for token in words:
        lower = token.lower_
        if lower in FIRST | SECOND | THIRD and token.tag_ not in {"NNP", "CD"}:
            name = resolve(token)
            if name is None:
                return None
            said.append(possessive(name) if name != token.text and _owns(token) else name)
        elif token.dep_ == "case" and said:
            said[-1] += token.text
        elif token.pos_ in {"VERB", "AUX"}:
            said.append(_verb(token))
        elif token.dep_ == "neg" and lower in _FULL:
            said.append("not")
        else:
            said.append(token.text)
    return _BEFORE_PUNCTUATION.sub(r"\1", _SPACES.sub(" ", " ".join(said))).strip(" ,;:-–—.!?…")


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
        return _CONTRACTIONS[lower]
    if lower in _FULL:
        return _FULL[lower]
    if token.tag_ == "VBP" or (token.tag_ == "VBD" and lower == "were"):
        subject = _subject(token)
        if subject is not None and subject.lower_ in FIRST:
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


def _singular(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if _CONSONANT_Y.search(verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if _SIBILANT.search(verb) else f"{verb}s"
