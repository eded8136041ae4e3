// Makes a filled slot the active one in place of the former, if it is still assigned to this model.
// params: $slot, $model, $now
// returns: slot
// mode: write
MERGE (l:Lock {name: 'slots'})
SET l.at = $now
WITH l
MATCH (filled:EmbeddingSlot {slot: $slot, model: $model, state: 'filling'})
MATCH (active:EmbeddingSlot {state: 'active'})
SET active.state = 'retired', active.since = $now, filled.state = 'active', filled.since = $now
RETURN filled.slot AS slot
