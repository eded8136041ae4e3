// Drops the vector index entity of one slot, so that it is made anew.
// params: -
// returns: -
// mode: write
// slots: a, b
DROP INDEX entity_vector_$$slot IF EXISTS
