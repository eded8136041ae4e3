// Gives entities another type, and a key of that type: the first of `keys` that is free. The old key leads to the
// entity, like that of a merged one, and is used again if the old type returns. The claims about the entity get its
// new key. Under the locks it is checked that nothing has changed since the votes were counted.
// params: $rows, $most, $now
// returns: id, key
// mode: write
CALL () {
  // Memories are locked before entities everywhere, both in the order of their ids.
  UNWIND $rows AS row
  MATCH (:Entity {id: row.id})<-[:ABOUT]-(m:Memory)
  WITH DISTINCT m ORDER BY m.id
  SET m.lock = $now
}
CALL () {
  UNWIND $rows AS row
  MATCH (e:Entity {id: row.id})
  WITH e ORDER BY e.id
  SET e.lock = $now
}
UNWIND $rows AS row
MATCH (e:Entity {id: row.id, key: row.old_key})
// include: known_from_talk
WITH e, row WHERE scopes = row.scopes AND (NOT row.person OR NOT EXISTS { (e)<-[:ABOUT]-() })
CALL (e, row) {
  UNWIND range(0, size(row.keys) - 1) AS place
  WITH e, place, row.keys[place] AS key
  WHERE NOT EXISTS { (:Entity {key: key}) }
    AND NOT EXISTS { MATCH (other:Merged {key: key}) WHERE NOT EXISTS { (other)-[:MERGED_INTO]->(e) } }
  RETURN key ORDER BY place LIMIT 1
}
CALL (e, key) {
  MATCH (before:Merged {key: key})-[:MERGED_INTO]->(e)
  DETACH DELETE before
}
SET e.key = key, e.type = row.type, e.last_updated = $now
REMOVE e:$(row.old_label)
SET e:$(row.label)
// include: queued(node=e, job='enrich', due_at=$now)
CREATE (:Merged {id: row.tombstone, key: row.old_key, type: row.old_type, canonical_name: e.canonical_name, aliases: [],
                 usernames: [], names: [], first_seen: e.first_seen, last_updated: $now})
  -[:MERGED_INTO {created_at: $now, added: [], added_usernames: [], added_names: []}]->(e)
WITH e, toLower(replace(row.old_key, ':', '|')) + '|' AS old_prefix, toLower(replace(e.key, ':', '|')) + '|' AS prefix
CALL (e, old_prefix, prefix) {
  MATCH (e)<-[:ABOUT]-(m:Memory) WHERE m.claim_key STARTS WITH old_prefix
  WITH m, m.claim_key AS claim, prefix + substring(m.claim_key, size(old_prefix)) AS new_claim
  SET m.claim_key = new_claim, m.live_key = replace(m.live_key, '|' + claim + '|', '|' + new_claim + '|')
  // include: memory_keyed
}
RETURN e.id AS id, e.key AS key
