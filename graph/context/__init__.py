"""What an assistant is given about what it talks of: entity cards, timelines, and the context of a prompt.

Everything here is put together from reads that pass the rule of `graph.access`. What finds memories is
`graph.retrieval`.
"""
