// Drops the full-text index entity, so that it is made anew.
// params: -
// returns: -
// mode: write
DROP INDEX entity_fulltext IF EXISTS
