"""Embedding with any sentence-transformers model; needs the extra `models`. Importing this module imports torch."""

import logging
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from hippograph.nlp.embedding.embedder import BATCH_SIZE, BGE_SMALL, Encoded, checked_dimensions
from hippograph.nlp.errors import EmbedderUnavailable

try:
    import torch
    from huggingface_hub import HfApi
    from huggingface_hub.utils.tqdm import disable_progress_bars
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging
except ImportError as error:
    raise EmbedderUnavailable(
        f"Any model but {BGE_SMALL} needs sentence-transformers: pip install 'hippograph[models]' (6 GB)."
    ) from error

HUB_SECONDS: Final = 10

# `encode` normalises after truncation, since a truncated vector no longer has length 1.
_ENCODING: Final[dict[str, Any]] = {
    "batch_size": BATCH_SIZE,
    "show_progress_bar": False,
    "normalize_embeddings": True,
}


_READ_WHOLE: Final = 512
"""Tokens that a model is assumed to read if it states no maximum."""


class TransformerEncoder:
    """A sentence-transformers model. A lock admits one thread at a time; there are no token vectors."""

    has_tokens = False

    def __init__(self, name: str, model: SentenceTransformer, dimensions: int | None) -> None:
        own = model.get_embedding_dimension()
        if own is None:
            raise EmbedderUnavailable(f"The model {name} does not say how long its vectors are; choose another.")
        self.dimensions = model.truncate_dim = checked_dimensions(name, own, dimensions)
        self._model = model
        self._tokenizer = _tokenizer(name, model)
        self.max_tokens = int(model.max_seq_length or _READ_WHOLE)
        self._turn = threading.Lock()

    def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        """Encodes documents, in their order."""
        with self._turn:
            vectors: npt.NDArray[np.float32] = self._model.encode_document(list(texts), **_ENCODING)
        return [Encoded(vector) for vector in vectors]

    def encode_query(self, text: str) -> Encoded:
        """Encodes a query."""
        with self._turn:
            vector: npt.NDArray[np.float32] = self._model.encode_query([text], **_ENCODING)[0]
        return Encoded(vector)

    def count_tokens(self, text: str) -> int:
        """Number of tokens of the whole text, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)


def load(
    name: str, folder: Path | None, prompts: dict[str, str], dimensions: int | None, threads: int
) -> TransformerEncoder:
    """Loads the model in `folder` if that is given, else the one with this name or path. `threads` holds for torch in
    the whole process. Raises EmbedderUnavailable.
    """
    torch.set_num_threads(threads)
    with _quiet():
        return TransformerEncoder(name, _load(name, folder, prompts), dimensions)


def _load(name: str, folder: Path | None, prompts: dict[str, str]) -> SentenceTransformer:
    if folder is not None:
        return _load_folder(name, folder, prompts)
    path = Path(name).expanduser()
    if path.is_dir() or path.is_absolute() or name.startswith((".", "~")):
        return _load_folder(name, path, prompts)
    return _load_named(name, prompts)


def _load_folder(model: str, folder: Path, prompts: dict[str, str]) -> SentenceTransformer:
    if not folder.is_dir():
        raise EmbedderUnavailable(f"The model {model} is not there: {folder} is not a folder. Correct the path.")
    with _explained(model, f"Is {folder} a sentence-transformers model?"):
        return SentenceTransformer(str(folder), prompts=prompts, local_files_only=True)


def _load_named(model: str, prompts: dict[str, str]) -> SentenceTransformer:
    """Loads a model by name: from this machine's cache, else from the model hub."""
    name = model if "/" in model else f"sentence-transformers/{model}"
    try:
        return SentenceTransformer(name, prompts=prompts, local_files_only=True)
    except (OSError, ValueError):
        logging.getLogger(__name__).info("The model %s is not on this machine; asking the model hub.", name)
    advice = f"Known here is {BGE_SMALL}; any other needs its exact name and a way to the model hub."
    with _explained(model, advice):
        # The hub is asked once beforehand: without a network or such a model, loading would retry for a minute.
        HfApi().model_info(name, timeout=HUB_SECONDS)
        return SentenceTransformer(name, prompts=prompts)


def _tokenizer(name: str, model: SentenceTransformer) -> Tokenizer:
    """Copies the tokenizer for counting: the model's own truncates, and changing its settings would be a race."""
    with _explained(name, "Choose a model that comes with a fast tokenizer."):
        shared = model.tokenizer
        backend = shared if isinstance(shared, Tokenizer) else shared.backend_tokenizer
        tokenizer = Tokenizer.from_str(backend.to_str())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@contextmanager
def _explained(model: str, advice: str) -> Iterator[None]:
    """Raises any exception of the libraries that load a model as EmbedderUnavailable."""
    try:
        yield
    except Exception as error:
        raise EmbedderUnavailable(f"The model {model} could not be loaded ({error}). {advice}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences progress bars, log messages and warnings of the model libraries within the context."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
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
