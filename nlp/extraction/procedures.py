"""How something is done, said in steps: to free space, stop the agent first, then delete the cache.

What belongs here: finding instructions in a turn. They are read as they were said, before the turn is cut into clauses.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ENDS: Final = {".", "!", "?", "…", "..."}
_NO_STEPS: Final = {
    "let",
    "need",
    "want",
    "say",
    "think",
    "know",
    "feel",
    "have",
    "be",
    "like",
    "hope",
    "guess",
    "mean",
}
_FEWEST_STEPS: Final = 2
_LONGEST: Final = 70
_STEPS: Final = re.compile(
    r"\b(?:first|then|afterwards|before that|after that|finally|next|otherwise|until|never|before you|in this order)\b",
    re.IGNORECASE,
)
_GOAL: Final = re.compile(
    r"^(?:.{0,40}?\b(?:that|so|ok|okay|remember|procedure|drill|thing),? )??"
    r"(?P<goal>(?:to|for|in order to|if you|when you|if an?|whenever|before you|with the|with my)\b.{3,})$",
    re.IGNORECASE | re.DOTALL,
)
# Behind a colon what it is for is said once more, and better.
_AFTER_COLON: Final = re.compile(
    r"^[^:]{3,}: (?P<goal>(?:to|if|when|whenever|before)\b.{3,})$", re.IGNORECASE | re.DOTALL
)


def procedures(doc: "Doc") -> "Iterator[tuple[str, str, int, int]]":
    """What is said in steps, what it is for, and where it begins and ends, in words."""
    start = 0
    for token in doc:
        if token.text in _ENDS or "\n" in token.text or token.i == len(doc) - 1:
            found = _procedure([each for each in doc[start : token.i + 1] if not each.is_space])
            if found is not None:
                yield *found, start, token.i + 1
            start = token.i + 1


def _procedure(words: "list[Token]") -> tuple[str, str] | None:
    if not words or words[-1].text == "?" or len(words) > _LONGEST:
        return None
    text = "".join(token.text_with_ws for token in words).strip()
    behind = _AFTER_COLON.search(text)
    text = behind["goal"] if behind else text
    goal = _GOAL.match(text)
    if goal is None or not (_STEPS.search(text) or re.search(r"\byou\b", text, re.IGNORECASE)):
        return None
    start = words[0].idx + (behind.start("goal") if behind else 0) + goal.start("goal")
    begin = next((token for token in words if token.idx >= start), words[-1])
    steps = [
        token
        for token in words
        if token.i > begin.i and token.tag_ in {"VB", "VBP"} and token.lemma_ not in _NO_STEPS and _instructs(token)
    ]
    if len(steps) < (1 if begin.lower_ in {"to", "in"} else _FEWEST_STEPS):
        return None
    about = _about(words, begin, steps[0])
    return None if about is None else (goal["goal"].rstrip(" .!…"), about)


def _about(words: "list[Token]", begin: "Token", step: "Token") -> str | None:
    """What the goal names: the runner, the old number; None when it names nothing."""
    behind = [token for token in words if token.i > begin.i]
    closing = (t.i for t in behind if t.text in {",", ":"} or (t.lower_ in {"first", "you"} and t.i > begin.i + 2))
    end = next(closing, step.i)
    nouns = [t for t in behind if t.i < end and t.pos_ in {"NOUN", "PROPN"} and t.dep_ != "compound"]
    # A rare noun is often taken for an adjective.
    nouns = nouns or [t for t in behind if t.i < end and t.nbor(-1).tag_ == "DT"]
    if not nouns:
        return None
    noun = nouns[0] if begin.lower_ in {"if", "when", "whenever"} else nouns[-1]
    return " ".join(t.text for t in noun.subtree if t == noun or (t.dep_ == "compound" and t.i < end))


def _instructs(token: "Token") -> bool:
    """Whether a verb tells somebody what to do: a command, or what "you" do."""
    before = [child for child in token.children if child.i < token.i]
    subjects = [child.lower_ for child in before if child.dep_ in {"nsubj", "nsubjpass"}]
    helped = any(child.dep_ == "aux" and child.lower_ not in {"have", "must", "should", "need"} for child in before)
    return all(subject == "you" for subject in subjects) and not helped
