// Assigns the inactive slot of the vector indexes to another model, whose vectors are to fill it. A slot that the same
// model was filling continues. Returns no row if the active slot is of that model already.
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
  SET other.since = CASE WHEN other.model = $model AND other.state = 'filling' THEN other.since ELSE $now END
  SET other.model = $model, other.dimensions = $dimensions, other.state = 'filling'
  RETURN other
}
RETURN other.slot AS slot, other.model AS model, other.dimensions AS dimensions
