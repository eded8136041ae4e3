"""What the taught models share while they are taught: bge-small, whose lower layers stay as they are, batches, steps,
and how a model is written. torch and onnx are needed for that alone.
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
"""So many of the twelve layers stay as they are."""
EPOCHS: Final = 3
TOGETHER: Final = 24
"""So many examples make a batch."""
DROPPED: Final = 0.1
WIDTH: Final = 192
"""So many numbers are between the two layers of a head."""
MASKED: Final = -1e9
"""Added to the odds with which a token heeds one that is not there."""
WARMING: Final = 0.1
"""The share of all steps in which the rate rises."""
DECAY: Final = 0.05
TOLD_AFTER: Final = 100
"""After so many batches it is said how far the teaching is."""
SORTED_TOGETHER: Final = TOGETHER * 20
"""Of so many examples those of like length come together."""


def bge_small() -> BertModel:
    """The embedding model of the service, whose weights of 8 bits are made numbers again."""
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
    """bge-small, whose lower layers stay as they are. A model that is taught adds its heads."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = bge_small()
        self.encoder.requires_grad_(False)
        self.beneath = copy.deepcopy(self.encoder.encoder.layer[:FROZEN]).bfloat16()
        self.upper = self.encoder.encoder.layer[FROZEN:]
        self.upper.requires_grad_(True)
        self.size = self.encoder.config.hidden_size

    def lower(self, texts: Sequence[Tokens]) -> list[Tensor]:
        """What the lower layers make of the tokens of each text: (tokens, 384)."""
        longest = max(map(len, texts))
        ids = torch.tensor([[*text, *[0] * (longest - len(text))] for text in texts])
        with torch.no_grad():
            vectors = self.encoder.embeddings(input_ids=ids).to(self.beneath[0].output.dense.weight.dtype)
            mask = _mask(map(len, texts), longest).to(vectors.dtype)
            for layer in self.beneath:
                vectors = _applied(layer, vectors, mask)
        return [each[: len(text)] for each, text in zip(vectors, texts, strict=True)]

    def lower_of_all(self, texts: Sequence[Tokens]) -> list[Tensor]:
        """The same of many texts, batch by batch, in half precision."""
        self.eval()
        found = dict[int, Tensor]()
        lengths = [len(text) for text in texts]
        for batch in batches(range(len(texts)), lengths, random.Random(0)):  # noqa: S311 - for order alone
            vectors = self.lower([texts[number] for number in batch])
            found |= {number: each.half() for number, each in zip(batch, vectors, strict=True)}
        self.train()
        return [found[number] for number in range(len(texts))]

    def read(self, below: Tensor, mask: Tensor | None = None) -> Tensor:
        """What the upper layers make of vectors (texts, tokens, 384): the same shape."""
        for layer in self.upper:
            below = _applied(layer, below, mask)
        return below

    def read_together(self, below: Sequence[Tensor]) -> Tensor:
        """The same of several texts of different lengths: (texts, tokens of the longest, 384)."""
        longest = max(map(len, below))
        vectors = torch.zeros(len(below), longest, self.size)
        for row, each in enumerate(below):
            vectors[row, : len(each)] = each.float()
        with torch.autocast("cpu", torch.bfloat16):
            return self.read(vectors, _mask(map(len, below), longest)).float()


class _LowerLayers(nn.Module):
    """The embeddings and the lower layers, from the numbers of tokens to vectors."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.embeddings = encoder.encoder.embeddings
        self.layers = encoder.encoder.encoder.layer[:FROZEN]

    def forward(self, ids: Tensor) -> Tensor:
        """(1, tokens) to (1, tokens, 384)."""
        vectors: Tensor = self.embeddings(input_ids=ids)
        for layer in self.layers:
            vectors = _applied(layer, vectors, None)
        return vectors


class _Steps:
    """Changes weights step by step: AdamW, with a rate that rises and then falls to nothing."""

    def __init__(self, groups: Iterable[tuple[Iterable[nn.Parameter], float]], steps: int) -> None:
        """`groups` are weights with the highest rate of each."""
        self._optimizer = torch.optim.AdamW(
            [{"params": list(weights), "lr": rate} for weights, rate in groups], weight_decay=DECAY, fused=True
        )
        self._rate = LambdaLR(self._optimizer, lambda step: min(step / (WARMING * steps), 1) * max(0, 1 - step / steps))

    def take(self, model: nn.Module, loss: Tensor) -> None:
        """One step against a loss of a model."""
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
    """Teaches a model, and says on standard error how far it is. `groups` are weights with the highest rate of each,
    `lengths` those of all lessons. `chosen` draws the numbers of the lessons that an epoch reads, `each_epoch` of them;
    `loss_of` is the loss of a batch.
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
    """All numbers in another order, those of texts of like length together."""
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
    """Writes a model, with weights of 8 bits, as ONNX. `given` are an example of its inputs by name, `free` the
    dimensions that may have any size.
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
            per_channel=True,  # or vectors are another by 0.05 of cosine, not 0.007
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )


def export_lower_layers(encoder: Encoder, folder: Path) -> None:
    """Writes the layers that all taught models share."""
    ids = {"ids": torch.ones(1, 8, dtype=torch.long)}
    export(
        _LowerLayers(encoder), folder / LOWER_LAYERS, ids, ["vectors"], {"ids": {1: "tokens"}, "vectors": {1: "tokens"}}
    )


def _applied(layer: nn.Module, vectors: Tensor, mask: Tensor | None) -> Tensor:
    told = layer(vectors, mask)
    result: Tensor = told[0] if isinstance(told, tuple) else told
    return result


def _mask(lengths: Iterable[int], longest: int) -> Tensor:
    """What is added to the odds with which a token heeds another: (texts, 1, 1, tokens)."""
    places = torch.arange(longest)
    return torch.where(places < torch.tensor([*lengths])[:, None], 0.0, MASKED)[:, None, None]
