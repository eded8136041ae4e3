"""Comparison of usernames, with each other and with the names that they are made of."""

import re
from collections.abc import Sequence
from typing import Final

from hippograph.nlp.names.listed import is_family, is_given
from hippograph.nlp.names.matching.likeness import NONE, Likeness, Needs
from hippograph.nlp.names.matching.thresholds import LONG, SHORT
from hippograph.nlp.names.normalization import words_of

TAIL: Final = re.compile(r"(?:[._-][a-z]{2}|[._-]?\d+)$")


def handle_of(text: str) -> str:
    """Returns a handle in lower case, without `@` or `u/`."""
    return text.removeprefix("@").removeprefix("u/").lower()


def undivided(text: str) -> str:
    """Returns a handle in lower case, without separators."""
    return "".join(words_of(text))


def match_username(text: str, usernames: Sequence[str], *, surely: bool) -> Likeness:
    """Compares a text with usernames. Separators may differ, and so may an ending that is added where a username is
    taken: tleung is tleung_hk. A listed given name is read as a handle only if it is `surely` one.
    """
    handle, bare = handle_of(text), undivided(text)
    if is_given(bare) and not surely:
        return NONE
    if handle in map(handle_of, usernames):
        return Likeness(1.0, Needs.NOTHING, "its username", named=True)
    if bare in map(undivided, usernames):
        return Likeness(0.95, Needs.COMPANY, "its username, written otherwise")
    own = TAIL.sub("", handle)
    if " " in text or len(own) <= SHORT or is_given(own):
        return NONE
    if any(undivided(own) == undivided(name) or bare == undivided(TAIL.sub("", handle_of(name))) for name in usernames):
        return Likeness(0.85, Needs.CHAT, "its username, with another ending")
    return NONE


def looks_made(text: str) -> bool:
    """Whether a text looks like a handle: one ASCII word in lower case that is no listed name."""
    bare = undivided(text)
    return (
        text.isascii()
        and " " not in text
        and text == text.lower()
        and len(bare) > SHORT
        and not (is_given(bare) or is_family(bare))
    )


def match_username_to_name(handle: str, words: tuple[str, ...]) -> Likeness:
    """Compares a handle with a name of several words: the whole name, or its first or last word with initials."""
    if len(words) < 2:
        return NONE
    if handle == "".join(words):
        return Likeness(0.9, Needs.COMPANY, "its name as a username")
    first, last = words[0], words[-1]
    initials = "".join(word[0] for word in words[:-1])
    rest = "".join(words[1:])
    made = {first[0] + last, first + last[0], last + first[0], last + first, initials + last, first[0] + rest}
    cut = len(handle) > LONG - 2 and (first[0] + last).startswith(handle)
    if handle in made or cut:
        return Likeness(0.8, Needs.CHAT, "a username made of its name")
    return NONE
