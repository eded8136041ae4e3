// What a person's assistant was told and when, the earliest first after a position, with the ids of the memories that
// still exist.
// params: $person_id, $since, $after, $limit
// returns: at, use
// mode: read
MATCH (u:Use) USING INDEX SEEK u:Use(person_id, at, id)
WHERE u.person_id = $person_id AND u.at >= $since AND u.id IS NOT NULL AND CASE u.at WHEN $since THEN u.id > $after ELSE true END
WITH u ORDER BY u.person_id, u.at, u.id LIMIT $limit
RETURN u.at AS at, u {.id, .kind, .chat_id, .persona_id, .credential, at: toString(u.at),
          memory_ids: COLLECT { MATCH (u)-[used:USED]->(m:Memory) RETURN m.id ORDER BY used.place }} AS use
ORDER BY at, use.id
