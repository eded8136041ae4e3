"""The schema in which a language model fills frames, made from `frames.toml`: an object for each, with its slots."""

from functools import cache
from typing import Any, Final, Literal, Union

from pydantic import BaseModel, ConfigDict, create_model

from hippograph.nlp.frames.frame import NAMES, WHO, Frame, load_frames
from hippograph.nlp.names.recognition import EntityType

Time = Literal["past", "present", "future"]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class About(_Strict):
    """Whom or what a frame is about."""

    name: str
    type: EntityType


class NameSlot(_Strict):
    """A name, or words for somebody or something; what has no name of its own is a Concept."""

    words: str
    type: EntityType


class DaySlot(_Strict):
    """A day as it was said, and which day that is."""

    words: str
    date: str


class Slots(_Strict):
    """What fills the slots of a frame: words, a `NameSlot`, a `DaySlot` or nothing. Each frame has slots of its own."""


class Filling(_Strict):
    """A frame that a turn fills."""

    frame: str
    turn: int
    quotation: str
    about: About
    time: Time
    slots: Slots
    confidence: float
    sensitivity: Literal["public", "personal", "sensitive"] | None = None
    portable: bool | None = None


_SLOTS: Final[dict[str, Any]] = {**dict.fromkeys(NAMES, NameSlot), "day": DaySlot}


@cache
def filling_forms() -> dict[str, type[Filling]]:
    """The model class of each frame, by the frame's name."""
    return {name: _form(frame) for name, frame in load_frames().items()}


@cache
def findings_form() -> type[BaseModel]:
    """The model class of an answer: a list of filled frames."""
    each: Any = Union[tuple(filling_forms().values())]  # noqa: UP007  # made of a list
    return create_model("Findings", findings=(list[each], ...))


def frames_told() -> str:
    """Returns the frames for the prompt, one a line: what fills each, its slots with their types, those needed."""
    return "\n".join(map(_told, load_frames().values()))


def _form(frame: Frame) -> type[Filling]:
    fields: dict[str, Any] = {
        slot: (_SLOTS.get(sort, str) | None, None) for slot, sort in frame.slots.items() if slot != WHO
    }
    slots = create_model(f"{frame.name.title()}Slots", __base__=Slots, **fields)
    named: dict[str, Any] = {"frame": (Literal[frame.name], ...), "slots": (slots, ...)}
    return create_model(frame.name.title(), __base__=Filling, **named)


def _told(frame: Frame) -> str:
    slots = ", ".join(f"{slot} ({sort})" for slot, sort in frame.slots.items() if slot != WHO) or "no slots"
    needs = ", ".join("|".join(group) for group in frame.needs if group != (WHO,))
    return f"- {frame.name}: {frame.meaning}. Slots: {slots}.{f' Needed: {needs}.' if needs else ''}"
