"""Words of informal English that a name finder mistakes for names, or for parts of them: lists of `phrases.toml`."""

from typing import Final

from hippograph.nlp.parsing.lexicon import phrases

ADDRESSING: Final = frozenset(phrases("addressing"))
REACTIONS: Final = frozenset(phrases("reactions"))
INTERJECTIONS: Final = frozenset(word for phrase in ADDRESSING | REACTIONS for word in phrase.split()) | frozenset(
    phrases("chatter")
)
NOBODY: Final = frozenset(phrases("nobody"))
CALENDAR: Final = frozenset(phrases("calendar"))
ROOM_HANDLES: Final = frozenset(phrases("room_handles"))
