// Drops the vector index about of one slot, so that it is made anew.
// params: -
// returns: -
// mode: write
// slots: a, b
DROP INDEX about_vector_$$slot IF EXISTS
