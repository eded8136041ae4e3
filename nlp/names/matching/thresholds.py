"""What two names may differ in and still be alike: the largest phonetic distances, and lengths of words."""

from typing import Final

SHORT: Final = 3
"""A word of so few letters says little by itself."""
LONG: Final = 8
"""A word of so many letters is rather misspelt than another."""

# The largest distances (`nlp.names.phonetics.distance`) of two words of which the one may be the other misheard.
SAME_SOUND: Final = 0.02
MAX_DISTANCE: Final = 0.25
MAX_IN_FULL: Final = 0.31
"""Of given names before the same family name."""
MAX_ORDINARY_IN_FULL: Final = 0.36
MAX_TWICE: Final = 0.32
"""Of a full name of which each word sounds otherwise, all together."""
MAX_ORDINARY: Final = 0.32
"""What was heard are words that no people are called."""
MAX_ORDINARY_TWICE: Final = 0.45
MAX_FROM_KNOWN: Final = 0.12
"""What was heard is a name that people have, which is rather what was meant."""
MAX_WHERE_SHORT: Final = 0.06
MAX_WHERE_LONG: Final = 0.09
"""Of two known names that are so long that they are rather one, misspelt."""
MAX_FAMILY: Final = 0.16
MAX_THING: Final = 0.065
MAX_ODD_THING: Final = 0.12
"""What was heard is no word."""
MAX_SPLIT_THING: Final = 0.2
"""What was heard as several words, which have nothing to do with each other, was one."""
MAX_FOR_REVIEW: Final = 0.25
NEVER: Final = -1.0
