"""Writes what is derived in this package: `types/`, `operations.py` and `_sync.py`.

`types/` are the results of `../fragments.graphql` and the inputs and enums of the service's schema, by ariadne-codegen.
`operations.py` has the documents of `../operations.graphql`, each with its fragments, checked against the schema.
`_sync.py` is `_async.py` without waiting.
"""

import re
import subprocess
import sys
from pathlib import Path

from graphql import (
    build_schema,
    parse,
    print_ast,
    separate_operations,
    strip_ignored_characters,
    validate,
)

HERE = Path(__file__).parent
PACKAGE = HERE / "hippograph_client"
_WORDS = {
    "AsyncHippograph": "Hippograph",
    "AsyncTransport": "Transport",
    "AsyncClient": "Client",
    "AsyncIterator": "Iterator",
    "aclose": "close",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "asyncio": "time",
    "async def": "def",
    "async for": "for",
    "async with": "with",
}


def generate() -> None:
    """Writes them. Raises `SystemExit` with what is wrong with a document."""
    tool = Path(sys.executable).with_name("ariadne-codegen")
    subprocess.run([tool, "models_only"], cwd=HERE, check=True, stdout=subprocess.DEVNULL)
    (PACKAGE / "operations.py").write_text(_operations(), "utf-8")
    (PACKAGE / "_sync.py").write_text(_without_waiting((PACKAGE / "_async.py").read_text("utf-8")), "utf-8")


def _operations() -> str:
    schema = build_schema((HERE / "../../schema.graphql").read_text("utf-8"))
    texts = [(HERE.parent / name).read_text("utf-8") for name in ("operations.graphql", "fragments.graphql")]
    document = parse("\n".join(texts))
    if wrong := validate(schema, document):
        raise SystemExit("\n\n".join(map(str, wrong)))
    lines = ['"""The documents that are sent, made of `operations.graphql` and `fragments.graphql`."""\n\n']
    for name, separate in separate_operations(document).items():
        constant = re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
        lines.append(f'{constant} = "{strip_ignored_characters(print_ast(separate))}"\n')
    return "".join(lines)


def _without_waiting(text: str) -> str:
    for word, other in _WORDS.items():
        text = re.sub(rf"\b{word}\b", other, text)
    return re.sub(r"\bawait ", "", text)


if __name__ == "__main__":
    generate()
