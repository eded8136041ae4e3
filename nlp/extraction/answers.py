"""What a short answer says together with the question before it: "Where do you live?" "Motala."

What belongs here: the questions of `lexicon.toml`, and reading an answer with them. An answer that is a sentence of
its own needs no question.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from nlp.parsing.informal_words import INTERJECTIONS
from nlp.parsing.lexicon import lexicon

if TYPE_CHECKING:
    from spacy.tokens import Span

_LONGEST_ANSWER: Final = 8
_OPENERS: Final = re.compile(
    r"^(?:(?:uh|um|oh|well|yes|yeah|yep|so|i'm|i am|it's|it is|in|at|from|as|just|currently|mostly),? )+", re.IGNORECASE
)
_NO_ANSWER: Final = (INTERJECTIONS - {"yes", "yeah", "uh", "um", "well", "oh"}) | {
    *("no", "not", "none", "nothing", "nope", "maybe", "same", "you", "why", "guess", "secret", "depends", "what"),
}
_YOU: Final = re.compile(r"\byour?\b", re.IGNORECASE)
_LAST_QUESTION: Final = re.compile(r"([^.!?\n]+)\?[^?\n]{0,40}$")


def answered(question: str, answer: "Span", *, of_anybody: bool = True) -> tuple[dict[str, Any], str] | None:
    """The question of the file that was asked, and the answer; None when there is none, or it is a sentence. Where it
    may be asked `of_anybody`, it need not say "you".
    """
    asked = _LAST_QUESTION.search(question[-500:])
    words = [token for token in answer if not token.is_punct and not token.is_space]
    if asked is None or not 0 < len(words) <= _LONGEST_ANSWER or answer.text.rstrip().endswith("?"):
        return None
    if any(token.tag_ in {"VBD", "VBZ", "VBP", "MD"} or token.lower_ in _NO_ANSWER for token in words):
        return None
    if not any(token.pos_ in {"NOUN", "PROPN", "NUM", "ADJ"} for token in words):
        return None
    for entry, pattern in _questions():
        found = pattern.search(asked[1])
        if not of_anybody and not _YOU.search(asked[1]):
            continue
        said = _OPENERS.sub("", answer.text.strip(" .,!…\n"))
        if found is not None and said:
            return {**entry, **found.groupdict()}, said
    return None


@cache
def _questions() -> tuple[tuple[dict[str, Any], re.Pattern[str]], ...]:
    return tuple((entry, re.compile(entry["asked"], re.IGNORECASE)) for entry in lexicon().questions)
