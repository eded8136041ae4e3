"""A first, local guess of how private a statement is, and whether it is useful beyond the chat where it was said.

It uses words, phrases, patterns, and word weights learned from labelled talk (`scripts/train_sensitivity.py`), but no
language model, since it runs while a message is recorded. Code that reads the meaning of a sentence belongs elsewhere
and may revise the guess. A guess only makes a statement more private, and a false alarm costs less than a miss. Idioms,
and words with another meaning in programming, are recognised and do not count.

"Sensitive" are the special categories of personal data (health, sex life and orientation, religion, political views,
trade unions, ethnic origin: GDPR, Regulation (EU) 2016/679, article 9), criminal matters (article 10), and money,
addiction and identity numbers. "Personal" are trouble or change at work and in private life, contact data, and what is
told in confidence. English is covered best; the main topics also in German, Russian and Spanish.

The phrases and their syntax are in `sensitivity.toml`.
"""

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from stdnum.iso7064 import mod_97_10

from hippograph.nlp.models import MODELS
from hippograph.nlp.models.logistic_regression import weighed
from hippograph.nlp.privacy.phrases import Phrases, folded

LEARNED: Final = MODELS / "sensitivity.json"
THRESHOLD: Final = 0.5
"""Minimum probability for a sentence to get a label."""

_WORDS: Final = tomllib.loads(Path(__file__).with_name("sensitivity.toml").read_text("utf-8"))

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_STOP = re.compile(r" ?(?:[.!?;]|\n\s*\n)(?: |$)")
_LEAST_ODDS = math.log(THRESHOLD / (1 - THRESHOLD))
_SOCIAL_SECURITY = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")  # in the USA
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2} ?[A-Z0-9]{4}(?: ?(?=[A-Z]{0,3}\d)[A-Z0-9]{4}){1,6}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_EMAIL = re.compile(r"@(?<=[\w+-]@)(?<!\bgit@)(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}")
_CONTACT = re.compile(
    r"""(?<![\w.+-])(?:
        \+\d(?:[ ./()-]{0,2}\d){7,14}(?!\w)                         # +49 (0)170 1234567
      | \(?\d{3}\)?[ .-]\ ?\d{3}[ .-]\d{4}(?![\w-])                 # (555) 010-4477
      | 0\d{2,4}[ /-]\d{3,8}(?:[ -]\d{2,6}){0,3}(?![\w-])           # 020 7946 0958
      | 0\d{9,10}(?![\w.-])
      | 8[ -]\(?\d{3}\)?[ -]\d{3}[ -]?\d\d[ -]?\d\d(?!\w)           # 8 (916) 123-45-67
      | \d{1,5}[A-Za-z]?[ ](?:(?:[A-Z][\w']{0,30}|\d{1,3}(?:st|nd|rd|th))[.]?[ ]){1,3}
        (?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Square|Terrace|Crescent|Way|Place)(?!\w)
      | [A-ZÄÖÜ][a-zäöüß]{1,30}(?:straße|strasse|str\.|gasse|weg|allee|platz)[ ]\d{1,4}(?!\d)
      | (?:[Уу]лица|[Уу]л\.|[Cc]alle)[ ][А-ЯA-ZÁÉÍÓÚÑ]\w{1,30},?[ ](?:д\.[ ]?)?\d{1,4}(?!\d)
    )""",
    re.VERBOSE,
)

_NOT_MEANT = Phrases(_WORDS, "idiom")
_PRIVATE = Phrases(_WORDS, "sensitive", "personal")
_NOT_TIMES = Phrases(_WORDS, "passing")
_TIMES = Phrases(_WORDS, "only_here", "lasting", "soon")


def guess_sensitivity(text: str, learned: Mapping[str, Mapping[str, float]] | None = None) -> str:
    """Returns how private a statement seems: "public", "personal" or "sensitive".

    This is the highest label of its sentences, by the phrase tables, patterns of numbers and addresses, and the weights
    learned from labelled talk (`scripts/train_sensitivity.py`), which `learned` replaces. Takes time linear in the
    length of the text.
    """
    meant = _NOT_MEANT.left_out(folded(text))
    labels = _labels(_PRIVATE.found(meant), until="sensitive")
    numbers = _DIGIT.search(text)
    if "sensitive" in labels or (numbers and _has_secret_number(text)):
        return "sensitive"
    sounds = _sounds(meant, _learned() if learned is None else learned)
    if "sensitive" in sounds:
        return "sensitive"
    if labels or sounds or _EMAIL.search(text) or (numbers and _CONTACT.search(text)):
        return "personal"
    return "public"


def sentences(text: str) -> list[str]:
    """Returns the sentences of a text, each as folded words with one space between them."""
    return _apart(folded(text))


def words_and_pairs(sentence: str) -> set[str]:
    """Returns the features of a sentence from `sentences`: its words and its pairs of adjacent words, with each run of
    digits replaced by 0.
    """
    words = _NUMBER.sub("0", sentence).split(" ")
    return {*words, *map(" ".join, pairwise(words))}


def guess_portable(text: str) -> bool:
    """Returns whether a statement seems to be useful outside the chat where it was said.

    It is not if it is about this moment ("right now"), or about the near future and nothing lasting.
    """
    labels = _labels(_TIMES.found(_NOT_TIMES.left_out(folded(text))), until="only_here")
    return "only_here" not in labels and ("soon" not in labels or "lasting" in labels)


def _apart(folded: str) -> list[str]:
    """Splits a folded text into sentences."""
    return [each for each in _STOP.split(folded) if each]


@cache
def _learned() -> dict[str, dict[str, float]]:
    learned: dict[str, dict[str, float]] = json.loads(LEARNED.read_text("utf-8"))
    return learned


def _sounds(folded: str, learned: Mapping[str, Mapping[str, float]]) -> set[str]:
    """Returns the labels that some sentence gets from the learned weights."""
    found = set[str]()
    for sentence in _apart(folded) if learned else ():
        seen = words_and_pairs(sentence)
        found |= {name for name, weights in learned.items() if weighed(weights, seen) >= _LEAST_ODDS}
    return found


def _labels(matches: Iterable[re.Match[str]], *, until: str) -> set[str]:
    labels = set()
    for match in matches:
        labels.add(match.lastgroup or "")
        if match.lastgroup == until:
            break
    return labels


def _has_secret_number(text: str) -> bool:
    return bool(_SOCIAL_SECURITY.search(text)) or any(map(_is_iban, _IBAN.findall(text)))


def _is_iban(found: str) -> bool:
    """Returns whether the check digits are right (ISO 13616: computed with the first four characters at the end)."""
    number = found.replace(" ", "")
    return bool(mod_97_10.is_valid(number[4:] + number[:4]))
