// Adds a todo of the viewer by hand. Its space is that of the chat in which they stand, else `$space` (P7).
// params: $viewer, $persona, $id, $kind, $content, $due_at, $due_until, $chat, $space, $now
// returns: persona_known, todo
// mode: write
MATCH (p:Person {id: $viewer})
OPTIONAL MATCH (persona:Persona {id: $persona})
WITH p, $persona = '' OR persona IS NOT NULL AS persona_known
OPTIONAL MATCH (p)-[part:PARTICIPATES_IN]->(c:Chat {id: $chat}) WHERE part.since <= $now AND part.until > $now
WITH DISTINCT p, persona_known, coalesce(c.space_id, $space, '') AS space_id
OPTIONAL CALL (p, persona_known, space_id) {
  WITH p, space_id WHERE persona_known
  CREATE (t:Todo {id: $id, person_id: $viewer, persona_id: $persona, kind: $kind, content: $content, status: 'open',
                  due_at: $due_at, due_until: $due_until, source: 'agent', space_id: space_id, created_at: $now, updated_at: $now})
  CREATE (t)-[:OF {created_at: $now}]->(p)
  RETURN
    // include: as_todo
}
RETURN persona_known, todo
