"""Every statement that the service runs, one per file, grouped by area, and the loader that checks them.

`cypher.load()` returns the typed table of statements, `cypher.migrations()` the versioned changes of the schema.
Nothing here knows the domain's Python objects, and no Cypher is put together at run time.
"""

from hippograph.cypher.loader import LANGUAGE, Migration, Statement, StatementError, Statements, load, migrations

__all__ = ["LANGUAGE", "Migration", "Statement", "StatementError", "Statements", "load", "migrations"]
