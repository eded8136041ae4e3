"""Limits how much of a question is read: one with a long text pasted into it is read at both ends only."""

from typing import Final

_LONGEST: Final = 2_000


def read_part(question: str) -> str:
    """Returns the question; if it is longer than 2,000 characters, its first and its last 1,000."""
    if len(question) <= _LONGEST:
        return question
    return f"{question[: _LONGEST // 2]}\n{question[-_LONGEST // 2 :]}"
