"""What a question asks for: its intent, how complex it is, and which stretch of time it speaks of.

What belongs here: pure functions of the question's words and of its vector. What does not: whom a name in it means,
which only the graph knows, and what is searched for the answer.
"""
