"""What stands before every request over HTTP: who is let in, how often, and with which headers."""
