"""Estimates whether several people or things may share a name."""

import re
from typing import Final

from hippograph.nlp.names.listed import is_family, is_given, is_shared
from hippograph.nlp.names.matching.likeness import Needs
from hippograph.nlp.names.parsed_name import parse_name

_TWO_FAMILIES: Final = re.compile(r"\w .*\b(?!Abd)[^\W\d_]{4,}-[A-Z][\w'’]{3,}$")


def has_namesakes(name: str, kind: str) -> bool:
    """Whether strangers who say a name may mean something else by it. True of people, of projects and organizations
    whose name is one word, and of names that several places share.
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
    """Returns the evidence that tells a person from namesakes, by how many may have the name. Two people hardly share
    a name with two family names. A name in no list may still be common in a country without a list.
    """
    if len(said) == 1:
        return Needs.COMPANY
    if _TWO_FAMILIES.search(text) or _TWO_FAMILIES.search(name):
        return Needs.NOTHING
    return Needs.COMPANY_OR_REVIEW if is_given(said[0]) and is_family(said[-1]) else Needs.NO_STRANGERS
