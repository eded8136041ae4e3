"""Writes `nlp/embedding/bge_small_token_mean.npy`, from `tests/benchmark/extraction/talk-*.jsonl`:
`python -m scripts.average_token_vectors FILE…`.

The file holds the mean of the token vectors that bge-small-en-v1.5 gives for turns of invented talk, as float32 of
shape (384,). Late interaction keeps one bit of each dimension: whether it is above this mean. The mean is a constant of
the model and contains nothing of a user's store. Token vectors packed with another mean are incompatible with it.
"""

import json
import sys
from pathlib import Path

import numpy as np

from hippograph.api.settings.settings import Settings
from hippograph.graph.artifacts.embedding_models import fetch_embedder
from hippograph.nlp.embedding.embedder import BGE_QUERY_PROMPT, BGE_SMALL, BGE_TOKEN_MEAN
from hippograph.nlp.embedding.onnx_encoder import OnnxEncoder

EVERY = 5
"""Step between the turns that are read; every fifth turn is enough."""


def main() -> None:
    """Reads the turns of the files and writes the mean."""
    chats = [json.loads(line) for name in sys.argv[1:] for line in Path(name).read_text("utf-8").splitlines() if line]
    texts = [f"{turn['speaker']}: {turn['text']}" for chat in chats for turn in chat["turns"]][::EVERY]
    encoder = OnnxEncoder(
        fetch_embedder(BGE_SMALL, Settings().cache_dir),
        prompts={"query": BGE_QUERY_PROMPT},
        max_tokens=512,
        threads=2,
        token_mean=np.zeros(384, dtype=np.float32),
    )
    tokens = [encoder.token_vectors(text) for text in texts]
    np.save(BGE_TOKEN_MEAN, np.concatenate(tokens).mean(axis=0).astype(np.float32))


if __name__ == "__main__":
    main()
