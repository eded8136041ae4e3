"""Commands for people and where they stand: chats, spaces, API keys, and rights to their data."""
