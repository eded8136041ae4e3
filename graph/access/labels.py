"""The labels that decide who may see a memory: its sensitivity, and whether it is portable to other chats (P1)."""

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
    """The labels guessed from a text alone, and whether it is told in confidence."""

    sensitivity: Sensitivity = Sensitivity.PUBLIC
    portable: bool = True
    confided: bool = False

    @property
    def inferred_labels(self) -> tuple[str, ...]:
        """The names of the labels that differ from the defaults, which are shown as guesses and can be corrected."""
        private, bound = self.sensitivity is not Sensitivity.PUBLIC, not self.portable
        return (*(["sensitivity"] if private else []), *(["portable"] if bound else []))


NO_GUESS: Final = Guess()
"""The default labels of a memory: public and portable."""

CONFIDED: Final = Guess(Sensitivity.SENSITIVE, portable=False, confided=True)
"""The labels of what is told in confidence. If told in private, only its owner sees it, and only in private."""


def guess(text: str) -> Guess:
    """Guesses the labels of a statement from its words. A guess only ever makes a memory more private."""
    if told_in_confidence(text):
        return CONFIDED
    return Guess(Sensitivity(guess_sensitivity(text)), guess_portable(text))


class AccessLabels:
    """Changes the labels of memories, everywhere they are stored (P4)."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def set_sensitivity(self, viewer: Viewer, memory_id: str, sensitivity: Sensitivity) -> None:
        """Sets the sensitivity of a memory. Its owner, its subjects and its speaker may.

        Raises `NotFound` if the viewer sees no such memory, `NotAllowed` if they may only see it.
        """
        await self._set(viewer, memory_id, sensitivity=sensitivity.value)

    async def set_portable(self, viewer: Viewer, memory_id: str, portable: bool) -> None:
        """Sets whether a memory is of use outside the chat where it was said. Raises as `set_sensitivity` does."""
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
    """The full-text tokens of a memory's labels, of the chat in which it was learned, and of its subjects."""
    return [
        token("sensitivity", sensitivity),
        _portable(portable),
        token("learned_in", learned_in),
        *(token("about", person) for person in about),
    ]


OF_A_SPACE: Final = token("space", "")
"""The full-text token of all memories that belong to a space."""


def space_tokens(space_id: str) -> list[str]:
    """The full-text tokens of a memory in a space (P7): `OF_A_SPACE`, and the token of this space. None for no space
    (`''`).
    """
    return [OF_A_SPACE, token("space", space_id)] if space_id else []


def _portable(portable: bool) -> str:
    return token("portable", "true" if portable else "false")


_WORDS: Final = {
    **{label.value: token("sensitivity", label) for label in Sensitivity},
    **{"true": _portable(True), "false": _portable(False)},
}
LABEL_TERMS: Final[dict[str, str | list[str]]] = {**_WORDS, "all": list(_WORDS.values())}
"""The full-text token of each value of a label, and `all` of them, for statements that change labels."""
CONSTANTS: Final[Mapping[str, object]] = {
    "no_end": NO_END,
    "label_terms": LABEL_TERMS,
    "active": token("status", "active"),
    "archived": token("status", "archived"),
}
"""Parameters that a `Database` passes to every statement that declares them, besides those from settings."""
