"""Trained models: logistic regressions, ONNX sessions, and the files of their weights."""

from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).parent
"""The folder of the weights."""
