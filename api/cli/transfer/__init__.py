"""Commands that bring memories in and write them down for elsewhere: imports, exports, hooks."""
