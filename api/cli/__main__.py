"""`python -m hippograph.api.cli`: the same as `hippograph`, for processes that start one another."""

from hippograph.api.cli import main

main()
