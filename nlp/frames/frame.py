"""The frames that facts fill, read from `frames.toml`.

What belongs here: what a frame is, and which frames a question asks for. What does not: how one is found in talk
(`nlp.frames.filling`), and how it is worded (`nlp.frames.telling`).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

SlotType = Literal[
    "entity", "person", "place", "organization", "project", "tool", "phrase", "clause", "day", "amount", "word"
]
NAMES: Final = frozenset({"entity", "person", "place", "organization", "project", "tool"})
"""Types of slots that hold a name, or words for somebody or something."""
WHO: Final = "who"
CONFIDENCE: Final = "secret"
"""The frame for a request to keep something from somebody."""
TO_ASSISTANT: Final = frozenset({"promise", "instruction", CONFIDENCE})
"""Frames in which *you* is kept; it means whoever is addressed."""
KIND: Final = "kind"
"""Value of `Construction.among`: the slot takes a phrase for things of a kind, as raw fish or swimming in lakes."""
YEARS: Final = "years"
"""Value of `Construction.among`: the slot takes an age."""
OF_THINGS: Final = frozenset({"technology"})
"""Frames that may be about a thing; all others are about a person or an animal."""
_LONGEST_ASKED: Final = 120
"""Maximum length of a question, in characters; a longer one asks for more than a fact."""
_QUESTION: Final = r"(?:(?:and|so|but) )?(?:{})(?: (?:now|these days|at the moment|currently|today))?"
_ASKER: Final = "(?:i|me|my|we|us|our)"
_CLAUSE: Final = "and|or|not|when|where|who|that|which|while|if|because"
_WORD: Final = rf"(?!(?:{_CLAUSE})\b)[^,;:\s]+"
_SOMEBODY: Final = rf"{_WORD}(?: {_WORD}){{0,5}}"
"""One to six words, none of which begins a clause."""
_ORDER: Final = "order"
_FILE: Final = Path(__file__).with_name("frames.toml")


@dataclass(frozen=True, slots=True)
class Construction:
    """A plain way to say what fills a frame: a verb, the function words behind it, and a slot, empty if the words alone
    say it. `among` is the list of the lexicon with the possible fillers, `KIND`, `YEARS`, or None for any name.
    `denied` constructions need a negated verb, `unable` ones a negated *can*.
    """

    verb: str
    words: tuple[str, ...]
    slot: str
    among: str | None
    denied: bool = False
    unable: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A type of fact. `frames.toml` describes all fields; the following are parsed here:

    - `needs`: groups of slots; at least one slot of each group must be filled.
    - `aspects`: one for each main slot, or one for all of them.
    - `listed`: a list of words in the lexicon, and the sentence where one of them fills the main slot.
    - `inward`: its relation leads from the other entity to the one it is about: Ana is sister_of Maya.
    - `beside`: a list of nouns in the lexicon, and the slots that such a noun and the name beside it fill.
    - `asked`: regular expressions for the questions that it answers.
    - `ahead`: a future event counts too, if it has a date.
    - `quoted`: if False, the frame is told from its slots only.
    - `firsthand`: only the person concerned can say it; about another participant it is told as the speaker's word.
    - `taught`: if False, the tagger does not know the frame.
    """

    name: str
    meaning: str
    slots: Mapping[str, SlotType]
    needs: tuple[tuple[str, ...], ...]
    kind: str
    importance: int
    label: str
    sentence: str = ""
    adjective: str = ""
    listed: tuple[str, str] | None = None
    identity: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    opposite: str = ""
    edge: tuple[str, str] | None = None
    inward: bool = False
    said: tuple[Construction, ...] = ()
    beside: tuple[str, str, str] | None = None
    asked: tuple[str, ...] = ()
    ahead: bool = False
    lasting: bool = False
    quoted: bool = True
    firsthand: bool = False
    taught: bool = True

    @property
    def closed(self) -> bool:
        """Whether it can be told from its slots. A frame with a slot for a clause is told by a quotation."""
        return "clause" not in self.slots.values()

    @property
    def main(self) -> tuple[str, ...]:
        """The main slots, the last group of `needs`; one of them makes a fact of its own."""
        return self.needs[-1]

    def complete(self, filled: Mapping[str, object]) -> bool:
        """Whether each group of `needs` has a filled slot."""
        return all(any(slot in filled for slot in group) for group in self.needs)


