"""Writes schema.graphql, the committed schema, from the code."""

from pathlib import Path

from hippograph.api.graphql import schema

Path(__file__).parent.parent.joinpath("schema.graphql").write_text(schema.as_str() + "\n", encoding="utf-8")
