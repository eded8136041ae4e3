"""Seed phrases of wallets: 12 to 24 words after their name."""

import re
from collections.abc import Iterator

from hippograph.nlp.privacy.finders.spans import WORDS, Span

_SEED_CUE = re.compile(
    r"(?:seed|recovery|mnemonic|backup|wallet|secret recovery)[ -]?(?:phrase|words|seed|mnemonic|backup)"
    r"|mnemonic|seed|(?:12|24|twelve|twenty-four)[ -]words?",
    re.IGNORECASE,
)
_SEED_START = re.compile(
    r"[^\n:]{0,80}?(?::|=|\bis\b|\bare\b|->|\n)[\s\"'`“*]*(?=(?:\d{1,2}[.)]? ?)?[a-z]{3,8}(?![a-z]))"
)
_SEED_WORD = re.compile(r"(?:\d{1,2}[.):]?\s?)?([a-z]{3,8})(?![\w'’])")
_SEED_GAP = re.compile(r"\s*[,;|\n]?\s*(?:[-•]\s)?")
_NOT_SEED = frozenset(WORDS["not_seed"].split())


def seed_phrases(text: str, lower: str) -> Iterator[Span]:
    """Yields the seed phrases of a text: 12, 15, 18, 21 or 24 words, else the first 12 of a longer run."""
    if not any(word in lower for word in ("seed", "phrase", "mnemonic", "words", "wallet")):
        return
    at = 0
    for cue in _SEED_CUE.finditer(text):
        if cue.start() < at or not (start := _SEED_START.match(text, cue.end())):
            continue
        ends = _ends_of_words(text, start.end())
        if count := next(
            (n for n in (24, *([len(ends)] if len(ends) in {12, 15, 18, 21} else ()), 12) if len(ends) >= n), 0
        ):
            at = ends[count - 1]
            yield Span(start.end(), at, "seed_phrase")


def _ends_of_words(text: str, at: int) -> list[int]:
    """Returns the ends of up to 24 words that may be part of a seed phrase."""
    ends: list[int] = []
    while len(ends) < 24 and (word := _SEED_WORD.match(text, at)) and word[1] not in _NOT_SEED:
        ends.append(word.end())
        gap = _SEED_GAP.match(text, word.end())
        at = gap.end() if gap else word.end()
    return ends
