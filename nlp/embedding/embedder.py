"""Embeddings of texts and queries.

What belongs here: which models are known, how they are loaded, and the class that holds a loaded model. What does not:
downloads, settings, and where vectors are stored.

The default model runs on onnxruntime alone. Any other one needs sentence-transformers, which brings torch: the extra
`models`. Model libraries take seconds to import, so they are imported only when a model is loaded.
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
"""File with the mean of the model's token vectors, made by `scripts/average_token_vectors.py`."""

BATCH_SIZE = 16
CACHED_QUERIES = 1024


@dataclass(frozen=True, slots=True)
class Encoded:
    """The output of a model for one text: a vector of length 1, of shape (dimensions,), and its token vectors, packed
    for late interaction (`nlp.embedding.late_interaction`). `tokens` is None if the model gives none.
    """

    vector: "npt.NDArray[np.float32]"
    tokens: str | None = None


@dataclass(frozen=True, slots=True)
class Embedding:
    """An `Encoded` text in the form in which it is stored."""

    vector: list[float]
    tokens: str | None


class Encoder(Protocol):
    """A loaded model: encodes texts as vectors of length 1, and counts their tokens."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    @property
    def has_tokens(self) -> bool:
        """Whether the model gives token vectors."""

    @property
    def max_tokens(self) -> int:
        """Maximum number of tokens of a text that the model reads."""

    def encode_documents(self, texts: Sequence[str]) -> Sequence[Encoded]:
        """Encodes documents, in their order."""

    def encode_query(self, text: str) -> Encoded:
        """Encodes a query."""

    def count_tokens(self, text: str) -> int:
        """Number of tokens of the whole text, without special tokens."""


class Embedder:
    """A loaded model that embeds documents and queries as vectors of length 1. It may be used from several threads.

    Calls block while the model works; an event loop should call it from an executor.
    """

    def __init__(self, name: str, encoder: Encoder) -> None:
        self._name = name
        self._encoder = encoder
        self._query = lru_cache(CACHED_QUERIES)(self._embed_query)

    def wrap_encoder(self, wrap: "Callable[[Encoder], Encoder]") -> None:
        """Replaces the encoder by what `wrap` returns for it."""
        self._encoder = wrap(self._encoder)

    def cached_queries(self) -> "_CacheInfo":
        """Statistics of the query cache, such as hits and misses."""
        return self._query.cache_info()

    @property
    def model(self) -> str:
        """The model's name, stored with every vector; vectors of different models must never be compared."""
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
        """Maximum number of tokens of a text that the model reads; longer texts are cut at the end."""
        return self._encoder.max_tokens

    def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """Embeds documents, in their order. A text longer than the model reads is cut at the end."""
        # Texts of similar length share a batch, so that little of it is padding. The longest come first, so that a
        # batch too large for memory fails at once.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]), reverse=True)
        embeddings: dict[int, Embedding] = {}
        for start in range(0, len(order), BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            encoded = self._encoder.encode_documents([texts[index] for index in batch])
            embeddings |= {index: _stored(one) for index, one in zip(batch, encoded, strict=True)}
        return [embeddings[index] for index in range(len(texts))]

    def embed_query(self, text: str) -> Embedding:
        """Embeds a query; the latest `CACHED_QUERIES` results are cached."""
        return self._query(text)

    def count_tokens(self, text: str) -> int:
        """Number of tokens that the model's tokenizer makes of the whole text, without special tokens."""
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
    """Loads an embedding model.

    `model` is `bge-small-en-v1.5` (ONNX, int8; `folder` must hold its `model.onnx` and `tokenizer.json`), or, with the
    extra `models` installed, any sentence-transformers model by name or path; its files are read from `folder` if that
    is given. A model hub is asked only for a model that is neither known here nor a folder, and only when its files
    are not on this machine yet.

    `dimensions` below the model's own truncates vectors and normalises them again, which suits models trained for it
    (Matryoshka representation learning). Prompts are put before each text: None means the model's own, "" no prompt.

    `threads` is the number of cores that the model may use. ONNX runs one text on each core; its default is all cores.
    torch runs each batch on all its cores and waits for the slowest at each step. It gets ten times slower as soon as
    another task needs one of them, so its default is half the cores; the setting holds for the whole process.

    Raises EmbedderUnavailable when the model cannot be loaded, has fewer dimensions than asked for, or `threads` is
    below 1.
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
    """Returns the dimensions to use: `asked`, or the model's `own` if that is None. Raises EmbedderUnavailable when
    `asked` is not between 1 and `own`.
    """
    if asked is None:
        return own
    if not 1 <= asked <= own:
        raise EmbedderUnavailable(f"The model {model} cannot give {asked} dimensions: 1 to {own} it can.")
    return asked


def _load_bge(folder: Path | None, prompts: dict[str, str], dimensions: int | None, threads: int) -> Encoder:
    """Loads the small English BGE model, whose vector is the first token's; by default only queries get a prompt."""
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
    except Exception as error:  # the libraries raise various exceptions for bad model files
        raise EmbedderUnavailable(
            f"The model {BGE_SMALL} could not be loaded ({error}). Delete its folder and fetch it again."
        ) from error
    encoder.dimensions = checked_dimensions(BGE_SMALL, encoder.dimensions, dimensions)
    return encoder


def _cores() -> int:
    """Number of cores that this process may use; in a container it can be less than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
