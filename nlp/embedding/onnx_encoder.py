"""A sentence embedding model in ONNX form, by `tokenizers`, `onnxruntime` and numpy alone.

The first token's vector stands for the text, as BERT models trained with CLS pooling have it.
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
    """An ONNX model and its tokenizer. `dimensions` may be set lower: vectors are then cut and normalised again.

    One text a run, because a dynamically quantised model takes its scales from the whole batch: batched with
    strangers, a text's vector moves by up to 0.01 of cosine, and the same text would not be stored and found as
    the same vector. It costs nothing, since several single-threaded runs side by side are as fast as a batch.
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
        """What the model makes of texts to be found."""
        return list(self._pool.map(partial(self._encode, self._prompts.get("document", "")), texts))

    def encode_query(self, text: str) -> Encoded:
        """What the model makes of a query."""
        return self._encode(self._prompts.get("query", ""), text)

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has, uncut and without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def token_vectors(self, text: str) -> Vectors:
        """The vectors of a text's tokens, without the special ones, of shape (tokens, dimensions)."""
        return self._run(self._ids(self._tokenizer.encode(text)))[1:-1]

    def _encode(self, prompt: str, text: str) -> Encoded:
        encoding = self._tokenizer.encode(prompt + text)
        ids = self._ids(encoding)
        vectors = self._run(ids)
        kept = _kept(encoding, range(1, len(ids) - 1), len(prompt))
        vector = vectors[0]
        return Encoded(vector / np.linalg.norm(vector), pack(vectors[kept], self._token_mean[: self.dimensions]))

    def _run(self, ids: Sequence[int]) -> Vectors:
        """The model's vectors of tokens, of shape (tokens, dimensions)."""
        batch = np.array([ids], dtype=np.int64)
        feeds = {"input_ids": batch, "attention_mask": np.ones_like(batch), "token_type_ids": np.zeros_like(batch)}
        outputs = self._session.run(None, {name: value for name, value in feeds.items() if name in self._inputs})
        vectors: Vectors = outputs[0][0, :, : self.dimensions]
        return vectors

    def _ids(self, encoding: Encoding) -> list[int]:
        """The ids of a text with its special tokens; what is too long loses its end, not its end marker."""
        ids: list[int] = encoding.ids
        if len(ids) <= self.max_tokens:
            return ids
        return ids[: self.max_tokens - 1] + ids[-1:]


def _kept(encoding: Encoding, places: Iterable[int], prompt: int) -> list[int]:
    """Which of these places have tokens that late interaction compares: none of the prompt, which has so many
    characters, and no punctuation.

    Where there are too many, the rarest stay: the tokenizer's vocabulary is in the order of how frequent words are.
    """
    tokens, offsets = encoding.tokens, encoding.offsets
    words = [at for at in places if offsets[at][0] >= prompt and any(map(str.isalnum, tokens[at]))]
    if len(words) <= MOST_TOKENS:
        return words
    ids = encoding.ids
    return sorted(sorted(words, key=lambda at: -ids[at])[:MOST_TOKENS])
