"""What was taught or is loaded from weights: logistic regressions, ONNX sessions, and the weights themselves."""

from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).parent
"""The folder of the weights."""
