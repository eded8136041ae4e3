"""What chat programs and assistants export: conversations, turn by turn."""
