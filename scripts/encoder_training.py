"""Shared code for training: bge-small with its lower layers frozen, batches, optimizer steps, and export to ONNX. torch
and onnx are needed for training alone.
"""

import copy
import math
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from transformers import BertConfig, BertModel

from hippograph.api.settings.settings import Settings
from hippograph.graph.artifacts.embedding_models import fetch_embedder
from hippograph.nlp.embedding.embedder import BGE_SMALL
from hippograph.nlp.embedding.onnx_encoder import MODEL_FILE
from hippograph.nlp.models.encoder import LOWER_LAYERS, Tokens

FROZEN: Final = 8
"""Number of frozen layers, of twelve."""
EPOCHS: Final = 3
TOGETHER: Final = 24
"""Number of examples in a batch."""
DROPPED: Final = 0.1
WIDTH: Final = 192
"""Width of the hidden layer of a head."""
MASKED: Final = -1e9
"""Added to the attention logits of padding tokens."""
WARMING: Final = 0.1
"""Share of all steps that are warm-up of the learning rate."""
DECAY: Final = 0.05
TOLD_AFTER: Final = 100
"""Number of batches between two progress messages."""
SORTED_TOGETHER: Final = TOGETHER * 20
"""Number of examples that are sorted by length together, so that those in a batch have similar lengths."""


def bge_small() -> BertModel:
    """Returns the embedding model of the service, with its 8-bit weights converted back to float32. Raises ValueError
    if the file has other weights than the architecture.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(fetch_embedder(BGE_SMALL, Settings().cache_dir) / MODEL_FILE).graph
    stored = {each.name: torch.tensor(numpy_helper.to_array(each)) for each in graph.initializer}

    def restored(name: str) -> Tensor:
        zero, scale = stored[f"{name}_zero_point"], stored[f"{name}_scale"]
        return (stored[f"{name}_quantized"].float() - zero.float()) * scale

    weights = {name: value for name, value in stored.items() if name.endswith((".weight", ".bias"))}
    for name in stored:
        embeddings = name.removesuffix("_quantized")
        if embeddings != name and embeddings.endswith(".weight"):
            weights[embeddings] = restored(embeddings)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            layer = node.name.strip("/").removesuffix("/MatMul_quant").replace("/", ".")
            weights[f"{layer}.weight"] = restored(node.input[1].removesuffix("_quantized")).T
    shape = BertConfig(hidden_size=384, num_attention_heads=12, intermediate_size=1536)
    model = BertModel(shape, add_pooling_layer=False)
    missing, unknown = model.load_state_dict(weights, strict=False)
    if missing or unknown:
        raise ValueError(f"The model has other weights: {missing} are missing, {unknown} unknown.")
    return model


class Encoder(nn.Module):
    """bge-small with its lower layers frozen. A model that is trained adds its heads."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = bge_small()
        self.encoder.requires_grad_(False)
        self.beneath = copy.deepcopy(self.encoder.encoder.layer[:FROZEN]).bfloat16()
        self.upper = self.encoder.encoder.layer[FROZEN:]
        self.upper.requires_grad_(True)
        self.size = self.encoder.config.hidden_size

    def lower(self, texts: Sequence[Tokens]) -> list[Tensor]:
        """Returns the output of the lower layers for each text, of shape (tokens, 384)."""
        longest = max(map(len, texts))
        ids = torch.tensor([[*text, *[0] * (longest - len(text))] for text in texts])
        with torch.no_grad():
            vectors = self.encoder.embeddings(input_ids=ids).to(self.beneath[0].output.dense.weight.dtype)
            mask = _mask(map(len, texts), longest).to(vectors.dtype)
            for layer in self.beneath:
                vectors = _applied(layer, vectors, mask)
        return [each[: len(text)] for each, text in zip(vectors, texts, strict=True)]

    def lower_of_all(self, texts: Sequence[Tokens]) -> list[Tensor]:
        """Returns the same for many texts, computed batch by batch, as float16. Leaves the module in training mode."""
        self.eval()
        found = dict[int, Tensor]()
        lengths = [len(text) for text in texts]
        for batch in batches(range(len(texts)), lengths, random.Random(0)):  # noqa: S311 - for order alone
            vectors = self.lower([texts[number] for number in batch])
            found |= {number: each.half() for number, each in zip(batch, vectors, strict=True)}
        self.train()
        return [found[number] for number in range(len(texts))]

    def read(self, below: Tensor, mask: Tensor | None = None) -> Tensor:
        """Returns the output of the upper layers for vectors of shape (texts, tokens, 384), in the same shape."""
        for layer in self.upper:
            below = _applied(layer, below, mask)
        return below

    def read_together(self, below: Sequence[Tensor]) -> Tensor:
        """Returns the same for texts of different lengths, of shape (texts, tokens of the longest, 384)."""
        longest = max(map(len, below))
        vectors = torch.zeros(len(below), longest, self.size)
        for row, each in enumerate(below):
            vectors[row, : len(each)] = each.float()
        with torch.autocast("cpu", torch.bfloat16):
            return self.read(vectors, _mask(map(len, below), longest)).float()


