import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The package as it would be published, built from the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(root)]
    subprocess.run(command, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


@pytest.mark.parametrize("folder", ["api", "cypher", "graph", "nlp"])
def test_wheel_holds_every_file_of_the_package(wheel: zipfile.ZipFile, root: Path, folder: str) -> None:
    """The wheel holds each tracked file of the package, such as statements, locks and pages."""
    tracked = subprocess.run(
        ["git", "ls-files", folder], cwd=root, check=True, capture_output=True, text=True
    ).stdout.splitlines()

    assert [] == sorted({f"hippograph/{file}" for file in tracked} - set(wheel.namelist()))


def test_wheel_holds_the_sample(wheel: zipfile.ZipFile) -> None:
    """The wheel holds the sample, so that `hippograph demo` works without a clone."""
    assert "hippograph/api/examples/sample.json" in wheel.namelist()


def test_wheel_has_one_package(wheel: zipfile.ZipFile) -> None:
    """All files of the wheel are below `hippograph`."""
    packages = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" not in name}
    assert {"hippograph"} == packages


def test_a_project_has_its_own_package_called_api(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """The installed package runs in a project that has its own packages called `api` and `graph`."""
    installed, project = tmp_path / "installed", tmp_path / "project"
    wheel.extractall(installed)
    for name in ("api", "graph"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").write_text(f"OURS = '{name}'\n", "utf-8")
    asked = (
        "import api, graph, hippograph.api.cli, hippograph.graph.model as m; print(api.OURS, graph.OURS, m.__file__)"
    )

    told = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=project,
        env={"PYTHONPATH": f"{project}{os.pathsep}{installed}", "PATH": os.defpath},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()

    assert ["api", "graph", str(installed / "hippograph" / "graph" / "model.py")] == told
