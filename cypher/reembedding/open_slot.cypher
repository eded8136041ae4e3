// Gives the slot of the vector indexes that does not answer to another model, which is to fill it. One that was being
// filled by the same model goes on; there is no row when the answering slot is that model's already.
// params: $model, $dimensions, $now
// returns: slot, model, dimensions
// mode: write
MERGE (l:Lock {name: 'slots'})
SET l.at = $now
WITH l
MATCH (active:EmbeddingSlot {state: 'active'})
CALL (active) {
  WITH active WHERE active.model <> $model OR active.dimensions <> $dimensions
  MERGE (other:EmbeddingSlot {slot: CASE active.slot WHEN 'a' THEN 'b' ELSE 'a' END})
  SET other.model = $model, other.dimensions = $dimensions, other.state = 'filling',
      other.since = CASE WHEN other.model = $model AND other.state = 'filling' THEN other.since ELSE $now END
  RETURN other
}
RETURN other.slot AS slot, other.model AS model, other.dimensions AS dimensions
