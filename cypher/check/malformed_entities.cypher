// Entities that lack a mandatory property, or whose key or label does not fit their type.
// params: -
// returns: found, examples
// mode: read
MATCH (e:Entity)
WHERE NOT (e.id IS :: STRING NOT NULL AND e.key IS :: STRING NOT NULL AND e.type IS :: STRING NOT NULL
  AND e.canonical_name IS :: STRING NOT NULL AND e.names IS NOT NULL AND e.aliases IS NOT NULL
  AND e.key STARTS WITH e.type + ':' AND any(label IN labels(e) WHERE toLower(label) = e.type))
RETURN count(e) AS found, collect(e.id)[..5] AS examples
