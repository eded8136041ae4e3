"""Benchmarks of speed and robustness: writes, imports, searches, upkeep, faults and hostile texts."""
