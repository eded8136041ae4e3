// Notes that a name of a person is one that somebody else vouched for, by its tokens.
// params: $id, $tokens, $now
// returns: -
// mode: write
MATCH (p:Person {id: $id})
SET p.lock = $now, p.vouched = coalesce(p.vouched, []) + [new IN $tokens WHERE NOT new IN coalesce(p.vouched, [])]
