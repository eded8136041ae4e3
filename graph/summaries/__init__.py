"""Summaries: of entities, of sessions, of the latest talk, of a person; extractive, each with its sources (S3–S5, T8).

Communities, which are computed of the memories of a scope, are made and shown as summaries are.

How the viewer reads those of talk is `graph.people.summaries`.
"""
