"""Models of onnxruntime."""

from pathlib import Path
from typing import Any


def open_model(file: Path) -> Any:  # onnxruntime has no types
    """A model that works with one thread a run, so that several runs side by side are as fast as they can be."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
