// Creates the full-text index over the phonetic codes of the names of entities.
// params: options
// returns: -
// mode: write
CREATE FULLTEXT INDEX sound_fulltext IF NOT EXISTS
FOR (e:Entity) ON EACH [e.sounds]
OPTIONS $options
