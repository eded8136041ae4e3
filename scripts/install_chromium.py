"""Installs the Chromium in which tests look at pages, where there is none and where this may: as root on Debian.

Where it cannot be had, nothing fails here: the tests say what they did not look at.

`python -m scripts.install_chromium`.
"""

import os
import platform
import subprocess
from typing import Final

from tests.browser import CHROMIUM

_COMMANDS: Final = (["update"], ["install", "--yes", "chromium"])


def main() -> None:
    """Runs apt-get, quietly; tells what went wrong when it did not go well."""
    if CHROMIUM or os.geteuid() or not _on_debian():
        return
    print("Installing Chromium, in which tests look at pages …", flush=True)
    for words in _COMMANDS:
        ended = subprocess.run(
            ["apt-get", "-qq", *words],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode:
            print(f"apt-get {' '.join(words)} failed: {ended.stderr.strip()}")
            return


def _on_debian() -> bool:
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:
        return False


if __name__ == "__main__":
    main()
