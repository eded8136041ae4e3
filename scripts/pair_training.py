"""Teaches models that read a fact beside a text, over the shared layers: the verifier and the retraction detector.

torch and onnx are needed for that alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from hippograph.nlp.models.encoder import Tokens
from scripts.encoder_training import DROPPED, WIDTH, Encoder, export, learn

RATE, RATE_OF_HEAD = 2e-4, 1e-3


@dataclass(frozen=True, slots=True)
class Lesson:
    """A fact with a text, as tokens; how many are the fact's; and what is to be said of them, each from 0 to 1."""

    ids: Tokens
    length: int
    wanted: tuple[float, ...]


class PairModel(Encoder):
    """The encoder, and a head that says so many things of a fact and a text."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.head = nn.Sequential(
            nn.Dropout(DROPPED),
            nn.Linear(2 * self.size, WIDTH),
            nn.GELU(),
            nn.Dropout(DROPPED),
            nn.Linear(WIDTH, outputs),
        )

    def judge(self, read: Tensor, fact: Tensor) -> Tensor:
        """The log-odds (texts, outputs), over vectors (texts, tokens, 384) and what takes the mean of the tokens of
        each fact (texts, tokens).
        """
        mean = torch.einsum("bt,bts->bs", fact, read)
        found: Tensor = self.head(torch.cat([read[:, 0], mean], dim=1))
        return found

    def judge_together(self, below: Sequence[Tensor], lengths: Sequence[int]) -> Tensor:
        """The same of several texts of different lengths, from what the lower layers make of them."""
        read = self.read_together(below)
        fact = torch.zeros(read.shape[:2])
        for row, length in enumerate(lengths):
            fact[row, 1 : 1 + length] = 1 / length
        return self.judge(read, fact)


class _Upper(nn.Module):
    """The model from what the lower layers tell to log-odds."""

    def __init__(self, model: PairModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, vectors: Tensor, fact: Tensor) -> Tensor:
        return self.model.judge(self.model.read(vectors), fact)


def teach(taught: Sequence[Lesson]) -> PairModel:
    """A model that has learned from lessons; says on standard error how far it is."""
    torch.manual_seed(0)
    model = PairModel(len(taught[0].wanted))
    model.train()
    below = model.lower_of_all([each.ids for each in taught])

    def loss(batch: Sequence[int]) -> Tensor:
        found = model.judge_together([below[each] for each in batch], [taught[each].length for each in batch])
        return functional.binary_cross_entropy_with_logits(found, torch.tensor([taught[each].wanted for each in batch]))

    learn(
        model,
        [(model.upper.parameters(), RATE), (model.head.parameters(), RATE_OF_HEAD)],
        [len(each.ids) for each in taught],
        len(taught),
        lambda _: range(len(taught)),
        loss,
    )
    return model.eval()


def write(model: PairModel, file: Path, output: str) -> None:
    """Writes the upper layers with the head, whose log-odds are called `output`."""
    given = {"vectors": torch.ones(1, 8, model.size), "fact": torch.ones(1, 8) / 8}
    free = {"vectors": {1: "tokens"}, "fact": {1: "tokens"}}
    export(_Upper(model), file, given, [output], free)
