"""What should stay private: secrets in a text, and how sensitive a text is."""
