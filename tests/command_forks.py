"""`hippograph` in processes that cost little: each is forked from one that has imported what commands need.

What a process reads of its environment while it imports is that of the first; a test of that starts one of its own.
Run as a file this forks: it takes one request a line and answers each with the exit code.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock


class CommandForks:
    """Runs commands, one at a time."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        command = [sys.executable, "-P", __file__]
        # OpenBLAS would begin threads, which no fork has.
        settings = {**environment, "OPENBLAS_NUM_THREADS": "1"}
        self._first = subprocess.Popen(
            command, env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self._one_at_a_time = Lock()

    def run(self, words: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """The command with these words, in this folder and with this environment, when it has ended."""
        assert self._first.stdin
        assert self._first.stdout
        with TemporaryDirectory() as folder, self._one_at_a_time:
            files = [f"{folder}/stdout", f"{folder}/stderr"]
            request = {"words": [*words], "cwd": str(cwd), "environment": {**environment}, "files": files}
            self._first.stdin.write(json.dumps(request) + "\n")
            self._first.stdin.flush()
            code = int(self._first.stdout.readline())
            return subprocess.CompletedProcess(words, code, *(Path(file).read_text("utf-8") for file in files))

    def close(self) -> None:
        """Ends the process that forks."""
        self._first.communicate()


def _prepare() -> None:
    """Imports what most commands need, and has the collector look at none of it again."""
    for name in ("opening", "progress_bar", "reading"):
        import_module(f"hippograph.api.cli.{name}")
    from hippograph.nlp.privacy.secrets import redact

    redact("x" * 20)  # loads its rules
    gc.freeze()


def _fork() -> dict[str, object] | None:
    """In each forked process its request; in the one that forks nothing, when no more come."""
    for line in sys.stdin:
        if not (forked := os.fork()):
            request: dict[str, object] = json.loads(line)
            return request
        _, status = os.waitpid(forked, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


def _become(words: list[str], cwd: str, environment: dict[str, str], files: list[str]) -> None:
    """Makes this process what `hippograph`, started with all this, would be."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate([os.devnull, *files]):
        opened = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["hippograph", *words]


if __name__ == "__main__":
    _prepare()
    if request := _fork():
        _become(**request)  # type: ignore[arg-type]
        from hippograph.api.cli import main

        main()
