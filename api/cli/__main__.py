"""`python -m api.cli`: the same as `hippograph`, for processes that start one another."""

from api.cli import main

main()
