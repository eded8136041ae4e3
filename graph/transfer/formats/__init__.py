"""Readers of what other programs export: bytes in, turns and statements out, and what was skipped and why.

A reader is pure: it opens no database and no network, and reads files through `container` alone. What belongs here: one
module a format, `detection`, which tells them apart, and what readers share. Who stores what was read is elsewhere.
"""
