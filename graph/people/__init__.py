"""People, personas, chats and their sessions, entities as a viewer sees them, and the state of a person."""
