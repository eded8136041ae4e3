// What a person's assistant was told and when, by the ids of the memories that are there still. In the order of their ids from a place on.
// params: $ids, $after, $limit
// returns: use
// mode: read
MATCH (u:Use) WHERE u.person_id IN $ids AND u.id > $after
WITH u ORDER BY u.id LIMIT $limit
RETURN u {.id, .kind, .chat_id, .persona_id, .credential, at: toString(u.at),
          memory_ids: COLLECT { MATCH (u)-[used:USED]->(m:Memory) RETURN m.id ORDER BY used.place }} AS use
ORDER BY use.id
