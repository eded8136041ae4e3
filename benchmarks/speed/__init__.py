"""How fast it is and what it bears: writes, imports, searches, upkeep, bad days."""
