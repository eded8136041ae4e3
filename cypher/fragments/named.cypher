// Finds or creates the `entity` that a name in the memory `m` refers to: the likeliest of those that
// `graph.knowledge.entity_resolution.mentions` found (`known`), or the entity that it was merged into; else a new one,
// if the name has a key of its own. A name that is `learned` becomes an alias, of 20 at most, and the entity is
// enriched again. For a new entity, merges with the `likely` ones are suggested.
// expects: m, name {id, text, called, type, label, token, key, known, learned, likely}
// params: $now
OPTIONAL CALL (name) {
  UNWIND range(0, size(name.known) - 1) AS place
  MATCH (meant:Entity|Merged {id: name.known[place]})
  MATCH (meant)-[:MERGED_INTO]->*(known:Entity)
  RETURN known ORDER BY place LIMIT 1
}
OPTIONAL CALL (name, known) {
  WITH name WHERE known IS NULL
  MATCH (merged:Merged {key: name.key})-[:MERGED_INTO]->+(became:Entity)
  RETURN became
}
WITH m, name, coalesce(known, became) AS known
CALL (m, name, known) {
  WITH name, m WHERE known IS NULL AND name.key IS NOT NULL
  MERGE (e:Entity {key: name.key})
  ON CREATE SET
    e:Pending, e.job = 'enrich', e.due_at = $now, e.attempts = 0,
    e:$(name.label), e.id = name.id, e.type = name.type, e.canonical_name = name.called, e.aliases = [],
    e.usernames = [], e.names = [name.token], e.first_seen = m.event_time, e.last_updated = $now, e.attributes = '{}'
  RETURN e AS entity
UNION ALL
  WITH known WHERE known IS NOT NULL
  RETURN known AS entity
}
CALL (name, entity) {
  WITH entity, name WHERE name.learned AND NOT name.token IN entity.names AND size(entity.aliases) < 20
  SET entity.aliases = entity.aliases + name.text, entity.names = entity.names + name.token,
      entity.last_updated = $now
  // include: queued(node=entity, job='enrich', due_at=$now)
}
CALL (name, entity) {
  WITH entity, name WHERE entity.id = name.id
  UNWIND name.likely AS likely
  MATCH (other:Entity {id: likely.id}) WHERE other <> entity
  MERGE (entity)-[maybe:MAY_BE]->(other)
  ON CREATE SET maybe.score = likely.score, maybe.reason = likely.reason, maybe.created_at = $now
}
