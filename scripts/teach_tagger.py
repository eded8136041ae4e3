"""Trains bge-small to tag frames, slots and names, for `scripts.train_frames`. Only training needs torch and onnx."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from hippograph.nlp.frames.tagger import frame_labels, slot_labels
from hippograph.nlp.models.encoder import Tokens
from hippograph.nlp.models.tagger import SHAPES, TAGGER
from hippograph.nlp.names.tagging import SORTS
from scripts.encoder_training import DROPPED, WIDTH, Encoder, export, export_lower_layers, learn

EMPTY: Final = 0.4
"""Share of the lessons without a slot or a name that each epoch reads, drawn at random."""
CLASSES: Final = ("", *(f"{place}-{sort}" for sort in SORTS for place in "BI"))
"""Classes of a token: outside any name, or the first (B) or a further (I) token of a name of some sort."""
RATE, RATE_OF_HEADS = 2e-4, 2e-3
RARE: Final = -5.0
"""Initial bias of the outputs for frames and slots, in log-odds; it is low because most are absent."""
FRAME_WEIGHT, SLOT_WEIGHT = 2.0, 4.0
"""Weights in the loss of a frame and of a slot that is present; one that is absent has weight 1."""
NAMES_WEIGHT: Final = 4.0
"""Weight of the loss of a name lesson, the mean over its tokens; the loss of another lesson has weight 1."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A part of a turn with the lines before it, as token ids.

    `sentences` has for each sentence the positions of its tokens and the indexes of the frames that it fills. `slots`
    maps the position of a token to the indexes of its slots; tokens without a slot are absent. `own` are the positions
    of the tokens of the turn itself.
    """

    ids: Tokens
    sentences: Sequence[tuple[Tokens, frozenset[int]]]
    slots: dict[int, frozenset[int]]
    own: Tokens

    @property
    def empty(self) -> bool:
        """Whether no token belongs to a slot."""
        return not self.slots


@dataclass(frozen=True, slots=True)
class NameLesson:
    """A text without context as token ids, with the features of spelling of each token (`nlp.names.tagging`) and the
    index of its class in `CLASSES`.
    """

    ids: Tokens
    shapes: npt.NDArray[np.float32]
    classes: Tokens

    @property
    def empty(self) -> bool:
        """Whether the text has no name."""
        return not any(self.classes)


class Model(Encoder):
    """The encoder with three heads: for frames, slots and names."""

    def __init__(self) -> None:
        super().__init__()
        size = self.size
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

    def forward(self, read: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
        """Returns log-odds of frames (sentences, frames) and slots (tokens, slots). `read` are vectors (tokens, 384),
        `sentences` the weights (sentences, tokens) that give the mean of each sentence.
        """
        read = self.dropped(read)
        inside = (sentences > 0).float()
        highest = (read[None] * inside[:, :, None] - 30 * (1 - inside[:, :, None])).max(dim=1).values
        return self.frames(torch.cat([sentences @ read, highest], dim=1)), self.slots(read)

    def named(self, read: Tensor, shapes: Tensor) -> Tensor:
        """Returns log-odds of the classes (tokens, 15), from vectors (tokens, 384) and features (tokens, 15)."""
        found: Tensor = self.names(torch.cat([self.dropped(read), shapes], dim=1))
        return found


def teach(lessons: Sequence[Lesson | NameLesson]) -> Model:
    """Returns a model trained with the lessons, in evaluation mode; reports its progress on standard error."""
    torch.manual_seed(0)
    model = Model()
    model.train()
    below = model.lower_of_all([lesson.ids for lesson in lessons])
    inner = list(model.upper.parameters())
    outer = [*model.frames.parameters(), *model.slots.parameters(), *model.names.parameters()]
    full = [number for number, lesson in enumerate(lessons) if not lesson.empty]
    empty = [number for number, lesson in enumerate(lessons) if lesson.empty]
    some = int(EMPTY * len(empty))
    learn(
        model,
        [(inner, RATE), (outer, RATE_OF_HEADS)],
        [len(lesson.ids) for lesson in lessons],
        len(full) + some,
        lambda dice: [*full, *dice.sample(empty, some)],
        lambda batch: _loss(model, [lessons[number] for number in batch], [below[number] for number in batch]),
    )
    return model.eval()


def write(model: Model, folder: Path) -> None:
    """Writes two ONNX models: the lower layers, and the upper layers with the heads."""
    export_lower_layers(model, folder)
    given = {
        "vectors": torch.ones(1, 8, model.size),
        "sentences": torch.ones(2, 8) / 8,
        "shapes": torch.ones(8, SHAPES),
    }
    free = {"vectors": {1: "tokens"}, "sentences": {0: "sentences", 1: "tokens"}, "shapes": {0: "tokens"}}
    export(_Upper(model), folder / TAGGER, given, ["frames", "slots", "names"], free)


class _Upper(nn.Module):
    """The exported part of the model: from the outputs of the lower layers to probabilities."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def forward(self, vectors: Tensor, sentences: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        read = self.model.read(vectors)[0]
        frames, slots = self.model(read, sentences)
        return frames.sigmoid(), slots.sigmoid(), self.model.named(read, shapes).softmax(dim=1)


def _means(groups: Sequence[Tokens], total: int) -> Tensor:
    """Returns weights (groups, total) that give the mean of each group of token positions; `total` is the number of
    tokens.
    """
    found = torch.zeros(len(groups), total)
    for row, tokens in enumerate(groups):
        found[row, list(tokens)] = 1 / len(tokens)
    return found


def _loss(model: Model, lessons: Sequence[Lesson | NameLesson], below: Sequence[Tensor]) -> Tensor:
    read = model.read_together(below)
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
    """Returns the binary cross entropy, summed over each row and averaged over the rows. `weight` is that of what is
    present.
    """
    each = functional.binary_cross_entropy_with_logits(
        odds, wanted, reduction="none", pos_weight=odds.new_tensor(weight)
    )
    return each.sum(dim=1).mean()
