// Drops an index that depends on settings, so that it can be created again.
// params: -
// returns: -
// mode: write
// slots: memory_fulltext, archived_fulltext, entity_fulltext, sound_fulltext, memory_vector_a, memory_vector_b, about_vector_a, about_vector_b, part_vector_a, part_vector_b
DROP INDEX $$slot IF EXISTS
