"""Statements out of talk: what is worth remembering, about whom, and since when."""
