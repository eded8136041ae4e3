// Turns that are not linked to their speaker, their chat or their session.
// params: -
// returns: found, examples
// mode: read
MATCH (m:Episodic)
WHERE NOT (EXISTS { (m)-[:STATED_BY]->({id: m.speaker_id}) } AND EXISTS { (m)-[:LEARNED_IN]->(:Chat {id: m.learned_in}) }
           AND EXISTS { (m)-[:IN_SESSION]->(:Session {id: m.session_id}) })
RETURN count(m) AS found, collect(m.id)[..5] AS examples
