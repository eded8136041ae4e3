"""The labels that say who may see a memory: how private it is, and whether it is of use where it was not said (P1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.ids import token
from hippograph.graph.model import NO_END, Sensitivity, Viewer
from hippograph.nlp.privacy.confidences import told_in_confidence
from hippograph.nlp.privacy.sensitivity import guess_portable, guess_sensitivity


@dataclass(frozen=True, slots=True)
class Guess:
    """What a text by itself says of its labels, and whether it is told in confidence."""

    sensitivity: Sensitivity = Sensitivity.PUBLIC
    portable: bool = True
    confided: bool = False

    @property
    def inferred_labels(self) -> tuple[str, ...]:
        """The labels that are a guess; to be shown as such, and to be corrected."""
        private, bound = self.sensitivity is not Sensitivity.PUBLIC, not self.portable
        return (*(["sensitivity"] if private else []), *(["portable"] if bound else []))


NO_GUESS: Final = Guess()
"""The labels a memory has by default: public and portable."""

CONFIDED: Final = Guess(Sensitivity.SENSITIVE, portable=False, confided=True)
"""The labels of what is told in confidence: in private it is for its owner alone, and nowhere else for anybody."""


def guess(text: str) -> Guess:
    """A first guess of a statement's labels by its words; it only ever makes a memory more private."""
    if told_in_confidence(text):
        return CONFIDED
    return Guess(Sensitivity(guess_sensitivity(text)), guess_portable(text))


class AccessLabels:
    """Changes the labels of memories, wherever they are kept (P4)."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def set_sensitivity(self, viewer: Viewer, memory_id: str, sensitivity: Sensitivity) -> None:
        """Says how carefully a memory is to be shown: for its owner, its subjects and who stated it.

        Raises `NotFound` when there is no such memory for the viewer, `NotAllowed` when they may only see it.
        """
        await self._set(viewer, memory_id, sensitivity=sensitivity.value)

    async def set_portable(self, viewer: Viewer, memory_id: str, portable: bool) -> None:
        """Says whether a memory is of use outside the chat where it was said. Raises as `set_sensitivity` does."""
        await self._set(viewer, memory_id, portable=portable)

    async def _set(
        self, viewer: Viewer, memory_id: str, *, sensitivity: str | None = None, portable: bool | None = None
    ) -> None:
        row = await self._database.one(
            "memory/set_labels",
            id=memory_id,
            sensitivity=sensitivity,
            portable=portable,
            **read_params(viewer, None, self._clock),
        )
        if row is None:
            raise NotFound(f"there is no memory {memory_id}")
        if not row["allowed"]:
            raise NotAllowed("only its owner, whom it is about and who stated it may change how a memory is shown")


def label_tokens(sensitivity: Sensitivity, portable: bool, learned_in: str, about: Iterable[str] = ()) -> list[str]:
    """The words under which the full-text index finds a memory by its labels and by whom it is about."""
    return [
        token("sensitivity", sensitivity),
        _portable(portable),
        token("learned_in", learned_in),
        *(token("about", person) for person in about),
    ]


OF_A_SPACE: Final = token("space", "")
"""The word under which the full-text index finds all that is of some space."""


def space_tokens(space_id: str) -> list[str]:
    """The words under which the full-text index finds a memory of a space (P7): one for all that is of some space, and
    one for this space. What is of no space (`''`) has none.
    """
    return [OF_A_SPACE, token("space", space_id)] if space_id else []


def _portable(portable: bool) -> str:
    return token("portable", "true" if portable else "false")


_WORDS: Final = {
    **{label.value: token("sensitivity", label) for label in Sensitivity},
    **{"true": _portable(True), "false": _portable(False)},
}
LABEL_TERMS: Final[dict[str, str | list[str]]] = {**_WORDS, "all": list(_WORDS.values())}
"""Under which word the full-text index finds each label, and all of these words, for statements that change labels."""
CONSTANTS: Final[Mapping[str, object]] = {
    "no_end": NO_END,
    "label_terms": LABEL_TERMS,
    "active": token("status", "active"),
    "archived": token("status", "archived"),
}
"""What a `Database` gives every statement that reads it, besides settings."""
