"""Usernames: whose one is, and of which name it is made."""

import re
from collections.abc import Sequence
from typing import Final

from hippograph.nlp.names.listed import is_family, is_given
from hippograph.nlp.names.matching.likeness import NONE, Likeness, Needs
from hippograph.nlp.names.matching.thresholds import LONG, SHORT
from hippograph.nlp.names.normalization import words_of

TAIL: Final = re.compile(r"(?:[._-][a-z]{2}|[._-]?\d+)$")


def handle_of(text: str) -> str:
    """A handle without the sign before it."""
    return text.removeprefix("@").removeprefix("u/").lower()


def undivided(text: str) -> str:
    """A handle without what separates its parts."""
    return "".join(words_of(text))


def match_username(text: str, usernames: Sequence[str], *, surely: bool) -> Likeness:
    """One of the usernames, with other separators perhaps, or with what was added where it was taken: tleung is
    tleung_hk. What is a name that people have is no handle, but when it is one `surely`.
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
    """Whether one word looks like a handle and not like a name."""
    bare = undivided(text)
    return (
        text.isascii()
        and " " not in text
        and text == text.lower()
        and len(bare) > SHORT
        and not (is_given(bare) or is_family(bare))
    )


def match_username_to_name(handle: str, words: tuple[str, ...]) -> Likeness:
    """A handle that is a name: the whole of it, or the first or the last word with an initial of the other."""
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
