// The person who has an account, and the tokens of those of their names that somebody else vouched for.
// params: $user_id
// returns: id, vouched
// mode: read
MATCH (p:Person {user_id: $user_id})
RETURN p.id AS id, coalesce(p.vouched, []) AS vouched
