// All indexes: their type, state, progress of population in percent, and settings.
// params: -
// returns: name, type, state, percent, options
// mode: read
SHOW INDEXES YIELD name, type, state, populationPercent, options
RETURN name, type, state, populationPercent AS percent, options
ORDER BY name
