"""Texts and queries to vectors.

What belongs here: which models are known, how they are loaded, and the one class that holds a loaded model. What does
not: downloads, settings, and where vectors are kept.

torch and sentence-transformers take seconds to import, so they are imported when a model is loaded and not before.
"""

import logging
import os
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlp.errors import EmbedderUnavailable
from nlp.minilm import MINILM, minilm_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Progress = Callable[[int, int], None]

BGE_SMALL = "bge-small-en-v1.5"

BGE_QUERY_PROMPT = "Represent this sentence for searching relevant passages: "
BGE_MAX_TOKENS = 512
BGE_FILES = ("model.onnx", "tokenizer.json")

BATCH_SIZE = 16
CACHED_QUERIES = 1024
HUB_SECONDS = 10


class Embedder:
    """A loaded model: documents and queries to vectors of length 1, safe to use from several threads.

    Everything blocks while the model works; call it from an executor when there is an event loop to keep free.
    """

    def __init__(self, name: str, transformer: "SentenceTransformer", *, concurrent: bool) -> None:
        dimensions = transformer.get_embedding_dimension()
        if dimensions is None:
            raise EmbedderUnavailable(f"The model {name} does not say how long its vectors are; choose another.")
        self._name = name
        self._transformer = transformer
        self._dimensions = dimensions
        self._turn = nullcontext() if concurrent else threading.Lock()
        self._count_tokens = _token_counter(name, transformer)
        self._query = lru_cache(CACHED_QUERIES)(self._embed_query)

    @property
    def model(self) -> str:
        """The model's name, kept beside every vector: vectors of two models must never be compared."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._dimensions

    def embed_documents(self, texts: Sequence[str], progress: Progress | None = None) -> list[list[float]]:
        """The vectors of texts to be found, in their order; `progress` is told how many are done, and of how many.

        A text longer than the model takes is cut at its end.
        """
        # Texts of like length share a batch, so that little of it is padding; longest first, so that a batch too
        # large for the memory fails at once.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]), reverse=True)
        vectors: list[list[float]] = [[] for _ in texts]
        for start in range(0, len(order), BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            with self._turn:
                encoded = self._transformer.encode_document([texts[index] for index in batch], **_ENCODING)
            for index, vector in zip(batch, encoded.tolist(), strict=True):
                vectors[index] = vector
            if progress is not None:
                progress(start + len(batch), len(order))
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question or a search; the latest queries are remembered."""
        return list(self._query(text))

    def count_tokens(self, text: str) -> int:
        """How many tokens the model's tokenizer makes of a text, uncut and without special tokens."""
        return self._count_tokens(text)

    def _embed_query(self, text: str) -> tuple[float, ...]:
        with self._turn:
            encoded = self._transformer.encode_query([text], **_ENCODING)
        return tuple(encoded[0].tolist())


# Normalised by `encode` itself, after truncation: a truncated vector is no longer of length 1.
_ENCODING: dict[str, Any] = {
    "batch_size": BATCH_SIZE,
    "show_progress_bar": False,
    "normalize_embeddings": True,
}


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

    `model` is `bge-small-en-v1.5` (ONNX, int8; `folder` must hold its `model.onnx` and `tokenizer.json`),
    `all-MiniLM-L6-v2` (carried by a package), or any sentence-transformers model by its name or path; its files are
    looked for in `folder` when given. A model hub is asked only for a model that is neither known here nor a folder,
    and only when its files are not on this machine yet.

    `dimensions` below the model's own truncates vectors and normalises them again (right for models trained so, as
    with Matryoshka representation learning). Prompts are put in front of each text; none given means the model's own,
    "" means none.

    `threads` is how many cores the model may use. ONNX has one text on each: all of them, if not given. torch has one
    batch on all of them, each step waiting for the slowest, and so is ten times slower as soon as something else needs
    one of them: half of them, if not given; it is a setting of the whole process.

    Raises EmbedderUnavailable when the model cannot be had, or has fewer dimensions than asked for.
    """
    prompts = {"query": query_prompt, "document": document_prompt}
    given = {name: prompt for name, prompt in prompts.items() if prompt is not None}
    with _quiet():
        transformer = _load(model, folder, given, threads)
    _truncate(model, transformer, dimensions)
    return Embedder(model, transformer, concurrent=model == BGE_SMALL)


def _load(model: str, folder: Path | None, prompts: dict[str, str], threads: int | None) -> "SentenceTransformer":
    if threads is not None and threads < 1:
        raise EmbedderUnavailable(f"The embedder cannot work with {threads} threads; give it 1 or more.")
    if model == BGE_SMALL:
        return _load_bge(folder, prompts, threads)
    import torch

    torch.set_num_threads(threads or max(1, _cores() // 2))
    if folder is not None:
        return _load_folder(model, folder, prompts)
    if model == MINILM:
        return _load_folder(model, minilm_folder(), prompts)
    path = Path(model).expanduser()
    if path.is_dir() or path.is_absolute() or model.startswith((".", "~")):
        return _load_folder(model, path, prompts)
    return _load_named(model, prompts)


def _load_bge(folder: Path | None, prompts: dict[str, str], threads: int | None) -> "SentenceTransformer":
    """The small English BGE model: the first token's vector, normalised, with a prompt for queries only."""
    missing = [name for name in BGE_FILES if folder is None or not (folder / name).is_file()]
    if folder is None or missing:
        raise EmbedderUnavailable(
            f"The model {BGE_SMALL} needs {' and '.join(missing)} in its folder ({folder or 'none was given'}). "
            f"Fetch it first (graph.local.models.fetch_embedder), or choose {MINILM}, which is already installed."
        )
    with _explained(BGE_SMALL, "Delete its folder and fetch it again."):
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.base.modules import Normalize
        from sentence_transformers.sentence_transformer.modules import Pooling

        from nlp.onnx import OnnxTransformer

        first = OnnxTransformer(folder, max_seq_length=BGE_MAX_TOKENS, threads=threads or _cores())
        modules = [first, Pooling(first.dimensions, pooling_mode="cls"), Normalize()]
        own = {"query": BGE_QUERY_PROMPT, "document": ""}
        return SentenceTransformer(modules=modules, prompts=own | prompts, device="cpu", local_files_only=True)


