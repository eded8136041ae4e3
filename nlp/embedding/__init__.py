"""Texts to vectors: the embedder and the models behind it."""
