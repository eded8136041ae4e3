"""Location of the settings file. Kept apart from the settings, whose libraries are too slow to import for `--help`."""

from pathlib import Path
from typing import Final

import platformdirs

FILE_VARIABLE: Final = "HIPPOGRAPH_ENV_FILE"
"""Environment variable with the file to read instead of `USER_FILE`; the option `--env-file` does the same."""

USER_FILE: Final = Path(platformdirs.user_config_dir("hippograph"), "hippograph.env")
"""Path of the user's own settings file, which need not exist."""
