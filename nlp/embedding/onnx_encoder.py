"""A sentence embedding model in ONNX form, by `tokenizers`, `onnxruntime` and numpy alone.

The first token's vector stands for the text, as BERT models trained with CLS pooling have it.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from nlp.models.onnx_session import open_model

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"

Vectors = npt.NDArray[np.float32]


class OnnxEncoder:
    """An ONNX model and its tokenizer. `dimensions` may be set lower: vectors are then cut and normalised again.

    One text a run, because a dynamically quantised model takes its scales from the whole batch: batched with
    strangers, a text's vector moves by up to 0.01 of cosine, and the same text would not be stored and found as
    the same vector. It costs nothing, since several single-threaded runs side by side are as fast as a batch.
    """

    def __init__(self, folder: Path, *, prompts: Mapping[str, str], max_tokens: int, threads: int) -> None:
        self._session = open_model(folder / MODEL_FILE)
        self._inputs = frozenset(each.name for each in self._session.get_inputs())
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._prompts = prompts
        self._max_tokens = max_tokens
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="onnx")
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts to be found, of shape (texts, dimensions)."""
        prompt = self._prompts.get("document", "")
        return np.stack(list(self._pool.map(self._encode, [prompt + text for text in texts])))

    def encode_query(self, text: str) -> Vectors:
        """The vector of a query, of shape (dimensions,)."""
        return self._encode(self._prompts.get("query", "") + text)

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has, uncut and without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _encode(self, text: str) -> Vectors:
        ids = np.array([self._token_ids(text)], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        tokens = self._session.run(None, {name: value for name, value in feeds.items() if name in self._inputs})[0]
        vector: Vectors = tokens[0, 0, : self.dimensions]
        return vector / np.linalg.norm(vector)

    def _token_ids(self, text: str) -> list[int]:
        """The ids of a text with its special tokens; what is too long loses its end, not its end marker."""
        ids: list[int] = self._tokenizer.encode(text).ids
        if len(ids) <= self._max_tokens:
            return ids
        return ids[: self._max_tokens - 1] + ids[-1:]
