"""GraphQL: one module for each part of the domain, with its types, queries and mutations; `schema` is all of them.

`context` holds what a request shares, `nodes` ids and pages, `errors` what goes wrong, `limits` how much one request
may ask for, `endpoint` how it travels over HTTP.
"""

from hippograph.api.graphql.assembly import schema

__all__ = ["schema"]
