"""A large language model behind an OpenAI-compatible endpoint, and what it is used for."""
