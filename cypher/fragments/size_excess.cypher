// The scopes (owners and chats) behind `after` whose live memories are too large, their text and vectors above `$most_bytes`,
// and how many are to be archived there (`excess`): `$percent` of them, rounded up. A character counts as one byte (T7).
// expects: after
// params: $percent, $most_bytes, $vector_bytes, $moment, $no_end
MATCH (m:Memory)
WHERE m.scope > after AND m.retired_at = $no_end AND m.expires_at > $moment AND m.status = 'active'
WITH m.scope AS scope, count(m) AS live, sum(size(m.content)) AS characters,
     count(m.embedding_model_a) + count(m.embedding_model_b) AS vectors
WHERE characters + vectors * $vector_bytes > $most_bytes
WITH scope, toInteger(ceil(live * $percent / 100.0)) AS excess
