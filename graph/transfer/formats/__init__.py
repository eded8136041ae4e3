"""Readers of the exports of other programs. A reader gets bytes and returns turns and statements, and what it skipped
and why.

A reader uses no database and no network, and reads files through `container` alone. What belongs here: one module for
each format (`chats`, other `memories`, and hippograph's own), `detection` of the format, and what readers share. What
does not: storing the results.
"""
