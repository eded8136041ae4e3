// Sessions without their chat.
// params: -
// returns: found, examples
// mode: read
MATCH (s:Session) WHERE NOT EXISTS { (s)-[:IN_CHAT]->(:Chat {id: s.chat_id}) }
RETURN count(s) AS found, collect(s.id)[..5] AS examples
