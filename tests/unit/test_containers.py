"""The image and the compose file: of the versions that are locked and tested, and of files that are there."""

import re
from pathlib import Path

import pytest
import yaml

from tests.conftest import DOCKER_IMAGE


@pytest.fixture(scope="module")
def compose(root: Path) -> dict:
    """What docker-compose.yml says."""
    return yaml.safe_load((root / "docker-compose.yml").read_text("utf-8"))


def test_one_version_of_neo4j_everywhere(root: Path, compose: dict) -> None:
    """The lock, compose and the tests' container name the same Neo4j."""
    lock = (root / "graph/local/neo4j.lock").read_text("utf-8")
    [locked] = re.findall(r"^# root: org\.neo4j:neo4j:(.+)$", lock, re.M)
    assert DOCKER_IMAGE == compose["services"]["neo4j"]["image"] == f"neo4j:{locked}-community"


def test_the_image_is_made_of_files_that_are_there(root: Path) -> None:
    """What is copied exists, and is let through to the builder."""
    text = (root / "Dockerfile").read_text("utf-8")
    copied = [path for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.M) for path in line.split()[:-1]]
    ignored = (root / ".dockerignore").read_text("utf-8").splitlines()
    let_through = [line[1:] for line in ignored if line.startswith("!")]
    assert copied
    for path in copied:
        assert (root / path).exists()
        assert any(path == one or path.startswith(f"{one}/") for one in let_through), path


def test_the_image_runs_without_rights_of_root_and_says_how_it_is(root: Path) -> None:
    """Its user is no root, it has a health check, and it listens beyond loopback only with credentials."""
    text = (root / "Dockerfile").read_text("utf-8")
    assert re.search(r"^USER (?!root)\w+", text, re.M)
    assert "/readyz" in text
    assert "HIPPOGRAPH_AUTH=credentials" in text


def test_the_image_has_the_python_of_the_project(root: Path) -> None:
    """The oldest Python that the project takes is the one of the image."""
    [oldest] = re.findall(r'requires-python = ">=([\d.]+)"', (root / "pyproject.toml").read_text("utf-8"))
    assert set(re.findall(r"^FROM python:([\d.]+)-", (root / "Dockerfile").read_text("utf-8"), re.M)) == {oldest}


def test_passwords_come_from_files(compose: dict) -> None:
    """No password stands in the compose file or in an environment that others may read."""
    for service in compose["services"].values():
        assert not [name for name in service.get("environment", {}) if name.endswith("PASSWORD")]
    assert set(compose["secrets"]) == {"neo4j_auth", "hippograph_env"}
    assert all(
        service["depends_on"]["neo4j"] == {"condition": "service_healthy"}
        for name, service in compose["services"].items()
        if name != "neo4j"
    )
