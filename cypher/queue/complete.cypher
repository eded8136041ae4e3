// Writes what the slow path found out about memories, and takes them off the queue. Only what the worker still holds
// is written: after its lease another may have done it. A name links to one of the entities of its type that are
// `known` by exactly this name, alias or @username, rather to one who takes part in the chat; else to the one
// participant of the chat who goes by it; else a new entity is made.
// params: $rows, $worker, $model, $now
// returns: id
// mode: write
// slots: a, b
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.worker = $worker
SET m.embedding_$$slot = row.vector, m.embedding_model_$$slot = CASE WHEN row.vector IS NULL THEN null ELSE $model END
REMOVE m:Pending, m.due_at, m.worker, m.claim_lock, m.attempts, m.failure
WITH collect(m) AS memories, collect({memory: m, names: row.names}) AS done
CALL (done) {
  // All workers take the locks of entities in the same order, so that none waits for another in a circle.
  UNWIND done AS each
  UNWIND each.names AS name
  WITH each.memory AS m, name ORDER BY name.type, name.token
  OPTIONAL CALL (m, name) {
    UNWIND range(0, size(name.known) - 1) AS place
    MATCH (known:Entity {id: name.known[place]})
    RETURN known
    ORDER BY size(name.known) > 1 AND EXISTS { (known)-[:PARTICIPATES_IN]->(:Chat {id: m.learned_in}) } DESC, place
    LIMIT 1
  }
  OPTIONAL CALL (m, name, known) {
    WITH m, name WHERE known IS NULL AND name.type = 'person'
    MATCH (here:Person {called: name.token})-[:PARTICIPATES_IN]->(:Chat {id: m.learned_in})
    WITH collect(DISTINCT here) AS so_called WHERE size(so_called) = 1
    RETURN so_called[0] AS called
  }
  WITH m, name, coalesce(known, called) AS found
  CALL (m, name, found) {
    WITH name, m WHERE found IS NULL AND name.key IS NOT NULL
    MERGE (e:Entity {key: name.key})
    ON CREATE SET
      e:Pending, e:$(name.label), e.id = name.id, e.type = name.type, e.canonical_name = name.text, e.aliases = [],
      e.usernames = [], e.names = [name.token], e.first_seen = m.event_time, e.last_updated = $now, e.attributes = '{}',
      e.due_at = $now, e.attempts = 0
    RETURN e AS entity
  UNION ALL
    WITH found WHERE found IS NOT NULL
    RETURN found AS entity
  }
  MERGE (m)-[mention:MENTIONS]->(entity)
  ON CREATE SET mention.created_at = $now
}
UNWIND memories AS m
// include: about_marks
RETURN m.id AS id
