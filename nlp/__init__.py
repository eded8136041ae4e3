"""Text processing that takes text and returns plain values: vectors, names, words.

What belongs here: functions that need a text and perhaps a language model. What does not: anything that needs the
graph, the network, settings or the environment. The only environment variables set here switch off telemetry.
"""

import os

# Set before any of the libraries is imported: onnxruntime reads its variable once, at its first import, and creates a
# device id and an uploader only then. With `CI` in the environment it creates neither, which hides a missing variable.
# Child processes inherit these variables.
os.environ.update(
    {
        "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime, which sends events by default
        "HF_HUB_DISABLE_TELEMETRY": "1",  # Hugging Face's libraries
        "DO_NOT_TRACK": "1",  # libraries that follow the convention
    }
)
