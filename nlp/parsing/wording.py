"""Rewrites the words of a clause in the third person, with names in place of pronouns.

What belongs here: wording. What does not: whom a pronoun means (`nlp.extraction.coreference`).
"""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Token

Resolve = Callable[["Token"], str | None]
"""Returns the name that a pronoun stands for, None if it is unknown."""

FIRST: Final = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "im", "ive"})
SECOND: Final = frozenset({"you", "your", "yours", "yourself", "u", "ur", "ya", "y'all", "yall"})
THIRD: Final = frozenset(
    {"he", "him", "his", "himself", "she", "her", "hers", "herself", "they", "them", "their", "theirs", "themselves"}
)
IT: Final = frozenset({"it", "its", "itself"})
REFERRING: Final = frozenset({"that", "this", "these", "those", "same", "one", "ones", "latter", "former", "such"})
"""Words that refer to something without naming it."""
PARENTS: Final = frozenset(
    {"mum", "mom", "mam", "dad", "mama", "papa", "mummy", "daddy", "grandma", "grandpa", "granny", "nana", "amma"}
    | {"auntie", "gran", "grandad", "nan"}
)
"""Words for relatives that, without a possessive, mean the speaker's own: Mum called."""
POSSESSIVE: Final = frozenset(
    {"my", "mine", "our", "ours", "his", "her", "hers", "their", "theirs", "your", "yours", "its"}
)
SAME: Final = frozenset(
    {"put", "hurt", "cut", "hit", "set", "let", "quit", "cost", "read", "shut", "spread", "split", "burst", "bet"}
)
"""Verbs whose past tense is spelled like their present."""
AGO: Final = frozenset({"ago", "yesterday", "last", "already"})
"""Words that mark such a verb as past tense."""
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
_STICKY: Final = {"-", "–", "/", "$", "£", "€", "#", "%", "+", "&"}
_SPACES: Final = re.compile(r"\s+")
_BEFORE_PUNCTUATION: Final = re.compile(r"\s+([,.;:!?'’])")


def third_person(words: "Sequence[Token]", resolve: Resolve) -> str | None:
    """Returns the words with names in place of pronouns, None if one of the pronouns cannot be resolved."""
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
    """Returns a word in the third person, None if it cannot be resolved."""
    lower = token.lower_
    if lower in FIRST | SECOND | THIRD | IT and token.tag_ not in {"NNP", "CD"} and token.dep_ != "expl":
        name = resolve(token)
        return possessive(name) if name is not None and name != token.text and _owns(token) else name
    if is_own_parent(token):
        return resolve(token)
    spoken = token.dep_ == "neg" or token.pos_ in {"VERB", "AUX"}
    return _FULL.get(lower, token.text) if spoken else token.text


def is_own_parent(token: "Token") -> bool:
    """Whether a token means the speaker's own parent or relative: a word of `PARENTS` without name or possessive."""
    if token.lower_ not in PARENTS or token.dep_ in {"compound", "appos", "poss"}:
        return False
    return not any(child.dep_ in {"poss", "det", "appos", "compound", "amod"} for child in token.children)


def _sticks(before: "Token | None", token: "Token") -> bool:
    """Whether two tokens are written without a space: gluten-free, 7am, £40."""
    if before is None or before.whitespace_ or before.i + 1 != token.i:
        return False
    return before.text in _STICKY or token.text in _STICKY or (before.text[-1:].isdigit() and token.text[:1].isalpha())


def _owns(token: "Token") -> bool:
    return token.tag_ == "PRP$" or (token.lower_ in POSSESSIVE and token.dep_ == "poss")


def possessive(name: str) -> str:
    """Returns the possessive of a name: Maya's."""
    return name if name.endswith(("'s", "’s")) else f"{name}'s"