class _LowerLayers(nn.Module):
    """The embeddings and the lower layers: from token ids to vectors."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.embeddings = encoder.encoder.embeddings
        self.layers = encoder.encoder.encoder.layer[:FROZEN]

    def forward(self, ids: Tensor) -> Tensor:
        """Returns vectors of shape (1, tokens, 384) for token ids of shape (1, tokens)."""
        vectors: Tensor = self.embeddings(input_ids=ids)
        for layer in self.layers:
            vectors = _applied(layer, vectors, None)
        return vectors


class _Steps:
    """AdamW with a learning rate that rises during warm-up and then falls to 0."""

    def __init__(self, groups: Iterable[tuple[Iterable[nn.Parameter], float]], steps: int) -> None:
        """`groups` are weights, each with its nominal learning rate; `steps` is the number of all steps."""
        self._optimizer = torch.optim.AdamW(
            [{"params": list(weights), "lr": rate} for weights, rate in groups], weight_decay=DECAY, fused=True
        )
        self._rate = LambdaLR(self._optimizer, lambda step: min(step / (WARMING * steps), 1) * max(0, 1 - step / steps))

    def take(self, model: nn.Module, loss: Tensor) -> None:
        """Takes one step for a loss of a model; gradients are clipped to a norm of 1."""
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        self._optimizer.step()
        self._rate.step()


def learn(
    model: nn.Module,
    groups: Iterable[tuple[Iterable[nn.Parameter], float]],
    lengths: Sequence[int],
    each_epoch: int,
    chosen: Callable[[random.Random], Sequence[int]],
    loss_of: Callable[[list[int]], Tensor],
) -> None:
    """Trains a model, and prints its progress to standard error.

    `groups` are weights, each with its nominal learning rate; `lengths` are the lengths of all examples, in tokens.
    `chosen` returns the indices of the `each_epoch` examples of an epoch. `loss_of` returns the loss of a batch.
    """
    dice = random.Random(0)  # noqa: S311 - for order alone
    steps = _Steps(groups, EPOCHS * math.ceil(each_epoch / TOGETHER))
    for epoch in range(1, EPOCHS + 1):
        total, number = 0.0, 0
        for batch in batches(chosen(dice), lengths, dice):
            loss = loss_of(batch)
            steps.take(model, loss)
            total, number = total + loss.item(), number + 1
            if number % TOLD_AFTER == 0:
                print(f"epoch {epoch}, {number} batches: loss {total / number:.4f}", file=sys.stderr, flush=True)
        print(f"epoch {epoch} of {EPOCHS}: loss {total / number:.4f}", file=sys.stderr, flush=True)


def batches(numbers: Iterable[int], lengths: Sequence[int], dice: random.Random) -> Iterator[list[int]]:
    """Returns all numbers in batches of similar lengths and in random order. `lengths` is indexed by number."""
    order = list(numbers)
    dice.shuffle(order)
    parts = [order[at : at + SORTED_TOGETHER] for at in range(0, len(order), SORTED_TOGETHER)]
    parts = [sorted(part, key=lambda number: lengths[number]) for part in parts]
    found = [part[at : at + TOGETHER] for part in parts for at in range(0, len(part), TOGETHER)]
    dice.shuffle(found)
    return iter(found)


def export(
    model: nn.Module,
    file: Path,
    given: Mapping[str, Tensor],
    outputs: Sequence[str],
    free: Mapping[str, dict[int, str]],
) -> None:
    """Writes a model as ONNX with 8-bit weights. `given` are example inputs by name; `free` are, by input or output,
    the dimensions of variable size and their names.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as temporary:
        plain = Path(temporary) / file.name
        torch.onnx.export(
            model.eval(),
            tuple(given.values()),
            str(plain),
            input_names=list(given),
            output_names=list(outputs),
            dynamic_axes=dict(free),
            dynamo=False,
        )
        quantize_dynamic(
            plain,
            file,
            per_channel=True,  # otherwise the cosine of vectors is off by 0.05, not 0.007
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )


def export_lower_layers(encoder: Encoder, folder: Path) -> None:
    """Writes the layers that all trained models share."""
    ids = {"ids": torch.ones(1, 8, dtype=torch.long)}
    export(
        _LowerLayers(encoder), folder / LOWER_LAYERS, ids, ["vectors"], {"ids": {1: "tokens"}, "vectors": {1: "tokens"}}
    )


def _applied(layer: nn.Module, vectors: Tensor, mask: Tensor | None) -> Tensor:
    told = layer(vectors, mask)
    result: Tensor = told[0] if isinstance(told, tuple) else told
    return result


def _mask(lengths: Iterable[int], longest: int) -> Tensor:
    """Returns the mask that is added to the attention logits, of shape (texts, 1, 1, tokens)."""
    places = torch.arange(longest)
    return torch.where(places < torch.tensor([*lengths])[:, None], 0.0, MASKED)[:, None, None]
