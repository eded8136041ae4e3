// The person who has an account.
// params: $user_id
// returns: id
// mode: read
MATCH (p:Person {user_id: $user_id})
RETURN p.id AS id
