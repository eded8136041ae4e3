// Drops the full-text index sound, so that it is made anew.
// params: -
// returns: -
// mode: write
DROP INDEX sound_fulltext IF EXISTS
