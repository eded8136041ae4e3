import re
from hashlib import sha256
from pathlib import Path

from hippograph.nlp.models import MODELS

CARD = (MODELS / "README.md").read_text("utf-8")
ROWS = re.findall(r"^\|(.+)\| `([0-9a-f]{64})` \|$", CARD, re.MULTILINE)


def digest(files: list[Path]) -> str:
    """Returns the SHA-256 hash of the concatenated files."""
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def matching(folder: Path, patterns: str) -> set[Path]:
    """Returns the files of a folder that match the patterns between backticks."""
    return {file for pattern in re.findall(r"`([^`]+)`", patterns) for file in folder.glob(pattern)}


def test_the_model_card_states_the_hash_of_every_model() -> None:
    """The model card has the hash of every model file, so that it must be updated when a model is trained again."""
    stated = {row.split("`")[1]: hash_ for row, hash_ in ROWS if "jsonl" not in row}
    assert {file.name: digest([file]) for file in MODELS.iterdir() if file.suffix in {".json", ".onnx"}} == stated


def test_the_model_card_states_the_hashes_of_the_data(root: Path) -> None:
    """The model card has the hash of each set of files that models were trained on."""
    stated = [(row.split("|")[1], hash_) for row, hash_ in ROWS if "jsonl" in row]
    assert len(stated) == 5
    for files, hash_ in stated:
        taken, _, left = files.partition("without")
        folder = root / "tests/benchmark"
        assert hash_ == digest(sorted(matching(folder, taken) - matching(folder, left)))
