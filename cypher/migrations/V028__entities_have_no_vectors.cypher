// Nothing reads a vector of an entity's names; measured, it tells the same from another no better than chance.
DROP INDEX entity_vector_a IF EXISTS;
DROP INDEX entity_vector_b IF EXISTS;
MATCH (e:Entity|Merged)
WHERE e.embedding_a IS NOT NULL OR e.embedding_b IS NOT NULL OR e.embedding_model_a IS NOT NULL OR e.embedding_model_b IS NOT NULL
CALL (e) { REMOVE e.embedding_a, e.embedding_b, e.embedding_model_a, e.embedding_model_b } IN TRANSACTIONS OF 1000 ROWS;
MATCH ()-[record:MERGED_INTO]->()
CALL (record) {
  REMOVE record.embedding_a, record.embedding_b, record.embedding_model_a, record.embedding_model_b
} IN TRANSACTIONS OF 1000 ROWS;
// A summary is a memory of its own: no entity has the property. The start declares the index anew without it.
DROP INDEX entity_fulltext IF EXISTS;
