// Writes the todos found in turns and facts, each once: of the person who said so, for the persona to which they said
// it, and derived from the memory in which it was found. A todo that `passes` need not be closed once its day is over
// (fragment over).
// params: $rows, $now, $no_end
// returns: -
// mode: write
UNWIND $rows AS row
MATCH (m:Memory {id: row.source}) WHERE m.retired_at = $no_end
MATCH (p:Person {id: row.person})
MERGE (t:Todo {key: row.key})
ON CREATE SET t.id = row.id, t.person_id = p.id, t.persona_id = row.persona, t.kind = row.kind, t.content = row.content,
              t.status = 'open', t.due_at = row.due_at, t.due_until = row.due_until, t.verb = row.verb, t.words = row.words,
              t.scope = m.scope, t.space_id = m.space_id, t.session_id = row.session, t.said_at = row.said_at, t.passes = row.passes,
              t.source = 'extraction',
              t.created_at = $now, t.updated_at = $now, t.fresh = true
FOREACH (new IN CASE WHEN t.fresh THEN [t] ELSE [] END |
  CREATE (new)-[:OF {created_at: $now}]->(p)
  CREATE (new)-[:DERIVED_FROM {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: $now, valid_until: $no_end}]->(m)
)
REMOVE t.fresh
