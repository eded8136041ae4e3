"""What the labelled sets share: files with one thing a line, in which nothing is unknown."""

from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, TypeAdapter

from nlp.extraction.statements import Said

ASSISTANT: Final = "assistant"
"""The speaker of what the assistant says."""


class Labelled(BaseModel):
    """A thing of a set; a field too many is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SpokenTurn(Labelled):
    """A turn of a labelled talk."""

    id: str
    speaker: str
    time: AwareDatetime
    text: str

    @property
    def said(self) -> Said:
        """The turn as an extractor takes it."""
        return Said(None if self.speaker == ASSISTANT else self.speaker, self.time, self.text)


class SpokenDialogue(Labelled):
    """A labelled talk, but for its turns."""

    id: str
    style: str
    chat: Literal["private", "group"]
    participants: list[str]


Form = TypeVar("Form", bound=Labelled)


def read_labelled(file: Path, form: type[Form]) -> list[Form]:
    """The things of a file, one a line. Raises pydantic's `ValidationError`."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    # All at once, so that an error tells which of them it is in.
    return TypeAdapter(list[form]).validate_json(f"[{','.join(lines)}]")  # type: ignore[valid-type]
