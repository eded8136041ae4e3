// Every index there is: what it is over, how far it is, and its settings.
// params: -
// returns: name, type, state, percent, options
// mode: read
SHOW INDEXES YIELD name, type, state, populationPercent, options
RETURN name, type, state, populationPercent AS percent, options
ORDER BY name
