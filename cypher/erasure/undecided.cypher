// The erasures that left places to be decided, the earliest first, or the one of `$erasure_id`: what the person was
// called (`full`, `words`), and the number of places.
// params: $erasure_id, $limit
// returns: id, by_admin, requested_at, full, words, places
// mode: read
MATCH (e:UndecidedErasure) WHERE ($erasure_id IS NULL OR e.id = $erasure_id) AND NOT e:Pending
WITH e ORDER BY e.requested_at, e.id LIMIT $limit
RETURN e.id AS id, e.by_admin AS by_admin, e.requested_at AS requested_at, e.full AS full, e.words AS words,
       COUNT { (e)-[:CONCERNS]->() } AS places ORDER BY requested_at, id
