"""Automatic recording: the hooks of coding agents, and the service's reader of the sessions that they report.

A hook opens neither the database nor a model. It writes a note about its session into the data folder, and a running
service reads the transcript that the note names. `projects` and `receiving` run at each hook and import little besides
the standard library.
"""
