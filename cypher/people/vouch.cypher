// Records the tokens of a name of a person for which somebody else vouched.
// params: $id, $tokens, $now
// returns: -
// mode: write
MATCH (p:Person {id: $id})
SET p.lock = $now, p.vouched = coalesce(p.vouched, []) + [new IN $tokens WHERE NOT new IN coalesce(p.vouched, [])]
