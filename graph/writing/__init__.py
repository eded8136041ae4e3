"""What goes into the graph: turns, explicit facts and their supersession, imports.

What is found in talk belongs to `graph.knowledge`, which writes through the fact writer here.
"""
