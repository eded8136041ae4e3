// Assigns slot `a` to a model if no slot is active yet. Returns the active slot.
// params: $model, $dimensions, $now
// returns: slot, model, dimensions
// mode: write
MERGE (s:EmbeddingSlot {slot: 'a'})
SET s.asked_at = $now
WITH s
OPTIONAL MATCH (active:EmbeddingSlot {state: 'active'})
FOREACH (first IN CASE WHEN active IS NULL THEN [s] ELSE [] END |
  SET first.model = $model, first.dimensions = $dimensions, first.state = 'active', first.since = $now
)
WITH coalesce(active, s) AS answering
RETURN answering.slot AS slot, answering.model AS model, answering.dimensions AS dimensions
