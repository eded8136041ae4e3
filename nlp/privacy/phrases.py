"""Finds phrases of tables in a text, in time linear in its length. `sensitivity.toml` describes their syntax."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_TOKEN = re.compile(
    # A number, perhaps an amount of money; a word; a suffix after an apostrophe; the end of a sentence or a paragraph.
    r"[$€£+]?\d+(?:[.,:]\d+)*\w*[€$£%]?|\w+|'(?:s|m|re|ve|ll|d|t)\b|[$€£]|[.!?;](?=\s)|\n\s*\n"
)
_BETWEEN = r"(?:[\w'$€£+]\S* ){0,3}?"
_KEY = 3

_Words = Mapping[str, Mapping[str, str]]
"""A file of phrases: `phrases` by label, and the `lists` and `shapes` that they refer to."""

# The first words of phrases, by label and by the pattern of what follows the first word.
_Tables = dict[str, dict[str, list[str]]]


class Phrases:
    """Tables of phrases, indexed by the first letters of their first word: most words of a text need one lookup."""

    def __init__(self, words: _Words, *labels: str) -> None:
        filed: dict[str, _Tables] = {}
        for label in labels:
            for start, rest in _parsed(words, words["phrases"][label]):
                filed.setdefault(start[:_KEY], {}).setdefault(label, {}).setdefault(rest, []).append(start)
        self._filed = filed
        self._compiled: dict[str, re.Pattern[str]] = {}

    def found(self, text: str) -> Iterator[re.Match[str]]:
        """Yields a match for each word of a folded text that begins a phrase; the name of its group is the label."""
        at = 0
        for word in text.split(" "):
            if word[:_KEY] in self._filed and (match := self._pattern(word[:_KEY]).match(text, at)):
                yield match
            at += len(word) + 1

    def _pattern(self, key: str) -> re.Pattern[str]:
        """Returns the pattern of a key, compiled on first use; all at once would add 0.2 seconds to every start."""
        if key not in self._compiled:
            self._compiled[key] = re.compile(_either(self._filed[key]))
        return self._compiled[key]

    def left_out(self, text: str) -> str:
        """Returns the folded text with a full stop in place of each phrase."""
        kept, at = [], 0
        for match in self.found(text):
            if match.start() >= at:
                kept.append(text[at : match.start()])
                at = match.end()
        return ".".join([*kept, text[at:]])


def _parsed(words: _Words, table: str) -> Iterator[tuple[str, str]]:
    """Yields each phrase as its first word and the pattern of what follows."""
    for phrase in " ".join(table.split()).split(", "):
        first, *others = phrase.split(" ")
        rest = "".join(_BETWEEN if word == "…" else f"(?:{_or(_choices(words, word))}) " for word in others)
        for start in _choices(words, first):
            yield start, f" {rest}".rstrip(" ")


def _choices(words: _Words, word: str) -> Iterator[str]:
    for choice in word.split("/"):
        name = choice.strip("<>")
        if choice == f"<{name}>":
            yield from [shapes[name]] if name in (shapes := words.get("shapes", {})) else words["lists"][name].split()
        else:
            yield choice.replace("*", r"\w*")


def _either(tables: _Tables) -> str:
    """Returns one pattern with a group for each label."""
    return "|".join(
        f"(?P<{label}>(?:{_or(f'(?:{_or(starts)}){rest}' for rest, starts in phrases.items())})(?!\\S))"
        for label, phrases in tables.items()
    )


def _or(words: Iterable[str]) -> str:
    return "|".join(words)


_APOSTROPHES: Final = str.maketrans("’‘ʼ´`", "'" * 5)


def folded(text: str) -> str:
    """Returns the case-folded words, numbers, and ends of sentences and paragraphs, with one space between them."""
    return " ".join(_TOKEN.findall(text.casefold().translate(_APOSTROPHES)))
