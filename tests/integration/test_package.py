import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The package as it would be published."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


@pytest.mark.parametrize("folder", ["api", "cypher", "graph", "nlp"])
def test_wheel_holds_every_file_of_the_packages(wheel: zipfile.ZipFile, root: Path, folder: str) -> None:
    """Statements, locks and pages travel with the code that reads them."""
    tracked = subprocess.run(
        ["git", "ls-files", folder], cwd=root, check=True, capture_output=True, text=True
    ).stdout.splitlines()

    assert [] == sorted(set(tracked) - set(wheel.namelist()))


def test_wheel_holds_the_sample(wheel: zipfile.ZipFile) -> None:
    """`hippograph demo` works without a clone."""
    assert "api/examples/sample.json" in wheel.namelist()


@pytest.mark.parametrize("name", ["api", "cypher", "graph", "nlp"])
def test_nobody_else_installs_a_package_of_our_names(name: str) -> None:
    """Plain names are only safe as long as they are ours alone."""
    assert set(packages_distributions().get(name, [])) <= {"hippograph"}
