"""Exports of the graph, whole or as far as one person may see it, and their import.

`graph_lines` defines the format, `graph_keys` keeps the written keys on disk, `graph_export` writes and `graph_import`
loads; `graph_seen` defines what one person's export holds. The other modules convert an export for other programs and
for people: they know neither the database nor whose export it is.
"""
