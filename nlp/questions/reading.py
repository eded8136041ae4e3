"""What of a question is read: all of one that somebody asks, the ends of one with something pasted into it."""

from typing import Final

_LONGEST: Final = 2_000


def read_part(question: str) -> str:
    """The question; of one longer than 2,000 characters its beginning and its end, of half that each."""
    if len(question) <= _LONGEST:
        return question
    return f"{question[: _LONGEST // 2]}\n{question[-_LONGEST // 2 :]}"
