"""Sessions of onnxruntime."""

from pathlib import Path
from typing import Any


def open_model(file: Path) -> Any:  # onnxruntime has no types
    """Opens a model with one thread per run, which is fastest if several runs are concurrent."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
