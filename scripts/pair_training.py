"""Trains the models that read a fact and a text together: the verifier and the retraction detector.

They are upper layers and a head on the shared lower layers. Only training needs torch and onnx.
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
    """A training example: the tokens of a fact and a text, the number of tokens of the fact, and the target probability
    of each output.
    """

    ids: Tokens
    length: int
    wanted: tuple[float, ...]


class PairModel(Encoder):
    """The encoder with one head, which has `outputs` outputs for a fact and a text."""

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
        """Returns log-odds (texts, outputs). `read` are vectors (texts, tokens, 384); `fact` are the weights (texts,
        tokens) that give the mean of the tokens of each fact.
        """
        mean = torch.einsum("bt,bts->bs", fact, read)
        found: Tensor = self.head(torch.cat([read[:, 0], mean], dim=1))
        return found

    def judge_together(self, below: Sequence[Tensor], lengths: Sequence[int]) -> Tensor:
        """Returns the log-odds of several texts of different lengths, from the outputs of the lower layers. `lengths`
        are the numbers of tokens of their facts.
        """
        read = self.read_together(below)
        fact = torch.zeros(read.shape[:2])
        for row, length in enumerate(lengths):
            fact[row, 1 : 1 + length] = 1 / length
        return self.judge(read, fact)


class _Upper(nn.Module):
    """The exported part of the model: from the outputs of the lower layers to log-odds."""

    def __init__(self, model: PairModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, vectors: Tensor, fact: Tensor) -> Tensor:
        return self.model.judge(self.model.read(vectors), fact)


def teach(taught: Sequence[Lesson]) -> PairModel:
    """Returns a model trained with the lessons, in evaluation mode; reports its progress on standard error."""
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
    """Writes the upper layers with the head as ONNX; `output` becomes the name of its log-odds."""
    given = {"vectors": torch.ones(1, 8, model.size), "fact": torch.ones(1, 8) / 8}
    free = {"vectors": {1: "tokens"}, "fact": {1: "tokens"}}
    export(_Upper(model), file, given, [output], free)
