"""What enters and leaves the graph as a whole: exports and the way back, all that is held on a person, and the person
themselves when they are erased; and readers of what other programs export.
"""
