"""GraphQL over HTTP and WebSocket: the endpoint, its limits, and what is counted of each operation."""
