// The last week of a chat, turn by turn: give a part of its title in the next line
WITH 'Friday' AS title
MATCH (c:Chat) WHERE c.title CONTAINS title
WITH c ORDER BY c.title LIMIT 1
CALL (c) {
  MATCH (c)<-[:LEARNED_IN]-(turn:Episodic)
  RETURN max(turn.event_time) AS latest
}
MATCH (c)<-[:LEARNED_IN]-(turn:Episodic)
WHERE turn.event_time > latest - duration('P7D') AND turn.retired_at > datetime()
WITH turn ORDER BY turn.event_time DESC, turn.turn DESC LIMIT 100
MATCH said = (turn)-[:STATED_BY]->()
OPTIONAL MATCH next = (turn)-[:TEMPORAL]->(:Episodic)
RETURN said, next
