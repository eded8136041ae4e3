// The record of an erasure.
// params: $erasure_id
// returns: receipt
// mode: read
MATCH (e:Erasure {id: $erasure_id})
RETURN e {.id, .others_words, .requested_at, .finished_at, .failure, .decided_at, .removed, .rewritten,
          undecided: COUNT { (e)-[:CONCERNS]->() },
          counts: e {.turns, .facts, .summaries, .versions, .reworded, .states, .todos, .blocks, .credentials, .memberships, .chats,
                     .sessions, .relations, .entities, .names}} AS receipt
