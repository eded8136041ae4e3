"""The edges: GraphQL, HTTP, the command line, settings and the composition root. They decide nothing."""
