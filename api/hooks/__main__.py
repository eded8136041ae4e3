"""`hippograph-hook CLIENT`: a command of its own, since the other one loads for longer than a hook may take."""

import json
import sys

from hippograph.api.hooks.receiving import CLIENTS, receive


def main() -> None:
    """Takes what a client tells its hook on standard input."""
    client = sys.argv[1] if len(sys.argv) == 2 else ""
    if client not in CLIENTS:
        sys.exit(f"usage: hippograph-hook {'|'.join(CLIENTS)}")
    if told := receive(client, json.load(sys.stdin)):
        sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    main()
