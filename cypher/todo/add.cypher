// Writes a todo of the viewer that was set by hand.
// params: $viewer, $persona, $id, $kind, $content, $due_at, $due_until, $now
// returns: persona_known, todo
// mode: write
MATCH (p:Person {id: $viewer})
OPTIONAL MATCH (persona:Persona {id: $persona})
WITH p, $persona = '' OR persona IS NOT NULL AS persona_known
CALL (p, persona_known) {
  WITH p WHERE persona_known
  CREATE (t:Todo {id: $id, person_id: $viewer, persona_id: $persona, kind: $kind, content: $content, status: 'open',
                  due_at: $due_at, due_until: $due_until, source: 'agent', created_at: $now, updated_at: $now})
  CREATE (t)-[:OF {created_at: $now}]->(p)
  RETURN collect(t {.*, sources: []})[0] AS todo
}
RETURN persona_known, todo
