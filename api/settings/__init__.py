"""The settings of a process: what there are, of what types, and where they come from."""
