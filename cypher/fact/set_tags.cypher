// Replaces the tags of a memory. Full-text search finds it by their words, and filters by the tokens `$facets`, which
// replace `$gone`.
// params: $id, $tags, $gone, $facets
// returns: -
// mode: write
MATCH (m:Memory {id: $id})
SET m.tags = $tags, m.facets = [facet IN m.facets WHERE NOT facet IN $gone] + $facets
