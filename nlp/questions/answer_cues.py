"""What the answer to a question of an intent often holds: an expression of time for when, a connective for why."""

import tomllib
from functools import cache
from pathlib import Path

from hippograph.nlp.questions.intent import Intent


@cache
def answer_cues(intent: Intent) -> str | None:
    """A regular expression that a whole text matches when it holds such words; None for an intent without any. Python
    and Java (so Cypher) read it alike.
    """
    table = tomllib.loads(Path(__file__).with_name("answer_cues.toml").read_text("utf-8"))
    words = table.get(intent.value)
    if words is None:
        return None
    return rf"(?isu).*(?<!\w)(?:{'|'.join(words)})(?!\w).*"
