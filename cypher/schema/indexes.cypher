// Every index there is: what it is over, how far it is, and its settings.
// params: -
// returns: name, type, state, percent, labels, properties, options, constraint
// mode: read
SHOW INDEXES YIELD name, type, state, populationPercent, labelsOrTypes, properties, options, owningConstraint
RETURN name, type, state, populationPercent AS percent, labelsOrTypes AS labels, properties, options,
       owningConstraint AS constraint
ORDER BY name
