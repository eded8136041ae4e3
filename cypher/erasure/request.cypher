// Queues the erasure of a person, or finds the one that is queued already. From then on the person takes part in no
// chat, is invited to none and has no credentials, so that nothing of theirs is added while the rest is deleted.
// params: $erasure_id, $ids, $others_words, $by_admin, $now
// returns: id
// mode: write
MATCH (p:Person {id: $ids[0]})
SET p.lock = $now
WITH p
OPTIONAL MATCH (waiting:Erasure {person_id: p.id})
OPTIONAL CALL (p, waiting) {
  WITH p WHERE waiting IS NULL
  CREATE (e:Erasure {
    id: $erasure_id, person_id: p.id, ids: $ids, others_words: $others_words, by_admin: $by_admin,
    requested_at: $now, removed: [], rewritten: [],
    turns: 0, facts: 0, summaries: 0, versions: 0, reworded: 0, states: 0, todos: 0, blocks: 0, credentials: 0, memberships: 0, chats: 0,
    sessions: 0, relations: 0, entities: 0, names: 0
  })
  // include: queued(node=e, job='erase', due_at=$now)
  WITH p, e
  CALL (p, e) {
    MATCH (p)-[part:PARTICIPATES_IN|INVITED_TO]->(:Chat) WHERE part.until > $now
    SET part.until = $now
    RETURN count(part) AS ended
  }
  CALL (p) {
    MATCH (c:Credential)-[:OF]->(p)
    WITH c, c.id AS id
    DETACH DELETE c
    RETURN collect(id) AS credentials
  }
  SET e.credentials = size(credentials), e.credential_ids = credentials
  WITH p, e
  CALL (p) {
    MATCH (c:Credential) WHERE p.user_id IN c.acts_for
    SET c.acts_for = [account IN c.acts_for WHERE account <> p.user_id]
  }
  RETURN e
}
CALL (waiting) {
  WITH waiting WHERE waiting:Failed
  // include: queued(node=waiting, job='erase', due_at=$now)
}
RETURN coalesce(waiting.id, e.id) AS id
