"""Exceptions of `nlp`.

NlpError
├── BadText                   also a ValueError: a text that cannot be stored
├── EmbedderUnavailable       the embedding model cannot be loaded
├── LanguageModelUnavailable  spaCy's model cannot be loaded, or lacks a component that is needed
└── LlmFailed                 the configured LLM gave no usable answer

The messages say what to do next, and never contain the text that caused the error.
"""


class NlpError(Exception):
    """Base class of all errors of this package."""


class BadText(NlpError, ValueError):
    """The text is empty, too long, or contains characters that must not be stored."""


class EmbedderUnavailable(NlpError):
    """The embedding model cannot be loaded. Every request still works without one, by words alone."""


class LanguageModelUnavailable(NlpError):
    """The model of a language cannot be loaded, or lacks name recognition or a parser."""


class LlmFailed(NlpError):
    """The configured LLM gave no usable answer. The local models do the same work.

    `reason` is one of: `timeout`, `budget`, `connection`, `status` and its number, `too large`, `refused`, `not json`,
    `wrong shape`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The LLM gave no answer that can be used ({reason}). What is local serves; if this goes on, run "
            "`hippograph settings --check`."
        )
        self.reason = reason
