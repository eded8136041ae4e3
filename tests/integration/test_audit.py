"""The GraphQL-over-HTTP specification, as npm's `graphql-http` audits it, against the running service."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.service import Service

needs_node = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")),
    reason="NOT AUDITED: Node and npm are not installed, so GraphQL over HTTP was not checked from outside",
)


@needs_node
async def test_the_audit_finds_nothing(service: Service, serving: Any, root: Path) -> None:
    """The service passes every check of the audit, also the optional ones."""
    async with serving(service) as address:
        process = await asyncio.create_subprocess_exec(
            str(root / "scripts/audit_graphql_http/run.sh"),
            f"http://{address}/graphql",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, errors = await process.communicate()
    assert 0 == process.returncode, (out + errors).decode()
    counts = json.loads(out.decode().splitlines()[-1])
    assert counts["ok"] > 50
    assert {"ok": counts["ok"], "notice": 0, "warn": 0, "error": 0} == counts, out.decode()


def test_the_lock_names_no_registry(root: Path) -> None:
    """No file of the audit names a registry, so its packages come from the registry that npm is set to."""
    for file in (root / "scripts/audit_graphql_http").iterdir():
        text = file.read_text("utf-8")
        assert "resolved" not in text
        assert "registry." not in text
