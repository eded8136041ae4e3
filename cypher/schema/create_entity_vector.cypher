// Declares the vector index over entities of one slot.
// params: options
// returns: -
// mode: write
// slots: a, b
CREATE VECTOR INDEX entity_vector_$$slot IF NOT EXISTS
FOR (e:Entity) ON e.embedding_$$slot
WITH [e.type]
OPTIONS $options
