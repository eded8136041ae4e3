"""What is generated in this package is what its sources and the service's schema make."""

import filecmp
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[1]


def test_generated_files_are_up_to_date(tmp_path: Path) -> None:
    """`python generate.py` changes nothing."""
    copied = tmp_path / "clients/python"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns(".venv", "__pycache__", "tests", ".*_cache"))
    for name in ("schema.graphql", "clients/operations.graphql", "clients/fragments.graphql"):
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run([sys.executable, "generate.py"], cwd=copied, check=True)
    made, there = copied / "hippograph_client", PACKAGE / "hippograph_client"
    names = sorted(str(path.relative_to(made)) for path in made.rglob("*.py"))
    _, differing, missing = filecmp.cmpfiles(made, there, names, shallow=False)
    assert ([], []) == (differing, missing), "run: python generate.py"
