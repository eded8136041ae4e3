from pathlib import Path

from scripts.weaken_rule import WEAKENINGS, checked


def test_every_weakening_finds_the_text_that_it_weakens(root: Path) -> None:
    """The text that each weakening replaces occurs once in its file, so that weakenings are updated with the rule."""
    checked(WEAKENINGS, root)
