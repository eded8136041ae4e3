import re
from hashlib import sha256
from pathlib import Path

from hippograph.nlp.models import MODELS

CARD = (MODELS / "README.md").read_text("utf-8")
ROWS = re.findall(r"^\|(.+)\| `([0-9a-f]{64})` \|$", CARD, re.MULTILINE)


def digest(files: list[Path]) -> str:
    """The hash of files one after the other."""
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def matching(folder: Path, patterns: str) -> set[Path]:
    """The files of a folder that are named between backticks."""
    return {file for pattern in re.findall(r"`([^`]+)`", patterns) for file in folder.glob(pattern)}


def test_the_model_card_states_the_hash_of_every_model() -> None:
    """Who trains a model anew writes its card anew."""
    stated = {row.split("`")[1]: hash_ for row, hash_ in ROWS if "jsonl" not in row}
    assert {file.name: digest([file]) for file in MODELS.iterdir() if file.suffix in {".json", ".onnx"}} == stated


def test_the_model_card_states_the_hashes_of_the_data(root: Path) -> None:
    """Of the sets that the models were trained on."""
    stated = [(row.split("|")[1], hash_) for row, hash_ in ROWS if "jsonl" in row]
    assert len(stated) == 5
    for files, hash_ in stated:
        taken, _, left = files.partition("without")
        folder = root / "tests/benchmark"
        assert hash_ == digest(sorted(matching(folder, taken) - matching(folder, left)))
