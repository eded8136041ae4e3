"""Which of many names are compared with one: candidates for matching."""
