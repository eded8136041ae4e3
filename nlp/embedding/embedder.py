"""Texts and queries to vectors.

What belongs here: which models are known, how they are loaded, and the one class that holds a loaded model. What does
not: downloads, settings, and where vectors are kept.

The default model runs on onnxruntime alone. Any other one needs sentence-transformers, which brings torch: the extra
`models`. Model libraries take seconds to import, so they are imported when a model is loaded and not before.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hippograph.nlp.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from functools import _CacheInfo

    import numpy as np
    import numpy.typing as npt

BGE_SMALL = "bge-small-en-v1.5"

BGE_QUERY_PROMPT = "Represent this sentence for searching relevant passages: "
BGE_MAX_TOKENS = 512
BGE_FILES = ("model.onnx", "tokenizer.json")
BGE_TOKEN_MEAN = Path(__file__).with_name("bge_small_token_mean.npy")
"""The mean of the model's token vectors, made by `scripts/average_token_vectors.py`."""

BATCH_SIZE = 16
CACHED_QUERIES = 1024


@dataclass(frozen=True, slots=True)
class Encoded:
    """What a model makes of a text: a vector of length 1, of shape (dimensions,), and the vectors of its tokens, packed
    for late interaction (`nlp.embedding.late_interaction`), None where the model gives none.
    """

    vector: "npt.NDArray[np.float32]"
    tokens: str | None = None


@dataclass(frozen=True, slots=True)
class Embedding:
    """The same, as it is stored."""

    vector: list[float]
    tokens: str | None


class Encoder(Protocol):
    """A model that is loaded: texts to vectors of length 1, and what its tokenizer makes of a text."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    @property
    def has_tokens(self) -> bool:
        """Whether it gives token vectors."""

    @property
    def max_tokens(self) -> int:
        """How many tokens of a text it reads."""

    def encode_documents(self, texts: Sequence[str]) -> Sequence[Encoded]:
        """What it makes of texts to be found, in their order."""

    def encode_query(self, text: str) -> Encoded:
        """What it makes of a query."""

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has, uncut and without special tokens."""


class Embedder:
    """A loaded model: documents and queries to vectors of length 1, safe to use from several threads.

    Everything blocks while the model works; call it from an executor when there is an event loop to keep free.
    """

    def __init__(self, name: str, encoder: Encoder) -> None:
        self._name = name
        self._encoder = encoder
        self._query = lru_cache(CACHED_QUERIES)(self._embed_query)

    def wrap_encoder(self, wrap: "Callable[[Encoder], Encoder]") -> None:
        """Has the model's work done by what `wrap` makes of its encoder."""
        self._encoder = wrap(self._encoder)

    def cached_queries(self) -> "_CacheInfo":
        """How often a query was remembered, and how often it was not."""
        return self._query.cache_info()

    @property
    def model(self) -> str:
        """The model's name, kept beside every vector: vectors of two models must never be compared."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._encoder.dimensions

    @property
    def has_tokens(self) -> bool:
        """Whether embeddings have token vectors."""
        return self._encoder.has_tokens

    @property
    def max_tokens(self) -> int:
        """How many tokens of a text the model reads; what is longer is cut at its end."""
        return self._encoder.max_tokens

    def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """The embeddings of texts to be found, in their order; a text longer than the model takes is cut at its end."""
        # Texts of like length share a batch, so that little of it is padding; longest first, so that a batch too
        # large for the memory fails at once.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]), reverse=True)
        embeddings: dict[int, Embedding] = {}
        for start in range(0, len(order), BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            encoded = self._encoder.encode_documents([texts[index] for index in batch])
            embeddings |= {index: _stored(one) for index, one in zip(batch, encoded, strict=True)}
        return [embeddings[index] for index in range(len(texts))]

    def embed_query(self, text: str) -> Embedding:
        """The embedding of a question or a search; the latest queries are remembered."""
        return self._query(text)

    def count_tokens(self, text: str) -> int:
        """How many tokens the model's tokenizer makes of a text, uncut and without special tokens."""
        return self._encoder.count_tokens(text)

    def _embed_query(self, text: str) -> Embedding:
        return _stored(self._encoder.encode_query(text))


def _stored(encoded: Encoded) -> Embedding:
    return Embedding(encoded.vector.tolist(), encoded.tokens)


def load_embedder(
    model: str,
    *,
    folder: Path | None = None,
    dimensions: int | None = None,
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    threads: int | None = None,
) -> Embedder:
    """Load an embedding model.

    `model` is `bge-small-en-v1.5` (ONNX, int8; `folder` must hold its `model.onnx` and `tokenizer.json`), or, with the
    extra `models` installed, any sentence-transformers model by name or path; its files are looked for in `folder` when
    given. A model hub is asked only for a model that is neither known here nor a folder, and only when its files are
    not on this machine yet.

    `dimensions` below the model's own truncates vectors and normalises them again (right for models trained so, as
    with Matryoshka representation learning). Prompts are put in front of each text; none given means the model's own,
    "" means none.

    `threads` is how many cores the model may use. ONNX has one text on each: all of them, if not given. torch has one
    batch on all of them, each step waiting for the slowest, and so is ten times slower as soon as something else needs
    one of them: half of them, if not given; it is a setting of the whole process.

    Raises EmbedderUnavailable when the model cannot be had, or has fewer dimensions than asked for.
    """
    if threads is not None and threads < 1:
        raise EmbedderUnavailable(f"The embedder cannot work with {threads} threads; give it 1 or more.")
    prompts = {"query": query_prompt, "document": document_prompt}
    given = {name: prompt for name, prompt in prompts.items() if prompt is not None}
    if model == BGE_SMALL:
        return Embedder(model, _load_bge(folder, given, dimensions, threads or _cores()))
    from hippograph.nlp.embedding.sentence_transformer import load

    return Embedder(model, load(model, folder, given, dimensions, threads or max(1, _cores() // 2)))


def checked_dimensions(model: str, own: int, asked: int | None) -> int:
    """How many dimensions the vectors of a model have when so many are asked for. Raises EmbedderUnavailable."""
    if asked is None:
        return own
    if not 1 <= asked <= own:
        raise EmbedderUnavailable(f"The model {model} cannot give {asked} dimensions: 1 to {own} it can.")
    return asked


def _load_bge(folder: Path | None, prompts: dict[str, str], dimensions: int | None, threads: int) -> Encoder:
    """The small English BGE model: the first token's vector, normalised, with a prompt for queries only."""
    missing = [name for name in BGE_FILES if folder is None or not (folder / name).is_file()]
    if folder is None or missing:
        raise EmbedderUnavailable(
            f"The model {BGE_SMALL} needs {' and '.join(missing)} in its folder ({folder or 'none was given'}). "
            "Fetch it first: `hippograph neo4j install`."
        )
    import numpy as np

    from hippograph.nlp.embedding.onnx_encoder import OnnxEncoder

    try:
        encoder = OnnxEncoder(
            folder,
            prompts={"query": BGE_QUERY_PROMPT} | prompts,
            max_tokens=BGE_MAX_TOKENS,
            threads=threads,
            token_mean=np.load(BGE_TOKEN_MEAN),
        )
    except Exception as error:  # whatever the libraries raise for files that are no model
        raise EmbedderUnavailable(
            f"The model {BGE_SMALL} could not be loaded ({error}). Delete its folder and fetch it again."
        ) from error
    encoder.dimensions = checked_dimensions(BGE_SMALL, encoder.dimensions, dimensions)
    return encoder


def _cores() -> int:
    """How many cores this process may use, which in a container can be fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