@dataclass(frozen=True, slots=True)
class AskedFrames:
    """The names of the frames that a question asks for, and whether it asks about the asker."""

    frames: tuple[str, ...] = ()
    of_asker: bool = False


NOT_ASKED: Final = AskedFrames()


@cache
def load_frames() -> dict[str, Frame]:
    """All frames by name. Raises ValueError if `frames.toml` is not consistent."""
    return {name: _frame(name, given) for name, given in _read().items() if name != _ORDER}


@cache
def frame_order() -> tuple[str, ...]:
    """The names of all frames, in the order for describing a person. Raises ValueError unless each is listed once."""
    order = tuple(_read()[_ORDER])
    if sorted(order) != sorted(load_frames()):
        raise ValueError(f"The order of frames does not hold each once: {', '.join(order)}.")
    return order


def asked_frames(question: str) -> AskedFrames:
    """Returns the frames that an English question asks for, if it asks for nothing else: *Where does Ana live?* asks
    for a home.
    """
    if len(question) > _LONGEST_ASKED:
        return NOT_ASKED
    words = " ".join(question.casefold().strip(" ?!.").split())
    of_others, of_asker = (
        tuple(name for name, pattern in _questions(about).items() if pattern.fullmatch(words))
        for about in (_SOMEBODY, _ASKER)
    )
    return AskedFrames(of_asker or of_others, bool(of_asker))


@cache
def _questions(about: str) -> dict[str, re.Pattern[str]]:
    """The pattern of each frame's questions. `about` is the regular expression for whom they are about."""
    return {
        frame.name: re.compile(_QUESTION.format("|".join(frame.asked).replace("{who}", about)))
        for frame in load_frames().values()
        if frame.asked
    }


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


def _construction(said: str) -> Construction:
    *words, last = said.split()
    if not last.startswith("{"):
        return Construction(words[0] if words else last, (*words[1:], last) if words else (), "", None)
    unable = words[0] == "cannot"
    denied = unable or words[0] == "not"
    verb, *between = words[denied:]
    name, _, among = last.strip("{}").partition(":")
    return Construction(verb, tuple(between), name, among or None, denied, unable)


def _frame(name: str, given: Mapping[str, Any]) -> Frame:
    values, edge = dict(given), given.get("edge")
    read = {
        "name": name,
        "aspects": tuple(values.pop("aspect", given.get("opposite", name)).split("|")),
        "edge": tuple(edge) if edge else None,
        "inward": edge is not None and "{" in edge[0],
        "said": tuple(_construction(each) for each in given.get("said", ())),
        "beside": tuple(given["beside"]) if "beside" in given else None,
        "listed": tuple(given["listed"]) if "listed" in given else None,
        "asked": tuple(given.get("asked", ())),
        "needs": tuple(tuple(group.split("|")) for group in given["needs"]),
        "identity": tuple(given.get("identity", ())),
    }
    frame = Frame(**{**values, **read})
    named = {slot for group in frame.needs for slot in group} | {each.slot for each in frame.said} | set(frame.identity)
    named |= set((frame.edge or ())[1:]) | set((frame.beside or ())[1:])
    if unknown := named - {"", *frame.slots}:
        raise ValueError(f"The frame {name} names slots that it does not have: {', '.join(sorted(unknown))}.")
    if odd := set(frame.slots.values()) - set(get_args(SlotType)):
        raise ValueError(f"The frame {name} has slots of an unknown type: {', '.join(sorted(odd))}.")
    return frame
