// What the turns of a chat say.
// params: $chat
// returns: content
// mode: read
MATCH (m:Memory {learned_in: $chat}) WHERE m.turn IS NOT NULL
RETURN m.content AS content
