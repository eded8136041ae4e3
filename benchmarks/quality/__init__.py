"""Benchmarks of quality: extraction, linking and ranking, against labelled talk and questions with known answers."""
