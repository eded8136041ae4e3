"""Detection of texts told in confidence: "don't tell Maya", "between us", "she mustn't know".

It uses phrases and no model, because it runs while a message is recorded. It does not read from whom the text is to be
kept: what is told in confidence stays with its owner. A false positive costs less than a miss. Phrases are mostly
English; the main ones also German, Russian, Spanish and French.
"""

import tomllib
from pathlib import Path
from typing import Final

from hippograph.nlp.privacy.phrases import Phrases, folded

_WORDS: Final = tomllib.loads(Path(__file__).with_name("confidences.toml").read_text("utf-8"))
_PLAIN: Final = Phrases(_WORDS, "plain")
_CONFIDED: Final = Phrases(_WORDS, "confided")


def told_in_confidence(text: str) -> bool:
    """Whether a text asks to be kept from somebody. Takes time linear in its length."""
    words = folded(text).replace(" 't", "t").replace("do not ", "dont ")
    return any(True for _ in _CONFIDED.found(_PLAIN.left_out(words)))
