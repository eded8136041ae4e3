"""Summaries of entities, of sessions, of the latest talk, of a person: extractive, each with its sources (S3–S5, T8).

The communities of a scope are computed from its memories; they are stored and shown like summaries.

Viewers read the summaries of talk by `graph.people.summaries`.
"""
