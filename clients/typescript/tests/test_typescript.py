"""The TypeScript client: generated types of the schema, tests against the service, and what is published."""

import os
import subprocess
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).parents[1]


def npm(*words: str, **settings: str) -> None:
    """Runs npm; fails with what it says."""
    done = subprocess.run(
        ["npm", *words],
        cwd=CLIENT,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert 0 == done.returncode, done.stdout.decode()


def test_generated_types_are_up_to_date() -> None:
    """`npm run generate` changes nothing."""
    made = CLIENT / "src/graphql.ts"
    before = made.read_text("utf-8")
    npm("run", "generate")
    assert before == made.read_text("utf-8")


def test_the_client_against_the_service(served: Any) -> None:
    """The tests of tests/client.test.ts."""
    npm("test", HIPPOGRAPH_URL=served.url, HIPPOGRAPH_TOKEN=served.token)


def test_the_package_has_its_types(tmp_path: Path) -> None:
    """What is published has the compiled modules and their types, and nothing of the tests."""
    npm("pack", "--pack-destination", str(tmp_path))
    [packed] = tmp_path.glob("*.tgz")
    names = subprocess.run(["tar", "-tzf", packed], stdout=subprocess.PIPE, check=True).stdout.decode().split()
    assert {"package/dist/index.js", "package/dist/index.d.ts", "package/README.md"} <= set(names)
    assert not [name for name in names if "test" in name]
