"""The GraphQL API: `schema`, with types, queries and mutations in one package for each part of the domain.

The parts are `memory`, `entity`, `chat` and `operation`. `context` holds the state that the resolvers of a request
share, `nodes` ids and pages, `errors` the errors. `http` serves the schema and limits what one request may ask for.
"""

from hippograph.api.graphql.assembly import schema

__all__ = ["schema"]
