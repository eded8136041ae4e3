"""What other memories export: statements about people."""
