// Drops the full-text index archived, so that it is made anew.
// params: -
// returns: -
// mode: write
DROP INDEX archived_fulltext IF EXISTS
