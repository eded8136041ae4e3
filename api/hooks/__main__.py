"""The command `hippograph-hook CLIENT`, apart from `hippograph`, which takes longer to load than a hook may take."""

import json
import sys

from hippograph.api.hooks.receiving import CLIENTS, receive


def main() -> None:
    """Handles the event that a client gives on standard input (JSON), and prints the answer."""
    client = sys.argv[1] if len(sys.argv) == 2 else ""
    if client not in CLIENTS:
        sys.exit(f"usage: hippograph-hook {'|'.join(CLIENTS)}")
    if told := receive(client, json.load(sys.stdin)):
        sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    main()
