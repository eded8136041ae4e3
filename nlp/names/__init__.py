"""Names: finding them in a text, and whether two of them may mean the same."""
