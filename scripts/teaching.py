"""What teaching the tagger needs: batches, the optimizer, means of tokens, the export."""

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR

from hippograph.nlp.models.tagger import Tokens

TOGETHER: Final = 24
"""So many examples make a batch."""
WARMING: Final = 0.1
"""The share of all steps in which the rate rises."""
DECAY: Final = 0.05
_SORTED_TOGETHER: Final = TOGETHER * 20
"""Of so many examples those of like length come together."""

T = TypeVar("T")


class Steps:
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


def batches(items: Iterable[T], length: Callable[[T], int], dice: random.Random) -> Iterator[Sequence[T]]:
    """All items in another order, those of like length together."""
    order = list(items)
    dice.shuffle(order)
    parts = [sorted(order[at : at + _SORTED_TOGETHER], key=length) for at in range(0, len(order), _SORTED_TOGETHER)]
    found = [part[at : at + TOGETHER] for part in parts for at in range(0, len(part), TOGETHER)]
    dice.shuffle(found)
    return iter(found)


def means(groups: Sequence[Tokens], total: int) -> Tensor:
    """What takes the mean of each group of tokens, out of so many in all: (groups, total)."""
    found = torch.zeros(len(groups), total)
    for row, tokens in enumerate(groups):
        found[row, list(tokens)] = 1 / len(tokens)
    return found


def write_onnx(
    module: nn.Module, file: Path, given: dict[str, Tensor], told: list[str], open_: dict[str, dict[int, str]]
) -> None:
    """Writes a module as ONNX; `given` are its inputs by name, as examples, `told` its outputs, `open_` the axes whose
    length is free.
    """
    torch.onnx.export(
        module.eval(),
        tuple(given.values()),
        str(file),
        input_names=list(given),
        output_names=told,
        dynamic_axes=open_,
        dynamo=False,
    )


def write_quantized(
    module: nn.Module, file: Path, given: dict[str, Tensor], told: list[str], open_: dict[str, dict[int, str]]
) -> None:
    """The same, with weights of 8 bits."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as temporary:
        plain = Path(temporary) / file.name
        write_onnx(module, plain, given, told, open_)
        quantize_dynamic(
            plain,
            file,
            per_channel=True,  # or vectors are another by 0.05 of cosine, not 0.007
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )
