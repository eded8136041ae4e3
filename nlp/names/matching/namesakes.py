"""Whether a name is one thing's alone, or others may have it too."""

import re
from typing import Final

from hippograph.nlp.names.listed import is_family, is_given, is_shared
from hippograph.nlp.names.matching.likeness import Needs
from hippograph.nlp.names.parsed_name import parse_name

_TWO_FAMILIES: Final = re.compile(r"\w .*\b(?!Abd)[^\W\d_]{4,}-[A-Z][\w'’]{3,}$")


def has_namesakes(name: str, kind: str) -> bool:
    """Whether strangers who say a name may mean another one: somebody, a project or a company of theirs that has one
    word for a name, or one of several places.
    """
    match kind:
        case "person":
            return True
        case "project" | "organization":
            return len(parse_name(name, kind).words) == 1
        case "place":
            return is_shared(parse_name(name, kind).words)
        case _:
            return False


def namesakes(said: tuple[str, ...], text: str, name: str) -> Needs:
    """What tells somebody from namesakes, by how many may have the name: hardly two have the same two families'; what
    is in no list may be common where nobody made one.
    """
    if len(said) == 1:
        return Needs.COMPANY
    if _TWO_FAMILIES.search(text) or _TWO_FAMILIES.search(name):
        return Needs.NOTHING
    return Needs.COMPANY_OR_REVIEW if is_given(said[0]) and is_family(said[-1]) else Needs.NO_STRANGERS
