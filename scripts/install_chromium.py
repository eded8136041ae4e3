"""Installs Chromium for the tests of pages, if there is none and if this process may: as root on Debian.

If it cannot be installed, this does not fail: those tests are skipped, and their run says so.

Run as `python -m scripts.install_chromium`.
"""

import os
import platform
import subprocess
from typing import Final

from tests.browser import CHROMIUM

_COMMANDS: Final = (["update"], ["install", "--yes", "chromium"])


def main() -> None:
    """Runs apt-get, quietly; prints its error output if it fails."""
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
