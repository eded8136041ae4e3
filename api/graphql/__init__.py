"""GraphQL: one module for each part of the domain, with its types, queries and mutations; `schema` is all of them.

`memory`, `entity`, `chat` and `operation` are the parts. `context` holds what a request shares, `nodes` ids and pages,
`errors` what goes wrong. `http` serves it, and bounds what one request may ask for.
"""

from hippograph.api.graphql.assembly import schema

__all__ = ["schema"]
