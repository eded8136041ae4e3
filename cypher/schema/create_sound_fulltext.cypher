// Declares the full-text index over how the names of entities sound.
// params: options
// returns: -
// mode: write
CREATE FULLTEXT INDEX sound_fulltext IF NOT EXISTS
FOR (e:Entity) ON EACH [e.sounds]
OPTIONS $options
