"""The door for agents: a server of the Model Context Protocol over streamable HTTP and stdio (A2).

Tools call the domain as GraphQL does: the same viewer, rule and limits. They read arguments by `api.arguments`.
"""
