// The ids of a person, given one of them: their own, those of entities merged into them, and those of entities that are
// likely the same. Such an entity, of whatever type, has only names of theirs and is known only from what was said in
// chats of theirs in which nobody else has such a name. Names count only if somebody else vouched for them: a person's
// own word makes them nobody else (P6).
// params: $person_id
// returns: ids
// mode: read
MATCH (:Entity|Merged {id: $person_id})-[:MERGED_INTO]->*(p:Person)
CALL (p) {
  MATCH (one)-[:MERGED_INTO]->*(p)
  WITH one.id AS id,
       // include: vouched_tokens
       AS vouched
  RETURN collect(id) AS merged, reduce(all = [], tokens IN collect(vouched) | all + tokens) AS names
}
CALL (p) {
  MATCH (p)-[:PARTICIPATES_IN]->(c:Chat)
  RETURN collect(DISTINCT c.id) AS chats
}
CALL (p, names, chats) {
  WITH * WHERE size(names) > 0
  CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:(' + reduce(all = '', name IN names | all + ' ' + name) + ')')
  YIELD node AS likely
  WHERE likely.user_id IS NULL AND size(likely.usernames) = 0 AND likely.given_names IS NULL
    AND all(name IN likely.names WHERE name IN names)
    AND NOT EXISTS { (likely)-[:PARTICIPATES_IN]->() } AND NOT EXISTS { (likely)<-[:STATED_BY]-() }
    AND NOT EXISTS { MATCH (likely)<-[:ABOUT|MENTIONS]-(m:Memory) WHERE NOT m.learned_in IN chats }
    AND NOT EXISTS {
      // Only persons take part in chats; with the label here the planner may go through all of them.
      MATCH (other)-[:PARTICIPATES_IN]->(c:Chat)
      WHERE other <> p AND c.id IN chats AND any(name IN [other.called] + other.names WHERE name IN likely.names)
    }
  RETURN collect(likely.id) AS likely
}
RETURN [p.id] + [id IN merged WHERE id <> p.id] + [id IN likely WHERE NOT id IN merged] AS ids
