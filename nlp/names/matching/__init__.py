"""Whether two names may mean the same, by their words."""
