"""Runs the notebooks on the demo's graph, as `make notebooks` opens them, and saves their outputs in the files.

`hippograph demo --exit` and `python -m scripts.tell_changes` create the graph beforehand.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import nbformat
from nbclient import NotebookClient

from hippograph.api.workers import COMMAND

FOLDER: Final = Path(__file__).parent.parent / "notebooks"
PLOTS: Final = "module://matplotlib_inline.backend_inline"
_HIPPOGRAPH: Final = (*COMMAND, "--demo", "neo4j")
_PRINT: Final = "env | grep ^NEO4J_"


def run(book: nbformat.NotebookNode, variables: dict[str, str]) -> None:
    """Runs all cells of a notebook and stores their outputs in `book`. `variables` are the environment variables with
    the connection to the graph.
    """
    client = NotebookClient(book, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    client.execute(env={**os.environ, **variables, "PYTHONPATH": str(FOLDER.parent), "MPLBACKEND": PLOTS})
    book.metadata.pop("widgets", None)
    for cell in book.cells:
        cell.metadata.pop("execution", None)  # when it ran


def main(names: list[str]) -> None:
    """Runs the notebooks whose file names begin with one of the names; all notebooks if there are none."""
    subprocess.run([*_HIPPOGRAPH, "start"], check=True)
    try:
        lines = _output([*_HIPPOGRAPH, "connection", "--shell"])
        printed = _output(["sh", "-c", f"{lines}\n{_PRINT}"])
        variables = dict(line.split("=", 1) for line in printed.splitlines())
        for file in sorted(FOLDER.glob("*.ipynb")):
            if not names or file.name.startswith(tuple(names)):
                book = nbformat.read(file, as_version=4)
                run(book, variables)
                nbformat.write(book, file)
                print(file.name)
    finally:
        subprocess.run([*_HIPPOGRAPH, "stop"], check=True)


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
