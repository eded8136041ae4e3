"""Where the file of settings is. Apart from the settings, whose libraries take longer to load than `--help` may."""

from pathlib import Path
from typing import Final

import platformdirs

FILE_VARIABLE: Final = "HIPPOGRAPH_ENV_FILE"
"""Names the file to read instead of the user's own, as the option `--env-file` does."""

USER_FILE: Final = Path(platformdirs.user_config_dir("hippograph"), "hippograph.env")
"""The user's own file of settings, which need not exist."""
