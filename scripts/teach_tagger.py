"""Teaches bge-small to tag frames and slots, for `scripts.train_frames`; torch and onnx are needed for that alone."""

import copy
import math
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR
from transformers import BertConfig, BertModel

from hippograph.api.settings.settings import Settings
from hippograph.graph.artifacts.embedding_models import fetch_embedder
from hippograph.nlp.embedding.embedder import BGE_SMALL
from hippograph.nlp.embedding.onnx_encoder import MODEL_FILE
from hippograph.nlp.frames.tagger import frame_labels, slot_labels
from hippograph.nlp.models.tagger import SHAPES, TAGGER, Tokens
from hippograph.nlp.names.tagging import SORTS

FROZEN: Final = 8
"""So many of the twelve layers stay as they are."""
EMPTY: Final = 0.4
"""The share of turns without a frame that each epoch reads."""
WIDTH: Final = 192
CLASSES: Final = ("", *(f"{place}-{sort}" for sort in SORTS for place in "BI"))
"""What a token is: no part of a name, the first of one of some sort, or a further one."""
EPOCHS: Final = 3
RATE, RATE_OF_HEADS = 2e-4, 2e-3
DROPPED: Final = 0.1
MASKED: Final = -1e9
"""Added to the odds with which a token heeds one that is not there."""
RARE: Final = -5.0
"""The log-odds of a frame and of a slot with which teaching begins: most are not there."""
FRAME_WEIGHT, SLOT_WEIGHT = 2.0, 4.0
"""What one that is there counts for beside one that is not."""
NAMES_WEIGHT: Final = 4.0
"""What a token of a name lesson counts for beside a sentence of another."""
TOGETHER: Final = 24
"""So many examples make a batch."""
WARMING: Final = 0.1
"""The share of all steps in which the rate rises."""
DECAY: Final = 0.05
SORTED_TOGETHER: Final = TOGETHER * 20
"""Of so many examples those of like length come together."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A part of a turn with the lines before, as tokens; the tokens of each sentence, and the frames it fills by their
    numbers; the numbers of the slots of each token that has any; and which tokens are of the turn.
    """

    ids: Tokens
    sentences: Sequence[tuple[Tokens, frozenset[int]]]
    slots: dict[int, frozenset[int]]
    own: Tokens

    @property
    def empty(self) -> bool:
        """Whether it fills nothing."""
        return not self.slots


@dataclass(frozen=True, slots=True)
class NameLesson:
    """A text alone as tokens, how each is written, and the number of its class (`nlp.names.tagging`)."""

    ids: Tokens
    shapes: npt.NDArray[np.float32]
    classes: Tokens

    @property
    def empty(self) -> bool:
        """Whether it names nothing."""
        return not any(self.classes)


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


class Model(nn.Module):
    """The encoder, whose lower layers stay as they are, and its three heads."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = bge_small()
        self.encoder.requires_grad_(False)
        self.beneath = copy.deepcopy(self.encoder.encoder.layer[:FROZEN]).bfloat16()
        self.upper = self.encoder.encoder.layer[FROZEN:]
        self.upper.requires_grad_(True)
        size = self.encoder.config.hidden_size
        self.dropped = nn.Dropout(DROPPED)
        self.frames = nn.Sequential(
            nn.Linear(2 * size, WIDTH), nn.GELU(), nn.Dropout(DROPPED), nn.Linear(WIDTH, len(frame_labels()))
        )
        self.slots = nn.Sequential(
            nn.Linear(size, WIDTH), nn.GELU(), nn.Dropout(DROPPED), nn.Linear(WIDTH, len(slot_labels()))
        )
        self.names = nn.Sequential(
            nn.Linear(size + SHAPES, WIDTH), nn.GELU(), nn.Dropout(DROPPED), nn.Linear(WIDTH, len(CLASSES))
        )

        for head in (self.frames, self.slots):
            nn.init.constant_(head[-1].bias, RARE)

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

    def read(self, below: Tensor, mask: Tensor | None) -> Tensor:
        """What the upper layers make of that: (texts, tokens, 384)."""
        for layer in self.upper:
            below = _applied(layer, below, mask)
        return below

    def forward(self, read: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
        """Log-odds of frames (sentences, frames) and slots (tokens, slots) over vectors (tokens, 384)."""
        read = self.dropped(read)
        inside = (sentences > 0).float()
        highest = (read[None] * inside[:, :, None] - 30 * (1 - inside[:, :, None])).max(dim=1).values
        return self.frames(torch.cat([sentences @ read, highest], dim=1)), self.slots(read)

    def named(self, read: Tensor, shapes: Tensor) -> Tensor:
        """Log-odds of the classes of names (tokens, 15) over vectors (tokens, 384) and shapes (tokens, 15)."""
        found: Tensor = self.names(torch.cat([self.dropped(read), shapes], dim=1))
        return found


def _applied(layer: nn.Module, vectors: Tensor, mask: Tensor | None) -> Tensor:
    told = layer(vectors, mask)
    result: Tensor = told[0] if isinstance(told, tuple) else told
    return result


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


def teach(lessons: Sequence[Lesson | NameLesson]) -> Model:
    """A model that has learned from lessons; says on standard error how far it is."""
    torch.manual_seed(0)
    dice = random.Random(0)  # noqa: S311 - for order alone
    model = Model()
    model.train()
    below = _below(model, lessons)
    inner = list(model.upper.parameters())
    outer = [*model.frames.parameters(), *model.slots.parameters(), *model.names.parameters()]
    full = [number for number, lesson in enumerate(lessons) if not lesson.empty]
    empty = [number for number, lesson in enumerate(lessons) if lesson.empty]
    each_epoch = len(full) + int(EMPTY * len(empty))
    steps = EPOCHS * math.ceil(each_epoch / TOGETHER)
    taken = _Steps([(inner, RATE), (outer, RATE_OF_HEADS)], steps)
    for epoch in range(EPOCHS):
        total, number = 0.0, 0
        chosen = [*full, *dice.sample(empty, each_epoch - len(full))]
        for batch in _batches(chosen, lessons, dice):
            loss = _loss(model, [lessons[number] for number in batch], [below[number] for number in batch])
            taken.take(model, loss)
            total, number = total + loss.item(), number + 1
            if number % 100 == 0:
                print(f"epoch {epoch + 1}, {number} batches: loss {total / number:.4f}", file=sys.stderr, flush=True)
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {total / number:.4f}", file=sys.stderr, flush=True)
    return model.eval()


def export(model: Model, folder: Path) -> None:
    """Writes the model, with weights of 8 bits, as ONNX."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    given = {
        "ids": torch.ones(1, 8, dtype=torch.long),
        "sentences": torch.ones(2, 8) / 8,
        "shapes": torch.ones(8, SHAPES),
    }
    free = {"ids": {1: "tokens"}, "sentences": {0: "sentences", 1: "tokens"}, "shapes": {0: "tokens"}}
    with tempfile.TemporaryDirectory() as temporary:
        plain = Path(temporary) / TAGGER
        torch.onnx.export(
            _Whole(model).eval(),
            tuple(given.values()),
            str(plain),
            input_names=list(given),
            output_names=["frames", "slots", "names"],
            dynamic_axes=free,
            dynamo=False,
        )
        quantize_dynamic(
            plain,
            folder / TAGGER,
            per_channel=True,  # or vectors are another by 0.05 of cosine, not 0.007
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )


