"""Which of many names are worth comparing with one."""
