"""Comparison of spellings: names that differ only in case, accents, script, spaces or language."""

import re
from dataclasses import replace
from typing import Final

from hippograph.nlp.names.listed import other_names
from hippograph.nlp.names.matching.likeness import SAME_NAME, Likeness, Needs
from hippograph.nlp.names.matching.thresholds import SHORT
from hippograph.nlp.names.normalization import omits_vowels, plain
from hippograph.nlp.names.parsed_name import ParsedName
from hippograph.nlp.names.phonetics import written_skeletons

HAN: Final = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]")
"""A Chinese character or a Korean syllable."""
_UMLAUT: Final = re.compile(r"[äöüøœæåß]", re.IGNORECASE)


def match_spelling(said: ParsedName, known: ParsedName, text: str, name: str) -> Likeness | None:
    """Compares names up to case, accents, script, spaces, the spelling of umlauts, and listed names in other languages.
    Returns None if more differs.
    """
    written = plain if _UMLAUT.search(text + name) else str
    if tuple(map(written, said.words)) == tuple(map(written, known.words)):
        if known.kind == "person" and HAN.search(name) and HAN.findall(text) not in ([], HAN.findall(name)):
            return Likeness(0.7, Needs.REVIEW, "other characters that are read alike")
        return SAME_NAME
    if written(said.joined) == written(known.joined) and len(known.joined) > 4:
        return replace(SAME_NAME, score=0.98, reason="the same name, its words parted otherwise")
    if known.kind not in ("person", "project") and known.joined in other_names(said.joined):
        return replace(SAME_NAME, score=0.98, reason="its name in another tongue")
    if (omits_vowels(text) or omits_vowels(name)) and _same_consonants(said.words, known.words):
        return Likeness(0.9, Needs.COMPANY, "the same name in another script")
    return None


def _same_consonants(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether two names have the same consonants word by word, at least `SHORT` in all."""
    if len(said) != len(known):
        said, known = ("".join(said),), ("".join(known),)
    shared = [written_skeletons(one) & written_skeletons(other) for one, other in zip(said, known, strict=True)]
    return all(shared) and sum(max(map(len, each)) for each in shared) >= SHORT
