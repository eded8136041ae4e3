"""Entities: people and things, what is known of them in short, and which of them are the same."""
