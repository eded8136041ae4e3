"""Names: finding them in a text (`recognition`), and whether two may mean the same (`matching`, `blocking`)."""
