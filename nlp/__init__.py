"""Text in, plain values out: vectors, names, words.

What belongs here needs a text and perhaps a language model. What needs the graph, the network, settings or the
environment does not; the one thing set there is that no library sends telemetry.
"""

import os

# Before any of the libraries is imported. onnxruntime reads its variable once, when it is first imported: it makes a
# device id and an uploader then, or never; `CI` in the environment hides that it would. Child processes inherit them.
os.environ.update(
    {
        "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime, which sends events by default
        "HF_HUB_DISABLE_TELEMETRY": "1",  # Hugging Face's libraries
        "DO_NOT_TRACK": "1",  # whoever keeps to the convention
    }
)
