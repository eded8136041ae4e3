// Finds the scopes (owners and chats) behind `after` whose live memories are too large, their text and embeddings above
// `$most_bytes`, and the number of memories to archive there (`excess`): `$percent` of them, rounded up (T7).
// expects: after
// params: $percent, $most_bytes, $moment, $no_end
MATCH (m:Memory)
WHERE m.scope > after AND m.retired_at = $no_end AND m.expires_at > $moment AND m.status = 'active'
WITH m.scope AS scope, count(m) AS live, sum(
  // include: reckoned_size
) AS bytes
WHERE bytes > $most_bytes
WITH scope, toInteger(ceil(live * $percent / 100.0)) AS excess
