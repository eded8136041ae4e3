"""Thresholds for comparing names: maximum phonetic distances, and lengths of words."""

from typing import Final

SHORT: Final = 3
"""Number of letters up to which a word by itself tells little."""
LONG: Final = 8
"""Number of letters from which a word that differs slightly is more likely a misspelling than another word."""

# Maximum distances (`nlp.names.phonetics.distance`, 0 to 0.5) of two words of which one may be the other misheard.
SAME_SOUND: Final = 0.02
MAX_DISTANCE: Final = 0.25
MAX_IN_FULL: Final = 0.31
"""Of given names with the same family name."""
MAX_ORDINARY_IN_FULL: Final = 0.36
MAX_TWICE: Final = 0.32
"""Sum over the words of a full name that all sound different."""
MAX_ORDINARY: Final = 0.32
"""Of each word of a full name if what was heard are English words and no names."""
MAX_ORDINARY_TWICE: Final = 0.45
MAX_FROM_KNOWN: Final = 0.12
"""If what was heard is a listed name, which is probably what was meant."""
MAX_WHERE_SHORT: Final = 0.06
MAX_WHERE_LONG: Final = 0.09
"""Of two listed names, or words, so long that one is probably the other, misspelt."""
MAX_FAMILY: Final = 0.16
MAX_THING: Final = 0.065
MAX_ODD_THING: Final = 0.12
"""Of things if what was heard is no English word."""
MAX_SPLIT_THING: Final = 0.2
"""Of things if one word was heard as several that are unrelated to it."""
MAX_FOR_REVIEW: Final = 0.25
NEVER: Final = -1.0
