// The active slot of the vector indexes, which answers searches, and the model whose vectors fill it.
// params: -
// returns: slot, model, dimensions
// mode: read
MATCH (s:EmbeddingSlot {state: 'active'})
RETURN s.slot AS slot, s.model AS model, s.dimensions AS dimensions
