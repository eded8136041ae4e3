"""A sentence embedding model in ONNX format, run with `tokenizers`, `onnxruntime` and numpy alone.

The first token's vector is the vector of the text, as in BERT models trained with CLS pooling.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding, Tokenizer

from hippograph.nlp.embedding.embedder import Encoded
from hippograph.nlp.embedding.late_interaction import MOST_TOKENS, pack
from hippograph.nlp.models.onnx_session import open_model

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"

Vectors = npt.NDArray[np.float32]


class OnnxEncoder:
    """An ONNX model and its tokenizer. `dimensions` may be set lower: vectors are then truncated and normalised again.

    Each run has one text, because a dynamically quantised model takes its scales from the whole batch: other texts in
    the batch would move a text's vector by up to 0.01 of cosine similarity, so the same text would get different
    vectors when stored and when searched. Several single-threaded runs in parallel are as fast as a batch.
    """

    has_tokens = True

    def __init__(
        self, folder: Path, *, prompts: Mapping[str, str], max_tokens: int, threads: int, token_mean: Vectors
    ) -> None:
        """`token_mean` is the mean of the model's token vectors, of shape (dimensions,)."""
        self._session = open_model(folder / MODEL_FILE)
        self._inputs = frozenset(each.name for each in self._session.get_inputs())
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._prompts = prompts
        self.max_tokens = max_tokens
        self._token_mean = token_mean
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="onnx")
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])

    def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        """Encodes documents, in their order."""
        return list(self._pool.map(partial(self._encode, self._prompts.get("document", "")), texts))

    def encode_query(self, text: str) -> Encoded:
        """Encodes a query."""
        return self._encode(self._prompts.get("query", ""), text)

    def count_tokens(self, text: str) -> int:
        """Number of tokens of the whole text, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def token_vectors(self, text: str) -> Vectors:
        """The vectors of a text's tokens without the special tokens, of shape (tokens, dimensions)."""
        return self._run(self._ids(self._tokenizer.encode(text)))[1:-1]

    def _encode(self, prompt: str, text: str) -> Encoded:
        encoding = self._tokenizer.encode(prompt + text)
        ids = self._ids(encoding)
        vectors = self._run(ids)
        kept = _kept(encoding, range(1, len(ids) - 1), len(prompt))
        vector = vectors[0]
        return Encoded(vector / np.linalg.norm(vector), pack(vectors[kept], self._token_mean[: self.dimensions]))

    def _run(self, ids: Sequence[int]) -> Vectors:
        """Runs the model; returns its token vectors, of shape (tokens, dimensions)."""
        batch = np.array([ids], dtype=np.int64)
        feeds = {"input_ids": batch, "attention_mask": np.ones_like(batch), "token_type_ids": np.zeros_like(batch)}
        outputs = self._session.run(None, {name: value for name, value in feeds.items() if name in self._inputs})
        vectors: Vectors = outputs[0][0, :, : self.dimensions]
        return vectors

    def _ids(self, encoding: Encoding) -> list[int]:
        """The token ids of a text with its special tokens; a long text is truncated but keeps its end marker."""
        ids: list[int] = encoding.ids
        if len(ids) <= self.max_tokens:
            return ids
        return ids[: self.max_tokens - 1] + ids[-1:]


def _kept(encoding: Encoding, places: Iterable[int], prompt: int) -> list[int]:
    """Which of these places have tokens for late interaction: those after the prompt that are not punctuation.

    `prompt` is the length of the prompt in characters. Of more than `MOST_TOKENS`, the rarest stay: the tokenizer's
    vocabulary is in descending order of word frequency.
    """
    tokens, offsets = encoding.tokens, encoding.offsets
    words = [at for at in places if offsets[at][0] >= prompt and any(map(str.isalnum, tokens[at]))]
    if len(words) <= MOST_TOKENS:
        return words
    ids = encoding.ids
    return sorted(sorted(words, key=lambda at: -ids[at])[:MOST_TOKENS])
