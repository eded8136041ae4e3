"""What is remembered of talk: frames, how talk fills them, and the sentences by which they are told."""
