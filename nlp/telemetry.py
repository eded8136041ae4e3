"""Switches off what the model libraries would tell their makers. `nlp` does so before any of them is imported.

onnxruntime reads its variable once, when it is first imported: it makes a device id and an uploader then, or never.
`CI` in the environment hides that it would. Child processes inherit the variables.
"""

import os
from typing import Final

_VARIABLES: Final = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime, which sends events by default
    "HF_HUB_DISABLE_TELEMETRY": "1",  # Hugging Face's libraries
    "DO_NOT_TRACK": "1",  # whoever keeps to the convention
}


def switch_off() -> None:
    """Sets the variables, whatever they were."""
    os.environ.update(_VARIABLES)
