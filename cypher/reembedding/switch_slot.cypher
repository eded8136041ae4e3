// Lets a slot answer in the place of the one that did, if it is still the model's that filled it.
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
