"""Teaches the lower layers of MiniLM to read talk, for `scripts.train_extraction`; torch is needed for that alone."""

import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel

from nlp.embedding.minilm import minilm_folder
from nlp.extraction.framing import Tokens
from nlp.extraction.relevance import HEADS, LAYERS, Vector
from scripts.teaching import TOGETHER, Steps, batches, means, write_onnx, write_quantized

DEPTH: Final = 3
"""So many of MiniLM's six layers: all six are no better."""
WIDTH: Final = 128
NARROW: Final = 64
EPOCHS: Final = 4
RATE, RATE_OF_HEADS = 1e-4, 1e-3
DROPPED: Final = 0.1
KIND, ABOUT = 1.0, 2.0
"""What errors in the kind, and in whom something is about, count for beside those in whether it is worth it."""


@dataclass(frozen=True, slots=True)
class Told:
    """A piece: the tokens of its words and of its main word, its kind by number if it is worth it, and the tokens of
    those it may be about, and whether it is.
    """

    tokens: tuple[Tokens, ...]
    kind: int | None
    options: list[tuple[Tokens, bool]]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is read together, what each of its pieces counts for, and these."""

    ids: Tokens
    weight: float
    told: list[Told]


class Model(nn.Module):
    """The encoder and its heads, as `nlp.extraction.relevance` runs them."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(minilm_folder())
        self.encoder.encoder.layer = self.encoder.encoder.layer[:DEPTH]
        self.encoder.embeddings.requires_grad_(False)
        size = self.encoder.config.hidden_size
        self.dropped = nn.Dropout(DROPPED)
        self.worth = nn.Sequential(nn.Linear(2 * size, WIDTH), nn.ReLU(), nn.Dropout(DROPPED), nn.Linear(WIDTH, 1))
        self.kinds = nn.Linear(2 * size, kinds)
        self.piece = nn.Linear(2 * size, WIDTH)
        self.somebody = nn.Linear(size, WIDTH)
        self.about = nn.Sequential(nn.Linear(3 * WIDTH, NARROW), nn.ReLU(), nn.Dropout(DROPPED), nn.Linear(NARROW, 1))

    def forward(self, batch: "Batch") -> tuple[Tensor, Tensor, Tensor]:
        """Log-odds: of being worth it and of each kind, of pieces; of being what its piece is about, of options."""
        read = self.encoder(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state
        read = self.dropped(read).flatten(0, 1)
        pieces, options = torch.cat([batch.words @ read, batch.heads @ read], dim=1), batch.options @ read
        return self.judged(pieces, options, batch.piece)

    def judged(self, pieces: Tensor, options: Tensor, piece: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same of vectors; `piece` is the number of the piece of each option."""
        one, other = torch.tanh(self.piece(pieces))[piece], torch.tanh(self.somebody(options))
        about = self.about(torch.cat([one, other, one * other], dim=1))
        return self.worth(pieces).squeeze(-1), self.kinds(pieces), about.squeeze(-1)

    def vectors(self, ids: Tokens) -> Vector:
        """One vector a token."""
        with torch.no_grad():
            read = self.encoder(input_ids=torch.tensor([ids])).last_hidden_state
        vectors: Vector = read[0].numpy()
        return vectors

    def opinion(self, piece: Vector, options: Vector) -> tuple[float, Vector, Vector]:
        """As `nlp.extraction.relevance.Encoder` has it."""
        with torch.no_grad():
            worth, kinds, about = _Heads(self)(torch.from_numpy(piece), torch.from_numpy(options))
        return worth.item(), kinds.numpy(), about.numpy()


@dataclass(frozen=True, slots=True)
class Batch:
    """Lessons as tensors. `words`, `heads` and `options` are the means to take over all tokens of the batch; `piece`
    is the number of the piece of each option.
    """

    ids: Tensor
    mask: Tensor
    words: Tensor
    heads: Tensor
    options: Tensor
    piece: Tensor
    kinds: list[int | None]
    right: Tensor
    weights: Tensor


def teach(lessons: Sequence[Lesson], epochs: int = EPOCHS) -> Model:
    """A model that has learned from lessons; says on standard error how far it is."""
    torch.manual_seed(0)
    dice = random.Random(0)  # noqa: S311 - for order alone
    kinds = 1 + max(each.kind for lesson in lessons for each in lesson.told if each.kind is not None)
    model = Model(kinds)
    model.train()
    inner = [each for each in model.encoder.parameters() if each.requires_grad]
    known = {id(each) for each in model.encoder.parameters()}
    outer = [each for each in model.parameters() if id(each) not in known]
    steps = epochs * math.ceil(len(lessons) / TOGETHER)
    taken = Steps([(inner, RATE), (outer, RATE_OF_HEADS)], steps)
    for epoch in range(epochs):
        total = 0.0
        for batch in batches(lessons, lambda each: len(each.ids), dice):
            loss = _loss(model, _batch(batch))
            taken.take(model, loss)
            total += loss.item()
        print(f"epoch {epoch + 1} of {epochs}: loss {total * TOGETHER / len(lessons):.3f}", file=sys.stderr)
    return model.eval()


def export(model: Model, folder: Path) -> None:
    """Writes the layers, with weights of 8 bits, and the heads as ONNX."""
    size = model.encoder.config.hidden_size
    vectors = {"inputs_embeds": torch.zeros(1, 8, size)}
    write_quantized(_Layers(model), folder / LAYERS, vectors, ["vectors"], {"inputs_embeds": {1: "tokens"}})
    given = {"piece": torch.zeros(2 * size), "options": torch.zeros(3, size)}
    write_onnx(_Heads(model), folder / HEADS, given, ["worth", "kinds", "about"], {"options": {0: "options"}})


class _Layers(nn.Module):
    """The layers over the embeddings of words, which are MiniLM's own."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.encoder = model.encoder

    def forward(self, embedded: Tensor) -> Tensor:
        read: Tensor = self.encoder(inputs_embeds=embedded).last_hidden_state
        return read


class _Heads(nn.Module):
    """What is thought of one piece."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def forward(self, piece: Tensor, options: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        worth, kinds, about = self.model.judged(
            piece[None], options, options.new_zeros(options.shape[0], dtype=torch.long)
        )
        return worth, kinds[0], about


def _batch(lessons: Sequence[Lesson]) -> Batch:
    longest = max(len(each.ids) for each in lessons)
    ids, mask = torch.zeros(2, len(lessons), longest, dtype=torch.long)
    for row, lesson in enumerate(lessons):
        ids[row, : len(lesson.ids)] = torch.tensor(lesson.ids)
        mask[row, : len(lesson.ids)] = 1
    told = [(row * longest, each) for row, lesson in enumerate(lessons) for each in lesson.told]
    options = [(at, place, *option) for place, (at, each) in enumerate(told) for option in each.options]
    total = len(lessons) * longest
    return Batch(
        ids,
        mask,
        words=means([_moved(each.tokens[0], at) for at, each in told], total),
        heads=means([_moved(each.tokens[1], at) for at, each in told], total),
        options=means([_moved(tokens, at) for at, _, tokens, _ in options], total),
        piece=torch.tensor([place for _, place, _, _ in options]),
        kinds=[each.kind for _, each in told],
        right=torch.tensor([right for *_, right in options]),
        weights=torch.tensor([lesson.weight for lesson in lessons for _ in lesson.told]),
    )


def _moved(tokens: Tokens, by: int) -> Tokens:
    return tuple(token + by for token in tokens)


def _loss(model: Model, batch: Batch) -> Tensor:
    worth, kinds, about = model(batch)
    labelled = [place for place, kind in enumerate(batch.kinds) if kind is not None]
    target = torch.zeros(len(batch.kinds))
    target[labelled] = 1.0
    loss = functional.binary_cross_entropy_with_logits(worth, target, reduction="none") @ batch.weights
    right = torch.tensor([batch.kinds[place] for place in labelled], dtype=torch.long)
    loss = loss + KIND * functional.cross_entropy(kinds[labelled], right, reduction="none") @ batch.weights[labelled]
    for place in labelled:
        chance = _right(about, batch, place)
        if chance > 0:
            loss = loss - ABOUT * batch.weights[place] * chance.log()
    return loss / len(batch.kinds)


def _right(about: Tensor, batch: Batch, piece: int) -> Tensor:
    """The probability of those that a piece is about."""
    own = batch.piece == piece
    return (functional.softmax(about[own], dim=0) * batch.right[own]).sum()
