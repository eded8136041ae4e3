"""Whether what is said is to be kept from somebody: "don't tell Maya", "between us", "she mustn't know".

Phrases alone, no model: it runs while a message is recorded. From whom it is to be kept is not read: what is told in
confidence stays with its owner. A false alarm costs less than a miss. English first; the main phrases also in German,
Russian, Spanish and French.
"""

import tomllib
from pathlib import Path
from typing import Final

from hippograph.nlp.privacy.phrases import Phrases, folded

_WORDS: Final = tomllib.loads(Path(__file__).with_name("confidences.toml").read_text("utf-8"))
_PLAIN: Final = Phrases(_WORDS, "plain")
_CONFIDED: Final = Phrases(_WORDS, "confided")


def told_in_confidence(text: str) -> bool:
    """Whether a text asks to keep it from somebody. Time is linear in its length."""
    words = folded(text).replace(" 't", "t").replace("do not ", "dont ")
    return any(True for _ in _CONFIDED.found(_PLAIN.left_out(words)))
