"""What sort of thing a name is where lists of names know it better than the language model.

spaCy's small model takes given names that are rare in English for places or firms, and cities for people.
"""

from functools import cache
from typing import TYPE_CHECKING, Final

from nlp.names.listed import is_ambiguous, is_family, is_given, is_place
from nlp.names.normalization import tables, words_of
from nlp.names.parsed_name import titles_of
from nlp.parsing.lexicon import lexicon

if TYPE_CHECKING:
    from nlp.names.recognition import EntityType

_ARTICLES: Final = frozenset({"the", "a", "an"})
_WHERE: Final = frozenset({"in", "near"})
_LEARNED: Final = frozenset({"dr", "doctor", "prof", "professor"})


def known_type(text: str, found: "EntityType", *, before: str) -> "EntityType | None":
    """The type of a name that the model takes for `found`; None for what is no name. `before` is the word before it, in
    small letters. Kin make a person of a place (my aunt Meena), not of a firm: our client Siemens.
    """
    words = words_of(text)
    if found == "Concept" or not words:
        return found
    if len(words) > 1:
        return "Person" if words[0] in _of_people() and text[:1].isupper() else found
    [word] = words
    somebody, somewhere = is_given(word), is_place(words)
    if text.islower() and not (somebody or somewhere):
        return None
    if before in _of_people() or (before in lexicon().words["kin"] and found != "Organization"):
        return "Person"
    if found == "Person" and before in _ARTICLES:
        return "Concept"
    if somebody and not somewhere and not is_ambiguous(text):
        return "Person"
    if (somewhere and not somebody and not is_family(word)) or _is_inside(text, found, before):
        return "Place"
    return found


def _is_inside(text: str, found: "EntityType", before: str) -> bool:
    """Whether a firm or somebody would be a place that one is in: up in Hebden; but in QGIS."""
    return found in {"Organization", "Person"} and not text.isupper() and before in _WHERE


@cache
def _of_people() -> frozenset[str]:
    """Titles that people alone have."""
    return (titles_of("female") | titles_of("male") | _LEARNED) - frozenset(tables()["titles"]["borne"])
