// The person with this account, and the tokens of their names for which somebody else vouched.
// params: $user_id
// returns: id, vouched
// mode: read
MATCH (p:Person {user_id: $user_id})
RETURN p.id AS id, coalesce(p.vouched, []) AS vouched
