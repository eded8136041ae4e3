"""Commands that write, show and forget what is remembered."""
