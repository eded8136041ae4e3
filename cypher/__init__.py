"""Every statement the service runs, one a file, grouped by area; and what loads and checks them.

`cypher.load()` gives the typed table of them, `cypher.migrations()` the versioned changes of the schema.
Nothing here knows a Python object of the domain, and no Cypher is put together at run time.
"""

from hippograph.cypher.loader import LANGUAGE, Migration, Statement, StatementError, Statements, load, migrations

__all__ = ["LANGUAGE", "Migration", "Statement", "StatementError", "Statements", "load", "migrations"]
