"""What the labelled sets share: files with one thing a line, in which nothing is unknown."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter


class Labelled(BaseModel):
    """A thing of a set; a field too many is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Form = TypeVar("Form", bound=Labelled)


def read_labelled(file: Path, form: type[Form]) -> list[Form]:
    """The things of a file, one a line. Raises pydantic's `ValidationError`."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    # All at once, so that an error tells which of them it is in.
    return TypeAdapter(list[form]).validate_json(f"[{','.join(lines)}]")  # type: ignore[valid-type]
