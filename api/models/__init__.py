"""The models that the settings name: those that questions need, and those that the jobs need."""
