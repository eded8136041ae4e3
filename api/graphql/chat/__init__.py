"""Where people talk and with whom: chats, sessions, turns, spaces, personas, and what each person has there."""
