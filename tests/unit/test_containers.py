"""The image and docker-compose.yml: versions, settings and files agree with the project, and secrets are readable."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import yaml

from hippograph.graph.local.conf import EVERYWHERE
from tests.neo4j_servers import DOCKER_IMAGE, PLUGINS, container_environment


@pytest.fixture(scope="module")
def compose(root: Path) -> dict:
    """The content of docker-compose.yml."""
    return yaml.safe_load((root / "docker-compose.yml").read_text("utf-8"))


def test_one_version_of_neo4j_everywhere(root: Path, compose: dict) -> None:
    """The lock file, docker-compose.yml and the tests' container have the same version of Neo4j."""
    lock = (root / "graph/artifacts/neo4j.lock").read_text("utf-8")
    [locked] = re.findall(r"^# root: org\.neo4j:neo4j:(.+)$", lock, re.M)
    assert DOCKER_IMAGE == compose["services"]["neo4j"]["image"] == f"neo4j:{locked}-community"


def test_neo4j_has_the_settings_and_the_plugin_that_ours_has(compose: dict) -> None:
    """Neo4j in docker-compose.yml has the plugins of the tests' container and the settings of our own Neo4j."""
    environment = compose["services"]["neo4j"]["environment"]
    expected = {"NEO4J_PLUGINS": PLUGINS, **container_environment(EVERYWHERE)}
    assert expected == {name: environment.get(name) for name in expected}


def test_the_image_is_made_of_files_that_are_there(root: Path) -> None:
    """Every path that the Dockerfile copies exists and is not excluded by .dockerignore."""
    text = (root / "Dockerfile").read_text("utf-8")
    copied = [path for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.M) for path in line.split()[:-1]]
    ignored = (root / ".dockerignore").read_text("utf-8").splitlines()
    let_through = [line[1:] for line in ignored if line.startswith("!")]
    assert copied
    for path in copied:
        assert (root / path).exists()
        assert any(path == one or path.startswith(f"{one}/") for one in let_through), path


def test_the_image_runs_without_rights_of_root_and_says_how_it_is(root: Path) -> None:
    """The image does not run as root, uses `/readyz` as its health check, and requires credentials."""
    text = (root / "Dockerfile").read_text("utf-8")
    assert re.search(r"^USER (?!root)\w+", text, re.M)
    assert "/readyz" in text
    assert "HIPPOGRAPH_AUTH=credentials" in text


def test_the_image_has_the_python_of_the_project(root: Path) -> None:
    """The image has the oldest version of Python that the project supports."""
    [oldest] = re.findall(r'requires-python = ">=([\d.]+)"', (root / "pyproject.toml").read_text("utf-8"))
    assert set(re.findall(r"^FROM python:([\d.]+)-", (root / "Dockerfile").read_text("utf-8"), re.M)) == {oldest}


READ_AS = """
import os, sys
from hippograph.api.settings.settings import Settings
os.setgroups([])
os.setgid(int(sys.argv[1]))
os.setuid(int(sys.argv[1]))
print(Settings(_env_file=sys.argv[2], neo4j_uri="neo4j://neo4j").neo4j_password.get_secret_value())
"""


def read_secret(root: Path, mode: int, text: str) -> subprocess.CompletedProcess[str]:
    """Reads settings from a secret as the image's user. The secret is a file of root's with this mode, as Compose
    makes it.
    """
    if os.getuid():
        pytest.skip("only root may become another user")
    [uid] = re.findall(r"useradd .*--uid (\d+)", (root / "Dockerfile").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder, "hippograph_env")
        file.write_text(text, "utf-8")
        file.chmod(mode)
        environment = {**os.environ, "LOGNAME": "hippograph"}  # outside the image the user id has no name
        command = [sys.executable, "-c", READ_AS, uid, file]
        return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)


def test_the_images_user_reads_its_secret(root: Path, compose: dict) -> None:
    """The user of the image, who does not own the secrets, reads them with the mode set in docker-compose.yml."""
    [mode] = {secret["mode"] for name in ("service", "worker") for secret in compose["services"][name]["secrets"]}
    told = read_secret(root, mode, 'HIPPOGRAPH_NEO4J_PASSWORD="a b#c\'d"')
    assert ("a b#c'd\n", "") == (told.stdout, told.stderr)


def test_a_mounted_file_that_only_its_owner_may_read_would_not_do(root: Path) -> None:
    """The user of the image cannot read a file with mode 600 of another owner. Compose mounts secrets that are files
    with their owner and mode outside, so ours come from variables.
    """
    told = read_secret(root, 0o600, "HIPPOGRAPH_NEO4J_PASSWORD=secret")
    assert "PermissionError" in told.stderr


def test_neo4j_reads_its_secret(compose: dict) -> None:
    """The secret of Neo4j is readable by all: its entrypoint checks the mode of the file, even when it runs as root."""
    [secret] = compose["services"]["neo4j"]["secrets"]
    assert "/run/secrets/" + secret["source"] == compose["services"]["neo4j"]["environment"]["NEO4J_AUTH_FILE"]
    assert secret["mode"] & 0o004


def test_passwords_come_from_outside(compose: dict) -> None:
    """No container has a password in its environment; secrets come from variables. All wait for a healthy Neo4j."""
    for service in compose["services"].values():
        assert not [name for name in service.get("environment", {}) if name.endswith(("PASSWORD", "_AUTH"))]
    assert {"neo4j_auth": ["environment"], "hippograph_env": ["environment"]} == {
        name: list(source) for name, source in compose["secrets"].items()
    }
    assert all(
        service["depends_on"]["neo4j"] == {"condition": "service_healthy"}
        for name, service in compose["services"].items()
        if name != "neo4j"
    )
