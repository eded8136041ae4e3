"""Memories and facts: what is remembered, found, explained and forgotten."""
