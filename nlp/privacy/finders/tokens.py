"""Finds tokens of vendors by their form, and random strings that are likely AWS secret keys.

Formats come from `secrets.toml` and detect-secrets. Of the latter only the patterns of rules for fixed forms are used:
its search drops part of a token (`findall` with groups), its keyword and entropy rules are made for code and take half
of a conversation for secrets, and some of its patterns are not linear.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from hippograph.nlp.privacy.finders.spans import WORDS, Span
from hippograph.nlp.privacy.finders.values import is_blank

_LONG = re.compile(r"[A-Za-z0-9_+/=.~:-]{16}")
_AWS_SECRET = re.compile(
    r"(?<![\w+/=])(?=[A-Za-z+/]*\d)(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])[A-Za-z0-9+/]{40}(?![\w+/=])"
)
_AWS_WORD = re.compile(r"AKIA|ASIA|aws|amazon|(?i:secret[ _]?(?:access)?[ _]?key)")
_HEX = re.compile(r"[0-9a-fA-F]+")
_SORTS = ("[a-z]", "[A-Z]", r"\d", "[+/]")
# Minimums for a random string: bits of entropy per character, changes of character class, and characters other than
# letters. About 2 % of random base64 strings of 40 characters are below one of them; words, paths and identifiers are.
_LEAST_BITS = 4.2
_LEAST_CHANGES = 16
_LEAST_OTHERS = 3


@cache
def _token_rules() -> list[tuple[str, re.Pattern[str]]]:
    """Returns pairs of a hint and a pattern; a pattern is tried only on texts that contain its hint.

    Made on first use, since detect-secrets takes a while to import.
    """
    from importlib import import_module

    rules = []
    for hint, pattern in WORDS["tokens"]:
        rules.append((hint, re.compile(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])")))
    for name, hints in WORDS["library"].items():
        module, plugin = name.split(".")
        patterns: list[re.Pattern[str]] = getattr(import_module(f"detect_secrets.plugins.{module}"), plugin).denylist
        bounded = [
            re.compile(rf"(?<![A-Za-z0-9])(?:{found.pattern})(?![A-Za-z0-9])", found.flags) for found in patterns
        ]
        rules += [(hint, pattern) for hint in hints for pattern in bounded]
    return rules


def vendor_tokens(text: str, _lower: str) -> Iterator[Span]:
    """Yields the tokens of a text, found by their form. A mixed string of 40 characters counts as an AWS secret key if
    the text mentions AWS or a secret key, or if the string looks random.
    """
    if not _LONG.search(text):
        return
    for hint, pattern in _token_rules():
        if hint in text:
            yield from (Span(*_valued(match), "token") for match in pattern.finditer(text) if not is_blank(match[0]))
    said = bool(_AWS_WORD.search(text))
    for found in _AWS_SECRET.finditer(text):
        if not _HEX.fullmatch(found[0]) and (said or _is_random(found[0])):
            yield Span(*found.span(), "token")


def _is_random(value: str) -> bool:
    """Returns whether a value looks random: high entropy, mixed character classes, and several non-letters."""
    bits = -sum(times / len(value) * math.log2(times / len(value)) for times in Counter(value).values())
    sorts = [next(number for number, sort in enumerate(_SORTS) if re.match(sort, letter)) for letter in value]
    changes, others = sum(one != other for one, other in pairwise(sorts)), sum(not letter.isalpha() for letter in value)
    return bits >= _LEAST_BITS and changes >= _LEAST_CHANGES and others >= _LEAST_OTHERS


def _valued(match: re.Match[str]) -> tuple[int, int]:
    """Returns the span of a match without a name before the value (`AccountKey=`)."""
    named = match[0].startswith("AccountKey=")
    return match.start() + len("AccountKey=") * named, match.end()
