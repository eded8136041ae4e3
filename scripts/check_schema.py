"""Says what of the schema would break clients of the last release, whose schema is `schema.released.graphql`.

python -m scripts.check_schema             what breaks (then it ends with 1), and what may surprise
python -m scripts.check_schema --release   makes the schema of the code that of the release
"""

import sys
from pathlib import Path
from typing import Final

from graphql import GraphQLSchema, build_schema, find_breaking_changes, find_dangerous_changes

from api.graphql import schema

RELEASED: Final = Path(__file__).parent.parent / "schema.released.graphql"


def breaking(released: GraphQLSchema, current: GraphQLSchema) -> list[str]:
    """What clients of the released schema do that the current one does not take, or answers otherwise."""
    return [change.description for change in find_breaking_changes(released, current)]


def dangerous(released: GraphQLSchema, current: GraphQLSchema) -> list[str]:
    """What is taken, but may surprise a client: a new value of an enum, a new member of a union."""
    return [change.description for change in find_dangerous_changes(released, current)]


def main() -> int:
    """Prints the changes, or writes the schema of a release."""
    if sys.argv[1:] == ["--release"]:
        RELEASED.write_text(schema.as_str() + "\n", encoding="utf-8")
        return 0
    released, current = build_schema(RELEASED.read_text("utf-8")), build_schema(schema.as_str())
    broken = breaking(released, current)
    for line in broken:
        print(f"breaking: {line}")
    for line in dangerous(released, current):
        print(f"dangerous: {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
