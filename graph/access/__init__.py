"""Who may see what: access labels, the parameters of the rule, and the rule in plain Python.

The rule itself is `cypher/fragments/visible.cypher`. Reading and writing memories belong elsewhere.
"""
