// How many memories are to be archived because of their size: `$percent` of all live ones, rounded up, when their text and
// vectors are above `$most_bytes`, else none (`excess`). A character counts as one byte (T7).
// expects: -
// params: $percent, $most_bytes, $vector_bytes, $moment, $no_end
CALL () {
  MATCH (m:Memory) WHERE m.retired_at = $no_end AND m.expires_at > $moment AND m.status = 'active'
  WITH count(m) AS live, sum(size(m.content)) AS characters,
       count(m.embedding_model_a) + count(m.embedding_model_b) AS vectors
  RETURN CASE WHEN characters + vectors * $vector_bytes > $most_bytes THEN toInteger(ceil(live * $percent / 100.0)) ELSE 0 END
           AS excess
}
