from pathlib import Path

from scripts.weaken_rule import WEAKENINGS, checked


def test_every_weakening_finds_the_text_that_it_weakens(root: Path) -> None:
    """The rule and the ways in which its tests are tried change together."""
    checked(WEAKENINGS, root)
