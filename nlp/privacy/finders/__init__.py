"""What finds the secrets of a text, one sort of secret a module."""
