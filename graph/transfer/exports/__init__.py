"""Exports of the graph, of all of it or of what one person may see, and the way back.

`graph_lines` is the format, `graph_keys` remembers on disk what was written, `graph_export` writes and `graph_import`
loads; `graph_seen` says what of the graph one person's export holds. The other modules make of an export what other
programs and people read: they know neither the database nor whom an export is of.
"""
