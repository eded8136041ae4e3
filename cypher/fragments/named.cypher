// Gives the entity that a name in the memory `m` means: one of the entities of its type that are `known` by exactly this
// name, alias or @username, rather one who takes part in the chat; else the one participant of the chat who goes by it;
// else a new one, when the name has a key of its own.
// expects: m, name {id, text, type, label, token, key, known}
// params: $now
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
