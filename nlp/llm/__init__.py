"""A large language model behind an OpenAI-compatible endpoint, and extraction by it."""
