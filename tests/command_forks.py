"""Runs `hippograph` commands cheaply: each in a process that is forked from one that has imported what commands need.

Imports have read the environment of that first process; a test of what they read must start a process of its own.
Run as a file, this module is the first process: it takes one request a line, and answers each with the exit code.
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
        # OpenBLAS would start threads, which a fork does not inherit.
        settings = {**environment, "OPENBLAS_NUM_THREADS": "1"}
        self._first = subprocess.Popen(
            command, env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self._one_at_a_time = Lock()

    def run(self, words: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Runs the command with these words in this folder and environment; returns its exit code and output."""
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
        """Ends the first process."""
        self._first.communicate()


def _prepare() -> None:
    """Imports what most commands need, and exempts it from garbage collection."""
    for name in ("opening", "progress_bar", "reading"):
        import_module(f"hippograph.api.cli.{name}")
    from hippograph.nlp.privacy.secrets import redact

    redact("x" * 20)  # loads its rules
    gc.freeze()


def _fork() -> dict[str, object] | None:
    """Forks a process for each request. Returns the request in the forked process, and None in the first when no more
    come.
    """
    for line in sys.stdin:
        if not (forked := os.fork()):
            request: dict[str, object] = json.loads(line)
            return request
        _, status = os.waitpid(forked, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


def _become(words: list[str], cwd: str, environment: dict[str, str], files: list[str]) -> None:
    """Gives this process the arguments, folder, environment, and files of output of a `hippograph` that is started
    anew.
    """
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