def _load_folder(model: str, folder: Path, prompts: dict[str, str]) -> "SentenceTransformer":
    if not folder.is_dir():
        raise EmbedderUnavailable(f"The model {model} is not there: {folder} is not a folder. Correct the path.")
    with _explained(model, f"Is {folder} a sentence-transformers model?"):
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), prompts=prompts, local_files_only=True)


def _load_named(model: str, prompts: dict[str, str]) -> "SentenceTransformer":
    """A model by its name: from this machine's cache, else from the hub that the name belongs to."""
    from huggingface_hub import HfApi
    from sentence_transformers import SentenceTransformer

    name = model if "/" in model else f"sentence-transformers/{model}"
    try:
        return SentenceTransformer(name, prompts=prompts, local_files_only=True)
    except (OSError, ValueError):
        logging.getLogger(__name__).info("The model %s is not on this machine; asking the model hub.", name)
    advice = f"Known here are {BGE_SMALL} and {MINILM}; any other needs its exact name and a way to the model hub."
    with _explained(model, advice):
        # Asked once, since without a network, or without such a model, loading would ask again and again for a minute.
        HfApi().model_info(name, timeout=HUB_SECONDS)
        return SentenceTransformer(name, prompts=prompts)


def _truncate(model: str, transformer: "SentenceTransformer", dimensions: int | None) -> None:
    own = transformer.get_embedding_dimension()
    if dimensions is None or dimensions == own:
        return
    if own is None or not 1 <= dimensions < own:
        raise EmbedderUnavailable(f"The model {model} cannot give {dimensions} dimensions: 1 to {own} it can.")
    transformer.truncate_dim = dimensions


def _cores() -> int:
    """How many cores this process may use, which in a container can be fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _token_counter(name: str, transformer: "SentenceTransformer") -> Callable[[str], int]:
    """Count with a tokenizer of our own: the model's is set to truncate, and a shared setting is a race."""
    from tokenizers import Tokenizer

    with _explained(name, "Choose a model that comes with a fast tokenizer."):
        shared = transformer.tokenizer
        backend = shared if isinstance(shared, Tokenizer) else shared.backend_tokenizer
        tokenizer = Tokenizer.from_str(backend.to_str())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@contextmanager
def _explained(model: str, advice: str) -> Iterator[None]:
    """Whatever a library raises while it loads a model, for whatever reason, becomes our one error."""
    try:
        yield
    except Exception as error:
        raise EmbedderUnavailable(f"The model {model} could not be loaded ({error}). {advice}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and no chatter of the model libraries while a model loads; then as it was before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from huggingface_hub.utils.tqdm import disable_progress_bars
        from transformers.utils import logging as transformers_logging

        chatter: Any = transformers_logging  # has no types
        verbosity, bars = chatter.get_verbosity(), chatter.is_progress_bar_enabled()
        chatter.set_verbosity_error()
        chatter.disable_progress_bar()
        try:
            with disable_progress_bars():
                yield
        finally:
            chatter.set_verbosity(verbosity)
            if bars:
                chatter.enable_progress_bar()
