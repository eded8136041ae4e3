"""How well it finds, reads and ranks: measures against labelled talk and questions with known answers."""
