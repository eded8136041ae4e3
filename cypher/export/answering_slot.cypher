// The slot of the vector indexes that answers, and the model whose vectors fill it.
// params: -
// returns: slot, model, dimensions
// mode: read
MATCH (s:EmbeddingSlot {state: 'active'})
RETURN s.slot AS slot, s.model AS model, s.dimensions AS dimensions
