"""An ONNX model as the first module of a `SentenceTransformer`.

Here is only what turns texts into token vectors with `tokenizers` and `onnxruntime`; pooling, normalising and
prompts are sentence-transformers' own. Importing this module imports torch: `nlp.embedding` does so when a model
is loaded, never before.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers.base.modules import InputModule
from tokenizers import Tokenizer

from nlp.sessions import open_model

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"

Ids = npt.NDArray[np.int64]


class OnnxTransformer(InputModule):
    """A transformer's forward pass by onnxruntime, one text a run and several runs at once.

    One text a run, because a dynamically quantised model takes its scales from the whole batch: batched with
    strangers, a text's vector moves by up to 0.01 of cosine, and the same text would not be stored and found as
    the same vector. It costs nothing, since several single-threaded runs side by side are as fast as a batch.
    """

    def __init__(self, folder: Path, *, max_seq_length: int, threads: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.session = open_model(folder / MODEL_FILE)
        self.input_names = frozenset(each.name for each in self.session.get_inputs())
        self.dimensions = int(self.session.get_outputs()[0].shape[-1])
        self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.max_seq_length = max_seq_length
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="onnx")

    def get_embedding_dimension(self) -> int:
        """The length of a token's vector."""
        return self.dimensions

    def preprocess(
        self, inputs: Sequence[Any], prompt: str | None = None, **_kwargs: Any
    ) -> dict[str, torch.Tensor | Any]:
        """Token ids of the texts, cut to the longest that the model takes and padded to the longest here."""
        rows = [self._token_ids((prompt or "") + text) for text in inputs]
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            mask[index, : len(row)] = 1
        return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}

    def forward(self, features: dict[str, torch.Tensor | Any], **_kwargs: Any) -> dict[str, torch.Tensor | Any]:
        """Add `token_embeddings`, of shape (texts, tokens, dimensions), zero where a row is padding."""
        ids: Ids = features["input_ids"].numpy()
        lengths = features["attention_mask"].sum(dim=1).tolist()
        if len(lengths) == 1:
            vectors = self._run(ids)
        else:
            vectors = np.zeros((*ids.shape, self.dimensions), dtype=np.float32)
            runs = self.pool.map(self._run, (ids[i : i + 1, :n] for i, n in enumerate(lengths)))
            for index, (length, run) in enumerate(zip(lengths, runs, strict=True)):
                vectors[index, :length] = run[0]
        features["token_embeddings"] = torch.from_numpy(vectors)
        return features

    def save(self, output_path: str, *args: Any, safe_serialization: bool = True, **kwargs: Any) -> None:
        """Not offered: the model's files are where they were loaded from."""
        raise NotImplementedError("an ONNX model is fetched, not saved; copy its folder instead")

    def _token_ids(self, text: str) -> list[int]:
        """The ids of a text with its special tokens; what is too long loses its end, not its end marker."""
        ids: list[int] = self.tokenizer.encode(text).ids
        if len(ids) <= self.max_seq_length:
            return ids
        return ids[: self.max_seq_length - 1] + ids[-1:]

    def _run(self, ids: Ids) -> npt.NDArray[np.float32]:
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        used = {name: value for name, value in feeds.items() if name in self.input_names}
        vectors: npt.NDArray[np.float32] = self.session.run(None, used)[0]
        return vectors
