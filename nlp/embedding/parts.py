"""Embedding of memories: each text with its heading (who spoke, when), and the parts of a text that is too long for the
model (R11).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from hippograph.nlp.embedding.embedder import Embedder, Embedding
from hippograph.nlp.splitting import split_text

PART_TOKENS: Final = 256
"""Maximum number of tokens in a part of a long text."""


@dataclass(frozen=True, slots=True)
class EmbeddedPart:
    """A part of a text, from the character `start` up to `end`, and its embedding."""

    start: int
    end: int
    embedding: Embedding


@dataclass(frozen=True, slots=True)
class EmbeddedText:
    """The embedding of a text as far as the model reads it, and those of its parts if it is too long for the model."""

    whole: Embedding
    parts: Sequence[EmbeddedPart]

    def row(self) -> dict[str, object]:
        """Parameters for Cypher statements: `vector`, `tokens` and `parts`; each part also has `start` and `end`."""
        parts = [{"start": part.start, "end": part.end, **asdict(part.embedding)} for part in self.parts]
        return {**asdict(self.whole), "parts": parts}


def embed_texts(embedder: Embedder, texts: Sequence[tuple[str, str]]) -> list[EmbeddedText]:
    """Embeds memories, each given as its heading (who spoke, when) and its content; the order is kept."""
    spans = [part_spans(embedder, heading, content) for heading, content in texts]
    wholes = [_headed(heading, content) for heading, content in texts]
    parts = [
        _headed(heading, content[start:end])
        for (heading, content), found in zip(texts, spans, strict=True)
        for start, end in found
    ]
    embeddings = iter(embedder.embed_documents([*wholes, *parts]))
    first = [next(embeddings) for _ in texts]
    return [
        EmbeddedText(whole, [EmbeddedPart(start, end, next(embeddings)) for start, end in found])
        for whole, found in zip(first, spans, strict=True)
    ]


def vector_checks(embedder: Embedder) -> dict[str, object]:
    """Parameters for Cypher statements that look for memories with missing vectors: `tokens`, whether the model gives
    token vectors, and `long`, the length in characters up to which a content is taken to have no parts.
    """
    return {"tokens": embedder.has_tokens, "long": embedder.max_tokens}


def part_spans(embedder: Embedder, heading: str, content: str) -> list[tuple[int, int]]:
    """The character spans of the parts of a content; empty if the model reads it whole.

    A part has at most `PART_TOKENS` tokens and ends, if possible, with a paragraph, a line or a sentence.
    """
    if len(heading) + len(content) <= embedder.max_tokens:  # a token has at least one character
        return []
    tokens = embedder.count_tokens(content)
    if embedder.count_tokens(heading) + tokens <= embedder.max_tokens:
        return []
    spans, place = [], 0
    for text in _split(embedder, content, max(1, len(content) * PART_TOKENS // tokens)):
        start = content.index(text, place)
        place = start + len(text)
        spans.append((start, place))
    return spans


def _split(embedder: Embedder, text: str, characters: int) -> Iterator[str]:
    """Splits a text into parts of up to `characters` characters; a part with too many tokens is split again in half."""
    for part in split_text(text, characters):
        if len(part) > 1 and embedder.count_tokens(part) > PART_TOKENS:
            yield from _split(embedder, part, (len(part) + 1) // 2)
        else:
            yield part


def _headed(heading: str, content: str) -> str:
    return f"{heading}: {content}" if heading else content
