// The slots of the vector indexes: which model fills which, and which one answers.
// params: -
// returns: slot, model, dimensions, state
// mode: read
MATCH (s:EmbeddingSlot) WHERE s.model IS NOT NULL
RETURN s.slot AS slot, s.model AS model, s.dimensions AS dimensions, s.state AS state ORDER BY slot
