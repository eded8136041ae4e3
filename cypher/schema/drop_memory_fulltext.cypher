// Drops the full-text index memory, so that it is made anew.
// params: -
// returns: -
// mode: write
DROP INDEX memory_fulltext IF EXISTS
