// Returns the use `u` as `graph.reading.uses` reads it: whose assistant was told, and when. For the viewer's `own`
// uses also the kind, the chat and persona, the credential, and the ids of up to 50 memories that were told, the best
// first.
// expects: u, own
// params: $viewer
RETURN u {.id, .at, .person_id, kind: CASE WHEN own THEN u.kind END,
          chat_id: CASE WHEN own AND u.chat_id <> '' THEN u.chat_id END,
          persona_id: CASE WHEN own AND u.persona_id <> '' THEN u.persona_id END,
          credential: CASE WHEN own THEN coalesce(COLLECT {
            MATCH (c:Credential {id: u.credential})-[:OF]->(:Person {id: $viewer}) RETURN c.name
          }[0], u.credential) END,
          memory_ids: COLLECT { MATCH (u)-[used:USED]->(told:Memory) WHERE own RETURN told.id ORDER BY used.place LIMIT 50 }} AS use
ORDER BY use.at DESC, use.id DESC