class _Whole(nn.Module):
    """The model from the numbers of tokens to probabilities."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, sentences: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        read = self.model.encoder(input_ids=ids).last_hidden_state[0]
        frames, slots = self.model(read, sentences)
        return frames.sigmoid(), slots.sigmoid(), self.model.named(read, shapes).softmax(dim=1)


def _below(model: Model, lessons: Sequence[Lesson | NameLesson]) -> list[Tensor]:
    """What the lower layers make of each lesson, in half precision, which is computed once."""
    model.eval()
    found = dict[int, Tensor]()
    for batch in _batches(range(len(lessons)), lessons, random.Random(0)):  # noqa: S311
        vectors = model.lower([lessons[number].ids for number in batch])
        found |= {number: each.half() for number, each in zip(batch, vectors, strict=True)}
    model.train()
    return [found[number] for number in range(len(lessons))]


def _batches(
    numbers: Iterable[int], lessons: Sequence[Lesson | NameLesson], dice: random.Random
) -> Iterator[list[int]]:
    """All numbers in another order, those of lessons of like length together."""
    order = list(numbers)
    dice.shuffle(order)
    parts = [order[at : at + SORTED_TOGETHER] for at in range(0, len(order), SORTED_TOGETHER)]
    parts = [sorted(part, key=lambda number: len(lessons[number].ids)) for part in parts]
    found = [part[at : at + TOGETHER] for part in parts for at in range(0, len(part), TOGETHER)]
    dice.shuffle(found)
    return iter(found)


def _means(groups: Sequence[Tokens], total: int) -> Tensor:
    """What takes the mean of each group of tokens, out of so many in all: (groups, total)."""
    found = torch.zeros(len(groups), total)
    for row, tokens in enumerate(groups):
        found[row, list(tokens)] = 1 / len(tokens)
    return found


def _mask(lengths: Iterable[int], longest: int) -> Tensor:
    """What is added to the odds with which a token heeds another: (texts, 1, 1, tokens)."""
    places = torch.arange(longest)
    return torch.where(places < torch.tensor([*lengths])[:, None], 0.0, MASKED)[:, None, None]


def _loss(model: Model, lessons: Sequence[Lesson | NameLesson], below: Sequence[Tensor]) -> Tensor:
    longest = max(len(each.ids) for each in lessons)
    vectors = torch.zeros(len(lessons), longest, below[0].shape[1])
    for row, each in enumerate(below):
        vectors[row, : len(each)] = each.float()
    with torch.autocast("cpu", torch.bfloat16):
        read = model.read(vectors, _mask(map(len, below), longest)).float()
    loss = read.new_zeros(())
    for row, lesson in enumerate(lessons):
        if isinstance(lesson, NameLesson):
            named = model.named(read[row, : len(lesson.ids)], torch.from_numpy(lesson.shapes))
            loss = loss + NAMES_WEIGHT * functional.cross_entropy(named, torch.tensor(lesson.classes))
            continue
        frames, slots = model(read[row, : len(lesson.ids)], _means([t for t, _ in lesson.sentences], len(lesson.ids)))
        wanted = torch.zeros_like(frames)
        for place, (_, filled) in enumerate(lesson.sentences):
            wanted[place, list(filled)] = 1
        loss = loss + _entropy(frames, wanted, FRAME_WEIGHT)
        own = list(lesson.own)
        tagged = torch.zeros(len(own), len(slot_labels()))
        for place, token in enumerate(own):
            tagged[place, list(lesson.slots.get(token, ()))] = 1
        loss = loss + _entropy(slots[own], tagged, SLOT_WEIGHT)
    return loss / len(lessons)


def _entropy(odds: Tensor, wanted: Tensor, weight: float) -> Tensor:
    """The cross entropy of each row, on average."""
    each = functional.binary_cross_entropy_with_logits(
        odds, wanted, reduction="none", pos_weight=odds.new_tensor(weight)
    )
    return each.sum(dim=1).mean()
