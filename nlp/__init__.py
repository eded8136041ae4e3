"""Text in, plain values out: vectors, names, words.

What belongs here needs a text and perhaps a language model. What needs the graph, the network, settings or the
environment does not; the one thing set there is that no library sends telemetry.
"""

from hippograph.nlp.telemetry import switch_off

switch_off()
