"""Readers of what other programs export: bytes in, turns and statements out, and what was skipped and why.

A reader is pure: it opens no database and no network, and reads files through `container` alone. What belongs here: one
module for each format (of `chats`, of other `memories`, and our own), `detection`, which tells them apart, and what
readers share. What does not: storing what was read.
"""
