// Drops the vector index memory of one slot, so that it is made anew.
// params: -
// returns: -
// mode: write
// slots: a, b
DROP INDEX memory_vector_$$slot IF EXISTS
