// Creates a person, or returns the one with this account or id, also if they were merged into another. If a name is
// taken, the key gets a random ending; a taken username is refused. With `$suggest`, merges of a new person with those
// of the same name are suggested (W7).
// Chats to which somebody added the person without being trusted to become invitations once they have an account (P6).
// `$vouched` are the tokens of names for which somebody else vouches (P6). `$endings` are the possible endings of the
// key after the name; the first that is free is used.
// params: $id, $slug, $endings, $name, $usernames, $username_tokens, $user_id, $names, $called, $vouched, $suggest, $created_by, $now
// returns: person, taken
// mode: write
MERGE (l:Lock {name: 'people'})
SET l.at = $now
WITH l
OPTIONAL MATCH (account:Person {user_id: $user_id})
OPTIONAL MATCH (:Entity|Merged {id: $id})-[:MERGED_INTO]->*(made:Person)
CALL () {
  UNWIND $username_tokens AS word
  CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:' + word) YIELD node
  RETURN collect(node.id) AS holders
}
WITH coalesce(account, made) AS known, holders
WITH known, size([h IN holders WHERE known IS NULL OR h <> known.id]) > 0 AS taken
CALL (known, taken) {
  WITH * WHERE known IS NULL AND NOT taken
  UNWIND $endings AS ending
  WITH 'person:' + $slug + ending AS key
  WHERE NOT EXISTS { (:Entity {key: key}) } AND NOT EXISTS { (:Merged {key: key}) }
  WITH key LIMIT 1
  CREATE (p:Entity:Person:Pending {
    id: $id, key: key, type: 'person', canonical_name: $name, called: $called, aliases: [], given_names: [$name],
    usernames: $usernames, names: $names, vouched: $vouched,
    user_id: $user_id, created_by: $created_by, first_seen: $now, last_updated: $now, attributes: '{}',
    job: 'enrich', due_at: $now, attempts: 0
  })
  WITH p
  CALL (p) {
    WITH p WHERE $suggest
    CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:' + $names[0], {limit: 20}) YIELD node AS other
    WITH p, other WHERE other:Person AND other <> p
    CREATE (p)-[:MAY_BE {score: 1.0, reason: 'the same name', created_at: $now}]->(other)
  }
  RETURN p
UNION ALL
  WITH known, taken
  WITH known, taken, known.user_id IS NULL AND $user_id IS NOT NULL AS gets_account
  WHERE known IS NOT NULL AND NOT taken
  SET known.user_id = coalesce(known.user_id, $user_id),
      known.usernames = known.usernames + [u IN $usernames WHERE NOT u IN known.usernames],
      known.names = known.names + [n IN $username_tokens WHERE NOT n IN known.names],
      known.vouched = coalesce(known.vouched, [])
        + [n IN $vouched WHERE n IN $username_tokens AND NOT n IN coalesce(known.vouched, [])]
  WITH known, gets_account
  CALL (known, gets_account) {
    WITH known AS p WHERE gets_account
    // include: invited(from=p, to=p, merged_from=null)
    CALL (p) {
      MATCH (p)-[part:PARTICIPATES_IN]->(:Chat) WHERE part.added_by IS NOT NULL
      DELETE part
    }
    // include: confidences_kept
  }
  RETURN known AS p
UNION ALL
  WITH known, taken
  WITH * WHERE taken
  RETURN null AS p
}
RETURN p {.*} AS person, taken
