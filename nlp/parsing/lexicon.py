"""What the extractor knows of words: the lists and tables of `lexicon.toml`, and the phrases of `phrases.toml`.

What belongs here: reading the files. What does not: what is worth remembering, which is learned
(`nlp.extraction.relevance`).
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from spacy.tokens import Token

_FOLDER: Final = Path(__file__).parent
_LEMMAS: Final = {"hat": "hate", "'ve": "have", "’ve": "have", "'s": "be", "’s": "be", "'m": "be", "’m": "be"}


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a verb tells of its subject, by the preposition behind it (empty: by its object): of which `aspects` it is
    the value, and which `relations` it has. With a `particle` only where that stands with the verb. What `changes`
    leads to a state when it is past; others tell one as long as they are not.
    """

    verbs: frozenset[str]
    aspects: Mapping[str, str]
    relations: Mapping[str, str]
    particle: str
    changes: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Lists of words by name, the classes of meaning of a word, spellings, words that tell aspects and relations, and
    questions that make a statement with their answer.
    """

    words: dict[str, frozenset[str]]
    classes: dict[str, tuple[str, ...]]
    spelling: dict[str, str]
    aspects: dict[str, dict[str, frozenset[str]]]
    beside: dict[str, str]
    questions: tuple[dict[str, Any], ...]
    predicates: tuple[Predicate, ...]


@cache
def lexicon() -> Lexicon:
    """Read once."""
    data = tomllib.loads((_FOLDER / "lexicon.toml").read_text("utf-8"))
    aspects = {
        table: {name: frozenset(listed.split()) for name, listed in each.items()}
        for table, each in data["aspects"].items()
    }
    words = {name: frozenset(listed.split()) for name, listed in data["words"].items()}
    return Lexicon(
        words,
        _classes({name: listed.split() for name, listed in data["classes"].items()}, words, aspects["being"]),
        data["spelling"],
        aspects,
        data["relations"],
        tuple(data["question"]),
        tuple(
            Predicate(
                frozenset(each["verbs"].split()),
                each.get("aspects", {}),
                each["relations"],
                each.get("particle", ""),
                each.get("changes", False),
            )
            for each in data["predicate"]
        ),
    )


def phrases(name: str) -> list[str]:
    """The phrases of a list, in their order."""
    return " ".join(_phrases()[name].split()).split(", ")


@cache
def _phrases() -> dict[str, str]:
    return tomllib.loads((_FOLDER / "phrases.toml").read_text("utf-8"))


def _classes(
    meant: Mapping[str, Iterable[str]], words: Mapping[str, frozenset[str]], being: Mapping[str, frozenset[str]]
) -> dict[str, tuple[str, ...]]:
    """The classes of each word: those of the file, what one can be, and who somebody can be to somebody."""
    found: dict[str, list[str]] = {}
    for name, listed in (*meant.items(), *being.items(), *((name, words[name]) for name in ("kin", "pets", "roles"))):
        for word in listed:
            found.setdefault(word, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


def lemma(token: "Token") -> str:
    """spaCy's lemma, where it is right."""
    return _LEMMAS.get(token.lemma_, token.lemma_)
