// Gives a memory other tags: full-text search finds it by their words, and filters by their `$facets` in place of `$gone`.
// params: $id, $tags, $gone, $facets
// returns: -
// mode: write
MATCH (m:Memory {id: $id})
SET m.tags = $tags, m.facets = [facet IN m.facets WHERE NOT facet IN $gone] + $facets
