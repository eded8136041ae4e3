"""Everything that can go wrong in `nlp`.

NlpError
├── BadText                   also a ValueError: a text that cannot be stored
├── EmbedderUnavailable       the embedding model cannot be loaded
├── LanguageModelUnavailable  spaCy's model cannot be loaded, or cannot do what is asked of it
└── LlmFailed                 the configured LLM gave no answer that can be used

The messages say what to do next, and never repeat the text they complain about.
"""


class NlpError(Exception):
    """The base of all errors of this package."""


class BadText(NlpError, ValueError):
    """The text is empty, too long, or has characters that no store should hold."""


class EmbedderUnavailable(NlpError):
    """The embedding model cannot be loaded. Everything still answers without one, by words alone."""


class LanguageModelUnavailable(NlpError):
    """The model of a language cannot be loaded, or finds no names or does not parse."""


class LlmFailed(NlpError):
    """The configured LLM gave no answer that can be used. What is local does the same work.

    `reason` is one of: `timeout`, `budget`, `connection`, `status` and its number, `too large`, `refused`, `not json`,
    `wrong shape`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The LLM gave no answer that can be used ({reason}). What is local serves; if this goes on, run "
            "`hippograph settings --check`."
        )
        self.reason = reason
