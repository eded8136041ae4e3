"""The operator's part: upkeep of the store, and people's rights to their data."""
